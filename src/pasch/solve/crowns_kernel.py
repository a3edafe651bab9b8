"""Crowns, compiled: value a board, choose a placement, look a roll ahead, play.

Everything is told by `tables` [chips left, entry], the `net` and the `rules` of
`pasch.solve.crowns_model`. A board is its covered fields and, for each group of fields, the entry (`at`,
`net_at`) that they select.

`horizon` is how many of the chips left can still be of use: fewer than are left if the rounds run out,
none after the last round, when only the score counts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.games import crowns
from pasch.solve.compiled import compiled
from pasch.solve.crowns_model import Floats, Net, Number, Rules, Steps, Whole

LOWEST = np.float32(-1e30)
#: more chips than anybody has: the rounds do not run out
ENDLESS = 99
#: crowns below the tables' favourite that a placement may be for the net to judge it
MARGIN = np.float32(3.0)

required = compiled()(crowns.required)


class Scratch(NamedTuple):
    """Working memory."""

    values: Floats  # [placement] value after it
    wanted: NDArray[np.bool_]  # [placement] whether the net is asked
    h1: Floats
    h2: Floats
    still: Steps  # steps of nothing placed
    net_still: Steps


@compiled()
def new_scratch(rules: Rules, net: Net) -> Scratch:
    """Working memory for these rules and this net."""
    return Scratch(
        np.zeros(rules.masks.shape[0], dtype=np.float32),
        np.zeros(rules.masks.shape[0], dtype=np.bool_),
        np.zeros(net.mix.shape[0], dtype=np.float32),
        np.zeros(net.mix.shape[1], dtype=np.float32),
        np.zeros(rules.table_base.shape[0], dtype=np.int32),
        np.zeros(rules.net_base.shape[0], dtype=np.int32),
    )


# --- values of boards -----------------------------------------------------------------------------


@compiled()
def entries_of(board: Number, masks: Whole, steps: Steps, base: Steps) -> Steps:
    """The entries that a board selects; single fields are placements too, so their steps are known."""
    at = base.copy()
    for u in range(masks.shape[0]):
        mask = masks[u]
        if mask & board and mask & (mask - 1) == 0:
            at += steps[u]
    return at


@compiled(fastmath=True)
def table_value(table: Floats, at: Steps, step: Steps) -> Number:
    """Sum of the entries of a board after a placement."""
    total = np.float32(0.0)
    for g in range(at.shape[0]):
        total += table[at[g] + step[g]]
    return total


@compiled(fastmath=True)
def net_value(net: Net, at: Steps, step: Steps, chips: int, scratch: Scratch) -> Number:
    """What the net adds; leaves its hidden layers in the scratch."""
    h1, h2 = scratch.h1, scratch.h2
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
        x = h1[j]
        if x > 0:
            row = net.mix[j]
            for k in range(n2):
                h2[k] += x * row[k]
        else:
            h1[j] = 0
    total = np.float32(0.0)
    for k in range(n2):
        h2[k] = max(h2[k], np.float32(0.0))
        total += h2[k] * net.out[k]
    return total


@compiled(fastmath=True)
def board_value(at: Steps, net_at: Steps, chips: int, tables: Floats, net: Net, scratch: Scratch) -> Number:
    """Value of a board as it stands."""
    value = table_value(tables[chips], at, scratch.still)
    if chips > 0:
        value += net_value(net, net_at, scratch.net_still, chips, scratch)
    return value


# --- choosing -------------------------------------------------------------------------------------


@compiled(fastmath=True)
def choose(
    board: Number,
    at: Steps,
    net_at: Steps,
    chips: int,
    roll: int,
    tables: Floats,
    net: Net,
    rules: Rules,
    margin: Number,
    scratch: Scratch,
) -> tuple[int, Number]:
    """The best placement of a roll and its value.

    The tables judge all, the net only those within `margin` crowns of the tables' favourite. Values of the
    placements that it has judged stay in the scratch, the others have LOWEST.
    """
    values = scratch.values
    most, table_best = -1, LOWEST
    first, last = rules.start[roll], rules.start[roll + 1]
    for i in range(first, last):
        u = rules.number[i]
        k = rules.chips[u]
        values[u] = LOWEST
        if k > chips or rules.masks[u] & board:
            continue
        if k > most:
            if most < required(rules.minimum, k):  # what has been found so far is too little
                table_best = LOWEST
                for j in range(first, i):
                    values[rules.number[j]] = LOWEST
            most = k
        value = table_value(tables[chips - rules.cost[u]], at, rules.table_steps[u])
        values[u] = value
        table_best = max(table_best, value)
    floor = table_best - margin
    best, choice = LOWEST, 0
    for i in range(first, last):
        u = rules.number[i]
        value = values[u]
        if value == LOWEST:
            continue
        if value < floor:
            values[u] = LOWEST
            continue
        left = chips - rules.cost[u]
        if left > 0:
            value += net_value(net, net_at, rules.net_steps[u], left, scratch)
            values[u] = value
        if value > best:
            best, choice = value, u
    return choice, best


@compiled(fastmath=True)
def tempted(roll: int, rules: Rules, whim: Floats, values: Floats) -> int:
    """The placement that a player with a whim, a bonus for each field, takes among those judged.

    A whim kept for a whole game tries another plan, which single random moves do not.
    """
    best, choice = LOWEST, 0
    for i in range(rules.start[roll], rules.start[roll + 1]):
        u = rules.number[i]
        value = values[u]
        if value > LOWEST:
            for f in range(whim.shape[0]):
                if rules.masks[u] >> f & 1:
                    value += whim[f]
            if value > best:
                best, choice = value, u
    return choice


# --- one roll ahead -------------------------------------------------------------------------------


@compiled(fastmath=True)
def best_of_roll(roll: int, rules: Rules, values: Floats) -> tuple[int, Number]:
    """The best placement of a roll and its value, read off `value_placements`."""
    best, choice, most = LOWEST, 0, -1
    for i in range(rules.start[roll], rules.start[roll + 1]):
        u = rules.number[i]
        value = values[u]
        if value == LOWEST:
            continue
        k = rules.chips[u]
        if k > most:
            if most < required(rules.minimum, k):
                best = LOWEST
            most = k
        if value > best:
            best, choice = value, u
    return choice, best


@compiled(fastmath=True)
def value_of_roll(roll: int, rules: Rules, values: Floats) -> Number:
    """The value alone: as soon as something places the minimum, nothing less is legal."""
    best = LOWEST
    for i in range(rules.enough[roll], rules.start[roll + 1]):
        best = max(best, values[rules.number[i]])
    return best if best > LOWEST else best_of_roll(roll, rules, values)[1]


@compiled(fastmath=True)
def value_placements(
    board: Number,
    at: Steps,
    net_at: Steps,
    chips: int,
    horizon: int,
    tables: Floats,
    net: Net,
    rules: Rules,
    scratch: Scratch,
) -> None:
    """Value every placement that fits a board, whichever roll it comes from, into the scratch.

    The 462 rolls share a thousand placements; that makes an exact mean over all rolls cheap. As in `choose`
    the net judges only those that are near the tables' favourite, here of any roll; the others get LOWEST.
    """
    values, wanted = scratch.values, scratch.wanted
    for u in range(rules.masks.shape[0]):
        values[u] = LOWEST
        if rules.chips[u] <= chips and not rules.masks[u] & board:
            left = min(chips - rules.cost[u], horizon)
            values[u] = table_value(tables[left], at, rules.table_steps[u])
    if net.mix.shape[0] == 0:
        return
    wanted[:] = False
    for roll in range(rules.cases.shape[0]):
        floor = value_of_roll(roll, rules, values) - MARGIN
        for i in range(rules.start[roll], rules.start[roll + 1]):
            u = rules.number[i]
            wanted[u] |= values[u] >= floor
    for u in range(rules.masks.shape[0]):
        left = min(chips - rules.cost[u], horizon)
        if not wanted[u]:
            values[u] = LOWEST
        elif left > 0:
            values[u] += net_value(net, net_at, rules.net_steps[u], left, scratch)


@compiled(fastmath=True)
def mean_of_rolls(rules: Rules, values: Floats) -> Number:
    """The exact mean over the next roll of its best value."""
    total = 0.0
    for roll in range(rules.cases.shape[0]):
        total += rules.cases[roll] * np.float64(value_of_roll(roll, rules, values))
    return total / rules.lottery.shape[0]


@compiled(fastmath=True)
def expected_value(
    board: Number,
    at: Steps,
    net_at: Steps,
    chips: int,
    horizon: int,
    tables: Floats,
    net: Net,
    rules: Rules,
    scratch: Scratch,
) -> Number:
    """What a board is worth before a roll, looking one roll ahead."""
    if chips == 0:
        return np.float64(table_value(tables[0], at, scratch.still))
    value_placements(board, at, net_at, chips, horizon, tables, net, rules, scratch)
    return mean_of_rolls(rules, scratch.values)


@compiled(fastmath=True)
def look_ahead(
    boards: Whole, chips: Whole, horizon: int, tables: Floats, net: Net, rules: Rules
) -> NDArray[np.float64]:
    """`expected_value` of many boards."""
    scratch = new_scratch(rules, net)
    values = np.zeros(boards.shape[0])
    for i in range(boards.shape[0]):
        at = entries_of(boards[i], rules.masks, rules.table_steps, rules.table_base)
        net_at = entries_of(boards[i], rules.masks, rules.net_steps, rules.net_base)
        values[i] = expected_value(boards[i], at, net_at, chips[i], horizon, tables, net, rules, scratch)
    return values


@compiled(fastmath=True)
def rolls_ahead(
    board: Number, chips: int, horizon: int, tables: Floats, net: Net, rules: Rules
) -> tuple[Whole, NDArray[np.float64]]:
    """For every roll the best placement and its value, before looking any further."""
    scratch = new_scratch(rules, net)
    at = entries_of(board, rules.masks, rules.table_steps, rules.table_base)
    net_at = entries_of(board, rules.masks, rules.net_steps, rules.net_base)
    value_placements(board, at, net_at, chips, horizon, tables, net, rules, scratch)
    rolls = rules.cases.shape[0]
    choices, values = np.zeros(rolls, dtype=np.int64), np.zeros(rolls)
    for roll in range(rolls):
        choice, best = best_of_roll(roll, rules, scratch.values)
        choices[roll] = choice
        values[roll] = np.float64(best)
    return choices, values


@compiled(fastmath=True)
def values_as_they_stand(boards: Whole, chips: Whole, tables: Floats, net: Net, rules: Rules) -> Floats:
    """`board_value` of many boards."""
    scratch = new_scratch(rules, net)
    values = np.zeros(boards.shape[0], dtype=np.float32)
    for i in range(boards.shape[0]):
        at = entries_of(boards[i], rules.masks, rules.table_steps, rules.table_base)
        net_at = entries_of(boards[i], rules.masks, rules.net_steps, rules.net_base)
        values[i] = board_value(at, net_at, chips[i], tables, net, scratch)
    return values
