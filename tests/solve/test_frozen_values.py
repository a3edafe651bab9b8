"""Values that an earlier solver, written for each game, found: this one has to find them again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pasch.core.state import State
from pasch.solve.valuer import valuer

FROZEN = json.loads(Path(__file__).with_name("frozen_values.json").read_text())


def numbers(state: State) -> Iterator[float | None]:
    """Everything that is known of a position and its first moves."""
    values = valuer(state.game)
    worth = values.worth(state)
    yield from (worth.turn, *(worth.value or ()), *(worth.win or ()), worth.exact.win)
    for move in values.moves(state)[:3]:
        yield from (move.turn, move.value, move.win)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["joker1", "joker2", "fiese15", "lines"])
def test_values_are_those_of_the_solvers_before(game: str) -> None:
    for known in FROZEN:
        if known["at"].startswith(f"{game} "):
            expected: list[Any] = [
                known["turn"],
                *(known["value"] or ()),
                *(known["win"] or ()),
                known["exact_win"],
            ]
            expected += [number for move in known["moves"] for number in move]
            assert [*numbers(State.parse(known["at"]))] == pytest.approx(expected, abs=1e-9), known["at"]
