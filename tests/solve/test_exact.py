"""The general solver on games so small that the answer can be worked out by hand."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest

from pasch.core.state import CHANCE, OVER
from pasch.games.joker1.rules import Joker1, Joker1Options
from pasch.solve.exact import Cyclic, Graph, TooLarge, explore


class Coin:
    """Heads with a chance of a third."""

    total = 3

    def outcomes(self) -> list[tuple[str, int]]:
        return [("heads", 1), ("tails", 2)]


class Flip(NamedTuple):
    """A seat may take 1 point or flip: heads 3 points, tails the other seat may choose; or, if `again`,
    tails is flipped again. The points are the payoff of the seat that takes them."""

    seat: int = 0
    flipping: bool = False
    points: int = 0
    flips: int = 2
    again: bool = False

    @property
    def actor(self) -> int:
        if self.points or not self.flips:
            return OVER
        return CHANCE if self.flipping else self.seat

    def moves(self) -> list[str]:
        return ["take", "flip"]

    def chance(self) -> Coin:
        return Coin()

    def apply(self, event: str) -> Flip:
        if event == "take":
            return self._replace(points=1)
        if event == "flip":
            return self._replace(flipping=True)
        if event == "heads":
            return self._replace(points=3)
        if self.again:
            return self
        return self._replace(seat=1 - self.seat, flipping=False, flips=self.flips - 1)


def pay(position: Flip) -> tuple[int, int]:
    return (position.points, 0) if position.seat == 0 else (0, position.points)


def test_backward_induction_in_exact_fractions() -> None:
    # seat 1, with one flip left, is indifferent between 1 point and a third of 3: it takes the first
    # move; so flipping is worth 1 to seat 0 as well, and it takes at once
    solution = explore(Flip()).solve_exactly(pay)
    assert solution.start == (1, 0)
    assert solution.value(Flip(flipping=True)) == (Fraction(1), Fraction(2, 3))
    assert solution.best(Flip()) == "take"
    assert solution.moves(Flip()) == (("take", Fraction(1)), ("flip", Fraction(1)))


def test_floats_and_fractions_agree() -> None:
    graph = explore(Flip(flips=5))
    exactly, nearly = graph.solve_exactly(pay), graph.solve(pay)
    assert np.allclose(nearly.values, [[float(v) for v in value] for value in exactly.values], atol=1e-14)


def test_of_equally_good_moves_the_preferred_one_is_made() -> None:
    graph = explore(Flip())
    by_flipping = graph.solve(pay, preferences=graph.preferences(lambda _, move: float(move == "flip")))
    assert by_flipping.start == pytest.approx((1, 2 / 3 / 3 * 3))


def test_positions_that_come_again_are_repeated_until_nothing_changes() -> None:
    graph = explore(Flip(again=True))
    assert graph.solve(pay).start == pytest.approx((3, 0))
    with pytest.raises(Cyclic):
        graph.solve_exactly(pay)


def swap(position: Flip) -> tuple[Flip, tuple[int, ...]]:
    return position._replace(seat=0), ((0, 1) if position.seat == 0 else (1, 0))


@pytest.mark.parametrize("flips", [1, 2, 3, 6])
def test_seats_that_are_alike_need_only_be_looked_at_once(flips: int) -> None:
    whole, half = explore(Flip(flips=flips)), explore(Flip(flips=flips), swap)
    assert len(half.positions) <= len(whole.positions)
    for position in whole.positions:
        if position.flips:
            exactly = whole.solve_exactly(pay).value(position)
            assert half.solve_exactly(pay).value(position) == exactly
            assert half.solve(pay).value(position) == pytest.approx([float(v) for v in exactly])


def test_too_many_positions_are_refused() -> None:
    with pytest.raises(TooLarge):
        explore(Flip(flips=50), most=20)


def test_knots_are_the_positions_that_lead_to_each_other() -> None:
    graph: Graph[Flip] = explore(Flip(again=True))
    order, begin = graph.knots()
    place = {int(number): rank for rank, number in enumerate(order)}
    assert len(begin) - 1 == len(order), "the flip leads to itself alone"
    for number in range(len(graph.positions)):
        for edge in graph.edges(number):
            assert place[graph.target[edge]] <= place[number], "what a position leads to comes first"


def test_it_takes_the_games_of_this_house_as_they_are() -> None:
    state = Joker1(1, Joker1Options(rounds=1)).start()
    graph = explore(state)
    assert graph.solve(lambda end: end.scores()).value(state)[0] == pytest.approx(16.0771, abs=1e-4)


def test_the_door_stays_light() -> None:
    """Neither the front of the room nor the modules of its games import a compiler."""
    script = (
        "import sys, pasch.solve, pasch.solve.exact, pasch.games.fiese15.values, pasch.games.joker1.values;"
        "import pasch.games.joker2.values; print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
