"""Crowns, compiled: many boards looked at a roll ahead side by side, one in each *lane*, by the learned tables.

What a placement adds to a board is a sum over the groups of fields that it touches (`model.Parts`). The same parts make
up all placements, so they are read once for every lane; then placements and rolls are sums and maxima of whole
rows of lanes, which processors compute many at a time. A board that is rated for several paces takes a lane for each.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from pasch.core.rules import apart
from pasch.games.crowns.rules import fits
from pasch.games.crowns.values.kernel import LOWEST, best_of_roll
from pasch.games.crowns.values.model import BoardTables, Floats, Reals, Steps, Whole
from pasch.games.crowns.ways import DICE
from pasch.solve.compiled import compile_plain

#: so many boards at a time; the constant tells the compiler that nothing is left over
LANES: Final = 64


class Lanes(NamedTuple):
    """Boards that are to be looked at, and room to do so."""

    taken: Whole  # [0] how many there are
    board: Whole  # [lane]
    chips: Whole  # left
    pace: Whole
    horizon: Whole
    weight: Reals  # what its value counts
    slot: Whole  # and where
    value: Reals  # what it is worth before a roll
    at: Steps  # [group, lane] the entries that the board selects
    start: Steps  # [chips placed, lane] where the entries are for the chips left then
    still: Floats  # [group, chips placed, lane] the entry of a group that is not touched
    kept: Floats  # [chips placed, lane] the sum of these
    part: Floats  # [part, lane] what it adds to that; the last adds nothing
    held: Floats  # [placement, then roll; lane] value after it, or of the roll's best; the last is that of none
    column: Floats  # [placement] the values of one lane


@compile_plain
@apart
def new_lanes(v: BoardTables) -> Lanes:
    """Room for `LANES` boards."""
    groups, parts = v.ways.table_base.shape[0], v.ways.parts
    return Lanes(
        np.zeros(1, dtype=np.int64),
        np.zeros(LANES, dtype=np.int64),
        np.zeros(LANES, dtype=np.int64),
        np.zeros(LANES, dtype=np.int64),
        np.zeros(LANES, dtype=np.int64),
        np.zeros(LANES),
        np.zeros(LANES, dtype=np.int64),
        np.zeros(LANES),
        np.zeros((groups, LANES), dtype=np.int32),
        np.zeros((DICE + 1, LANES), dtype=np.int32),
        np.empty((groups, DICE + 1, LANES), dtype=np.float32),
        np.empty((DICE + 1, LANES), dtype=np.float32),
        np.empty((parts.group.shape[0] + 1, LANES), dtype=np.float32),
        np.empty((v.ways.masks.shape[0] + v.ways.cases.shape[0] + 1, LANES), dtype=np.float32),
        np.empty(v.ways.masks.shape[0], dtype=np.float32),
    )


def add_lane(
    lanes: Lanes, board: int, chips: int, pace: int, horizon: int, weight: float, slot: int
) -> bool:
    """Have a board looked at, which counts so much in this slot; whether all lanes are taken then."""
    lane = lanes.taken[0]
    lanes.board[lane], lanes.chips[lane], lanes.pace[lane] = board, chips, pace
    lanes.horizon[lane], lanes.weight[lane], lanes.slot[lane] = horizon, weight, slot
    lanes.taken[0] = lane + 1
    return bool(lane + 1 == LANES)


@compile_plain
def locate_lanes(v: BoardTables, lanes: Lanes) -> None:
    """Find the entries that the boards select, and those for every number of chips placed."""
    ways, groups, paces = v.ways, lanes.at.shape[0], v.by_pace.shape[1]
    entries = v.tables.shape[2]
    for lane in range(LANES):
        if lane > 0 and lanes.board[lane] == lanes.board[lane - 1]:
            for group in range(groups):
                lanes.at[group, lane] = lanes.at[group, lane - 1]
        else:
            for group in range(groups):
                lanes.at[group, lane] = ways.table_base[group] * paces
            for field in range(ways.table_fields.shape[0]):
                if lanes.board[lane] >> field & 1:
                    for group in range(groups):
                        lanes.at[group, lane] += ways.table_fields[field, group] * paces
        for placed in range(DICE + 1):
            left = max(0, min(lanes.chips[lane] - ways.costs[placed], lanes.horizon[lane]))
            lanes.start[placed, lane] = left * entries * paces + lanes.pace[lane]


@compile_plain
def value_parts(v: BoardTables, lanes: Lanes, covered: int, most: int) -> None:
    """Value the boards as they stand, and what every part adds; where it does not fit it takes everything away.

    Parts are left out that fit nowhere: all boards cover these fields, and nobody has more chips than `most`.
    """
    parts, paces, entry = v.ways.parts, v.by_pace.shape[1], v.by_pace.reshape(-1)
    for placed in range(min(DICE, most) + 1):
        start, kept = lanes.start[placed], lanes.kept[placed]
        for lane in range(LANES):
            kept[lane] = 0.0 if fits(0, placed, 0, lanes.chips[lane]) else LOWEST
        for group in range(lanes.at.shape[0]):
            at, still = lanes.at[group], lanes.still[group, placed]
            for lane in range(LANES):
                still[lane] = entry[np.uint32(start[lane] + at[lane])]
                kept[lane] += still[lane]
    for part in range(parts.group.shape[0]):
        fields, placed, step = parts.fields[part], parts.chips[part], np.int32(parts.step[part] * paces)
        if not fits(fields, placed, covered, most):
            continue
        start, at = lanes.start[placed], lanes.at[parts.group[part]]
        still, more = lanes.still[parts.group[part], placed], lanes.part[part]
        for lane in range(LANES):
            added = entry[np.uint32(start[lane] + at[lane] + step)] - still[lane]
            more[lane] = added if fits(fields, 0, lanes.board[lane], 0) else LOWEST
    nothing = lanes.part[parts.group.shape[0]]
    for lane in range(LANES):
        nothing[lane] = 0.0


@compile_plain
def value_lanes(v: BoardTables, lanes: Lanes, covered: int, most: int) -> None:
    """Value every placement on all boards."""
    ways, part = v.ways, lanes.part
    for u in range(ways.masks.shape[0]):
        held = lanes.held[u]
        if not fits(ways.masks[u], ways.chips[u], covered, most):
            for lane in range(LANES):
                held[lane] = LOWEST
            continue
        kept = lanes.kept[ways.chips[u]]
        for lane in range(LANES):
            held[lane] = kept[lane]
        for i in range(ways.parts.first[u], ways.parts.first[u + 1]):
            a, b, c, d = ways.parts.of[i]
            one, two, three, four = part[a], part[b], part[c], part[d]
            for lane in range(LANES):
                held[lane] += one[lane] + two[lane] + three[lane] + four[lane]


@compile_plain
def place_less(v: BoardTables, lanes: Lanes) -> None:
    """Find the best placement of rolls that cannot place as much as can be required."""
    ways, held, column = v.ways, lanes.held, lanes.column
    for lane in range(lanes.taken[0]):
        known = False
        for roll in range(ways.cases.shape[0]):
            if held[column.shape[0] + roll, lane] <= LOWEST:
                if not known:
                    for u in range(column.shape[0]):
                        column[u] = max(held[u, lane], LOWEST)
                    known = True
                held[column.shape[0] + roll, lane] = best_of_roll(ways, roll, column)[1]


@compile_plain
def average_rolls(v: BoardTables, lanes: Lanes) -> None:
    """Find the best placement of every roll and the mean of their values, as `kernel.expected_value` does."""
    ways, held, value = v.ways, lanes.held, lanes.value
    first = ways.masks.shape[0]
    none = held[first + ways.cases.shape[0]]
    for lane in range(LANES):
        value[lane] = 0.0
        none[lane] = LOWEST
    for step in range(ways.order.shape[0]):
        best = held[first + ways.order[step]]
        for lane in range(LANES):
            best[lane] = LOWEST
        for i in range(ways.rows_start[step], ways.rows_start[step + 1]):
            a, b, c, d = ways.rows[i]
            one, two, three, four = held[a], held[b], held[c], held[d]
            for lane in range(LANES):
                x = one[lane] if one[lane] > two[lane] else two[lane]
                y = three[lane] if three[lane] > four[lane] else four[lane]
                x = x if x > y else y
                best[lane] = x if x > best[lane] else best[lane]
    if ways.least[DICE] > 0:
        place_less(v, lanes)
    for roll in range(0, ways.cases.shape[0], 2):
        one, two = held[first + roll], held[first + roll + 1]
        often, other = np.float64(ways.cases[roll]), np.float64(ways.cases[roll + 1])
        for lane in range(LANES):
            value[lane] += often * np.float64(one[lane]) + other * np.float64(two[lane])
    for lane in range(LANES):
        value[lane] /= ways.total


@compile_plain
def look_ahead(v: BoardTables, lanes: Lanes, out: Reals) -> None:
    """Add what the boards are worth before a roll to their slots; all lanes are free then."""
    if lanes.taken[0] == 0:
        return
    # lanes that are not taken do as the first one
    for lane in range(lanes.taken[0], LANES):
        lanes.board[lane], lanes.chips[lane] = lanes.board[0], lanes.chips[0]
        lanes.pace[lane], lanes.horizon[lane] = lanes.pace[0], lanes.horizon[0]
    locate_lanes(v, lanes)
    covered, most = lanes.board[0], lanes.chips[0]
    for lane in range(1, LANES):
        covered &= lanes.board[lane]
        most = max(most, lanes.chips[lane])
    value_parts(v, lanes, covered, most)
    value_lanes(v, lanes, covered, most)
    average_rolls(v, lanes)
    for lane in range(lanes.taken[0]):
        out[lanes.slot[lane]] += lanes.weight[lane] * lanes.value[lane]
    lanes.taken[0] = 0
