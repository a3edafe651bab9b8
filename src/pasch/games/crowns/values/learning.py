"""Crowns alone, compiled: tables that learn from each game before the next is played."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pasch.core.rules import apart
from pasch.games.crowns.rules import Config, score
from pasch.games.crowns.values.chances import STATE
from pasch.games.crowns.values.kernel import new_memory, table_value
from pasch.games.crowns.values.model import BoardTables, Floats, Number, Steps, Whole
from pasch.games.crowns.values.play import Trace, new_trace, play
from pasch.solve.compiled import compile_plain


@compile_plain
def learn_tables(trace: Trace, turns: int, tables: Floats, still: Steps, rate: Number) -> None:
    """Go through a game backwards and pull the entries of each board towards its goal.

    The goal is the value of the next board as just corrected, so that one game carries its result back
    through all its turns. The last board has no chip left: it is exact and never changed.
    """
    groups = trace.table_at.shape[1]
    goal = trace.best[turns - 1]
    for turn in range(turns - 2, -1, -1):
        at, table = trace.table_at[turn], tables[trace.chips[turn]]
        step = np.float32(rate * (goal - table_value(table, at, still)) / groups)
        for group in range(groups):
            table[at[group]] += step
        goal = table_value(table, at, still)


@compile_plain
@apart
def train_tables(
    g: Config, v: BoardTables, tables: Floats, start: NDArray[np.void], dice: Whole, rate: Number
) -> Number:
    """Play with the tables alone and learn; the mean score of the games.

    `tables` [chips left, entry] are those of `v`, to be written to.
    """
    memory, trace, room = new_memory(v), new_trace(v.ways, dice.shape[1]), np.empty(1, STATE)
    total = 0.0
    for i in range(dice.shape[0]):
        room[0] = start[0]
        turns = play(g, v, room[0], dice[i], np.float32(0.0), memory, trace)
        learn_tables(trace, turns, tables, v.ways.table_steps[0], rate)
        total += score(g, room[0].boards[0])
    return total / dice.shape[0]
