"""Crowns, compiled: what the net adds to a board's value, for one board or for many placements at a time.

What a placement adds to the first hidden layer is a sum over the groups of fields that it touches (`model.Parts`). The
net's answers are remembered: many boards that a move and a roll lead to follow from other moves, too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pasch.core.rules import apart
from pasch.games.crowns.values.model import BoardTables, Floats, Net, Number, Parts, Steps, Whole
from pasch.solve.compiled import compile_plain, compiled

#: placements that the net judges at a time; the constant tells the compiler that nothing is left over
TOGETHER = 64
#: how many answers are remembered, as a power of 2
SLOT_BITS = 13
#: an odd number that scatters boards
SCATTER = np.uint64(0x9E3779B97F4A7C15)


class Asked(NamedTuple):
    """Placements that the net judges at a time, and room to do so."""

    placement: Steps
    chips: Steps  # left after it
    slot: Steps  # where the net's answer is remembered
    added: Floats  # what the net adds
    still: Floats  # [chips left, hidden 1] what the board puts into the first layer
    part: Floats  # [part, hidden 1] what it adds to that; the last adds nothing
    hidden_1: Floats  # [hidden 1, placement]
    hidden_2: Floats  # [hidden 2, placement]
    board: Whole  # [slot] the board and chips left that were asked about last, and the answer
    answer: Floats


@compile_plain
@apart
def new_asked(v: BoardTables) -> Asked:
    """Room for asking the net; without one there is none."""
    one, two = v.net.mix.shape
    slots = 1 << SLOT_BITS if one > 0 else 0
    return Asked(
        np.zeros(TOGETHER, dtype=np.int32),
        np.zeros(TOGETHER, dtype=np.int32),
        np.zeros(TOGETHER, dtype=np.int32),
        np.zeros(TOGETHER, dtype=np.float32),
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
def net_value(net: Net, at: Steps, step: Steps, chips: int, h1: Floats, h2: Floats) -> Number:
    """What the net adds; leaves its hidden layers in `h1` and `h2`."""
    n1, n2 = h1.shape[0], h2.shape[0]
    if n1 == 0:
        return np.float32(0.0)
    for j in range(n1):
        h1[j] = net.chips[chips, j]
    for g in range(at.shape[0]):
        row = net.pattern[at[g] + step[g]]
        for j in range(n1):
            h1[j] += row[j]
    for k in range(n2):
        h2[k] = net.mix_bias[k]
    for j in range(n1):
        # multiplying by nothing is quicker than a branch that nobody can foresee
        x = h1[j] = max(h1[j], np.float32(0.0))
        row = net.mix[j]
        for k in range(n2):
            h2[k] += x * row[k]
    total = np.float32(0.0)
    for k in range(n2):
        h2[k] = max(h2[k], np.float32(0.0))
        total += h2[k] * net.out[k]
    return total


@compiled(fastmath=True)
def prepare_net(net: Net, at: Steps, parts: Parts, asked: Asked) -> None:
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
def net_values(net: Net, parts: Parts, count: int, asked: Asked, h1: Floats) -> None:
    """What the net adds for so many placements: as `net_value`, layer by layer for all of them."""
    n1, n2 = asked.hidden_1.shape[0], asked.hidden_2.shape[0]
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
