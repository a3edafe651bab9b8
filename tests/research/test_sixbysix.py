"""The equilibrium of ends of rounds: play by the rules, a solution that is known, and players measured by it.

These tests run with `make test-all` only.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import comb

import msgspec
import pytest
from research.sixbysix import equilibrium
from research.sixbysix.equilibrium import (
    SEATS,
    End,
    end_of_round,
    gain_against,
    losses,
    small_game,
    solve,
    strategy_of,
    value_of,
)

from pasch.games.sixbysix.rules import Position, seat_to_lay
from pasch.players.base import player

LOW, HIGH = 3, 8
#: the smallest pack for two, so that it matters which cards are gone
CARDS = 24

pytestmark = pytest.mark.exhaustive


@pytest.fixture(scope="module", autouse=True)
def plain() -> Iterator[None]:
    """Trees as small as these are done before they are compiled."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(equilibrium, "_compiled", lambda function: function)
        yield


def position(rows: tuple[tuple[int, ...], ...], held: int) -> Position:
    """A position with hidden hands."""
    start = small_game((LOW, HIGH), CARDS).start().view(None)
    lying = [card for row in rows for card in row]
    laid = sum(card > 0 for card in lying)
    seat = seat_to_lay(start.order, SEATS, laid)
    return msgspec.structs.replace(
        start,
        actor=seat,
        seat=seat,
        phase="card",
        rows=rows,
        laid=laid,
        hands=((None,) * held,) * SEATS,
        unseen=tuple(number - lying.count(card) for card, number in enumerate(start.unseen, 1)),
    )


@cache
def two_passes() -> End:
    rows = (8, 3, 0, 8, 0, 8), (8, 0, 3, 8, 0, 8)
    return end_of_round(position(rows, 6))


def test_nobody_gains_much_against_the_equilibrium() -> None:
    end = two_passes()
    rough, fine = solve(end, 3), solve(end, 25)
    assert 0 <= fine.exploitability < 0.002 < rough.exploitability
    for seat, value in enumerate((fine.value, -fine.value)):
        assert value <= gain_against(end, fine.strategy, seat) <= value + 2 * fine.exploitability + 1e-12
    greedy = strategy_of(end, player("greedy"), 0)
    assert value_of(end, greedy, fine.strategy) <= fine.value + 2 * fine.exploitability
    assert gain_against(end, greedy, 1) >= -value_of(end, greedy, fine.strategy)
    # what is lost pass by pass is what the best answer would bring more
    lost = losses(end, greedy, fine.strategy, 0)
    gets = value_of(end, greedy, fine.strategy)
    assert len(lost) == 2 and min(lost) > -1e-12
    assert sum(lost) == pytest.approx(gain_against(end, fine.strategy, 0) - gets)


def test_the_last_field_has_the_value_that_counting_finds() -> None:
    """Seat 0 is behind: it wins only with the high card on the last field where the other has none left."""
    rows = (8, 3, 8, 8, 0, 8), (8, 8, 8, 8, 0, 8)
    end = end_of_round(position(rows, 7))
    there = dict(enumerate(end.states[0].unseen, 1))
    high, low = there[HIGH], there[LOW]
    deals = comb(high + low, 7) * comb(high + low - 7, 7)
    other_has_none = comb(low, 7) * (comb(high + low - 7, 7) - comb(low - 7, 7)) if low >= 7 else 0
    found = solve(end, 40)
    assert found.exploitability < 0.0005
    known = other_has_none / deals - 0.5
    assert -0.45 < known < -0.35
    assert found.value == pytest.approx(known, abs=2 * found.exploitability)
