"""Values that earlier solvers found, one written for each game: today's have to find them again.

Run `make test-all` when you change how the two Würfel Joker games or Fiese 15 are solved: only it builds the former's
tables of two seats, and the latter's of one seat with and without handicap.

Those of Crowns and 6mal6 are estimates of today's solvers: they change with the random numbers they are made from.
"""

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


#: these tables take up to a minute on a busy machine
LARGE = {("joker1", 2), ("joker2", 2), ("fiese15", 1)}
CASES = [
    pytest.param(game, seats, marks=[pytest.mark.exhaustive] if (game, seats) in LARGE else [])
    for game in ("joker1", "joker2", "fiese15", "lines", "crowns", "sixbysix")
    for seats in (1, 2, 3)
    if (game, seats) != ("sixbysix", 1)
]
#: estimates may be added up in another order
ESTIMATED = ("crowns", "sixbysix")


@pytest.mark.usefixtures("little_practice")
@pytest.mark.parametrize(("game", "seats"), CASES)
def test_values_are_those_of_the_solvers_before(game: str, seats: int) -> None:
    tolerance = 0.02 if game in ESTIMATED else 1e-9
    for known in FROZEN:
        if known["at"].startswith(f"{game} {seats} "):
            expected: list[Any] = [
                known["turn"],
                *(known["value"] or ()),
                *(known["win"] or ()),
                known["exact_win"],
            ]
            expected += [number for move in known["moves"] for number in move]
            found = [*numbers(State.parse(known["at"]))]
            assert found == pytest.approx(expected, abs=tolerance), known["at"]
