"""The pages and types made of the message schema are fresh, and say everything."""

from __future__ import annotations

from typing import get_args

from tools import protocol

from pasch.table import schema
from pasch.table.refusals import CODES, Code
from pasch.web.http import STATUS


def test_the_page_is_fresh() -> None:
    assert protocol.PAGE.read_text("utf-8") == protocol.page(), "run `make docs`"


def test_the_clients_types_are_fresh() -> None:
    assert protocol.TYPES.read_text("utf-8") == protocol.types(), "run `make docs`"


def test_every_message_is_in_both() -> None:
    page, types = protocol.page(), protocol.types()
    for cls in (*get_args(schema.FromBrowser), *get_args(schema.FromServer)):
        assert f"### {cls.__name__}" in page and f"export interface {cls.__name__} {{\n" in types


def test_every_code_has_a_meaning_and_a_status() -> None:
    codes = set(get_args(Code))
    assert codes == set(CODES) == set(STATUS)
