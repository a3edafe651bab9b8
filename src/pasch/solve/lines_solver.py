"""Shut the Lines: a plan as arrays, and the calls of the compiled kernels that solve it.

The kernels, and with them the compiler, are imported only when something has to be computed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.core.chance import KeyedGenerator, rolls, seed_key
from pasch.games.lines import PlanTable, complete_masks, partial_masks
from pasch.solve.valuer import Report, silent

if TYPE_CHECKING:
    from pasch.solve.lines_kernel import Blocks, Lists, Plan, Scratch

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
#: lists of masks by roll, end to end: where each begins, and the masks
ByRoll = tuple[Ints, Ints]

#: rounds that one thread plays at a stretch
PART: Final = 1 << 15


class Play(NamedTuple):
    """Best play for some reward, from every set that holds a certain one: what it brings, how it ends."""

    #: the numbers that were free, as bit positions
    free: tuple[int, ...]
    value: Floats
    spread: Floats

    def place(self, covered: int) -> int:
        """Where a set's numbers stand in the tables."""
        return sum((covered >> bit & 1) << at for at, bit in enumerate(self.free))

    def reward(self, covered: int) -> float:
        """The expected reward."""
        return float(self.value[self.place(covered)])

    def chances(self, covered: int) -> Floats:
        """The chances of each number of lines."""
        chances: Floats = self.spread[self.place(covered)]
        return chances


def lines_as_reward(plan: PlanTable) -> tuple[float, ...]:
    """The reward of a seat that wants the most lines."""
    return tuple(map(float, range(len(plan.lines) + 1)))


# --- a plan as arrays -------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def arrays(plan: PlanTable) -> Plan:
    """A plan as the kernels read it, from the rules' lists of what each roll can cover."""
    every = rolls(plan.dice)
    cases = np.array([cases for _, cases in every], np.int64)
    complete = _by_roll((complete_masks(roll) for roll, _ in every), plan.full)
    partial = _by_roll((partial_masks(roll) for roll, _ in every), plan.full)
    return _plan(cases, complete, partial, np.array(plan.lines, np.int64))


def _by_roll(masks: Iterable[tuple[int, ...]], full: int) -> ByRoll:
    """Lists of masks end to end, without those that the plan has not the numbers for."""
    fitting = [[mask for mask in of_roll if not mask & ~full] for of_roll in masks]
    start = np.cumsum([0, *map(len, fitting)])
    return start, np.array([mask for of_roll in fitting for mask in of_roll], np.int64)


def _plan(
    cases: Ints,
    complete: ByRoll,
    partial: ByRoll,
    lines: Ints,
) -> Plan:
    from pasch.solve import lines_kernel as kernel

    words: list[int] = []
    filled: dict[int, int] = {}
    word, bit = np.empty(len(cases), np.int64), np.empty(len(cases), np.uint64)
    for roll, number in enumerate(cases.tolist()):
        place = filled.get(number, 0) % 64
        if place == 0:
            words.append(number)
        filled[number] = place + 1
        word[roll] = len(words) - 1 - words[::-1].index(number)
        bit[roll] = 1 << place
    size = 4 << len(np.unique(partial[1])).bit_length()
    makers = kernel.Makers(
        np.full(size, -1, np.int64),
        np.zeros((size, len(words)), np.uint64),
        word,
        bit,
        np.array(words, np.int64),
    )
    kernel.enter_makers(*partial, makers)
    return kernel.Plan(cases, *complete, *partial, lines, makers)


def rest_of(plan: Plan, free: tuple[int, ...]) -> Plan:
    """The plan that is left when only the numbers at the bits `free` are: renumbered without gaps."""
    wanted = sum(1 << bit for bit in free)

    def renumbered(masks: Ints) -> Ints:
        out = np.zeros_like(masks)
        for at, bit in enumerate(free):
            out |= (masks >> bit & 1) << at
        return out

    def left(start: Ints, masks: Ints) -> ByRoll:
        fits = masks & ~wanted == 0
        before = np.concatenate(([0], np.cumsum(fits)))
        return before[start], renumbered(masks[fits])

    complete, partial = left(plan.start, plan.masks), left(plan.partial_start, plan.partial)
    return _plan(plan.cases, complete, partial, renumbered(plan.lines))


# --- solving ----------------------------------------------------------------------------------------


def solve(plan: PlanTable, reward: tuple[float, ...], covered: int = 0) -> Play:
    """Best play for a reward by the number of lines from `covered` on, by going through every set."""
    from pasch.solve import lines_kernel as kernel

    free = tuple(bit for bit in range(plan.full.bit_length()) if not covered >> bit & 1)
    value, spread = np.empty(1 << len(free)), np.empty((1 << len(free), len(reward)))
    rest = rest_of(arrays(plan), free) if covered else arrays(plan)
    kernel.solve_all(rest, np.array(reward), value, spread)
    return Play(free, value, spread)


def simulated(plan: PlanTable, value: NDArray[np.float32], covered: int, rounds: int) -> Floats:
    """The chances of each number of lines in play for the most, estimated by playing from `covered`.

    The same every time. The mean is known exactly, so the counts are tilted a little towards it; this
    takes away the part of the error that moves all numbers of lines together, which is most of it.
    """
    from pasch.solve import lines_kernel as kernel

    whole = arrays(plan)
    by_case = np.repeat(np.arange(len(whole.cases)), whole.cases)
    generator = KeyedGenerator(seed_key(f"lines {plan.dice} {plan.lines} {covered}"))
    seeds = [generator.randrange(1 << 62) for _ in range(-(-rounds // PART))]

    def play(part: int) -> Ints:
        scores = np.zeros(len(plan.lines) + 1, np.int64)
        size = min(PART, rounds - part * PART)
        kernel.simulate(whole, value, by_case, covered, size, seeds[part], scores)
        return scores

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        scores = sum(pool.map(play, range(len(seeds))), np.zeros(len(plan.lines) + 1, np.int64))
    chances: Floats = scores / rounds
    mean = chances @ np.arange(len(scores))
    off = np.arange(len(scores)) - mean
    variance = chances @ off**2
    if variance > 0:
        known = float(value[covered % len(value), covered // len(value)])
        chances *= 1 + (known - mean) / variance * off
    return chances


def solve_large(
    plan: PlanTable, report: Report = silent, *, covered: int = 0, threads: int | None = None
) -> NDArray[np.float32]:
    """The expected lines from every set of a large plan: by the lower numbers, then by the highest five.

    25 numbers take 128 MiB, and each number more twice as much. With `covered`, only the blocks of sets
    that hold these numbers are filled.
    """
    from pasch.solve import lines_kernel as kernel

    whole, blocks = arrays(plan), cut(arrays(plan), plan.full.bit_length())
    low = min(kernel.INNER_BITS, blocks.row_bits)
    middle = min(kernel.INNER_BITS, blocks.row_bits - low)
    high = blocks.row_bits - low - middle
    wanted = covered >> low + middle & (1 << high) - 1
    table = np.zeros((1 << blocks.row_bits, kernel.LANES), np.float32)

    def fill(block: int) -> None:
        sifted = _room(blocks), _room(blocks), _room(blocks)
        kernel.solve_block(whole, blocks, block, (middle, low), sifted, _scratch(whole, blocks), table)

    done = 0
    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        for size in range(high, -1, -1):
            level = [b for b in range(1 << high) if b.bit_count() == size and b & wanted == wanted]
            for _ in pool.map(fill, level):
                done += 1
                report(0.95 * done / (1 << high), f"all sets of {plan.full.bit_length()} numbers")
    return table


def _room(blocks: Blocks) -> Lists:
    """Room for what is left of the lists; one more place, because `sift` writes before it decides."""
    from pasch.solve import lines_kernel as kernel

    rolls, masks = len(blocks.lists.begin), len(blocks.lists.row) + 1
    return kernel.Lists(*(np.zeros(size, np.int64) for size in (rolls, rolls, rolls, masks, masks)))


def _scratch(plan: Plan, blocks: Blocks) -> Scratch:
    """Room for the work on a row."""
    from pasch.solve import lines_kernel as kernel

    words, sets = len(plan.makers.cases), len(plan.makers.sets)
    best = np.zeros(kernel.LANES, np.float32)
    late = np.zeros((len(blocks.late_cases), kernel.LANES), np.float32)
    return kernel.Scratch(
        best=best,
        best_bits=best.view(np.int32),
        expected=np.zeros(kernel.LANES),
        late=late,
        late_bits=late.view(np.int32),
        failed=np.zeros((words, kernel.LANES), np.uint64),
        unions=np.zeros(sets, np.int64),
        places=np.zeros(sets, np.int64),
        inside=np.zeros(sets, np.int64),
        completes=np.zeros(sets, np.int64),
        made=np.zeros(words, np.uint64),
    )


def cut(plan: Plan, numbers: int) -> Blocks:
    """A plan cut into rows and lanes; it has to have more numbers than the lanes."""
    from pasch.solve import lines_kernel as kernel

    row_bits = numbers - kernel.LANE_BITS
    row_part = (1 << row_bits) - 1
    lanes = range(kernel.LANES)
    begin, middle, end = [], [], []
    rows: list[int] = []
    row_lanes: list[int] = []
    late: list[tuple[int, int]] = []
    for roll in range(len(plan.cases)):
        masks = plan.masks[plan.start[roll] : plan.start[roll + 1]].tolist()
        pure = [mask for mask in masks if not mask >> row_bits]
        mixed = [mask for mask in masks if mask >> row_bits and mask & row_part]
        late += [(mask >> row_bits, roll) for mask in masks if not mask & row_part]
        begin.append(len(rows))
        middle.append(len(rows) + len(pure))
        rows += [mask & row_part for mask in pure + mixed]
        row_lanes += [mask >> row_bits for mask in pure + mixed]
        end.append(len(rows))
    late_rolls = sorted({roll for _, roll in late})
    late_of = np.full(len(plan.cases), -1, np.int64)
    late_of[late_rolls] = range(len(late_rolls))
    apart = [sum(1 << lane for lane in lanes if not lane & numbers) for numbers in lanes]
    late_open = np.zeros(len(late_rolls), np.uint64)
    for mask, roll in late:
        late_open[late_of[roll]] |= np.uint64(apart[mask])
    line_lane = plan.lines >> row_bits
    return kernel.Blocks(
        lists=kernel.Lists(*(np.array(part, np.int64) for part in (begin, middle, end, rows, row_lanes))),
        row_bits=row_bits,
        open=np.array(apart, np.uint64),
        late=np.array([mask for mask, _ in late], np.int64),
        late_roll=late_of[np.array([roll for _, roll in late], np.int64)],
        late_cases=plan.cases[late_rolls],
        late_open=late_open,
        late_of=late_of,
        line_row=plan.lines & row_part,
        line_lane=line_lane,
        lane_lines=np.array(
            [sum(1 << i for i, line in enumerate(line_lane) if not line & ~lane) for lane in lanes],
            np.int64,
        ),
    )
