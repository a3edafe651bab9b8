"""Large plans of Shut the Lines: a plan as arrays, and the calls of the compiled kernels that solve it.

Only who makes a large table or estimates how a round on a large plan ends imports this.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pasch.core.chance import rolls
from pasch.core.philox import seed_words
from pasch.core.rolls import FIRST_ROLL
from pasch.games.lines.box import PlanTable
from pasch.games.lines.rules import Config, points
from pasch.games.lines.values import kernel
from pasch.games.lines.values.kernel import Makers, MaskLists, PlanArrays, PlanBlocks, RowScratch
from pasch.games.lines.values.tables import LargeTables, LinesTables, config_of
from pasch.games.lines.ways import MAX_WAYS, is_free
from pasch.solve.compiled import compile_plain
from pasch.solve.records import arrays
from pasch.solve.valuer import Report, silent

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

#: rounds that one thread plays at a stretch
PART: Final = 1 << 15


# --- a plan as arrays -------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def plan_arrays(plan: PlanTable) -> PlanArrays:
    """A plan as the kernels read it, from the rules' tables of what each roll can cover."""
    covers, first = config_of(plan).covers, FIRST_ROLL[plan.dice]
    cases = np.array([cases for _, cases in rolls(plan.dice)])
    masks = covers.masks[first:]
    whole = [row[:number] for row, number in zip(masks, covers.whole[first:], strict=True)]
    makers = _makers(cases, *_end_to_end(masks, plan.full))
    return PlanArrays(cases, *_end_to_end(whole, plan.full), np.array(plan.lines, np.int64), makers)


def _end_to_end(masks: Iterable[Sequence[int]], full: int) -> tuple[Ints, Ints]:
    """Where the masks of each roll begin, and all masks: each once, if the plan has the numbers."""
    fitting = [sorted({mask for mask in of_roll if is_free(mask, full)}) for of_roll in masks]
    start = np.cumsum([0, *map(len, fitting)])
    return start, np.array([mask for of_roll in fitting for mask in of_roll], np.int64)


def _makers(cases: Ints, start: Ints, masks: Ints) -> Makers:
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
    size = 4 << len(np.unique(masks)).bit_length()
    makers = Makers(
        np.full(size, -1, np.int64),
        np.zeros((size, len(words)), np.uint64),
        word,
        bit,
        np.array(words, np.int64),
    )
    kernel.enter_makers(start, masks, makers)
    return makers


# --- solving ----------------------------------------------------------------------------------------


def simulated(plan: PlanTable, value: Any, covered: int, rounds: int) -> Floats:
    """The chances of each number of lines in play for the most, estimated by playing from `covered`.

    `value` is the table of a large plan. The same every time. The mean is known exactly, so the counts are
    tilted a little towards it; this takes away the part of the error that moves all numbers of lines
    together, which is most of it.
    """
    g, play = _config(plan), _simulate()
    table: Any = np.asarray(value)
    v: Any = arrays(LinesTables((True,), ((0.0,),), LargeTables(table, table, table, table)))
    key = tuple(np.frombuffer(seed_words(f"lines {plan.dice} {plan.lines} {covered}"), "<u4").tolist())
    size = points(plan.lines, plan.full) + 1

    def part(first: int) -> Ints:
        scores = np.zeros(size, np.int64)
        covers = np.zeros(MAX_WAYS, np.int64)
        play(g, v, covered, first, min(PART, rounds - first), key, covers, scores)
        return scores

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        scores = sum(pool.map(part, range(0, rounds, PART)), np.zeros(size, np.int64))
    chances: Floats = scores / rounds
    mean = chances @ np.arange(size)
    off = np.arange(size) - mean
    variance = chances @ off**2
    if variance > 0:
        known = float(table[covered % len(table), covered // len(table)])
        chances *= 1 + (known - mean) / variance * off
    return chances


@cache
def _simulate() -> Any:
    """The compiled `kernel.simulate`."""
    return compile_plain(kernel.simulate)


@lru_cache(maxsize=16)
def _config(plan: PlanTable) -> Config:
    """A plan as the compiled rules read it."""
    config: Config = arrays(config_of(plan))
    return config


def solve_large(
    plan: PlanTable, report: Report = silent, *, covered: int = 0, threads: int | None = None
) -> NDArray[np.float32]:
    """The expected lines from every set of a large plan: by the lower numbers, then by the highest five.

    25 numbers take 128 MiB, and each number more twice as much. With `covered`, only the blocks of sets
    that hold these numbers are filled.
    """
    whole, blocks = plan_arrays(plan), cut(plan_arrays(plan), plan.full.bit_length())
    low = min(kernel.INNER_BITS, blocks.row_bits)
    middle = min(kernel.INNER_BITS, blocks.row_bits - low)
    high = blocks.row_bits - low - middle
    wanted = covered >> low + middle & (1 << high) - 1
    table = np.zeros((1 << blocks.row_bits, kernel.LANES), np.float32)

    def fill(block: int) -> None:
        sifted = _buffers(blocks), _buffers(blocks), _buffers(blocks)
        kernel.solve_block(whole, blocks, block, (middle, low), sifted, _scratch(whole, blocks), table)

    done = 0
    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        for size in range(high, -1, -1):
            level = [b for b in range(1 << high) if b.bit_count() == size and b & wanted == wanted]
            for _ in pool.map(fill, level):
                done += 1
                report(0.95 * done / (1 << high), f"all sets of {plan.full.bit_length()} numbers")
    return table


def _buffers(blocks: PlanBlocks) -> MaskLists:
    """Buffers for the remaining lists; with one more entry, because `sift` writes before it decides."""
    rolls, masks = len(blocks.lists.begin), len(blocks.lists.row) + 1
    return MaskLists(*(np.zeros(size, np.int64) for size in (rolls, rolls, rolls, masks, masks)))


def _scratch(plan: PlanArrays, blocks: PlanBlocks) -> RowScratch:
    """Buffers for the work on a row."""
    words, sets = len(plan.makers.cases), len(plan.makers.sets)
    best = np.zeros(kernel.LANES, np.float32)
    late = np.zeros((len(blocks.late_cases), kernel.LANES), np.float32)
    return RowScratch(
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


def cut(plan: PlanArrays, numbers: int) -> PlanBlocks:
    """A plan cut into rows and lanes; it has to have more numbers than the lanes."""
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
    return PlanBlocks(
        lists=MaskLists(*(np.array(part, np.int64) for part in (begin, middle, end, rows, row_lanes))),
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
