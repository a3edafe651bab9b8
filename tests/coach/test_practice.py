"""What to practise: costs by kind of decision over several games, with their confidence."""

from __future__ import annotations

from math import sqrt

import pytest

from pasch.coach.ledger import keep_ledger
from pasch.coach.practice import HabitCost, Interval, SeatPractice, habit_figures, interval, practice
from pasch.coach.reasons import slug
from pasch.core.words import say
from tests.coach.games import agree, play


def seat(*habits: HabitCost) -> SeatPractice:
    costs = sum(one.cost for one in habits)
    return SeatPractice(0, 0, True, costs, -costs, None, habits)


def cost(name: str, when: str, points: float, times: int = 1) -> HabitCost:
    return HabitCost(name, slug(name), say(when), times, points)


def test_a_mean_has_a_confidence_interval() -> None:
    assert interval([4.0]) == Interval(4.0, None)
    three, many = interval([1.0, 2.0, 3.0]), interval([0.0, 1.0] * 50)
    # Student's t with two degrees of freedom: 4.3027
    assert three.mean == 2.0 and three.margin == pytest.approx(4.3026527 / sqrt(3))
    assert many.margin == pytest.approx(1.9842170 * sqrt(25 / 99 / 100))


def test_costs_are_grouped_by_kind_and_games_without_a_mistake_count() -> None:
    games = [
        ("a", seat(cost("Stops", "early", 3.0, 2), cost("Stops", "late", 1.0), cost("Rolls", "on", 1.0))),
        ("a", seat(cost("Stops", "late", 2.5))),
        ("a", seat()),
        ("b", seat(cost("Stops", "early", 9.0))),
    ]
    found = habit_figures(games)
    assert [(one.game, one.name, one.games, one.times) for one in found] == [
        ("a", "Stops", 3, 4),
        ("a", "Rolls", 3, 1),
        ("b", "Stops", 1, 1),
    ]
    assert found[0].cost == interval([4.0, 2.5, 0.0])
    # most was lost late, though the dearest single mistake was early
    assert str(found[0].when) == "late"
    assert found[2].cost == Interval(9.0, None)


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
