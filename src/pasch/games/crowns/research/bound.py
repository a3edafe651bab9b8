"""Crowns alone: a proven ceiling, which nobody's average can exceed.

Let a player know all rolls beforehand, and keep only some of the rules: (1) a field is covered only in a
turn whose roll permits it; (2) no more fields are covered than there are chips; (3) every turn costs its
minimum of chips, so that at most `left[t]` fields are covered after turn t; (4) a turn covers one field
per value, unless dice may be split; (5) it uses no more dice showing w or more than were rolled. Every
real game keeps these, so that the best such plan is worth at least the real score with the same rolls, and
its mean at least the mean of any player.

The best plan is itself bounded from above by Lagrange's tolls on (3), (4) and (5), found anew for every
sequence of rolls: a rule's toll times what it leaves free is never negative for a real game. Under tolls
fields do not depend on each other and the best plan is found exactly: every set of complete lines is
tried, and the best single fields are added.

With a minimum of 2 this is loose: that a roll cannot always place two chips is used only as far as the
chips already placed could have covered fields that block every pair of the roll.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.core.chance import rolls
from pasch.games.crowns.box import EDGE, FIELDS, LINES, VALUES
from pasch.games.crowns.rules import Crowns
from pasch.games.crowns.values.model import Number, Whole
from pasch.games.crowns.ways import DICE, ROLLS
from pasch.solve.compiled import compiled

#: steps towards the best tolls; any tolls make a ceiling, better ones a lower one
ROUNDS = 150

Reals = NDArray[np.float64]


class BoundTables(NamedTuple):
    """What the plan has to know."""

    minimum: int
    chips: int
    single: bool  # one field per value and turn
    lottery: Whole  # roll numbers, each as often as it has cases
    permits: Whole  # [roll, field] 0 or 1
    block: Whole  # [roll] covered fields that it takes to prevent two chips
    set_fields: Whole  # [set of lines] the fields needed
    set_sizes: Whole
    set_values: Reals
    free_crowns: Reals  # [field] crowns scored without a line
    at_least: Whole  # [roll, value] dice that show it or more


class Tolls(NamedTuple):
    """Tolls of one sequence of rolls, or what the rules that they enforce leave free."""

    late: Reals  # [turn] per field covered after it
    value: Reals  # [turn, value] per chip
    dice: Reals  # [turn, value] per die at or above it


class BoundMemory(NamedTuple):
    """Working memory of one sequence."""

    gain: Reals  # [field] in its best turn
    turn: Whole  # [field] its best turn
    left: Whole  # [turn] most chips left after it
    cost: Reals  # [field, turn] tolls
    tolls: Tolls
    slack: Tolls


def fewest_to_block(pairs: list[int], most: int) -> int:
    """The smallest number of fields that meets every pair, or `most` if that is smaller."""
    best = most

    def search(open_pairs: list[int], used: int) -> None:
        nonlocal best
        if not open_pairs:
            best = min(best, used)
        elif used + _disjoint(open_pairs) < best:
            pair = open_pairs[0]
            for bit in (pair & -pair, pair & (pair - 1)):
                search([other for other in open_pairs if not other & bit], used + 1)

    search(pairs, 0)
    return best


def _disjoint(pairs: list[int]) -> int:
    """So many pairs have no field in common: each needs one of its own."""
    taken = count = 0
    for pair in pairs:
        if not pair & taken:
            taken |= pair
            count += 1
    return count


def limits_of(game: Crowns) -> BoundTables:
    """What binds the plan of a game for one."""
    g, chips = game.agreed, game.components.chips.number
    permits = np.zeros((len(ROLLS), FIELDS), np.int64)
    block = np.zeros(len(ROLLS), np.int64)
    for roll in range(len(ROLLS)):
        pairs = []
        for placed, fields in zip(g.chips[roll], g.masks[roll], strict=True):
            if placed == 1:
                permits[roll, fields.bit_length() - 1] = 1
            elif placed == 2:
                pairs.append(fields)
        block[roll] = fewest_to_block(pairs, chips + 1) if g.minimum == 2 else 0
    free = np.zeros(FIELDS)
    free[list(EDGE)] = [game.crowns[place] for place in EDGE]
    dice, cases = np.array(ROLLS), {roll[::-1]: number for roll, number in rolls(DICE)}
    return BoundTables(
        g.minimum,
        chips,
        not game.options.split,
        np.repeat(np.arange(len(ROLLS)), [cases[roll] for roll in ROLLS]),
        permits,
        block,
        *_line_sets(game, chips),
        free,
        (dice[:, :, None] >= np.array(VALUES)).sum(axis=1),
    )


def _line_sets(game: Crowns, chips: int) -> tuple[Whole, Whole, Reals]:
    """All sets of lines that the chips can complete: fields, number of fields, crowns."""
    crowns = dict(zip(game.agreed.goals, game.agreed.crowns, strict=True))
    found = []
    for chosen in range(1 << len(LINES)):
        fields, value = 0, 0
        for number, line in enumerate(LINES):
            if chosen >> number & 1:
                fields |= line
                value += crowns[line]
        if fields.bit_count() <= chips:
            found.append((fields, fields.bit_count(), value))
    fields_of, sizes, values = zip(*found, strict=True)
    return np.array(fields_of), np.array(sizes), np.array(values, np.float64)


@compiled()
def draw_left(sequence: Whole, limits: BoundTables, left: Whole) -> None:
    """Most chips that can be left after each turn (rule 3).

    With minimum 2 a turn costs two chips unless the covered fields already
    block every pair; covered fields never outnumber the chips used.
    """
    used = 0
    for t in range(limits.chips):
        if limits.minimum == 2:
            block = limits.block[sequence[t]]
            used = min(used + 2, max(used, block) + 1) if used < block else used + 1
        else:
            used += 1
        left[t] = max(0, limits.chips - used)


@compiled()
def toll_costs(tolls: Tolls, cost: Reals) -> None:
    """Toll of covering field (value, count) in turn t, into ``cost[field, t]``."""
    before = 0.0
    for t in range(cost.shape[1]):
        per_die = 0.0
        for v in range(6):
            per_die += tolls.dice[t, v]
            for c in range(6):
                cost[6 * v + c, t] = before + tolls.value[t, v] + (c + 1) * per_die
        before += tolls.late[t]


@compiled()
def toll_income(sequence: Whole, limits: BoundTables, tolls: Tolls, left: Whole) -> Number:
    """What the tolls hand back: toll times the right-hand side of each rule."""
    total = 0.0
    for t in range(limits.chips):
        total += tolls.late[t] * left[t]
        for v in range(6):
            total += tolls.value[t, v] + tolls.dice[t, v] * limits.at_least[sequence[t], v]
    return total


@compiled()
def best_turns(
    sequence: Whole, limits: BoundTables, cost: Reals, left: Whole, gain: Reals, turn: Whole
) -> None:
    """For each field by itself: best turn to cover it, and what that gains (minus its toll)."""
    for f in range(FIELDS):
        best = -1e9
        turn[f] = limits.chips
        for t in range(limits.chips):
            if t > 0 and left[t - 1] == 0:
                break
            if limits.permits[sequence[t], f] > 0 and -cost[f, t] > best:
                best = -cost[f, t]
                turn[f] = t
        gain[f] = best


@compiled()
def best_set(limits: BoundTables, gain: Reals, order: Whole, extra: Reals) -> tuple[Number, int]:
    """Best line set with single fields added: (value, index of the set)."""
    row_gain = np.zeros((6, 64))
    for v in range(6):
        for pattern in range(1, 64):
            low = 0
            while not pattern >> low & 1:
                low += 1
            row_gain[v, pattern] = row_gain[v, pattern & (pattern - 1)] + gain[6 * v + low]
    singles = np.zeros(limits.chips + 1)
    for i in range(limits.chips):
        singles[i + 1] = singles[i] + max(0.0, extra[order[i]])
    best = -1e18
    best_index = 0
    for s in range(limits.set_fields.shape[0]):
        needed = limits.set_fields[s]
        value = limits.set_values[s]
        for v in range(6):
            value += row_gain[v, needed >> (6 * v) & 63]
        room = limits.chips - limits.set_sizes[s]
        if value + singles[room] <= best:
            continue
        for i in range(FIELDS):
            f = order[i]
            if room == 0 or extra[f] <= 0:
                break
            if not needed >> f & 1:
                value += extra[f]
                room -= 1
        if value > best:
            best = value
            best_index = s
    return best, best_index


@compiled()
def chosen_fields(limits: BoundTables, index: int, order: Whole, extra: Reals) -> Number:
    """Fields of the best plan: its lines' fields and the best singles."""
    fields = limits.set_fields[index]
    room = limits.chips - limits.set_sizes[index]
    for i in range(FIELDS):
        f = order[i]
        if room == 0 or extra[f] <= 0:
            break
        if not fields >> f & 1:
            fields |= np.int64(1) << f
            room -= 1
    return fields


@compiled()
def plan_slack(
    sequence: Whole, limits: BoundTables, fields: Number, turn: Whole, left: Whole, slack: Tolls
) -> None:
    """How far the plan keeps (positive) or breaks (negative) rules 3, 4, 5."""
    for t in range(limits.chips):
        slack.late[t] = left[t]
        for v in range(6):
            slack.value[t, v] = 1 if limits.single else FIELDS
            slack.dice[t, v] = limits.at_least[sequence[t], v]
    for f in range(FIELDS):
        if fields >> f & 1:
            t = turn[f]
            slack.value[t, f // 6] -= 1
            for v in range(f // 6 + 1):
                slack.dice[t, v] -= f % 6 + 1
            for earlier in range(t):
                slack.late[earlier] -= 1


@compiled()
def step_tolls(toll: Reals, slack: Reals, length: Number) -> None:
    """Projected subgradient step on one kind of toll (flat arrays)."""
    for i in range(toll.shape[0]):
        toll[i] = max(0.0, toll[i] - length * slack[i])


@compiled()
def step_length(tolls: Tolls, slack: Tolls, gap: Number) -> Number:
    """Polyak's step: the hoped-for gain over the squared active slope."""
    square = 1e-9
    for toll, free in (
        (tolls.late, slack.late),
        (tolls.value.ravel(), slack.value.ravel()),
        (tolls.dice.ravel(), slack.dice.ravel()),
    ):
        for i in range(toll.shape[0]):
            if free[i] < 0 or toll[i] > 0:
                square += free[i] * free[i]
    return gap / square


@compiled()
def new_work(turns: int) -> BoundMemory:
    """Working memory for one sequence."""
    return BoundMemory(
        np.zeros(FIELDS),
        np.zeros(FIELDS, dtype=np.int64),
        np.zeros(turns, dtype=np.int64),
        np.zeros((FIELDS, turns)),
        Tolls(np.zeros(turns), np.zeros((turns, 6)), np.zeros((turns, 6))),
        Tolls(np.zeros(turns), np.zeros((turns, 6)), np.zeros((turns, 6))),
    )


@compiled()
def best_plan(sequence: Whole, limits: BoundTables, work: BoundMemory) -> tuple[Number, int]:
    """Best plan under the present tolls: (its value, its fields)."""
    toll_costs(work.tolls, work.cost)
    best_turns(sequence, limits, work.cost, work.left, work.gain, work.turn)
    extra = work.gain + limits.free_crowns
    order = np.argsort(-extra)
    value, index = best_set(limits, work.gain, order, extra)
    value += toll_income(sequence, limits, work.tolls, work.left)
    return value, chosen_fields(limits, index, order, extra)


@compiled()
def bound_of(sequence: Whole, limits: BoundTables, rounds: int, work: BoundMemory) -> tuple[float, float]:
    """Ceiling of one roll sequence: (lowest over all tolls tried, value without tolls).

    Any tolls >= 0 give a ceiling, so stopping early costs sharpness, never truth.
    """
    draw_left(sequence, limits, work.left)
    work.tolls.late[:] = 0.0
    work.tolls.value[:] = 0.0
    work.tolls.dice[:] = 0.0
    lowest, first = 1e18, 0.0
    gap = 6.0
    for i in range(rounds):
        value, plan = best_plan(sequence, limits, work)
        if i == 0:
            first = value
        if value < lowest:
            lowest = value
        else:
            gap *= 0.9
        plan_slack(sequence, limits, plan, work.turn, work.left, work.slack)
        length = step_length(work.tolls, work.slack, gap)
        if length > 1e6:  # no rule broken, no toll wasted: the plan is optimal
            break
        step_tolls(work.tolls.late, work.slack.late, length)
        if limits.single:
            step_tolls(work.tolls.value.ravel(), work.slack.value.ravel(), length)
        step_tolls(work.tolls.dice.ravel(), work.slack.dice.ravel(), length)
    return lowest, first


@compiled()
def bounds_of(sequences: Whole, limits: BoundTables, rounds: int, tolled: Reals, plain: Reals) -> None:
    """Write the ceilings of sequences of rolls, with tolls and without."""
    work = new_work(limits.chips)
    for i in range(sequences.shape[0]):
        tolled[i], plain[i] = bound_of(sequences[i], limits, rounds, work)


def sample(games: int, seed: int, limits: BoundTables, rounds: int) -> tuple[Reals, Reals]:
    """Ceilings of random sequences of rolls, with tolls and without."""
    tolled, plain = np.zeros(games), np.zeros(games)
    sequences = np.random.default_rng(seed).choice(limits.lottery, (games, limits.chips))
    bounds_of(sequences, limits, rounds, tolled, plain)
    return tolled, plain


def ceiling(game: Crowns, games: int) -> tuple[float, float]:
    """The ceiling of a game for one and its standard error.

    The mean without tolls comes from 20 times as many sequences, what tolls take off from `games` others:
    it varies far less than the plan's value does.
    """
    limits = limits_of(game)
    _, plain = sample(20 * games, 1, limits, 1)
    tolled, untolled = sample(games, 2, limits, ROUNDS)
    saved = untolled - tolled
    variance = plain.var() / len(plain) + saved.var() / games
    return float(plain.mean() - saved.mean()), float(variance**0.5)
