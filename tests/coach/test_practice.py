"""What to practise: costs by kind of decision, and means with their confidence."""

from __future__ import annotations

from math import sqrt

import pytest

from pasch.coach.ledger import keep_ledger
from pasch.coach.practice import Interval, interval, practice
from pasch.coach.reasons import slug
from tests.coach.games import agree, play


def test_a_mean_has_a_confidence_interval() -> None:
    assert interval([4.0]) == Interval(4.0, None)
    three, many = interval([1.0, 2.0, 3.0]), interval([0.0, 1.0] * 50)
    # Student's t with two degrees of freedom: 4.3027
    assert three.mean == 2.0 and three.margin == pytest.approx(4.3026527 / sqrt(3))
    assert many.margin == pytest.approx(1.9842170 * sqrt(25 / 99 / 100))


@pytest.mark.slow
@pytest.mark.parametrize("case", [("joker1", 2, {"rounds": 3}), ("lines", 1, {"plans": [1], "target": 3})])
def test_the_figures_of_a_game_are_those_of_its_ledger(case: tuple[str, int, dict[str, object]]) -> None:
    match = play(agree(case), "greedy,random")
    ledger = keep_ledger(match)
    for figures, kept in zip(practice(match, ledger), ledger.seats, strict=True):
        assert sum(one.cost for one in figures.habits) == pytest.approx(kept.account.costs)
        assert sum(one.times for one in figures.habits) == kept.mistakes
        assert figures.without_luck == kept.account.without_luck and figures.accuracy == kept.accuracy
        assert figures.score == match.state.scores()[figures.seat]
        assert figures.won == (figures.seat in match.state.winners())
        assert all(slug(one.name) == one.slug for one in figures.habits)
