"""Input that is too long, too deep or too large is refused quickly, before it is parsed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pasch.core import record
from pasch.core.bounds import DEPTH, PARTS, TooMuch, check_json
from pasch.core.components import MAX_BOX_BYTES, parse_components
from pasch.core.errors import ComponentError, RecordError
from pasch.core.record import Record
from pasch.core.registry import find_game

GAME = find_game("sixbysix")
_json = st.recursive(
    st.none() | st.integers() | st.text('[]{}"\\a', max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('[]"\\', max_size=3), inner),
    max_leaves=20,
)


def depth_of(data: Any) -> int:
    """How deep JSON is, found by looking at the values themselves."""
    if isinstance(data, dict):
        return 1 + max(map(depth_of, data.values()), default=0)
    return 1 + max(map(depth_of, data), default=0) if isinstance(data, list) else 0


def things_in(data: Any) -> int:
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return isinstance(data, dict | list) + sum(map(things_in, inner))


def refused(data: str | bytes, depth: int, things: int = 10**6) -> bool:
    try:
        check_json(data, max_bytes=10**6, max_containers=things, depth=depth)
    except TooMuch:
        return True
    return False


@given(_json, st.integers(0, 6), st.integers(0, 30), st.booleans(), st.booleans())
def test_depth_and_things_are_counted_as_the_parser_would(
    data: Any, depth: int, things: int, ascii_only: bool, binary: bool
) -> None:
    text = json.dumps(data, ensure_ascii=ascii_only)
    assert refused(text.encode() if binary else text, depth) == (depth_of(data) > depth)
    assert refused(text, 100, things) == (things_in(data) > things)


@pytest.mark.parametrize(
    "text", ["[" * 99, '"[' * 99, "]" * 99, "[[]" * 99, '{"a":' * 99, '"\\"' + "[" * 99]
)
def test_what_is_broken_is_left_to_the_parser_unless_it_is_deep(text: str) -> None:
    with pytest.raises(RecordError):
        Record.from_json(text)


def test_a_record_has_bounds_before_it_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("json.loads", lambda *_, **__: pytest.fail("it was parsed"))
    monkeypatch.setattr(record, "MAX_BYTES", 1000)
    monkeypatch.setattr(record, "MAX_CONTAINERS", 100)
    for text, words in (
        ("[" * (DEPTH + 1) + "]" * (DEPTH + 1), "deep"),
        (" " * 1001, "1000 bytes"),
        ("[" + "{}," * 100 + "{}]", "100 objects"),
    ):
        for written in (text, text.encode()):
            with pytest.raises(RecordError, match=words):
                Record.from_json(written)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a." * 40_000 + "a = 1", "parts"),
        ("[" + "a . " * 40_000 + "a]", "parts"),
        ('"\\"".' * 40_000 + "a = 1", "parts"),
        ("'x'." * PARTS + "x = 1", "parts"),
        ("a = " + "[" * 100_000, "deep"),
        ("a = " + "{a=" * 40 + "1" + "}" * 40, "deep"),
        ("#" * (MAX_BOX_BYTES + 1), "longer"),
        ("a = " + "1" * 5000, "this is not a TOML file"),
    ],
)
def test_a_component_file_has_bounds_before_it_is_parsed(text: str, words: str) -> None:
    with pytest.raises(ComponentError, match=words):
        parse_components(GAME.Components, GAME.id, text)


def test_toml_within_bounds_is_read_in_a_moment() -> None:
    """Without a limit on their parts, keys would take minutes and gigabytes."""
    line = "a." * (PARTS - 1) + "b{} = 1\n"
    text = "".join(line.format(number) for number in range(MAX_BOX_BYTES // len(line) - 10))
    with pytest.raises(ComponentError, match="the file: something"):
        parse_components(GAME.Components, GAME.id, text)
