"""Compiled kernels for large plans of Shut the Lines: expected lines from every set, and rounds played.

Sets are bit masks as in the rules (number n is bit n - 1), and what a roll can cover is read from the
rules' own tables. A set only ever grows, so going through the sets from the fullest down finds every
successor ready. `solve_block` makes the expected number of lines, and nothing else, for 2^25 sets in seconds:

- The five highest numbers are *lanes*: the 32 sets that differ in nothing else lie side by side and are
  dealt with together, eight to an instruction. The highest numbers, because few masks hold one, so
  nearly every mask is the same move for all 32.
- The other numbers are the *row*. Masks that overlap a row's set are sifted out in three steps, the
  highest numbers first, so that the work is shared by all rows with the same high numbers; rows that
  differ only in low numbers follow each other and read the same few stretches of memory.
- Blocks of rows whose high parts have equally many numbers do not need each other: threads share them.
- Sums are made in double precision and rounded once, when stored.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.core.philox import block
from pasch.core.rolls import roll_of_case
from pasch.core.rules import apart
from pasch.games.lines.rules import free_numbers, legal_covers, points, stays_in
from pasch.games.lines.values.tables import lines_after
from pasch.solve.compiled import compiled

Ints = NDArray[np.int64]
Bits = NDArray[np.uint64]
Floats = NDArray[np.float64]
#: numbers of lines as they are stored, and the same memory read as whole numbers
LineValues = NDArray[np.float32]
ValueBits = NDArray[np.int32]

LANE_BITS = 5
LANES = 1 << LANE_BITS
ALL_LANES = np.uint64(0xFFFFFFFF)
#: an odd number near 2^63 / 1.618: multiplied by it, masks that are alike come apart
SPREAD = 0x4F1BBCDCBFA53E0B
#: how many of the row's lowest numbers the second and the third sifting are about
INNER_BITS = 5


class Makers(NamedTuple):
    """Which rolls can make a set of numbers with some of their dice: a hash table of bit sets of rolls.

    Rolls with equally many cases share a word, so that the cases in a bit set are counted word by word.
    """

    #: the sets, -1 where the place is empty
    sets: Ints
    #: by place and word, the rolls that can make the set
    rolls: Bits
    #: the word and the bit of each roll
    word: Ints
    bit: Bits
    #: how many cases each roll of a word is
    cases: Ints


class PlanArrays(NamedTuple):
    """A plan as the kernels read it. Lists by roll lie end to end, roll r from start[r] to start[r + 1]."""

    #: how many cases each roll is
    cases: Ints
    #: what the complete groupings cover
    start: Ints
    masks: Ints
    #: the numbers of each line
    lines: Ints
    makers: Makers


class MaskLists(NamedTuple):
    """The masks of every roll that still fit, those of one roll in a stretch.

    From `begin` to `middle` without a lane's number, from there to `end` with one.
    """

    begin: Ints
    middle: Ints
    end: Ints
    row: Ints
    lane: Ints


class PlanBlocks(NamedTuple):
    """A plan cut into row and lane."""

    lists: MaskLists
    row_bits: int
    #: for each set of lane numbers the lanes that it does not overlap, as a bit set
    open: Bits
    #: masks of lane numbers alone; through these, sets of the same row need each other. Rolls that have
    #: such a mask are the late ones
    late: Ints
    #: for each of these masks its late roll
    late_roll: Ints
    #: the cases of each late roll, and the lanes in which it fits within the row
    late_cases: Ints
    late_open: Bits
    #: for each roll its number among the late ones, or -1
    late_of: Ints
    #: the lines cut into row and lane, and for each lane the lines of which it misses nothing, as a bit set
    line_row: Ints
    line_lane: Ints
    lane_lines: Ints


@compiled(nogil=True, forceinline=True)
def place_of(sets: Ints, mask: int) -> int:
    """Where `mask` is in the hash table, or the empty place where it would be."""
    last = len(sets) - 1
    at = (mask * SPREAD >> 32) & last
    while sets[at] >= 0 and sets[at] != mask:
        at = (at + 1) & last
    return at


@compiled(nogil=True)
def enter_makers(start: Ints, partial: Ints, makers: Makers) -> None:
    """Fill the hash table from the partial masks."""
    for roll in range(len(makers.word)):
        for i in range(start[roll], start[roll + 1]):
            place = place_of(makers.sets, partial[i])
            makers.sets[place] = partial[i]
            makers.rolls[place, makers.word[roll]] |= makers.bit[roll]


@compiled(nogil=True, forceinline=True)
def count(bits: Any) -> int:
    """How many bits are set."""
    bits = bits - ((bits >> np.uint64(1)) & np.uint64(0x5555555555555555))
    bits = (bits & np.uint64(0x3333333333333333)) + ((bits >> np.uint64(2)) & np.uint64(0x3333333333333333))
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int(np.int64((bits * np.uint64(0x0101010101010101)) >> np.uint64(56)))


# --- every set of a large plan, expected lines only -------------------------------------------------


@compiled(nogil=True)
def sift(lists: MaskLists, taken: int, out: MaskLists) -> None:
    """Keep what does not overlap the numbers `taken` of the row."""
    n = 0
    for roll in range(len(lists.begin)):
        out.begin[roll] = n
        for i in range(lists.begin[roll], lists.middle[roll]):
            out.row[n] = lists.row[i]
            n += lists.row[i] & taken == 0
        out.middle[roll] = n
        for i in range(lists.middle[roll], lists.end[roll]):
            out.row[n] = lists.row[i]
            out.lane[n] = lists.lane[i]
            n += lists.row[i] & taken == 0
        out.end[roll] = n


class RowScratch(NamedTuple):
    """What the work on one row is written on."""

    #: by lane, the value of the best cover of a roll, as a number and as its bits
    best: LineValues
    best_bits: ValueBits
    #: by lane, what the rolls bring, each times its cases
    expected: Floats
    #: by late roll and lane
    late: LineValues
    late_bits: ValueBits
    #: by word and lane, the rolls without a complete grouping, as bit sets
    failed: Bits
    #: sets that a roll can make to complete lines, their places in the hash table, and the lines of which
    #: the row then misses nothing, as a bit set
    unions: Ints
    places: Ints
    inside: Ints
    #: by such set, how many lines it completes in the lane in question
    completes: Ints
    made: Bits


@compiled(nogil=True)
def solve_block(
    plan: PlanArrays,
    blocks: PlanBlocks,
    block: int,
    bits: tuple[int, int],
    sifted: tuple[MaskLists, MaskLists, MaskLists],
    scratch: RowScratch,
    table: LineValues,
) -> None:
    """Fill the rows whose high part is `block`; `bits` are how many numbers the other two parts have.

    All rows with more numbers in the high part have to be there already. `sifted` and `scratch` are to be
    written on.
    """
    middle_bits, low_bits = bits
    first, second, third = sifted
    high = block << (middle_bits + low_bits)
    sift(blocks.lists, high, first)
    for middle in range((1 << middle_bits) - 1, -1, -1):
        sift(first, middle << low_bits, second)
        for low in range((1 << low_bits) - 1, -1, -1):
            sift(second, low, third)
            row = high | middle << low_bits | low
            try_rolls(plan, blocks, third, row, table.view(np.int32), scratch)
            add_last_covers(plan, blocks, closing_sets(plan, blocks, row, scratch), scratch)
            finish_row(plan, blocks, row, table, scratch)


@compiled(nogil=True)
def finish_row(
    plan: PlanArrays, blocks: PlanBlocks, row: int, table: LineValues, scratch: RowScratch
) -> None:
    """Add what the late rolls bring, the fullest sets first, and store the row."""
    expected, late, late_bits, total = scratch.expected, scratch.late, scratch.late_bits, plan.cases.sum()
    bits, masks, rolls, cases = table.view(np.int32), blocks.late, blocks.late_roll, blocks.late_cases
    for lane in range(LANES - 1, -1, -1):
        for i in range(len(masks)):
            if masks[i] & lane == 0:
                late_bits[rolls[i], lane] = max(late_bits[rolls[i], lane], bits[row, lane | masks[i]])
        for roll in range(len(cases)):
            expected[lane] += cases[roll] * late[roll, lane]
        table[row, lane] = expected[lane] / total


@compiled(nogil=True)
def try_rolls(
    plan: PlanArrays, blocks: PlanBlocks, lists: MaskLists, row: int, table: ValueBits, scratch: RowScratch
) -> None:
    """For every roll the best complete grouping that leads to another row, and the lanes that have none.

    Values are compared as bits: for numbers from zero up that is the same order, and quicker.
    """
    begin, middle, end, row_part, lane_part = lists
    best, best_bits, expected, failed = scratch.best, scratch.best_bits, scratch.expected, scratch.failed
    late, late_of, late_open, open_lanes = scratch.late, blocks.late_of, blocks.late_open, blocks.open
    all_cases, words, bits = plan.cases, plan.makers.word, plan.makers.bit
    lanes = len(best)
    for lane in range(lanes):
        expected[lane] = 0.0
        for word in range(len(failed)):
            failed[word, lane] = 0
    for roll in range(len(all_cases)):
        for lane in range(lanes):
            best_bits[lane] = 0
        has = np.uint64(0)
        for i in range(begin[roll], middle[roll]):
            after = row | row_part[i]
            has = ALL_LANES
            for lane in range(lanes):
                best_bits[lane] = max(best_bits[lane], table[after, lane])
        for i in range(middle[roll], end[roll]):
            after, numbers = row | row_part[i], lane_part[i]
            has |= open_lanes[numbers]
            for lane in range(lanes):
                if lane & numbers == 0:
                    best_bits[lane] = max(best_bits[lane], table[after, lane | numbers])
        if late_of[roll] < 0:
            cases = np.float64(all_cases[roll])
            for lane in range(lanes):
                expected[lane] += cases * best[lane]
        else:
            has |= late_open[late_of[roll]]
            for lane in range(lanes):
                late[late_of[roll], lane] = best[lane]
        if has != ALL_LANES:
            for lane in range(lanes):
                failed[words[roll], lane] |= bits[roll] * (~(has >> np.uint64(lane)) & np.uint64(1))


@compiled(nogil=True)
def closing_sets(plan: PlanArrays, blocks: PlanBlocks, row: int, scratch: RowScratch) -> int:
    """Collect the sets of numbers by which some roll may complete lines in some lane; their number.

    These are what single lines may miss, and the unions of such sets. The first is the empty set: its
    lines are complete if the lane is right.
    """
    sets, line_row, line_lane = plan.makers.sets, blocks.line_row, blocks.line_lane
    unions, places, inside = scratch.unions, scratch.places, scratch.inside
    unions[0] = 0
    n = 1
    for i in range(len(line_row)):
        missing, lane_numbers = line_row[i] & ~row, line_lane[i]
        lane_part = lane_numbers
        while lane_part >= 0:
            n = _add_set(sets, missing | lane_part << blocks.row_bits, unions, places, n)
            lane_part = (lane_part - 1) & lane_numbers if lane_part else -1
    singles = n
    i = 1
    while i < n:
        for j in range(1, singles):
            if unions[j] & ~unions[i]:
                n = _add_set(sets, unions[i] | unions[j], unions, places, n)
        i += 1
    for i in range(n):
        inside[i] = 0
        for line in range(len(line_row)):
            if line_row[line] & ~(row | unions[i]) == 0:
                inside[i] |= 1 << line
    return n


@compiled(nogil=True, forceinline=True)
def _add_set(sets: Ints, union: int, unions: Ints, places: Ints, n: int) -> int:
    """Add a set to the list if some roll can make it and it is new; the length of the list."""
    place = place_of(sets, union)
    if sets[place] != union:
        return n
    for i in range(n):
        if unions[i] == union:
            return n
    unions[n], places[n] = union, place
    return n + 1


@compiled(nogil=True)
def add_last_covers(plan: PlanArrays, blocks: PlanBlocks, n: int, scratch: RowScratch) -> None:
    """Add how many lines there are after the rolls without a complete grouping, each times its cases.

    A roll counts once for each k such that it can make a set that completes k lines.
    """
    rolls, cases, row_bits, lane_lines = (
        plan.makers.rolls,
        plan.makers.cases,
        blocks.row_bits,
        blocks.lane_lines,
    )
    expected, failed, made, completes = scratch.expected, scratch.failed, scratch.made, scratch.completes
    unions, places, inside = scratch.unions, scratch.places, scratch.inside
    for lane in range(LANES):
        failing = 0
        for word in range(len(cases)):
            failing += cases[word] * count(failed[word, lane])
            made[word] = 0
        if failing == 0:
            continue
        complete = count(np.uint64(inside[0] & lane_lines[lane]))
        found = failing * complete
        most = 0
        for i in range(1, n):
            lane_part = unions[i] >> row_bits
            completes[i] = 0
            if lane_part & lane == 0:
                completes[i] = count(np.uint64(inside[i] & lane_lines[lane | lane_part])) - complete
                most = max(most, completes[i])
        for k in range(most, 0, -1):
            for i in range(1, n):
                if completes[i] == k:
                    for word in range(len(cases)):
                        made[word] |= rolls[places[i], word]
            for word in range(len(cases)):
                found += cases[word] * count(made[word] & failed[word, lane])
        expected[lane] += found


# --- playing rounds ---------------------------------------------------------------------------------


@apart
def simulate(
    g: Any, v: Any, covered: int, first: int, rounds: int, key: tuple[int, int], out: Any, scores: Ints
) -> None:
    """Play rounds on the first plan from a set, for the most lines, and count how many end with each score.

    Round number n of a key, counted from `first`, always has the same rolls. This is to be compiled with the
    rules that it calls (`pasch.solve.compiled.compile_plain`).
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
