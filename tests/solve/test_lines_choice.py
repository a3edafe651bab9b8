"""Values of Shut the Lines where plans are chosen: against the race worked out in another way."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from pasch.core.chance import KeyedGenerator, seed_key
from pasch.core.state import CHANCE
from pasch.games.lines.rules import ChosenPlan, Lines
from pasch.games.lines.values import Values
from pasch.games.lines.values.rounds import rounds_on
from pasch.solve.valuer import valuer

TARGET = 5
GAME = Lines.agree(2, {"plans": [1, 2], "plan_choice": "chosen", "target": TARGET})
Pair = tuple[float, float]


def found() -> Values:
    values = valuer(GAME)
    assert isinstance(values, Values)
    return values


def before_round(number: int, totals: tuple[int, ...]) -> Any:
    """Before the plan of a round, counted from 0, is chosen."""
    return replace(GAME.start(), actor=number % 2, round=number, seat=number % 2, totals=totals)


@cache
def chances(plan: int) -> list[float]:
    return rounds_on(GAME.plans[plan - 1]).chances(0)


@cache
def ended(first: int, second: int) -> tuple[float, float, float, float]:
    """How a game continues at these totals, before a round: both seats' chances to win, both final scores.

    Both play for the most lines, and on the plan that brings the most; a round without points changes nothing.
    """
    if max(first, second) >= TARGET:
        return float(first >= second), float(second >= first), float(first), float(second)
    best = max((1, 2), key=lambda plan: rounds_on(GAME.plans[plan - 1]).expected(0))
    return played(first, second, best, again=True)


def played(first: int, second: int, plan: int, *, again: bool) -> tuple[float, float, float, float]:
    """The mean over a round on a plan; `again`: if it brings nobody points, it is as if it had not been."""
    totals, counted = [0.0] * 4, 0.0
    for (mine, one), (theirs, other) in product(enumerate(chances(plan)), repeat=2):
        if again and not mine and not theirs:
            continue
        counted += one * other
        for place, number in enumerate(ended(first + mine, second + theirs)):
            totals[place] += one * other * number
    return totals[0] / counted, totals[1] / counted, totals[2] / counted, totals[3] / counted


@pytest.mark.parametrize("totals", [(0, 0), (4, 0), (0, 4), (3, 4), (1, 2)])
@pytest.mark.parametrize("number", [0, 1])
def test_each_plan_by_working_the_race_out_pair_by_pair(totals: tuple[int, int], number: int) -> None:
    state, values = before_round(number, totals), found()
    seat = number % 2
    for worth, plan in zip(values.moves(state), (1, 2), strict=True):
        right = played(*totals, plan, again=False)
        assert worth.move == ChosenPlan(seat, plan)
        assert worth.turn == rounds_on(GAME.plans[plan - 1]).expected(0)
        assert worth.win == pytest.approx(right[seat], abs=1e-9)
        assert worth.value == pytest.approx(right[2 + seat], abs=1e-9)


def test_the_position_before_a_choice_is_that_of_the_best_one() -> None:
    for totals in product(range(TARGET), repeat=2):
        state, values = before_round(0, totals), found()
        worth, moves = values.worth(state), values.moves(state)
        assert worth.win is not None and worth.value is not None
        assert worth.win[0] == max(move.win or 0 for move in moves)
        most = max(moves, key=lambda move: move.turn or 0)
        assert (worth.turn, worth.value[0]) == (most.turn, most.value)
        assert values.points(state) == tuple(total + (most.turn or 0) for total in totals)
        assert values.move_points(state) == tuple(totals[0] + (move.turn or 0) for move in moves)


def test_to_win_another_plan_may_be_chosen_than_for_lines() -> None:
    """Far ahead, the choosing seat prefers few lines for all, or many at once."""
    differing = 0
    for totals in product(range(TARGET), repeat=2):
        moves = found().moves(before_round(0, totals))
        for_lines = max(moves, key=lambda move: move.turn or 0)
        to_win = max(moves, key=lambda move: move.win or 0)
        differing += for_lines.move != to_win.move
    assert differing


@pytest.mark.parametrize("players", [1, 2, 3])
def test_points_follow_choices_rolls_and_covers(players: int) -> None:
    """Before a choice the best one's, before chance the mean, once what begins to count is taken off."""
    game = Lines.agree(players, {"plans": [2, 1], "plan_choice": "chosen", "target": 3})
    values, generator = valuer(game), KeyedGenerator(seed_key("points"))
    state: Any = game.start()
    while not state.over:
        before = values.points(state)
        if state.actor == CHANCE:
            chance, mean = state.chance(), [0.0] * players
            for outcome, cases in chance.outcomes():
                stakes, after = values.stakes(state, outcome), values.points(state.apply(outcome))
                for seat in range(players):
                    mean[seat] += (after[seat] - stakes[seat]) * cases / chance.total
            assert mean == pytest.approx(before, abs=1e-9)
            state = state.apply(chance.sample(generator))
            continue
        worth, seat = values.move_points(state), state.actor
        assert max(worth) == pytest.approx(before[seat], abs=1e-9)
        for move, points in zip(state.moves(), worth, strict=True):
            gained = values.points(state.apply(move))[seat] - values.stakes(state, move)[seat]
            assert gained == pytest.approx(points, abs=1e-9)
        state = state.apply(state.moves()[generator.randrange(len(worth))])
    assert values.points(state) == state.scores()


def test_only_one_table_is_made_for_each_plan() -> None:
    listed = Values(Lines.agree(2, {"plans": [1, 2]}))
    assert found().tables == listed.tables
