"""Crowns, compiled: value placements, find the best one of a roll, look a roll ahead.

`v` is what was learned (`model.BoardTables`), `pace` says which of its tables is read. Placements and rolls have the
numbers of `placements.Ways`, which also has what the rules require.

`horizon` is how many of the chips left can still be of use: fewer than are left if the rounds run out,
none after the last round, when only the score counts.

What the net adds for a placement is a sum over the groups of fields that it touches in the first hidden layer
(`placements.Parts`), found for many placements at a time. The net's answers are remembered: many boards that a move and
a roll lead to follow from other moves, too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pasch.core.rules import kernel
from pasch.games.crowns.rules import fits
from pasch.games.crowns.values.model import BoardTables, Net
from pasch.games.crowns.values.placements import (
    ANY_ROLL,
    NEVER,
    TABLE_GROUPS,
    Floats,
    Groups,
    Number,
    Parts,
    Reals,
    Steps,
    Ways,
    Whole,
)
from pasch.games.crowns.ways import DICE
from pasch.solve.compiled import compile_plain, compiled

IMPOSSIBLE = np.float32(NEVER)
#: more chips than anybody has: the rounds do not run out
NO_LIMIT = 99
#: groups of the tables
GROUPS = len(TABLE_GROUPS.base)
#: placements that the net judges at a time; the constant tells the compiler that nothing is left over
TOGETHER = 64
#: how many answers of the net are remembered, as a power of 2
SLOT_BITS = 13
#: an odd number that scatters boards
SCATTER = np.uint64(0x9E3779B97F4A7C15)


class Scratch(NamedTuple):
    """Buffers for valuing a board."""

    values: Floats  # [placement] value after it
    at: Steps  # [group] the entries that the board selects, of the tables and of the net
    net_at: Steps
    points: Floats  # [chips placed] the best placement of a roll: its value, its number
    code: Whole
    best: Floats  # [roll] the best value, and the placement that has it
    choice: Steps
    often: Reals  # [chips] how often the best placement costs this number
    asked: Steps  # placements that the net is asked about at a time; the chips left after each
    left: Steps
    slot: Steps  # where the net's answer is remembered
    added: Floats  # what the net adds
    row: Floats  # [hidden 1]
    still: Floats  # [chips left, hidden 1] what the board puts into the first layer
    part: Floats  # [part, hidden 1] what it adds to that; the last adds nothing
    hidden_1: Floats  # [hidden 1, placement]
    hidden_2: Floats  # [hidden 2, placement]
    board: Whole  # [slot] the board and chips left that were asked about last, and the answer
    answer: Floats


@compile_plain
@kernel(allocates=True)
def new_scratch(v: BoardTables) -> Scratch:
    """Buffers for valuing boards by one model: the net's answers are remembered in them."""
    one, two = v.net.mix.shape
    slots = 1 << SLOT_BITS if one > 0 else 0
    return Scratch(
        np.zeros(v.ways.masks.shape[0], dtype=np.float32),
        np.zeros(v.ways.table.base.shape[0], dtype=np.int32),
        np.zeros(v.ways.net.base.shape[0], dtype=np.int32),
        np.zeros(DICE + 1, dtype=np.float32),
        np.zeros(DICE + 1, dtype=np.int64),
        np.zeros(v.ways.cases.shape[0], dtype=np.float32),
        np.zeros(v.ways.cases.shape[0], dtype=np.int32),
        np.zeros(DICE + 1),
        np.zeros(TOGETHER, dtype=np.int32),
        np.zeros(TOGETHER, dtype=np.int32),
        np.zeros(TOGETHER, dtype=np.int32),
        np.zeros(TOGETHER, dtype=np.float32),
        np.zeros(one, dtype=np.float32),
        np.zeros(v.net.chips.shape, dtype=np.float32),
        np.zeros((v.ways.net_parts.group.shape[0] + 1, one), dtype=np.float32),
        np.zeros((one, TOGETHER), dtype=np.float32),
        np.zeros((two, TOGETHER), dtype=np.float32),
        np.zeros(slots, dtype=np.int64),
        np.zeros(slots, dtype=np.float32),
    )


# --- tables ----------------------------------------------------------------------------------------


@compile_plain
def locate(board: Number, groups: Groups, at: Steps) -> None:
    """Find the entries that a board selects."""
    for group in range(at.shape[0]):
        at[group] = groups.base[group]
    for field in range(groups.fields.shape[0]):
        if board >> field & 1:
            for group in range(at.shape[0]):
                at[group] += groups.fields[field, group]


@compiled(fastmath=True)
def table_value(table: Floats, at: Steps, step: Steps) -> Number:
    """Sum of the entries of a board after a placement."""
    total = np.float32(0.0)
    # the constant lets the compiler unroll the loop, and what has no sign cannot count from the end of the table
    for g in range(GROUPS):
        total += table[np.uint32(at[g] + step[g])]
    return total


# --- what the net adds ------------------------------------------------------------------------------


@compile_plain
def board_key(board: Number, left: int) -> Number:
    """A board and the chips left as one number, which is not 0."""
    return board << 8 | left


@compiled(fastmath=True)
def prepare_net(net: Net, parts: Parts, scratch: Scratch) -> None:
    """Find what a board puts into the first hidden layer, by chips left, and what each part of a placement adds."""
    at, n1 = scratch.net_at, scratch.still.shape[1]
    for chips in range(scratch.still.shape[0]):
        still, alone = scratch.still[chips], net.chips[chips]
        for j in range(n1):
            still[j] = alone[j]
        for g in range(at.shape[0]):
            row = net.pattern[at[g]]
            for j in range(n1):
                still[j] += row[j]
    for part in range(parts.group.shape[0]):
        entry, more = at[parts.group[part]], scratch.part[part]
        before, after = net.pattern[entry], net.pattern[entry + parts.step[part]]
        for j in range(n1):
            more[j] = after[j] - before[j]


@compiled(fastmath=True)
def net_values(net: Net, parts: Parts, count: int, scratch: Scratch) -> None:
    """What the net adds for this number of placements, layer by layer for all of them."""
    n1, n2, h1 = scratch.hidden_1.shape[0], scratch.hidden_2.shape[0], scratch.row
    for i in range(count):
        u, still = scratch.asked[i], scratch.still[scratch.left[i]]
        for j in range(n1):
            h1[j] = still[j]
        for four in range(parts.first[u], parts.first[u + 1]):
            a, b, c, d = parts.of[four]
            p1, p2, p3, p4 = scratch.part[a], scratch.part[b], scratch.part[c], scratch.part[d]
            for j in range(n1):
                h1[j] += p1[j] + p2[j] + p3[j] + p4[j]
        for j in range(n1):
            scratch.hidden_1[j, i] = max(h1[j], np.float32(0.0))
    for i in range(TOGETHER):
        scratch.added[i] = 0.0
    for k in range(n2):
        h2 = scratch.hidden_2[k]
        for i in range(TOGETHER):
            h2[i] = net.mix_bias[k]
        for j in range(0, n1, 4):
            m1, m2, m3, m4 = net.mix[j, k], net.mix[j + 1, k], net.mix[j + 2, k], net.mix[j + 3, k]
            x1, x2 = scratch.hidden_1[j], scratch.hidden_1[j + 1]
            x3, x4 = scratch.hidden_1[j + 2], scratch.hidden_1[j + 3]
            for i in range(TOGETHER):
                h2[i] += m1 * x1[i] + m2 * x2[i] + m3 * x3[i] + m4 * x4[i]
        out = net.out[k]
        for i in range(TOGETHER):
            scratch.added[i] += out * max(h2[i], np.float32(0.0))


@compile_plain
def ask_net(v: BoardTables, board: Number, count: int, scratch: Scratch) -> None:
    """Add what the net says of the placements asked about to their values, and remember it."""
    if count > 0:
        net_values(v.net, v.ways.net_parts, count, scratch)
    for i in range(count):
        u, slot = scratch.asked[i], scratch.slot[i]
        scratch.values[u] += scratch.added[i]
        scratch.board[slot] = board_key(board | v.ways.masks[u], scratch.left[i])
        scratch.answer[slot] = scratch.added[i]


@compile_plain
def add_net(v: BoardTables, board: Number, chips: int, horizon: int, roll: int, scratch: Scratch) -> None:
    """Add what the net says to the values of the placements of a roll that have one; the board was located."""
    ways, values, count = v.ways, scratch.values, 0
    prepare_net(v.net, ways.net_parts, scratch)
    for i in range(ways.start[roll], ways.start[roll + 1]):
        u = ways.number[i]
        left = min(chips - ways.cost[u], horizon)
        if left > 0 and values[u] > IMPOSSIBLE:
            key = board_key(board | ways.masks[u], left)
            slot = np.int32(np.uint64(key) * SCATTER >> np.uint64(64 - SLOT_BITS))
            if scratch.board[slot] == key:
                values[u] += scratch.answer[slot]
                continue
            scratch.asked[count], scratch.left[count], scratch.slot[count] = u, left, slot
            count += 1
            if count == TOGETHER:
                ask_net(v, board, count, scratch)
                count = 0
    ask_net(v, board, count, scratch)


# --- values of placements ---------------------------------------------------------------------------


@compile_plain
def value_placements(
    v: BoardTables, pace: int, board: Number, chips: int, horizon: int, roll: int, scratch: Scratch
) -> None:
    """Value the placements of a roll, or of any, that fit a board; others get IMPOSSIBLE."""
    ways, values = v.ways, scratch.values
    values[:] = IMPOSSIBLE
    locate(board, ways.table, scratch.at)
    for i in range(ways.start[roll], ways.start[roll + 1]):
        u = ways.number[i]
        if fits(ways.masks[u], ways.chips[u], board, chips):
            left = max(0, min(chips - ways.cost[u], horizon))
            values[u] = table_value(v.tables[pace, left], scratch.at, ways.table_steps[u])
    if v.net.mix.shape[0] > 0:
        locate(board, ways.net, scratch.net_at)
        add_net(v, board, chips, horizon, roll, scratch)


# --- the best placement of a roll -------------------------------------------------------------------


@compile_plain
def best_by_chips(ways: Ways, roll: int, scratch: Scratch) -> None:
    """Find the best placement of a roll for each number of chips; IMPOSSIBLE where there is none that is legal."""
    values, points, most = scratch.values, scratch.points, 0
    for placed in range(DICE + 1):
        points[placed] = IMPOSSIBLE
    for i in range(ways.start[roll], ways.start[roll + 1]):
        u = ways.number[i]
        if values[u] > IMPOSSIBLE:
            most = ways.chips[u]
            if values[u] > points[most]:
                points[most], scratch.code[most] = values[u], u
    for placed in range(ways.least[most]):
        points[placed] = IMPOSSIBLE


@compile_plain
def best_of_roll(ways: Ways, roll: int, scratch: Scratch) -> tuple[int, Number]:
    """The best legal placement of a roll, of equal ones the first, and its value."""
    best_by_chips(ways, roll, scratch)
    best = 0
    for placed in range(1, DICE + 1):
        if scratch.points[placed] > scratch.points[best]:
            best = placed
    return scratch.code[best], scratch.points[best]


@compile_plain
def best_of_rolls(ways: Ways, scratch: Scratch) -> None:
    """What `best_of_roll` finds, for all rolls: most of a roll's placements are those of rolls that were done before.

    As soon as something places as much as can be required, nothing less is legal.
    """
    values, best, choice = scratch.values, scratch.best, scratch.choice
    for step in range(ways.order.shape[0]):
        found, chosen = IMPOSSIBLE, 0
        for at in range(ways.before_start[step], ways.before_start[step + 1]):
            value, u = best[ways.before[at]], choice[ways.before[at]]
            if value > found or (value == found and u < chosen):
                found, chosen = value, u
        for at in range(ways.more_start[step], ways.more_start[step + 1]):
            u = ways.more[at]
            if values[u] > found or (values[u] == found and u < chosen):
                found, chosen = values[u], u
        best[ways.order[step]], choice[ways.order[step]] = found, chosen
    for roll in range(best.shape[0]):
        # nothing places as much as can be required; a best that has not been found is no other roll's either
        if best[roll] == IMPOSSIBLE:
            choice[roll], best[roll] = best_of_roll(ways, roll, scratch)


# --- one roll ahead -------------------------------------------------------------------------------


@compile_plain
def look_ahead(
    v: BoardTables,
    pace: int,
    board: Number,
    chips: int,
    horizon: int,
    roll: int,
    often: Reals,
    scratch: Scratch,
) -> Number:
    """What the best placement leads to with a roll, or before it: then the mean over all rolls.

    `often` gets how likely that placement costs each number of chips.
    """
    ways, total = v.ways, 0.0
    value_placements(v, pace, board, chips, horizon, roll, scratch)
    for spent in range(often.shape[0]):
        often[spent] = 0.0
    if roll != ANY_ROLL:
        code, best = best_of_roll(ways, roll, scratch)
        often[ways.cost[code]] = 1.0
        return np.float64(best)
    best_of_rolls(ways, scratch)
    for each in range(ways.cases.shape[0]):
        often[ways.cost[scratch.choice[each]]] += ways.cases[each] / ways.total
        total += ways.cases[each] * np.float64(scratch.best[each])
    return total / ways.total
