"""Large plans of Shut the Lines, by compiled code: expected lines from every set, and rounds played.

A set only ever grows, so those with more numbers come first, and sets with equally many do not need each other:
threads share them, and each works out many side by side. Sums are made in double precision and rounded once, when
stored.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.core.chance import rolls
from pasch.core.philox import block, seed_words
from pasch.core.rolls import FIRST_ROLL, roll_of_case
from pasch.core.rules import kernel
from pasch.games.lines.box import PLANS, PlanTable
from pasch.games.lines.rules import free_numbers, legal_covers, points, stays_in
from pasch.games.lines.values.tables import config_of, lines_after, tables_of
from pasch.games.lines.ways import MAX_WAYS, is_free
from pasch.solve.compiled import compile_plain
from pasch.solve.records import arrays
from pasch.solve.valuer import Progress, no_progress

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

#: rounds that one thread plays at a stretch
ROUNDS_PER_TASK: Final = 1 << 15
#: sets that are worked out side by side, each in a lane; and those of one thread's task
LANES: Final = 256
SETS_PER_TASK: Final = LANES << 8


class LargePlan(NamedTuple):
    """What the rolls can cover on a plan."""

    lines: Any
    #: the sets of numbers that some roll can cover
    masks: Any
    #: by roll: its cases, and the numbers of the masks that it covers with all dice, and with some or all; -1 ends them
    cases: Any
    whole: Any
    partial: Any


class Scratch(NamedTuple):
    """Scratch memory of `solve_sets`, by lane."""

    #: the lines there are, and the expected ones of all cases so far
    now: Any
    total: Any
    #: by mask and lane: what the set after it is worth, -1 if it does not fit; the lines that are then there
    worth: Any
    ends: Any
    #: of one roll: the best worth, -1 if its dice cannot all be used; and the most lines that its last cover completes.
    #: Worths are bits of floating-point numbers: from zero up these have the same order, and are compared in vectors
    best_bits: Any
    best: Any
    last: Any


def plan_arrays(plan: PlanTable) -> LargePlan:
    """A plan as the kernel reads it, from the rules' tables of what each roll can cover."""
    covers, first = config_of(plan).covers, FIRST_ROLL[plan.dice]
    partial = [
        sorted({mask for mask in masks if is_free(mask, plan.full)} - {0}) for masks in covers.masks[first:]
    ]
    whole = [
        sorted({mask for mask in masks[:number] if is_free(mask, plan.full)})
        for masks, number in zip(covers.masks[first:], covers.whole[first:], strict=True)
    ]
    masks = sorted({mask for row in partial for mask in row})
    number = {mask: number for number, mask in enumerate(masks)}
    cases = [cases for _, cases in rolls(plan.dice)]
    numbers = ([[*(number[mask] for mask in row), -1] for row in rows] for rows in (whole, partial))
    found: LargePlan = arrays(LargePlan(plan.lines, masks, cases, *numbers))
    return found


def solve_sets(plan: LargePlan, sets: Any, w: Scratch, table: Any, bits_of: Any, score: Any) -> None:
    """Fill in the expected lines, and the lines there are, of `sets`, all with equally many numbers.

    Those with more numbers have to be there already.
    """
    masks = plan.masks
    for begin in range(0, len(sets), LANES):
        covered, common, every = sets[begin : begin + LANES], -1, 0
        for lane in range(LANES):
            common &= covered[lane]
            w.now[lane], w.total[lane] = points(plan.lines, covered[lane]), 0.0
        for mask in range(len(masks)):
            if masks[mask] & common == 0:
                worth, ends = w.worth[mask], w.ends[mask]
                for lane in range(LANES):
                    after, fits = covered[lane] | masks[mask], covered[lane] & masks[mask] == 0
                    worth[lane] = bits_of[after] if fits else -1
                    ends[lane] = score[after] if fits else 0
        for roll in range(len(plan.cases)):
            best, last, fails = w.best_bits, w.last, False
            for lane in range(LANES):
                best[lane], last[lane] = -1, w.now[lane]
            whole, partial, place = plan.whole[roll], plan.partial[roll], 0
            while whole[place] >= 0:
                if masks[whole[place]] & common == 0:
                    worth = w.worth[whole[place]]
                    for lane in range(LANES):
                        best[lane] = max(best[lane], worth[lane])
                place += 1
            for lane in range(LANES):
                fails |= best[lane] < 0
            place = 0
            while fails and partial[place] >= 0:
                if masks[partial[place]] & common == 0:
                    ends = w.ends[partial[place]]
                    for lane in range(LANES):
                        last[lane] = max(last[lane], ends[lane])
                place += 1
            every += plan.cases[roll]
            for lane in range(LANES):
                w.total[lane] += plan.cases[roll] * (w.best[lane] if best[lane] >= 0 else last[lane])
        for lane in range(LANES):
            table[covered[lane]], score[covered[lane]] = w.total[lane] / every, w.now[lane]


def solve_large(
    plan: PlanTable, report: Progress = no_progress, *, covered: int = 0
) -> NDArray[np.float32]:
    """The expected lines from every set of a large plan, or from those that hold the numbers `covered`.

    25 numbers take 128 MiB, and each number more twice as much.
    """
    numbers, whole, solve = plan.full.bit_length(), plan_arrays(plan), _compiled(solve_sets)
    table, score = np.zeros(1 << numbers, np.float32), np.zeros(1 << numbers, np.int8)
    sizes = np.bitwise_count(np.arange(1 << numbers, dtype=np.uint32))

    def fill(sets: Ints) -> int:
        by_mask, best = (len(whole.masks), LANES), np.zeros(LANES, np.int32)
        now, last = np.zeros((2, LANES), np.int8)
        worths = np.zeros(LANES), np.zeros(by_mask, np.int32), np.zeros(by_mask, np.int8)
        scratch = Scratch(now, *worths, best, best.view(np.float32), last)
        # lanes that are left over do the last set again
        padded = np.pad(sets, (0, -len(sets) % LANES), "edge")
        solve(whole, padded, scratch, table, table.view(np.int32), score)
        return len(sets)

    done = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for size in range(numbers, -1, -1):
            level: Ints = np.flatnonzero(sizes == size)
            level = level[level & covered == covered]
            tasks = [level[at : at + SETS_PER_TASK] for at in range(0, len(level), SETS_PER_TASK)]
            for filled in pool.map(fill, tasks):
                done += filled
                report(0.95 * done / len(table), f"all sets of {numbers} numbers")
    return table


@cache
def _compiled(function: Any) -> Any:
    return compile_plain(function)


# --- playing rounds ---------------------------------------------------------------------------------


@kernel(allocates=True)
def simulate(
    g: Any, v: Any, covered: int, first: int, rounds: int, key: tuple[int, int], out: Any, scores: Ints
) -> None:
    """Play rounds on the first plan from a set, for the most lines, and count how many end with each score.

    Round number n of a key, counted from `first`, always has the same rolls.
    """
    for number in range(first, first + rounds):
        now, rolled, stays = covered, 0, True
        while stays:
            # 2^32 is no multiple of the number of cases; what this makes unfair is far below what is estimated
            word = block(key[0], key[1], rolled, 0, number, 0)[0]
            rolled += 1
            roll = roll_of_case(g.dice[0], word * 6 ** g.dice[0] >> 32)
            best, chosen = -1.0, 0
            for place in range(legal_covers(g, roll, free_numbers(g, 1, now), out)):
                cover = out[place]
                worth = lines_after(g, v, 1, now | g.covers.numbers[cover], stays_in(g, 1, cover))
                if worth > best:
                    best, chosen = worth, cover
            now |= g.covers.numbers[chosen]
            stays = stays_in(g, 1, chosen)
        scores[points(g.lines[0], now)] += 1


def simulated(plan: PlanTable, value: Any, covered: int, rounds: int) -> Floats:
    """The chances of each number of lines in play for the most, estimated by playing from `covered`.

    `value` is the table of a large plan. The same every time. The mean is known exactly, so the counts are
    tilted a little towards it; this takes away the part of the error that moves all numbers of lines
    together, which is most of it.
    """
    g, play, size = _config(plan), _compiled(simulate), points(plan.lines, plan.full) + 1
    table: Any = np.asarray(value)
    v: Any = arrays(tables_of([table] * PLANS))
    key = tuple(np.frombuffer(seed_words(f"lines {plan.dice} {plan.lines} {covered}"), "<u4").tolist())

    def part(first: int) -> Ints:
        scores, covers = np.zeros(size, np.int64), np.zeros(MAX_WAYS, np.int64)
        play(g, v, covered, first, min(ROUNDS_PER_TASK, rounds - first), key, covers, scores)
        return scores

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        scores = sum(pool.map(part, range(0, rounds, ROUNDS_PER_TASK)), np.zeros(size, np.int64))
    chances: Floats = scores / rounds
    mean = chances @ np.arange(size)
    off = np.arange(size) - mean
    variance = chances @ off**2
    if variance > 0:
        chances *= 1 + (float(table[covered]) - mean) / variance * off
    return chances


@lru_cache(maxsize=16)
def _config(plan: PlanTable) -> Any:
    """A plan as the compiled rules read it."""
    return arrays(config_of(plan))
