"""The relaxed game of Crowns solved, compiled and on all cores.

Sets are done in blocks of equal high bits, those with the most high bits first; within a block, those with the most low
bits first. So whatever a placement leads to is known. Sets of equal size in a block are done together: for each chip
number left they lie side by side, and every step of a program is one pass over short rows of numbers.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.games.crowns.values.relaxation import MOST_UNTRACKED, Program, Relaxed, flat, numbering
from pasch.solve.compiled import compiled
from pasch.solve.valuer import Report, silent

Floats = NDArray[np.float32]
Whole = NDArray[np.int64]
Small = NDArray[np.int32]
Kept = NDArray[np.uint16]

LOWEST = np.float32(-1e30)
#: what is above this is a value
POSSIBLE = np.float32(-1e29)
#: sets done together: as many numbers as a processor adds at once
WIDTH: Final = 8
#: rows of numbers that one pass takes together; the first pass of a step takes one more
PASS: Final = 3
#: blocks that a thread does before it reports
BLOCKS: Final = 64


class ProgramArrays(NamedTuple):
    """A program as compiled code reads it: for each step the rows of numbers of which the best is taken.

    A row is that of a roll, or else of what a set of fields leads to. A step's rows are filled up by repeating its
    first one, so that every pass takes equally many.
    """

    roll: Small  # [step] the roll that it is for
    start: Small  # [step] where its rows begin
    row: Small
    shift: Small  # how many chips it places on untracked fields
    crowns: Floats


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


def program_arrays(program: Program, masks: dict[int, int], rolls: int) -> ProgramArrays:
    """A program with numbers for its rows: first the rolls, then the sets of fields."""
    steps = []
    for before, elements in zip(program.before, program.elements, strict=True):
        rows = [(roll, 0, 0) for roll in before]
        rows += [(rolls + masks[element.fields], element.untracked, element.crowns) for element in elements]
        rows = rows or [(rolls + len(masks), 0, 0)]
        rows += rows[:1] * (-(len(rows) - 1) % PASS + (PASS if len(rows) == 1 else 0))
        steps.append(rows)
    starts, flattened = flat(steps)
    found = np.array(flattened)
    return ProgramArrays(
        np.array(program.order, np.int32),
        np.array(starts, np.int32),
        found[:, 0].astype(np.int32),
        (found[:, 1] * WIDTH).astype(np.int32),
        found[:, 2].astype(np.float32),
    )


@compiled(nogil=True)
def shorten(
    program: ProgramArrays, fits: NDArray[np.bool_], alias: Small, short: ProgramArrays
) -> tuple[int, int]:
    """Write what is left of a program in a block of sets, into which only some masks fit.

    `alias` gets the row of each roll: a roll whose best is always another row's needs none of its own. Answers with
    the number of steps and of rows.
    """
    rolls, nothing = alias.shape[0], alias.shape[0] + fits.shape[0]
    steps = rows = 0
    for step in range(program.roll.shape[0]):
        roll, first = program.roll[step], rows
        for at in range(program.start[step], program.start[step + 1]):
            row, shift, crowns = program.row[at], program.shift[at], program.crowns[at]
            if row < rolls:
                row = alias[row]
            elif row < nothing and not fits[row - rolls]:
                continue
            if row == nothing:
                continue
            known = False
            for other in range(first, rows):
                known |= short.row[other] == row and short.shift[other] == shift
                if short.row[other] == row and short.shift[other] == shift:
                    short.crowns[other] = max(short.crowns[other], crowns)
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
    return steps, rows


@compiled(nogil=True)
def room_for(program: ProgramArrays) -> ProgramArrays:
    """Room for a program that is no longer than this one."""
    steps = program.roll.shape[0]
    rows = program.row.shape[0] + steps * PASS
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

    Each row begins with room for chips on untracked fields. Several rows are taken in one pass, because taking
    the maximum of a row and itself is compiled to conditional writing, which is slow.
    """
    room, length = MOST_UNTRACKED * WIDTH, left * WIDTH
    for step in range(steps):
        mine = rows[program.roll[step], room : room + length]
        at = program.start[step]
        own = rows[program.row[at], room - program.shift[at] :]
        more = program.crowns[at]
        a = rows[program.row[at + 1], room - program.shift[at + 1] :]
        b = rows[program.row[at + 2], room - program.shift[at + 2] :]
        c = rows[program.row[at + 3], room - program.shift[at + 3] :]
        a_more, b_more, c_more = program.crowns[at + 1], program.crowns[at + 2], program.crowns[at + 3]
        for i in range(length):
            mine[i] = max(own[i] + more, a[i] + a_more, b[i] + b_more, c[i] + c_more)
        for at in range(program.start[step] + 1 + PASS, program.start[step + 1], PASS):
            a = rows[program.row[at], room - program.shift[at] :]
            b = rows[program.row[at + 1], room - program.shift[at + 1] :]
            c = rows[program.row[at + 2], room - program.shift[at + 2] :]
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
        for i in range(MOST_UNTRACKED * WIDTH, (MOST_UNTRACKED + left) * WIDTH):
            row[i] = LOWEST
        if size > left:
            continue
        for place in range(WIDTH):
            if fields & batch[place] == 0:
                begin = place_of(sets, batch[place] | fields)
                at = (MOST_UNTRACKED + size - 1) * WIDTH + place
                for chips in range(left - size + 1):
                    if at >= 0:
                        row[at] = scale * np.float32(kept[begin + chips])
                    at += WIDTH


@compiled(nogil=True)
def group(sets: Sets, alias: Small, row: Small, crowns: Floats, share: Floats, slot: Small) -> int:
    """Put rolls together whose rows are the same, and who score as much on untracked fields; how many there are."""
    number = 0
    slot[:] = -1
    for roll in range(alias.shape[0]):
        scored = int(sets.edge_only[roll, 1])
        at = slot[alias[roll], scored]
        if at < 0:
            at = number
            slot[alias[roll], scored] = at
            row[at], crowns[at], share[at] = alias[roll], sets.edge_only[roll, 1], np.float32(0.0)
            number += 1
        share[at] += sets.likely[roll]
    return number


@compiled(nogil=True, fastmath=True)
def average(
    left: int, number: int, row: Small, crowns: Floats, share: Floats, rows: Floats, worth: Floats
) -> None:
    """Write [chips left, place in the batch] the mean over all rolls of what the best placement leads to.

    `worth` has the lines' crowns for no chips. A chip on an untracked field leads to the same set with one chip less.
    This is for a minimum of 1, where whatever is placed is enough, and dice that are not split.
    """
    room = MOST_UNTRACKED * WIDTH
    for chips in range(1, left + 1):
        first = room + (chips - 1) * WIDTH
        total, before = worth[chips], worth[chips - 1]
        for place in range(WIDTH):
            total[place] = np.float32(0.0)
        for at in range(number):
            best, more, part = rows[row[at], first : first + WIDTH], crowns[at], share[at]
            for place in range(WIDTH):
                total[place] += part * max(best[place], more + before[place])


@compiled(nogil=True, fastmath=True)
def join(
    left: int,
    forcing: Small,
    free: Small,
    less: Small,
    rows: Floats,
    other: Floats,
    third: Floats,
    best: Floats,
    barred: Floats,
) -> None:
    """Write the best placement of every roll, and where a chip alone is barred because two are possible."""
    room, length = MOST_UNTRACKED * WIDTH, left * WIDTH
    for roll in range(forcing.shape[0]):
        a = rows[forcing[roll], room : room + length]
        b = other[free[roll], room : room + length]
        c = third[less[roll], room : room + length]
        mine, bar = best[roll, room : room + length], barred[roll, room : room + length]
        for i in range(length):
            closed = LOWEST if a[i] > POSSIBLE else np.float32(0.0)
            bar[i] = closed
            mine[i] = max(a[i], b[i], c[i] + closed, LOWEST)


@compiled(nogil=True, fastmath=True)
def average_by_roll(
    sets: Sets, minimum: int, left: int, best: Floats, barred: Floats, worth: Floats
) -> None:
    """As `average`, for any minimum, dice that are split and any tracked fields; `best` has a row for each roll.

    Where nothing fits at all a chip is lost.
    """
    edges, room = sets.edge_only, MOST_UNTRACKED * WIDTH
    now = np.empty(WIDTH, np.float32)
    for chips in range(1, left + 1):
        first = room + (chips - 1) * WIDTH
        total = worth[chips]
        for place in range(WIDTH):
            total[place] = np.float32(0.0)
        for roll in range(sets.likely.shape[0]):
            share, mine, bar = sets.likely[roll], best[roll], barred[roll]
            for place in range(WIDTH):
                now[place] = mine[first + place]
            if edges[roll, 1] >= 0:
                more, before = edges[roll, 1], worth[chips - 1]
                for place in range(WIDTH):
                    now[place] = max(mine[first + place], more + before[place] + bar[first + place])
            for placed in range(2, min(chips, MOST_UNTRACKED) + 1):
                if edges[roll, placed] >= 0:
                    more, before = edges[roll, placed], worth[chips - placed]
                    for place in range(WIDTH):
                        value = more + before[place]
                        now[place] = value if now[place] < value else now[place] + np.float32(0.0)
            for place in range(WIDTH):
                total[place] += share * (now[place] if now[place] > POSSIBLE else worth[chips - 1, place])


@compiled(nogil=True)
def next_batch(sets: Sets, block: int, bits: int, low: int, batch: Whole, worth: Floats) -> tuple[int, int]:
    """Gather the next sets of a block with so many low bits, from `low` down; how many, and where to go on."""
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
def solve_blocks(
    sets: Sets,
    minimum: int,
    forcing: ProgramArrays,
    free: ProgramArrays,
    less: ProgramArrays,
    blocks: Whole,
    unit: float,
    kept: Kept,
) -> None:
    """Solve these blocks, whose high bits are equally many."""
    rolls, masks = sets.likely.shape[0], sets.masks.shape[0]
    # the rows of the rolls; then those of the masks, and one that nothing leads to
    rows = np.full((rolls + masks + 1, (MOST_UNTRACKED + sets.chips) * WIDTH), LOWEST, np.float32)
    edges = sets.edge_only
    simple = minimum == 1 and edges[:, 1].min() >= 0 and edges[:, 2:].max() < 0
    best, barred = (rows[:1], rows[:1]) if simple else (rows[:rolls].copy(), rows[:rolls].copy())
    short, short_free, short_less = room_for(forcing), room_for(free), room_for(less)
    alias, alias_free, alias_less = np.empty((3, rolls), np.int32)
    fits, fitting = np.empty(masks, np.bool_), np.empty(masks, np.int32)
    row, crowns, share = np.empty(rolls, np.int32), np.empty(rolls, np.float32), np.empty(rolls, np.float32)
    slot = np.empty((rolls + masks + 1, int(max(0, edges.max())) + 1), np.int32)
    worth, batch = np.empty((sets.chips + 1, WIDTH), np.float32), np.empty(WIDTH, np.int64)
    others, thirds = (rows, rows) if minimum == 1 else (rows.copy(), rows.copy())
    for block in blocks:
        high, number = sets.fields[block], 0
        for mask in range(masks):
            fits[mask] = (
                sets.masks[mask] & (block << sets.low) == 0 and sets.sizes[mask] + high <= sets.chips
            )
            if fits[mask]:
                fitting[number] = mask
                number += 1
        steps, _ = shorten(forcing, fits, alias, short)
        different = group(sets, alias, row, crowns, share, slot) if simple else 0
        if minimum > 1:
            steps_free, _ = shorten(free, fits, alias_free, short_free)
            steps_less, _ = shorten(less, fits, alias_less, short_less)
        for bits in range(sets.low, -1, -1):
            left = sets.chips - high - bits
            low = (1 << sets.low) - 1 if left >= 0 else -1
            while low >= 0:
                found, low = next_batch(sets, block, bits, low, batch, worth)
                if found == 0:
                    continue
                if left > 0:
                    load(sets, fitting, number, batch, left, kept, unit, rows[rolls:])
                    run(short, steps, left, rows)
                    if minimum > 1:
                        others[rolls:] = rows[rolls:]
                        run(short_free, steps_free, left, others)
                        thirds[rolls:] = rows[rolls:]
                        run(short_less, steps_less, left, thirds)
                    if simple:
                        average(left, different, row, crowns, share, rows, worth)
                    else:
                        if minimum > 1:
                            join(left, alias, alias_free, alias_less, rows, others, thirds, best, barred)
                        else:
                            for roll in range(rolls):
                                best[roll] = rows[alias[roll]]
                                barred[roll] = np.float32(0.0)
                        average_by_roll(sets, minimum, left, best, barred, worth)
                for place in range(found):
                    begin = place_of(sets, batch[place])
                    for chips in range(left + 1):
                        kept[begin + chips] = np.uint16(worth[chips, place] / unit + 0.5)


def most_crowns(game: Relaxed) -> float:
    """More crowns than any set can be worth with any number of chips."""
    programs = (game.forcing, game.free, game.less)
    edge = [element.crowns for program in programs for row in program.elements for element in row]
    edge += [crowns for row in game.edge_only for crowns in row]
    return float(sum(game.crowns) + game.chips * max(edge))


def solve(game: Relaxed, report: Report = silent, threads: int = 0) -> dict[str, NDArray[Any]]:
    """The values of all sets that can occur: `kept` in units of `unit`, and what is needed to find a set's."""
    ids = numbering(game.chips, len(game.fields))
    high = np.arange(1 << ids.high)
    count = np.zeros(len(high), np.int32)
    for bit in range(ids.high):
        count += (high >> bit & 1).astype(np.int32)
    sizes = np.array(ids.sizes(), np.int64)[count]
    base = np.concatenate([[0], np.cumsum(sizes)])
    fields = sorted(
        {e.fields for p in (game.forcing, game.free, game.less) for row in p.elements for e in row}
    )
    numbers = {mask: number for number, mask in enumerate(fields)}
    sets = Sets(
        game.chips,
        ids.low,
        base[:-1].copy(),
        np.array(ids.within(), np.int32),
        count,
        np.array(fields, np.int32),
        np.array([mask.bit_count() for mask in fields], np.int32),
        np.array(game.lines, np.int32),
        np.array(game.crowns, np.float32),
        (np.array(game.cases) / sum(game.cases)).astype(np.float32),
        np.array(game.edge_only, np.float32),
    )
    unit = most_crowns(game) / 65535
    kept = np.zeros(int(base[-1]), np.uint16)
    forcing, free, less = (
        program_arrays(program, numbers, len(game.cases))
        for program in (game.forcing, game.free, game.less)
    )
    done = 0
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        for level in range(min(ids.high, game.chips), -1, -1):
            blocks = np.flatnonzero(count == level)
            parts = np.array_split(blocks, max(1, len(blocks) // BLOCKS))

            def work(part: Whole) -> int:
                solve_blocks(sets, game.minimum, forcing, free, less, part, unit, kept)
                return int(sizes[part].sum())

            for finished in pool.map(work, parts):
                done += finished
                report(done / int(base[-1]), "boards")
    return {"kept": kept, "base": base[:-1].astype(np.int32), "unit": np.array([unit])}
