"""Every registered game passes one suite, whatever its rules.

`make test-all` tries all options with all numbers of players: run it after a change of rules or of `pasch.core`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pasch.core.errors import EventError
from pasch.core.match import Match
from pasch.core.registry import AnyGame, find_game, game_ids
from pasch.terminal.conformance import PROPERTIES, Case, Property, cases, check, sample_cases

#: what stands in place of something else in an event
STRANGE: tuple[Any, ...] = (None, True, 0.5, 1.0, "1", "x", [], [[]], {}, {"1": 2}, 0, 7, -99)


def events_of_another_shape_are_refused(match: Match) -> None:
    """Reading returns exactly what was written: the same types of numbers, nothing missing or left over."""
    shapes = {tuple(event.json()): event.json() for event in reversed(match.events)}
    for written in (*STRANGE, *(changed for event in shapes.values() for changed in _otherwise(event))):
        line = json.dumps(written, sort_keys=True)
        try:
            read = match.game.read_event(json.loads(line))
        except EventError:
            continue
        assert json.dumps(read.json(), sort_keys=True) == line


def _otherwise(written: Any) -> Iterator[Any]:
    """Something with one part of it missing, added, or strange."""
    if isinstance(written, dict):
        yield written | {"more": 1}
        for key, part in written.items():
            yield {name: other for name, other in written.items() if name != key}
            yield from (written | {key: changed} for changed in (*STRANGE, *_otherwise(part)))
    elif isinstance(written, list | tuple) and written:
        yield from ([*written[:-1], changed] for changed in (*STRANGE, *_otherwise(written[-1])))
    elif isinstance(written, int):
        yield float(written)


@pytest.mark.parametrize(
    "wanted", [*PROPERTIES, events_of_another_shape_are_refused], ids=lambda wanted: wanted.__name__
)
@pytest.mark.parametrize("game", game_ids())
@pytest.mark.parametrize("which", [sample_cases, pytest.param(cases, marks=pytest.mark.exhaustive)])
def test_every_game(which: Callable[[AnyGame], list[Case]], game: str, wanted: Property) -> None:
    check(wanted, which(find_game(game)))
