"""Values of Shut the Lines: two solvers, the ledger, chances to win, other boxes, large plans, chosen plans.

Run `make test-all` when you change how several plans are solved: only it keeps the ledger of three players with plan 3.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from pasch.core.chance import KeyedGenerator, seed_key
from pasch.core.rules import mask_of
from pasch.games.lines.rules import ChosenPlan, Lines, Plan
from pasch.games.lines.values import Values
from pasch.games.lines.values import rounds as lines_rounds
from pasch.games.lines.values.large import simulated, solve_large
from pasch.games.lines.values.race import finish_chances, totals_after
from pasch.games.lines.values.rounds import rounds_on
from pasch.games.lines.values.solitaire import Solitaire
from pasch.solve import value, values
from tests.solve.proofs import Listed, ledger_holds, walk

PLANS = Lines(2).plans

# --- the two solvers against each other -------------------------------------------------------------


@pytest.mark.parametrize(
    "number", [2, *(pytest.param(number, marks=pytest.mark.exhaustive) for number in (1, 3))]
)
def test_the_kernel_for_large_plans_agrees_on_the_small_ones(number: int) -> None:
    plan = PLANS[number - 1]
    value = rounds_on(plan)
    large = solve_large(plan)
    assert np.abs(large - [value.expected(covered) for covered in range(plan.full + 1)]).max() < 5e-6


def test_plan_four_from_sets_with_high_numbers_covered() -> None:
    """Some of its sets, against going through the same ones one by one."""
    plan = PLANS[3]
    covered = mask_of((11, 12, 14, 15, 16, 17, 18, 19, 20, 24))
    table = solve_large(plan, covered=covered)
    play = Solitaire(plan, rounds_on(plan).lines_as_reward[0], covered | mask_of((2, 5, 9)))
    every = np.array(list(play.value))
    assert len(every) == 2**12
    assert np.abs(table[every] - list(play.value.values())).max() < 5e-6


# --- against played rounds -------------------------------------------------------------------------


def test_simulated_chances_agree_with_solved_ones_and_have_the_exact_mean() -> None:
    plan, rounds = PLANS[1], 1 << 16
    chances = simulated(plan, solve_large(plan), 0, rounds)
    right = np.array(rounds_on(plan).chances(0))
    assert np.all(np.abs(chances - right) <= 3 * np.sqrt(right / rounds))
    assert chances.sum() == pytest.approx(1, abs=1e-12)
    assert chances @ np.arange(len(right)) == pytest.approx(rounds_on(plan).expected(0), abs=1e-6)


# --- the ledger ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "plans", "choice"),
    [
        (1, [1], "listed"),
        (2, [1, 2], "chosen"),
        pytest.param(3, [3, 1], "listed", marks=pytest.mark.exhaustive),
        (4, [2, 1], "chosen"),
    ],
)
def test_the_ledger_holds_everywhere(players: int, plans: list[int], choice: str) -> None:
    """Where plans are chosen, a plan that is not the best costs the others lines as well."""
    game = Lines.agree(players, {"plans": plans, "plan_choice": choice, "target": 4})
    for state in walk(game, KeyedGenerator(seed_key(f"ledger {players} {plans}"))):
        ledger_holds(Values(game), state, independent=choice == "listed")
        worth, each = value(state), values(state)
        if each:
            assert worth.value is not None and worth.win is not None
            best = max(each, key=lambda found: found.turn or 0)
            assert (worth.turn, worth.value[state.actor]) == pytest.approx(
                (best.turn, best.value), abs=1e-12
            )
            assert worth.win[state.actor] == pytest.approx(max(found.win or 0 for found in each), abs=1e-12)


# --- the race --------------------------------------------------------------------------------------


def test_a_race_that_nobody_can_win_has_no_winner() -> None:
    nothing = [1.0, 0.0]
    found = finish_chances([[totals_after(0, 4, nothing)]], 2, lambda later: nothing)
    assert found.win[0][0] == 0


# --- chances to win ----------------------------------------------------------------------------------


def last_turn(
    totals: tuple[int, int], mine: tuple[int, ...], theirs: tuple[int, ...], **options: Any
) -> Any:
    """Seat 1 is out, seat 0 has covered `mine` and is to roll."""
    game = Lines.agree(2, options)
    laid = game.start().apply(game.start().chance().pick(0))
    return replace(laid, totals=totals, covered=(mask_of(mine), mask_of(theirs)), out=(False, True))


# seat 1 has reached the target and has 7 or 8 points; seat 0 needs several lines more
NEEDS = [
    last_turn((5, 6), (1, 2, 3, 8, 9, 10, 11), (1, 2, 11, 12), target=7),
    last_turn((0, 2), (1, 2, 3, 5, 10, 12, 13, 14), (1, 2, 13, 14), plans=[2], target=3),
    last_turn((2, 6), (1, 2, 3, 4, 7, 8, 10, 12, 13, 16), (16, 3, 2, 13), plans=[3], target=7),
]


@pytest.mark.parametrize("state", NEEDS)
def test_the_last_players_last_turn_has_the_greatest_chance_of_reaching_what_is_needed(
    state: Any,
) -> None:
    worth = value(state)
    assert worth.exact.win and worth.exact.value and worth.win is not None
    assert 0 < worth.win[0] < 1
    # by trying everything that the rules allow
    right = Listed(state).solve(lambda end: [seat in end.winners() for seat in range(2)])
    assert worth.win[0] == pytest.approx(right[state][0], abs=1e-9)
    # the other seat wins when this one does not, or ties
    assert 1 - 1e-9 <= sum(worth.win) <= 1 + worth.win[0]
    for roll, _ in state.chance().outcomes():
        rolled = state.apply(roll)
        if rolled.actor == 0:
            for found in values(rolled):
                assert found.win == pytest.approx(right[rolled.apply(found.move)][0], abs=1e-9)


def test_a_last_turn_after_which_another_round_may_follow_is_not_called_exact() -> None:
    worth = value(last_turn((0, 2), (1, 2, 11), (), target=10))
    assert worth.exact.turn
    assert not worth.exact.win
    assert not worth.exact.value


# --- tables ----------------------------------------------------------------------------------------


def test_another_box_has_values_of_its_own() -> None:
    box = Lines(1).components
    swapped = replace(box, plans=(box.plans[1], box.plans[0], *box.plans[2:]))
    game = Lines.agree(1, {"components": msgspec.to_builtins(swapped)})
    assert value(game.start()).turn == rounds_on(PLANS[1]).expected(0)


def test_only_the_plans_that_are_played_are_prepared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PASCH_CACHE", str(tmp_path))
    rounds_on.cache_clear()
    values = Values(Lines.agree(2, {"plans": [2, 1, 2]}))
    assert not values.ready
    steps: list[float] = []
    values.prepare(lambda done, step: steps.append(done))
    assert values.ready
    assert len(list(tmp_path.iterdir())) == 2
    assert steps == sorted(steps)
    assert steps[-1] == 1
    rounds_on.cache_clear()
    assert values.ready, "the tables are found again"


# --- a plan that counts as large -------------------------------------------------------------------


def test_a_large_plan_answers_as_a_small_one_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plan 1 treated as plan 4 is: a table of values only, everything else on the spot or by playing."""
    laid = Lines(2).start().apply(Plan(1))
    boards = (), (1, 2, 3), (1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6, 7, 8)
    states = [replace(laid, covered=(mask_of(mine), mask_of((5, 6)))) for mine in boards]
    right = [value(state) for state in states]
    monkeypatch.setenv("PASCH_CACHE", str(tmp_path))
    monkeypatch.setattr(lines_rounds, "SMALL", 10)
    monkeypatch.setattr(lines_rounds, "ON_THE_SPOT", 5)
    monkeypatch.setattr(lines_rounds, "ROUNDS_FROM_START", 1 << 14)
    rounds_on.cache_clear()
    found = [Values(Lines(2)).worth(state) for state in states]
    rounds_on.cache_clear()
    again = [Values(Lines(2)).worth(state) for state in states]
    rounds_on.cache_clear()
    assert found == again, "playing gives the same every time"
    for mine, ours, theirs in zip(boards, found, right, strict=True):
        assert ours.turn == pytest.approx(theirs.turn, abs=1e-5)
        assert (ours.error is None) == (len(mine) >= 7)
        assert ours.value == pytest.approx(theirs.value, abs=0.1)
        # where it is not solved the seat is taken to play for lines, which wins a little less
        assert ours.win == pytest.approx(theirs.win, abs=0.03)


# --- plans that are chosen: the race worked out in another way -----------------------------------------

TARGET = 5
CHOSEN = Lines.agree(2, {"plans": [1, 2], "plan_choice": "chosen", "target": TARGET})


def before_round(number: int, totals: tuple[int, ...]) -> Any:
    """Before the plan of a round, counted from 0, is chosen."""
    return replace(CHOSEN.start(), actor=number % 2, round=number, seat=number % 2, totals=totals)


@cache
def chances(plan: int) -> list[float]:
    return rounds_on(CHOSEN.plans[plan - 1]).chances(0)


@cache
def ended(first: int, second: int) -> tuple[float, float, float, float]:
    """How a game continues at these totals, before a round: both seats' chances to win, both final scores.

    Both play for the most lines, and on the plan that brings the most; a round without points changes nothing.
    """
    if max(first, second) >= TARGET:
        return float(first >= second), float(second >= first), float(first), float(second)
    best = max((1, 2), key=lambda plan: rounds_on(CHOSEN.plans[plan - 1]).expected(0))
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
    state, values = before_round(number, totals), Values(CHOSEN)
    seat = number % 2
    for worth, plan in zip(values.moves(state), (1, 2), strict=True):
        right = played(*totals, plan, again=False)
        assert worth.move == ChosenPlan(seat, plan)
        assert worth.turn == rounds_on(CHOSEN.plans[plan - 1]).expected(0)
        assert worth.win == pytest.approx(right[seat], abs=1e-9)
        assert worth.value == pytest.approx(right[2 + seat], abs=1e-9)
