"""Scores to come as distributions, and the chances that follow from them."""

from __future__ import annotations

from itertools import product
from math import prod

import pytest

from pasch.solve.scores import Distribution, mixture, rewards

COIN = Distribution(0, [0.5, 0.0, 0.5])
SKEW = Distribution(-1, [0.2, 0.5, 0.3])


def test_sums_of_independent_points() -> None:
    both = COIN.plus(SKEW)
    assert (both.low, both.high) == (-1, 3)
    assert both.chances == pytest.approx([0.1, 0.25, 0.25, 0.25, 0.15])
    assert both.mean() == pytest.approx(COIN.mean() + SKEW.mean())
    assert both.variance() == pytest.approx(COIN.variance() + SKEW.variance())


@pytest.mark.parametrize("count", [0, 1, 2, 5, 8])
def test_many_turns_alike(count: int) -> None:
    one_by_one = Distribution.certain(0)
    for _ in range(count):
        one_by_one = one_by_one.plus(SKEW)
    together = SKEW.times(count)
    assert together.low == one_by_one.low
    assert together.chances == pytest.approx(one_by_one.chances)


def test_mixtures_and_signs() -> None:
    mixed = mixture([COIN, SKEW])
    assert mixed.low == -1
    assert mixed.chances == pytest.approx([0.1, 0.5, 0.15, 0.25])
    assert SKEW.negative().mean() == pytest.approx(-SKEW.mean())
    assert SKEW.at_most(range(-3, 4)) == pytest.approx([0, 0, 0.2, 0.7, 1, 1, 1])
    scattered = Distribution.of([3, -1, 3], [0.25, 0.5, 0.25])
    assert (scattered.low, scattered.chances) == (-1, [0.5, 0, 0, 0, 0.5])


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_chances_by_listing_everything(seat: int) -> None:
    finals = {0: COIN, 1: SKEW, 2: Distribution.certain(1)}
    scores = [-2, 0, 1, 2]
    own = finals[seat]
    found = rewards(seat, scores, own, {s: d for s, d in finals.items() if s != seat})
    for place, score in enumerate(scores):
        expected = [0.0, 0.0, 0.0]
        for points in product(*(finals[s].points for s in range(3))):
            chance = prod(finals[s].chances[p - finals[s].low] for s, p in enumerate(points))
            totals = [p + score * (s == seat) for s, p in enumerate(points)]
            for s, total in enumerate(totals):
                expected[s] += chance * (total == max(totals))
        assert [row[place] for row in found] == pytest.approx(expected)
