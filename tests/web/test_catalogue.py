"""Every text that the browser may show is in the catalogues, in every language, in all its forms."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import cache

import pytest
from babel.messages.catalog import Catalog
from tools import texts

from pasch.core.options import option_specs
from pasch.core.registry import all_games
from tests.web.nodejs import need_typescript

LANGUAGES = texts.LANGUAGES


@cache
def found() -> texts.Found:
    need_typescript()
    return texts.find()


def forms(text: str | Iterable[str] | None) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text or ())


def names(text: str) -> set[str]:
    """The names that a template asks for."""
    return set(re.findall(r"\{(\w+)(?:!r)?\}", text))


@cache
def catalogue(language: str) -> Catalog:
    return texts.read(language)


def test_no_text_stands_outside_the_catalogues() -> None:
    assert found().wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_in_the_catalogue(language: str) -> None:
    there = {message.id for message in catalogue(language) if message.id}
    wanted = {text.one if text.other is None else (text.one, text.other) for text in found().texts}
    # `make texts` brings them into line
    assert wanted - there == set()
    assert there - wanted == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated_in_all_forms(language: str) -> None:
    messages = [message for message in catalogue(language) if message.id]
    assert [m.id for m in messages if not texts.translated(m)] == []
    assert [m.id for m in messages if len(forms(m.id)) != len(forms(m.string))] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_ask_for_nothing_that_is_not_given(language: str) -> None:
    strange = [
        message.id
        for message in catalogue(language)
        if message.id
        for said in forms(message.string)
        if not names(said) <= set().union(*map(names, forms(message.id)))
    ]
    assert strange == []


def test_options_are_explained_alike_in_browser_and_terminal() -> None:
    written = (texts.SOURCE / "texts" / "de" / "options.toml").read_text("utf-8")
    terminal = tomllib.loads(written)
    for game in all_games():
        for spec in option_specs(game.Options):
            message = catalogue("de").get(spec.explanation)
            assert message is not None
            assert message.string == terminal[game.id][spec.name]
