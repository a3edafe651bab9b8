"""Values of Shut the Lines: against exact fractions, against each other, against played games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import sqrt
from typing import Any

import numpy as np
import pytest

from pasch.core.chance import KeyedGenerator, seed_key
from pasch.core.state import CHANCE
from pasch.games.lines.box import PlanTable, mask_of
from pasch.games.lines.rules import (
    Lines,
    Plan,
)
from pasch.games.lines.rules import (
    points as points_of,
)
from pasch.games.lines.values import Values
from pasch.games.lines.values.patience import Patience
from pasch.games.lines.values.race import certain, outlook, shifted
from pasch.games.lines.values.rounds import RoundValues, rounds_on
from pasch.games.lines.values.solver import simulated, solve_large

GAME = Lines(2)
#: numbers 1 to 6 and two dice
TOY = PlanTable(2, 0b111111, tuple(map(mask_of, ((1, 6), (2, 5), (3, 4), (1, 2, 3), (5,)))))
#: numbers 1 to 7 and three dice: many masks within the highest numbers, and rows of two numbers
TOY_OF_THREE = PlanTable(3, 0b1111111, tuple(map(mask_of, ((3, 4), (5, 6), (5, 7), (1, 2), (1, 6, 7)))))


# --- the same dynamic programme in fractions, from the rules in words ------------------------------


def all_groups(dice: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """All ways to put all dice, each distinct, into groups."""
    if not dice:
        yield ()
        return
    first, rest = dice[0], dice[1:]
    for groups in all_groups(rest):
        yield ((first,), *groups)
        for at in range(len(groups)):
            yield (*groups[:at], (first, *groups[at]), *groups[at + 1 :])


@cache
def sums_of(dice: tuple[int, ...]) -> set[frozenset[int]]:
    """The sets of numbers that all these dice can cover."""
    ways = [[sum(group) for group in groups] for groups in all_groups(dice)]
    return {frozenset(sums) for sums in ways if len(set(sums)) == len(sums)}


@cache
def sums_of_some(dice: tuple[int, ...]) -> set[frozenset[int]]:
    """The sets of numbers that some of these dice can cover."""
    return {sums for n in range(len(dice) + 1) for some in combinations(dice, n) for sums in sums_of(some)}


def numbers(mask: int) -> frozenset[int]:
    return frozenset(n for n in range(1, 31) if mask >> n - 1 & 1)


def in_fractions(
    plan: PlanTable, reward: Callable[[int], Fraction]
) -> Callable[[frozenset[int]], Fraction]:
    """The greatest expected reward from a set of covered numbers."""
    everything, lines = numbers(plan.full), [numbers(line) for line in plan.lines]

    def score(covered: frozenset[int]) -> Fraction:
        return reward(sum(line <= covered for line in lines))

    @cache
    def value(covered: frozenset[int]) -> Fraction:
        total = Fraction(0)
        for dice in product(range(1, 7), repeat=plan.dice):
            free = everything - covered
            whole = [sums for sums in sums_of(dice) if sums <= free]
            if whole:
                total += max(value(covered | sums) for sums in whole)
            else:
                total += max(score(covered | sums) for sums in sums_of_some(dice) if sums <= free)
        return total * Fraction(1, 6) ** plan.dice

    return value


@pytest.mark.parametrize("plan", [TOY, TOY_OF_THREE], ids=["two dice", "three dice"])
def test_every_set_of_a_toy_plan_has_the_value_found_in_fractions(plan: PlanTable) -> None:
    value = in_fractions(plan, Fraction)
    lines, each = RoundValues(plan).lines_as_reward
    play, large = Patience(plan, lines, also=each), solve_large(plan)
    for covered in range(plan.full + 1):
        right = float(value(numbers(covered)))
        assert play.value[covered] == pytest.approx(right, abs=1e-12)
        assert np.array(play.means[covered]) @ np.array(lines) == pytest.approx(right, abs=1e-12)
        assert large[covered % len(large), covered // len(large)] == pytest.approx(right, abs=1e-6)


def test_any_reward_is_played_for() -> None:
    """Two lines or nothing else, which is no rising reward."""
    value = in_fractions(TOY, lambda lines: Fraction(lines == 2))
    two_lines = tuple(float(lines == 2) for lines in range(6))
    play = Patience(TOY, two_lines, also=(two_lines,))
    for covered in range(64):
        assert play.value[covered] == pytest.approx(float(value(numbers(covered))), abs=1e-12)
        assert play.means[covered][0] == pytest.approx(play.value[covered], abs=1e-12)


# --- the two solvers against each other -------------------------------------------------------------


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_kernel_for_large_plans_agrees_on_the_small_ones(number: int) -> None:
    plan = GAME.plans[number - 1]
    value = rounds_on(plan)
    large = solve_large(plan, threads=2).T.reshape(-1)
    assert np.abs(large - [value.expected(covered) for covered in range(plan.full + 1)]).max() < 5e-6


def test_plan_four_from_sets_with_high_numbers_covered() -> None:
    """Two of its 1024 blocks, with all 32 lanes, against going through the same sets one by one."""
    plan = GAME.plans[3]
    covered = mask_of((11, 12, 14, 15, 16, 17, 18, 19, 20, 24))
    table = solve_large(plan, covered=covered)
    play = Patience(plan, rounds_on(plan).lines_as_reward[0], covered | mask_of((2, 5, 9)))
    every = np.array(list(play.value))
    assert len(every) == 2**12
    assert np.abs(table[every % len(table), every // len(table)] - list(play.value.values())).max() < 5e-6


@pytest.mark.parametrize("number", [1, 2, 3])
def test_values_lie_between_the_lines_there_are_and_all_lines(number: int) -> None:
    plan = GAME.plans[number - 1]
    rounds = rounds_on(plan)
    for covered in range(0, plan.full + 1, 7):
        assert points_of(plan.lines, covered) <= rounds.expected(covered) <= len(plan.lines)
    assert rounds.expected(plan.full) == len(plan.lines)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_covered_line_is_never_lost(number: int) -> None:
    """A set with one line complete is worth at least that line, and the chances say so."""
    plan = GAME.plans[number - 1]
    for line in plan.lines:
        assert rounds_on(plan).chances(line)[0] == 0


# --- against played rounds -------------------------------------------------------------------------


@pytest.mark.parametrize("number", [1, 2, 3])
def test_rounds_played_by_the_values_bring_what_they_say(number: int) -> None:
    game = Lines.agree(1, {"plans": [number], "target": 1000})
    values, plan = Values(game), game.plans[number - 1]
    generator = KeyedGenerator(seed_key(f"played rounds {number}"))
    scores: list[int] = []
    state: Any = game.start()
    while len(scores) < 400:
        if state.actor == CHANCE:
            after = state.apply(state.chance().sample(generator))
        else:
            points = values.move_points(state)
            after = state.apply(state.moves()[points.index(max(points))])
        if after.round > state.round or after.over:
            scores.append(after.totals[0] - state.totals[0])
        state = game.start() if after.over else after
    chances = np.array(rounds_on(plan).chances(0))
    lines = np.arange(len(chances))
    mean = chances @ lines
    assert mean == pytest.approx(rounds_on(plan).expected(0), abs=1e-12)
    error = sqrt((chances @ lines**2 - mean**2) / len(scores))
    assert abs(np.mean(scores) - mean) < 3 * error
    for number_of_lines, chance in enumerate(chances):
        seen = Counter(scores)[number_of_lines] / len(scores)
        assert abs(seen - chance) <= 3 * sqrt(chance * (1 - chance) / len(scores)) + 1e-12


def test_simulated_chances_agree_with_solved_ones_and_have_the_exact_mean() -> None:
    plan, rounds = GAME.plans[1], 1 << 16
    chances = simulated(plan, solve_large(plan), 0, rounds)
    right = np.array(rounds_on(plan).chances(0))
    assert np.all(np.abs(chances - right) <= 3 * np.sqrt(right / rounds))
    assert chances.sum() == pytest.approx(1, abs=1e-12)
    assert chances @ np.arange(len(right)) == pytest.approx(rounds_on(plan).expected(0), abs=1e-6)


# --- the ledger ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "plans"), [(1, [1]), (2, [1, 2, 3]), (3, [3, 1]), (4, [2])])
def test_expectation_luck_and_costs_add_up_at_every_state(players: int, plans: list[int]) -> None:
    game = Lines.agree(players, {"plans": plans, "target": 6})
    values = Values(game)
    generator = KeyedGenerator(seed_key(f"ledger {players} {plans}"))
    state: Any = game.start()
    credited = np.zeros(players)
    luck, costs = np.zeros(players), np.zeros(players)
    while not state.over:
        points = np.array(values.points(state))
        if state.actor == CHANCE:
            chance = state.chance()
            mean = sum(
                cases * (np.array(values.points(state.apply(e))) - values.stakes(state, e))
                for e, cases in chance.outcomes()
            )
            assert points == pytest.approx(mean / chance.total, abs=1e-9)
            event = chance.sample(generator)
            stakes = np.array(values.stakes(state, event))
            assert np.any(stakes) == (type(event) is Plan)
            credited += stakes
            luck += np.array(values.points(state.apply(event))) - points - stakes
        else:
            each = values.move_points(state)
            assert max(each) == pytest.approx(points[state.seat], abs=1e-9)
            moves = state.moves()
            choice = generator.randrange(len(moves))
            event = moves[choice]
            after = np.array(values.points(state.apply(event)))
            assert after[state.seat] == pytest.approx(each[choice], abs=1e-9)
            costs += points - after
        state = state.apply(event)
    assert np.all(costs >= -1e-9)
    assert credited + luck - costs == pytest.approx(np.array(state.scores()), abs=1e-9)
    assert values.points(state) == state.scores()


# --- the race --------------------------------------------------------------------------------------

CHANCES = (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))


@cache
def race_in_fractions(
    totals: tuple[int, ...], target: int
) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """Winning chances and final scores, the round in which nobody gets a line divided out."""
    if max(totals) >= target:
        return tuple(Fraction(t == max(totals)) for t in totals), tuple(map(Fraction, totals))
    seats = range(len(totals))
    win, score = [Fraction(0) for _ in seats], [Fraction(0) for _ in seats]
    for lines in product(range(3), repeat=len(totals)):
        if any(lines):
            weight = Fraction(1)
            for number in lines:
                weight *= CHANCES[number]
            then = race_in_fractions(tuple(map(int.__add__, totals, lines)), target)
            for seat in seats:
                win[seat] += weight * then[0][seat]
                score[seat] += weight * then[1][seat]
    again = 1 - CHANCES[0] ** len(totals)
    return tuple(w / again for w in win), tuple(s / again for s in score)


@pytest.mark.parametrize("totals", [(0,), (0, 0), (2, 1), (3, 0, 2), (1, 1, 0, 2)])
def test_the_race_ends_as_in_fractions(totals: tuple[int, ...]) -> None:
    lines = [float(chance) for chance in CHANCES]
    found = outlook([[shifted(total, lines, 8)] for total in totals], 4, lambda later: lines)
    win, score = race_in_fractions(totals, 4)
    for seat in range(len(totals)):
        assert found.win[seat][0] == pytest.approx(float(win[seat]), abs=1e-9)
        assert found.score[seat][0] == pytest.approx(float(score[seat]), abs=1e-9)


def test_cases_of_the_race_are_kept_apart() -> None:
    lines = [float(chance) for chance in CHANCES]
    other = [shifted(2, lines, 8)]
    together = outlook([[certain(total, 8) for total in (1, 2, 5)], other], 4, lambda later: lines)
    for case, total in enumerate((1, 2, 5)):
        alone = outlook([[certain(total, 8)], other], 4, lambda later: lines)
        for seat in (0, 1):
            assert together.win[seat][case] == pytest.approx(alone.win[seat][0], abs=1e-12)
            assert together.score[seat][case] == pytest.approx(alone.score[seat][0], abs=1e-12)


def test_a_race_that_nobody_can_win_is_given_up() -> None:
    nothing = [1.0, 0.0]
    found = outlook([[shifted(0, nothing, 4)]], 2, lambda later: nothing)
    assert found.win[0][0] == 0
