"""Crowns, compiled: value boards, choose a placement, look a roll ahead.

`v` is what was learned (`model.BoardTables`), `pace` says which of its tables is read. Placements have the numbers of
`model.Ways`, which also tells what the rules require.

`horizon` is how many of the chips left can still be of use: fewer than are left if the rounds run out,
none after the last round, when only the score counts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.core.rules import apart
from pasch.games.crowns.rules import fits
from pasch.games.crowns.values.model import (
    ALL,
    TABLE_GROUPS,
    BoardTables,
    Floats,
    Number,
    Reals,
    Steps,
    Ways,
    Whole,
)
from pasch.games.crowns.values.net import (
    TOGETHER,
    Asked,
    board_key,
    net_value,
    net_values,
    new_asked,
    prepare_net,
    slot_of,
)
from pasch.games.crowns.values.solved import edge_value, set_of, set_value
from pasch.games.crowns.ways import DICE
from pasch.solve.compiled import compile_plain, compiled

LOWEST = np.float32(-1e30)
#: more chips than anybody has: the rounds do not run out
ENDLESS = 99
#: groups of the tables
GROUPS = len(TABLE_GROUPS.fields)


class WorkingMemory(NamedTuple):
    """Room for valuing a board."""

    values: Floats  # [placement] value after it
    wanted: NDArray[np.bool_]  # [placement] whether the net is asked
    at: Steps  # [group] the entries that the board selects, of the tables and of the net
    net_at: Steps
    hidden_1: Floats
    hidden_2: Floats
    asked: Asked  # placements that the net has to judge
    fields: Whole  # [0] the tracked fields of the board, if the game is solved
    edge: Reals  # [chips left] what its covered edge fields are worth
    best: Floats  # [roll] the best value, and the placement that has it
    choice: Steps


@compile_plain
@apart
def new_memory(v: BoardTables) -> WorkingMemory:
    """Room for valuing boards by what was learned; it has to stay the same, for the net's answers are remembered."""
    return WorkingMemory(
        np.zeros(v.ways.masks.shape[0], dtype=np.float32),
        np.zeros(v.ways.masks.shape[0], dtype=np.bool_),
        np.zeros(v.ways.table_base.shape[0], dtype=np.int32),
        np.zeros(v.ways.net_base.shape[0], dtype=np.int32),
        np.zeros(v.net.mix.shape[0], dtype=np.float32),
        np.zeros(v.net.mix.shape[1], dtype=np.float32),
        new_asked(v),
        np.zeros(1, dtype=np.int64),
        np.zeros(v.solved.edge.shape[0]),
        np.zeros(v.ways.cases.shape[0], dtype=np.float32),
        np.zeros(v.ways.cases.shape[0], dtype=np.int32),
    )


class Choices(NamedTuple):
    """Room for the best move for each number of chips placed: its value, its code, a chance."""

    points: Floats
    code: Whole
    likely: Reals


@compile_plain
@apart
def new_choices() -> Choices:
    """Room for every number of chips that can be placed."""
    size = DICE + 1
    return Choices(np.zeros(size, dtype=np.float32), np.zeros(size, dtype=np.int64), np.zeros(size))


# --- values of boards -----------------------------------------------------------------------------


@compile_plain
def is_solved(v: BoardTables) -> bool:
    """Whether there is a solved table."""
    return v.solved.table.kept.shape[0] > 0


@compile_plain
def locate(v: BoardTables, board: Number, memory: WorkingMemory) -> None:
    """Find the entries that a board selects, and its tracked fields if the game is solved."""
    ways = v.ways
    if is_solved(v):
        memory.fields[0] = set_of(v.solved.table, board)
        for chips in range(memory.edge.shape[0]):
            memory.edge[chips] = edge_value(v.solved.table, board, chips)
    for group in range(memory.at.shape[0]):
        memory.at[group] = ways.table_base[group]
    for field in range(ways.table_fields.shape[0]):
        if board >> field & 1:
            for group in range(memory.at.shape[0]):
                memory.at[group] += ways.table_fields[field, group]
    if memory.hidden_1.shape[0] == 0:
        return
    for group in range(memory.net_at.shape[0]):
        memory.net_at[group] = ways.net_base[group]
    for field in range(ways.table_fields.shape[0]):
        if board >> field & 1:
            for group in range(memory.net_at.shape[0]):
                memory.net_at[group] += ways.net_fields[field, group]


@compiled(fastmath=True)
def table_value(table: Floats, at: Steps, step: Steps) -> Number:
    """Sum of the entries of a board after a placement."""
    total = np.float32(0.0)
    # the constant lets the compiler unroll the loop, and what has no sign cannot count from the end of the table
    for g in range(GROUPS):
        total += table[np.uint32(at[g] + step[g])]
    return total


@compile_plain
def value_by_tables(v: BoardTables, pace: int, u: int, left: int, memory: WorkingMemory) -> Number:
    """Value by the tables of the board that was located, after placement u, with so many chips left."""
    return table_value(v.tables[pace, left], memory.at, v.ways.table_steps[u])


@compile_plain
def value_after(v: BoardTables, pace: int, u: int, left: int, memory: WorkingMemory) -> Number:
    """Value of the board that was located after placement u: if the game is solved, by the solved table."""
    if left > 0 and is_solved(v):
        value = set_value(v.solved.table, memory.fields[0] | v.solved.sets[u], left)
        return np.float32(value + memory.edge[left] + v.solved.edge[left, u])
    return value_by_tables(v, pace, u, left, memory)


@compile_plain
def value_by_net(v: BoardTables, u: int, left: int, memory: WorkingMemory) -> Number:
    """What the net adds to that."""
    return net_value(v.net, memory.net_at, v.ways.net_steps[u], left, memory.hidden_1, memory.hidden_2)


@compile_plain
def board_value(v: BoardTables, pace: int, board: Number, chips: int, memory: WorkingMemory) -> Number:
    """Value of a board as it stands."""
    locate(v, board, memory)
    # the first placement covers nothing
    value = value_after(v, pace, 0, chips, memory)
    return value + value_by_net(v, 0, chips, memory) if chips > 0 else value


# --- choosing -------------------------------------------------------------------------------------


@compile_plain
def choose(
    v: BoardTables, pace: int, board: Number, chips: int, roll: int, margin: Number, memory: WorkingMemory
) -> tuple[int, Number]:
    """The best move with a roll and its value.

    The tables judge all, the net only those within `margin` crowns of the tables' favourite. Values of the
    placements that it has judged stay in the memory, the others have LOWEST.
    """
    ways, values = v.ways, memory.values
    locate(v, board, memory)
    most, table_best = -1, LOWEST
    first, last = ways.start[roll], ways.start[roll + 1]
    for i in range(first, last):
        u = ways.number[i]
        placed = ways.chips[u]
        values[u] = LOWEST
        if not fits(ways.masks[u], placed, board, chips):
            continue
        if placed > most:
            if most < ways.least[placed]:  # what has been found so far is too little
                table_best = LOWEST
                for j in range(first, i):
                    values[ways.number[j]] = LOWEST
            most = placed
        value = value_after(v, pace, u, chips - ways.cost[u], memory)
        values[u] = value
        table_best = max(table_best, value)
    floor = table_best - margin
    best, choice = LOWEST, 0
    for i in range(first, last):
        u = ways.number[i]
        value = values[u]
        if value == LOWEST:
            continue
        if value < floor:
            values[u] = LOWEST
            continue
        left = chips - ways.cost[u]
        if left > 0:
            value += value_by_net(v, u, left, memory)
            values[u] = value
        if value > best:
            best, choice = value, u
    return choice, best


@compile_plain
def choose_by_chips(
    v: BoardTables, pace: int, board: Number, chips: int, roll: int, memory: WorkingMemory, choices: Choices
) -> None:
    """The best move of a race for each number of chips placed, by the tables; LOWEST where there is none."""
    ways = v.ways
    locate(v, board, memory)
    for placed in range(DICE + 1):
        choices.points[placed] = LOWEST
    for i in range(ways.start[roll], ways.start[roll + 1]):
        u = ways.number[i]
        placed = ways.chips[u]
        if fits(ways.masks[u], placed, board, chips):
            value = value_by_tables(v, pace, u, chips - placed, memory)
            if value > choices.points[placed]:
                choices.points[placed], choices.code[placed] = value, u


# --- one roll ahead -------------------------------------------------------------------------------


@compile_plain
def best_of_roll(ways: Ways, roll: int, values: Floats) -> tuple[int, Number]:
    """The best placement of a roll and its value, read off `value_placements`."""
    best, choice, most = LOWEST, 0, -1
    for i in range(ways.start[roll], ways.start[roll + 1]):
        u = ways.number[i]
        value = values[u]
        if value == LOWEST:
            continue
        placed = ways.chips[u]
        if placed > most:
            if most < ways.least[placed]:
                best = LOWEST
            most = placed
        if value > best:
            best, choice = value, u
    return choice, best


@compile_plain
def value_rolls(ways: Ways, values: Floats, best: Floats) -> None:
    """The best values of all rolls: most of a roll's placements are those of rolls that were done before.

    As soon as something places as much as can be required, nothing less is legal.
    """
    for step in range(ways.order.shape[0]):
        found = LOWEST
        for at in range(ways.before_start[step], ways.before_start[step + 1]):
            found = max(found, best[ways.before[at]])
        for at in range(ways.more_start[step], ways.more_start[step + 1]):
            found = max(found, values[ways.more[at]])
        best[ways.order[step]] = found
    for roll in range(best.shape[0]):
        # nothing places as much as can be required; a best that has not been found is no other roll's either
        if best[roll] == LOWEST:
            best[roll] = best_of_roll(ways, roll, values)[1]


@compile_plain
def choose_rolls(ways: Ways, values: Floats, best: Floats, choice: Steps) -> None:
    """As `value_rolls`, with the best placements, of equal ones the first: what `best_of_roll` finds for each roll."""
    for step in range(ways.order.shape[0]):
        found, chosen = LOWEST, 0
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
        if best[roll] == LOWEST:
            choice[roll], best[roll] = best_of_roll(ways, roll, values)


@compile_plain
def ask_net(v: BoardTables, board: Number, count: int, memory: WorkingMemory) -> None:
    """Add what the net says of the placements asked about to their values, and remember it."""
    asked = memory.asked
    if count > 0:
        net_values(v.net, v.ways.net_parts, count, asked, memory.hidden_1)
    for i in range(count):
        u, slot = asked.placement[i], asked.slot[i]
        memory.values[u] += asked.added[i]
        asked.board[slot] = board_key(board | v.ways.masks[u], asked.chips[i])
        asked.answer[slot] = asked.added[i]


@compile_plain
def add_net(v: BoardTables, board: Number, chips: int, horizon: int, memory: WorkingMemory) -> None:
    """Add what the net says to the values of all placements that have one."""
    ways, asked, count = v.ways, memory.asked, 0
    prepare_net(v.net, memory.net_at, ways.net_parts, asked)
    for u in range(ways.masks.shape[0]):
        left = min(chips - ways.cost[u], horizon)
        if left > 0 and memory.values[u] > LOWEST:
            key = board_key(board | ways.masks[u], left)
            slot = slot_of(key)
            if asked.board[slot] == key:
                memory.values[u] += asked.answer[slot]
                continue
            asked.placement[count], asked.chips[count], asked.slot[count] = u, left, slot
            count += 1
            if count == TOGETHER:
                ask_net(v, board, count, memory)
                count = 0
    ask_net(v, board, count, memory)


@compile_plain
def value_moves(v: BoardTables, board: Number, chips: int, roll: int, memory: WorkingMemory) -> None:
    """Value the placements of a roll that fit a board, for one who plays alone, into the memory; others get LOWEST."""
    ways, values = v.ways, memory.values
    locate(v, board, memory)
    for u in range(ways.masks.shape[0]):
        values[u] = LOWEST
    for i in range(ways.start[roll], ways.start[roll + 1]):
        u = ways.number[i]
        if fits(ways.masks[u], ways.chips[u], board, chips):
            values[u] = value_after(v, 0, u, chips - ways.cost[u], memory)
    if v.net.mix.shape[0] > 0:
        add_net(v, board, chips, ENDLESS, memory)


@compile_plain
def value_placements(
    v: BoardTables, pace: int, board: Number, chips: int, horizon: int, memory: WorkingMemory
) -> None:
    """Value every placement that fits a board, whichever roll it comes from, into the memory.

    The 462 rolls share a thousand placements; that makes an exact mean over all rolls cheap. As in `choose`
    the net judges only those within the margin of the tables' favourite, here of any roll; the others get LOWEST.
    """
    ways, values, wanted = v.ways, memory.values, memory.wanted
    locate(v, board, memory)
    for u in range(ways.masks.shape[0]):
        values[u] = LOWEST
        if fits(ways.masks[u], ways.chips[u], board, chips):
            values[u] = value_after(v, pace, u, min(chips - ways.cost[u], horizon), memory)
    if v.net.mix.shape[0] == 0:
        return
    if v.margin < ALL:
        wanted[:] = False
        value_rolls(ways, values, memory.best)
        for roll in range(ways.cases.shape[0]):
            floor = memory.best[roll] - v.margin
            for i in range(ways.start[roll], ways.start[roll + 1]):
                u = ways.number[i]
                wanted[u] |= values[u] >= floor
        for u in range(ways.masks.shape[0]):
            if not wanted[u]:
                values[u] = LOWEST
    add_net(v, board, chips, horizon, memory)


@compile_plain
def expected_value(
    v: BoardTables, pace: int, board: Number, chips: int, horizon: int, memory: WorkingMemory
) -> Number:
    """What a board is worth before a roll, looking one roll ahead."""
    if chips == 0:
        return np.float64(board_value(v, pace, board, 0, memory))
    value_placements(v, pace, board, chips, horizon, memory)
    value_rolls(v.ways, memory.values, memory.best)
    total = 0.0
    for roll in range(v.ways.cases.shape[0]):
        total += v.ways.cases[roll] * np.float64(memory.best[roll])
    return total / v.ways.total


@compile_plain
def rolls_ahead(
    v: BoardTables,
    pace: int,
    board: Number,
    chips: int,
    horizon: int,
    often: NDArray[np.float64],
    memory: WorkingMemory,
) -> Number:
    """As `expected_value`; `often` gets how likely it is that the best move costs so many chips."""
    value_placements(v, pace, board, chips, horizon, memory)
    ways, total = v.ways, 0.0
    choose_rolls(ways, memory.values, memory.best, memory.choice)
    for spent in range(often.shape[0]):
        often[spent] = 0.0
    for roll in range(ways.cases.shape[0]):
        often[ways.cost[memory.choice[roll]]] += ways.cases[roll] / ways.total
        total += ways.cases[roll] * np.float64(memory.best[roll])
    return total / ways.total
