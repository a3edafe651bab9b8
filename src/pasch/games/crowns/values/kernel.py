"""Crowns, compiled: value placements, find the best one of a roll, look a roll ahead.

`v` is what was learned (`model.BoardTables`), `pace` says which of its tables is read. Placements and rolls have the
numbers of `placements.Ways`, which also tells what the rules require.

`horizon` is how many of the chips left can still be of use: fewer than are left if the rounds run out,
none after the last round, when only the score counts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pasch.core.rules import apart
from pasch.games.crowns.rules import fits
from pasch.games.crowns.values.model import BoardTables
from pasch.games.crowns.values.net import IMPOSSIBLE, NetScratch, add_net, new_net_scratch
from pasch.games.crowns.values.placements import (
    ANY_ROLL,
    TABLE_GROUPS,
    Floats,
    Number,
    Reals,
    Steps,
    Ways,
    Whole,
)
from pasch.games.crowns.ways import DICE
from pasch.solve.compiled import compile_plain, compiled

#: more chips than anybody has: the rounds do not run out
NO_LIMIT = 99
#: groups of the tables
GROUPS = len(TABLE_GROUPS.fields)


class Choices(NamedTuple):
    """The best placement of a roll for each number of chips placed: its value, its number."""

    points: Floats
    code: Whole


class Scratch(NamedTuple):
    """Room for valuing a board."""

    values: Floats  # [placement] value after it
    at: Steps  # [group] the entries that the board selects, of the tables and of the net
    net_at: Steps
    asked: NetScratch
    choices: Choices
    best: Floats  # [roll] the best value, and the placement that has it
    choice: Steps
    often: Reals  # [chips] how often the best placement costs so many


@compile_plain
@apart
def new_scratch(v: BoardTables) -> Scratch:
    """Room for valuing boards by what was learned; it has to stay the same, for the net's answers are remembered."""
    return Scratch(
        np.zeros(v.ways.masks.shape[0], dtype=np.float32),
        np.zeros(v.ways.table_base.shape[0], dtype=np.int32),
        np.zeros(v.ways.net_base.shape[0], dtype=np.int32),
        new_net_scratch(v),
        Choices(np.zeros(DICE + 1, dtype=np.float32), np.zeros(DICE + 1, dtype=np.int64)),
        np.zeros(v.ways.cases.shape[0], dtype=np.float32),
        np.zeros(v.ways.cases.shape[0], dtype=np.int32),
        np.zeros(DICE + 1),
    )


# --- values of placements -------------------------------------------------------------------------


@compile_plain
def locate(board: Number, base: Steps, fields: Steps, at: Steps) -> None:
    """Find the entries that a board selects."""
    for group in range(at.shape[0]):
        at[group] = base[group]
    for field in range(fields.shape[0]):
        if board >> field & 1:
            for group in range(at.shape[0]):
                at[group] += fields[field, group]


@compiled(fastmath=True)
def table_value(table: Floats, at: Steps, step: Steps) -> Number:
    """Sum of the entries of a board after a placement."""
    total = np.float32(0.0)
    # the constant lets the compiler unroll the loop, and what has no sign cannot count from the end of the table
    for g in range(GROUPS):
        total += table[np.uint32(at[g] + step[g])]
    return total


@compile_plain
def value_placements(
    v: BoardTables, pace: int, board: Number, chips: int, horizon: int, roll: int, scratch: Scratch
) -> None:
    """Value the placements of a roll, or of any, that fit a board; others get IMPOSSIBLE."""
    ways, values = v.ways, scratch.values
    values[:] = IMPOSSIBLE
    locate(board, ways.table_base, ways.table_fields, scratch.at)
    for i in range(ways.start[roll], ways.start[roll + 1]):
        u = ways.number[i]
        if fits(ways.masks[u], ways.chips[u], board, chips):
            left = max(0, min(chips - ways.cost[u], horizon))
            values[u] = table_value(v.tables[pace, left], scratch.at, ways.table_steps[u])
    if v.net.mix.shape[0] > 0:
        locate(board, ways.net_base, ways.net_fields, scratch.net_at)
        add_net(v, board, scratch.net_at, chips, horizon, roll, values, scratch.asked)


# --- the best placement of a roll -------------------------------------------------------------------


@compile_plain
def best_by_chips(ways: Ways, roll: int, values: Floats, choices: Choices) -> None:
    """Find the best placement of a roll for each number of chips; IMPOSSIBLE where there is none that is legal."""
    most = 0
    for placed in range(DICE + 1):
        choices.points[placed] = IMPOSSIBLE
    for i in range(ways.start[roll], ways.start[roll + 1]):
        u = ways.number[i]
        if values[u] > IMPOSSIBLE:
            most = ways.chips[u]
            if values[u] > choices.points[most]:
                choices.points[most], choices.code[most] = values[u], u
    for placed in range(ways.least[most]):
        choices.points[placed] = IMPOSSIBLE


@compile_plain
def best_of_roll(ways: Ways, roll: int, values: Floats, choices: Choices) -> tuple[int, Number]:
    """The best legal placement of a roll, of equal ones the first, and its value."""
    best_by_chips(ways, roll, values, choices)
    best = 0
    for placed in range(1, DICE + 1):
        if choices.points[placed] > choices.points[best]:
            best = placed
    return choices.code[best], choices.points[best]


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
            choice[roll], best[roll] = best_of_roll(ways, roll, values, scratch.choices)


@compile_plain
def choose(
    v: BoardTables, pace: int, board: Number, chips: int, roll: int, scratch: Scratch
) -> tuple[int, Number]:
    """The best move with a roll, without looking ahead, and its value."""
    value_placements(v, pace, board, chips, NO_LIMIT, roll, scratch)
    return best_of_roll(v.ways, roll, scratch.values, scratch.choices)


# --- one roll ahead -------------------------------------------------------------------------------


@compile_plain
def mean_of_rolls(ways: Ways, often: Reals, scratch: Scratch) -> Number:
    """The mean over all rolls of the best placement's value; `often` gets how likely it costs so many chips."""
    best_of_rolls(ways, scratch)
    total = 0.0
    for spent in range(often.shape[0]):
        often[spent] = 0.0
    for roll in range(ways.cases.shape[0]):
        often[ways.cost[scratch.choice[roll]]] += ways.cases[roll] / ways.total
        total += ways.cases[roll] * np.float64(scratch.best[roll])
    return total / ways.total


@compile_plain
def look_ahead(
    v: BoardTables, pace: int, board: Number, chips: int, horizon: int, often: Reals, scratch: Scratch
) -> Number:
    """What a board is worth before a roll: the mean over all rolls; `often` as in `mean_of_rolls`."""
    value_placements(v, pace, board, chips, horizon, ANY_ROLL, scratch)
    return mean_of_rolls(v.ways, often, scratch)
