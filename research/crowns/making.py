"""The relaxed game of Crowns solved, compiled and on all cores.

Sets are done in blocks of equal high bits, those with the most high bits first; within a block, those with the most low
bits first. So whatever a placement leads to is known. Sets of equal size in a block are done together: for each chip
number left they lie side by side, and every step of a program is one pass over short rows of numbers.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.games.crowns.values.placements import NEVER, Program, flat
from pasch.solve.compiled import compiled
from pasch.solve.valuer import Progress, no_progress
from research.crowns.relaxation import MAX_UNTRACKED, Numbering, Relaxed, numbering

Floats = NDArray[np.float32]
Whole = NDArray[np.int64]
Small = NDArray[np.int32]
Kept = NDArray[np.uint16]

LOWEST = np.float32(NEVER)
#: what is above this is a value
POSSIBLE = np.float32(-1e29)
#: sets done together: the numbers that a processor adds in one instruction
WIDTH: Final = 8
#: rows of numbers that one pass takes together; the first pass of a step takes one more
PASS: Final = 3
#: blocks that a thread does before it reports
BLOCKS: Final = 64


class ProgramArrays(NamedTuple):
    """A program as compiled code reads it: for each step the rows of numbers of which the best is taken.

    A row is that of a roll in this program, or else of what a mask, a set of fields, leads to.
    """

    roll: Small  # [step] the row that it is for
    start: Small  # [step] where its rows begin
    row: Small
    shift: Small  # how many chips it places on untracked fields
    crowns: Floats


class Programs(NamedTuple):
    """The programs of a stage, see `Relaxed`."""

    forcing: ProgramArrays
    free: ProgramArrays
    less: ProgramArrays


class Sets(NamedTuple):
    """The numbering of sets as compiled code reads it, and what is the same for all of them."""

    chips: int
    low: int
    base: Whole  # [high bits] where a block begins
    within: Small  # [fields among the high bits, low bits]
    fields: Small  # [high bits] how many there are
    masks: Small  # the sets of fields that placements cover
    sizes: Small
    lines: Small
    line_crowns: Floats
    likely: Floats  # [roll]
    edge_only: Floats  # [roll, chips]
    edge_kind: Small  # [roll] the same number for rolls whose `edge_only` is the same


def program_arrays(program: Program, masks: dict[int, int], first: int, rolls: int) -> ProgramArrays:
    """A program with numbers for its rows: those of its rolls from `first` on, those of the masks after all `rolls`."""
    starts, flattened = flat(
        [
            [(first + roll, 0, 0.0) for roll in before]
            + [(rolls + masks[fields], untracked, crowns) for fields, untracked, crowns in elements]
            for before, elements in zip(program.before, program.more, strict=True)
        ]
    )
    found = np.array(flattened).reshape(-1, 3)
    return ProgramArrays(
        first + np.arange(len(program.more), dtype=np.int32),
        np.array(starts, np.int32),
        found[:, 0].astype(np.int32),
        (found[:, 1] * WIDTH).astype(np.int32),
        found[:, 2].astype(np.float32),
    )


@compiled(nogil=True)
def shorten(
    program: ProgramArrays, rolls: int, fits: NDArray[np.bool_], alias: Small, short: ProgramArrays
) -> int:
    """Write the part of a program that applies in a block of sets, into which only some masks fit; return its steps.

    `alias` gets, for every row of a roll, the row that has its best: a roll whose best is always another row's needs
    none of its own. A step's rows are filled up by repeating its first one, so that every pass takes equally many.
    """
    nothing = rolls + fits.shape[0]
    steps = rows = 0
    for step in range(program.roll.shape[0]):
        roll, first = program.roll[step], rows
        for at in range(program.start[step], program.start[step + 1]):
            row, shift, crowns = program.row[at], program.shift[at], program.crowns[at]
            if row < rolls:
                row = alias[row]
            elif not fits[row - rolls]:
                continue
            if row == nothing:
                continue
            known = False
            for other in range(first, rows):
                if short.row[other] == row and short.shift[other] == shift:
                    short.crowns[other] = max(short.crowns[other], crowns)
                    known = True
            if not known:
                short.row[rows], short.shift[rows], short.crowns[rows] = row, shift, crowns
                rows += 1
        if rows == first:
            alias[roll] = nothing
        elif rows == first + 1 and short.shift[first] == 0 and short.crowns[first] == 0:
            alias[roll] = short.row[first]
            rows = first
        else:
            alias[roll] = roll
            short.roll[steps], short.start[steps] = roll, first
            steps += 1
            while rows - first < 1 + PASS or (rows - first - 1) % PASS:
                short.row[rows], short.shift[rows] = short.row[first], short.shift[first]
                short.crowns[rows] = short.crowns[first]
                rows += 1
    short.start[steps] = rows
    return steps


@compiled(nogil=True)
def buffers_like(program: ProgramArrays) -> ProgramArrays:
    """Buffers for a program that is not longer than this one."""
    steps = program.roll.shape[0]
    rows = program.row.shape[0] + steps * (1 + PASS)
    return ProgramArrays(
        np.empty(steps, np.int32),
        np.empty(steps + 1, np.int32),
        np.empty(rows, np.int32),
        np.empty(rows, np.int32),
        np.empty(rows, np.float32),
    )


@compiled(nogil=True, fastmath=True)
def run(program: ProgramArrays, steps: int, left: int, rows: Floats) -> None:
    """Write the best of every roll into its row, for each number of chips left and each set of a batch.

    Each row begins with padding for chips on untracked fields. Several rows are taken in one pass, because taking
    the maximum of a row and itself is compiled to conditional writing, which is slow.
    """
    padding, length = MAX_UNTRACKED * WIDTH, left * WIDTH
    for step in range(steps):
        mine = rows[program.roll[step], padding : padding + length]
        at = program.start[step]
        own = rows[program.row[at], padding - program.shift[at] :]
        more = program.crowns[at]
        a = rows[program.row[at + 1], padding - program.shift[at + 1] :]
        b = rows[program.row[at + 2], padding - program.shift[at + 2] :]
        c = rows[program.row[at + 3], padding - program.shift[at + 3] :]
        a_more, b_more, c_more = program.crowns[at + 1], program.crowns[at + 2], program.crowns[at + 3]
        for i in range(length):
            mine[i] = max(own[i] + more, a[i] + a_more, b[i] + b_more, c[i] + c_more)
        for at in range(program.start[step] + 1 + PASS, program.start[step + 1], PASS):
            a = rows[program.row[at], padding - program.shift[at] :]
            b = rows[program.row[at + 1], padding - program.shift[at + 1] :]
            c = rows[program.row[at + 2], padding - program.shift[at + 2] :]
            a_more, b_more, c_more = program.crowns[at], program.crowns[at + 1], program.crowns[at + 2]
            for i in range(length):
                mine[i] = max(mine[i], a[i] + a_more, b[i] + b_more, c[i] + c_more)


@compiled(nogil=True)
def line_score(sets: Sets, fields: int) -> Any:
    """The crowns of the complete lines of a set."""
    total = np.float32(0.0)
    for line in range(sets.lines.shape[0]):
        if sets.lines[line] & ~fields == 0:
            total += sets.line_crowns[line]
    return total


@compiled(nogil=True)
def place_of(sets: Sets, fields: int) -> int:
    """Where the values of a set begin."""
    high = fields >> sets.low
    return sets.base[high] + sets.within[sets.fields[high], fields & ((1 << sets.low) - 1)]


@compiled(nogil=True, fastmath=True)
def load(
    sets: Sets, fitting: Small, number: int, batch: Whole, left: int, kept: Kept, unit: float, rows: Floats
) -> None:
    """Write what the sets of a batch are worth after covering each mask, by chips left before it from 1 on."""
    scale = np.float32(unit)
    for which in range(number):
        mask = fitting[which]
        size, row, fields = sets.sizes[mask], rows[mask], sets.masks[mask]
        for i in range(MAX_UNTRACKED * WIDTH, (MAX_UNTRACKED + left) * WIDTH):
            row[i] = LOWEST
        if size > left:
            continue
        for place in range(WIDTH):
            if fields & batch[place] == 0:
                begin = place_of(sets, batch[place] | fields)
                at = (MAX_UNTRACKED + size - 1) * WIDTH + place
                for chips in range(left - size + 1):
                    if at >= 0:
                        row[at] = scale * np.float32(kept[begin + chips])
                    at += WIDTH


class Groups(NamedTuple):
    """Rolls put together that have the same rows and score the same on untracked fields alone."""

    rows: Small  # [group, program]
    edge: Small  # [group] a roll of it
    share: Floats  # [group] how likely one of its rolls is


@compiled(nogil=True)
def group(sets: Sets, alias: Small, found: Groups) -> int:
    """Group the rolls that are the same in a block; return the number of groups."""
    rolls, number = sets.likely.shape[0], 0
    for roll in range(rolls):
        a, b, c = alias[roll], alias[rolls + roll], alias[2 * rolls + roll]
        at = 0
        while at < number and not (
            found.rows[at, 0] == a
            and found.rows[at, 1] == b
            and found.rows[at, 2] == c
            and sets.edge_kind[found.edge[at]] == sets.edge_kind[roll]
        ):
            at += 1
        if at == number:
            found.rows[at, 0], found.rows[at, 1], found.rows[at, 2] = a, b, c
            found.edge[at], found.share[at] = roll, np.float32(0.0)
            number += 1
        found.share[at] += sets.likely[roll]
    return number


@compiled(nogil=True, fastmath=True)
def average(sets: Sets, left: int, number: int, groups: Groups, rows: Floats, worth: Floats) -> None:
    """Write [chips left, place in the batch] the mean over all rolls of what the best placement leads to.

    `worth` has the lines' crowns for no chips. Chips on untracked fields lead to the same set with fewer chips. Where
    tracked fields alone take the required number of chips, fewer are not legal; where nothing fits a chip is lost.
    """
    padding = MAX_UNTRACKED * WIDTH
    now = np.empty(WIDTH, np.float32)
    for chips in range(1, left + 1):
        first = padding + (chips - 1) * WIDTH
        total, before = worth[chips], worth[chips - 1]
        for place in range(WIDTH):
            total[place] = np.float32(0.0)
        for at in range(number):
            forcing = rows[groups.rows[at, 0], first : first + WIDTH]
            free = rows[groups.rows[at, 1], first : first + WIDTH]
            less = rows[groups.rows[at, 2], first : first + WIDTH]
            edge, share = sets.edge_only[groups.edge[at]], groups.share[at]
            for place in range(WIDTH):
                single = max(less[place], edge[1] + before[place])
                single = LOWEST if forcing[place] > POSSIBLE else single
                now[place] = max(forcing[place], free[place], single)
            for placed in range(2, min(chips, MAX_UNTRACKED) + 1):
                if edge[placed] > POSSIBLE:
                    for place in range(WIDTH):
                        now[place] = max(now[place], edge[placed] + worth[chips - placed, place])
            for place in range(WIDTH):
                total[place] += share * (now[place] if now[place] > POSSIBLE else before[place])


@compiled(nogil=True)
def next_batch(sets: Sets, block: int, bits: int, low: int, batch: Whole, worth: Floats) -> tuple[int, int]:
    """Gather the next sets of a block with this many low bits, from `low` down; return how many, and the next `low`."""
    number = 0
    while low >= 0 and number < WIDTH:
        counted, rest = 0, low
        while rest:
            rest &= rest - 1
            counted += 1
        if counted == bits:
            batch[number] = block << sets.low | low
            worth[0, number] = line_score(sets, batch[number])
            number += 1
        low -= 1
    for place in range(number, WIDTH):
        batch[place], worth[0, place] = batch[0], worth[0, 0]
    return number, low


@compiled(nogil=True)
def solve_blocks(sets: Sets, programs: Programs, blocks: Whole, unit: float, kept: Kept) -> None:
    """Solve these blocks of a stage, which have the same number of high bits."""
    forcing, free, less = programs
    number, masks = sets.likely.shape[0], sets.masks.shape[0]
    rolls = len(programs) * number
    # the rows of the rolls in each program; then those of the masks, and one that nothing leads to
    rows = np.full((rolls + masks + 1, (MAX_UNTRACKED + sets.chips) * WIDTH), LOWEST, np.float32)
    short_forcing, short_free, short_less = buffers_like(forcing), buffers_like(free), buffers_like(less)
    alias = np.empty(rolls, np.int32)
    groups = Groups(
        np.empty((number, len(programs)), np.int32),
        np.empty(number, np.int32),
        np.empty(number, np.float32),
    )
    fits, fitting = np.empty(masks, np.bool_), np.empty(masks, np.int32)
    worth, batch = np.empty((sets.chips + 1, WIDTH), np.float32), np.empty(WIDTH, np.int64)
    for block in blocks:
        high, fit = sets.fields[block], 0
        for mask in range(masks):
            fits[mask] = (
                sets.masks[mask] & (block << sets.low) == 0 and sets.sizes[mask] + high <= sets.chips
            )
            if fits[mask]:
                fitting[fit] = mask
                fit += 1
        steps_forcing = shorten(forcing, rolls, fits, alias, short_forcing)
        steps_free = shorten(free, rolls, fits, alias, short_free)
        steps_less = shorten(less, rolls, fits, alias, short_less)
        different = group(sets, alias, groups)
        for bits in range(sets.low, -1, -1):
            left = sets.chips - high - bits
            low = (1 << sets.low) - 1 if left >= 0 else -1
            while low >= 0:
                found, low = next_batch(sets, block, bits, low, batch, worth)
                if found == 0:
                    continue
                if left > 0:
                    load(sets, fitting, fit, batch, left, kept, unit, rows[rolls:])
                    run(short_forcing, steps_forcing, left, rows)
                    run(short_free, steps_free, left, rows)
                    run(short_less, steps_less, left, rows)
                    average(sets, left, different, groups, rows, worth)
                for place in range(found):
                    begin = place_of(sets, batch[place])
                    for chips in range(left + 1):
                        kept[begin + chips] = np.uint16(worth[chips, place] / unit + 0.5)


def max_crowns(game: Relaxed) -> float:
    """More crowns than any set can be worth with any number of chips."""
    programs = (game.forcing, game.free, game.less)
    edge = [crowns for program in programs for row in program.more for _, _, crowns in row]
    edge += [int(max(row)) for row in game.edge_only]
    return float(sum(game.crowns) + game.chips * max(edge))


def solve(
    stages: Sequence[Relaxed], report: Progress = no_progress, threads: int = 0
) -> dict[str, NDArray[Any]]:
    """The values of all sets that can occur (`kept`, in units of `unit`), and the arrays to find a set's.

    With several stages that number of the last fields is tracked, see `relaxation`.
    """
    game, tracked = stages[-1], len(stages) if len(stages) > 1 else 0
    ids = numbering(game.chips, len(game.fields), tracked)
    high = np.arange(1 << ids.high)
    count, stage = np.zeros(len(high), np.int32), np.zeros(len(high), np.int32)
    for bit in range(ids.high):
        count += (high >> bit & 1).astype(np.int32)
    for bit in range(ids.high - tracked, ids.high):
        stage += (high >> bit & 1).astype(np.int32)
    can_occur = high >> ids.high - tracked == (1 << stage) - 1
    sizes = np.array(ids.sizes(), np.int64)[count] * can_occur
    base = np.concatenate([[0], np.cumsum(sizes)])
    unit = max(map(max_crowns, stages)) / 65535
    kept = np.zeros(int(base[-1]), np.uint16)
    done = 0
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        for number in range(len(stages) - 1, -1, -1):
            sets, programs = stage_arrays(stages[number], ids, base[:-1], count)
            mine = can_occur & (np.minimum(stage, len(stages) - 1) == number)
            for level in range(min(ids.high, game.chips), -1, -1):
                blocks = np.flatnonzero(mine & (count == level))
                parts = np.array_split(blocks, max(1, len(blocks) // BLOCKS))

                def work(part: Whole, sets: Sets = sets, programs: Programs = programs) -> int:
                    solve_blocks(sets, programs, part, unit, kept)
                    return int(sizes[part].sum())

                for finished in pool.map(work, parts):
                    done += finished
                    report(done / int(base[-1]), "boards")
    return {"kept": kept, "base": base[:-1].astype(np.int32), "unit": np.array([unit])}


def stage_arrays(game: Relaxed, ids: Numbering, base: Whole, count: Small) -> tuple[Sets, Programs]:
    """What compiled code reads of a stage; `base` and `count` by high bits."""
    programs = (game.forcing, game.free, game.less)
    fields = sorted({tracked for program in programs for row in program.more for tracked, _, _ in row})
    numbers = {mask: number for number, mask in enumerate(fields)}
    edge_only, rolls = np.array(game.edge_only, np.float32), len(game.cases)
    sets = Sets(
        game.chips,
        ids.low,
        base.copy(),
        np.array(ids.within(), np.int32),
        count,
        np.array(fields, np.int32),
        np.array([mask.bit_count() for mask in fields], np.int32),
        np.array(game.lines, np.int32),
        np.array(game.crowns, np.float32),
        (np.array(game.cases) / sum(game.cases)).astype(np.float32),
        edge_only,
        np.unique(edge_only, axis=0, return_inverse=True)[1].astype(np.int32).ravel(),
    )
    return sets, Programs(
        *(
            program_arrays(program, numbers, number * rolls, len(programs) * rolls)
            for number, program in enumerate(programs)
        )
    )
