"""Crowns, compiled: what the net adds to a board's value, for many placements at a time.

What a placement adds to the first hidden layer is a sum over the groups of fields that it touches (`placements.Parts`).
The net's answers are remembered: many boards that a move and a roll lead to follow from other moves, too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pasch.core.rules import apart
from pasch.games.crowns.values.model import BoardTables, Net
from pasch.games.crowns.values.placements import Floats, Number, Parts, Steps, Whole
from pasch.solve.compiled import compile_plain, compiled

IMPOSSIBLE = np.float32(-1e30)
#: placements that the net judges at a time; the constant tells the compiler that nothing is left over
TOGETHER = 64
#: how many answers are remembered, as a power of 2
SLOT_BITS = 13
#: an odd number that scatters boards
SCATTER = np.uint64(0x9E3779B97F4A7C15)


class NetScratch(NamedTuple):
    """Placements that the net judges at a time, and room to do so."""

    placement: Steps
    chips: Steps  # left after it
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
@apart
def new_net_scratch(v: BoardTables) -> NetScratch:
    """Room for asking the net; without one there is none."""
    one, two = v.net.mix.shape
    slots = 1 << SLOT_BITS if one > 0 else 0
    return NetScratch(
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


@compile_plain
def board_key(board: Number, left: int) -> Number:
    """A board and the chips left as one number, which is not 0."""
    return board << 8 | left


@compile_plain
def slot_of(key: Number) -> Number:
    """Where the answer for a board and the chips left is remembered."""
    return np.int32(np.uint64(key) * SCATTER >> np.uint64(64 - SLOT_BITS))


@compiled(fastmath=True)
def prepare_net(net: Net, at: Steps, parts: Parts, asked: NetScratch) -> None:
    """Find what a board puts into the first hidden layer, by chips left, and what each part of a placement adds."""
    n1 = asked.still.shape[1]
    for chips in range(asked.still.shape[0]):
        still, alone = asked.still[chips], net.chips[chips]
        for j in range(n1):
            still[j] = alone[j]
        for g in range(at.shape[0]):
            row = net.pattern[at[g]]
            for j in range(n1):
                still[j] += row[j]
    for part in range(parts.group.shape[0]):
        entry, more = at[parts.group[part]], asked.part[part]
        before, after = net.pattern[entry], net.pattern[entry + parts.step[part]]
        for j in range(n1):
            more[j] = after[j] - before[j]


@compiled(fastmath=True)
def net_values(net: Net, parts: Parts, count: int, asked: NetScratch) -> None:
    """What the net adds for so many placements, layer by layer for all of them."""
    n1, n2, h1 = asked.hidden_1.shape[0], asked.hidden_2.shape[0], asked.row
    for i in range(count):
        u, still = asked.placement[i], asked.still[asked.chips[i]]
        for j in range(n1):
            h1[j] = still[j]
        for four in range(parts.first[u], parts.first[u + 1]):
            a, b, c, d = parts.of[four]
            p1, p2, p3, p4 = asked.part[a], asked.part[b], asked.part[c], asked.part[d]
            for j in range(n1):
                h1[j] += p1[j] + p2[j] + p3[j] + p4[j]
        for j in range(n1):
            asked.hidden_1[j, i] = max(h1[j], np.float32(0.0))
    for i in range(TOGETHER):
        asked.added[i] = 0.0
    for k in range(n2):
        h2 = asked.hidden_2[k]
        for i in range(TOGETHER):
            h2[i] = net.mix_bias[k]
        for j in range(0, n1, 4):
            m1, m2, m3, m4 = net.mix[j, k], net.mix[j + 1, k], net.mix[j + 2, k], net.mix[j + 3, k]
            x1, x2 = asked.hidden_1[j], asked.hidden_1[j + 1]
            x3, x4 = asked.hidden_1[j + 2], asked.hidden_1[j + 3]
            for i in range(TOGETHER):
                h2[i] += m1 * x1[i] + m2 * x2[i] + m3 * x3[i] + m4 * x4[i]
        out = net.out[k]
        for i in range(TOGETHER):
            asked.added[i] += out * max(h2[i], np.float32(0.0))


@compile_plain
def ask_net(v: BoardTables, board: Number, count: int, values: Floats, asked: NetScratch) -> None:
    """Add what the net says of the placements asked about to their values, and remember it."""
    if count > 0:
        net_values(v.net, v.ways.net_parts, count, asked)
    for i in range(count):
        u, slot = asked.placement[i], asked.slot[i]
        values[u] += asked.added[i]
        asked.board[slot] = board_key(board | v.ways.masks[u], asked.chips[i])
        asked.answer[slot] = asked.added[i]


@compile_plain
def add_net(
    v: BoardTables,
    board: Number,
    at: Steps,
    chips: int,
    horizon: int,
    roll: int,
    values: Floats,
    asked: NetScratch,
) -> None:
    """Add what the net says to the values of the placements of a roll that have one.

    `at` are the net's entries of the board.
    """
    ways, count = v.ways, 0
    prepare_net(v.net, at, ways.net_parts, asked)
    for i in range(ways.start[roll], ways.start[roll + 1]):
        u = ways.number[i]
        left = min(chips - ways.cost[u], horizon)
        if left > 0 and values[u] > IMPOSSIBLE:
            key = board_key(board | ways.masks[u], left)
            slot = slot_of(key)
            if asked.board[slot] == key:
                values[u] += asked.answer[slot]
                continue
            asked.placement[count], asked.chips[count], asked.slot[count] = u, left, slot
            count += 1
            if count == TOGETHER:
                ask_net(v, board, count, values, asked)
                count = 0
    ask_net(v, board, count, values, asked)
