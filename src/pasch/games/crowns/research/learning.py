"""Crowns alone, compiled: learning from games played, first the tables, then the net.

The tables learn from each game before the next one is played. The net learns in chunks: many games are
played with the weights as they are, which gives *lessons*, boards with the values they should have; then
it learns from these in their order. So the games of a chunk, which take most of the time, can be played by
anybody anywhere.

Every other game may be led by a whim (`play.tempted`); `whims` holds one for each game, empty
ones if there are to be none.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.core.rules import apart
from pasch.core.state import OVER
from pasch.games.crowns.research.play import Trace, copy_row, new_trace, play
from pasch.games.crowns.rules import Agreed, chance, move, score
from pasch.games.crowns.values.chances import STATE
from pasch.games.crowns.values.kernel import (
    ENDLESS,
    LOWEST,
    WorkingMemory,
    best_of_roll,
    expected_value,
    locate,
    net_value,
    new_memory,
    table_value,
)
from pasch.games.crowns.values.model import BoardTables, Floats, Net, Number, Steps, Ways, Whole
from pasch.solve.compiled import compile_plain, compiled


@compile_plain
def learn_tables(trace: Trace, turns: int, tables: Floats, still: Steps, rate: Number, led: bool) -> None:
    """Go through a game backwards and pull the entries of each board towards its goal.

    The goal is the value of the next board as just corrected, so that one game carries its result back
    through all its turns; in a game led by a whim it is the best value of the next roll. The last board
    has no chip left: it is exact and never changed.
    """
    groups = trace.table_at.shape[1]
    goal = trace.best[turns - 1]
    for turn in range(turns - 2, -1, -1):
        at, table = trace.table_at[turn], tables[trace.chips[turn]]
        step = np.float32(rate * (goal - table_value(table, at, still)) / groups)
        for group in range(groups):
            table[at[group]] += step
        goal = trace.best[turn] if led else table_value(table, at, still)


@compile_plain
@apart
def train_tables(
    g: Agreed,
    v: BoardTables,
    tables: Floats,
    start: NDArray[np.void],
    dice: Whole,
    whims: Floats,
    rate: Number,
) -> Number:
    """Play with the tables alone and learn; the mean score of the games without a whim.

    `tables` [chips left, entry] are those of `v`, to be written to.
    """
    memory, trace, room = new_memory(v), new_trace(v.ways, dice.shape[1]), np.empty(1, STATE)
    total, counted = 0.0, 0
    for i in range(dice.shape[0]):
        led = i % 2 == 1 and whims.shape[1] > 0
        whim, margin = (whims[i], v.margin) if led else (whims[i][:0], np.float32(0.0))
        room[0] = start[0]
        turns = play(g, v, room[0], dice[i], margin, whim, memory, trace)
        learn_tables(trace, turns, tables, v.ways.table_steps[0], rate, led)
        if not led:
            total += score(g, room[0].boards[0])
            counted += 1
    return total / counted


# --- lessons for the net --------------------------------------------------------------------------------


class Lessons(NamedTuple):
    """Boards and the values that they should have had, game by game."""

    table_at: Steps  # [board, group]
    net_at: Steps
    chips: Whole  # [board] chips left
    goal: Floats  # [board]
    ends: Whole  # [game] how many boards there are up to the game's end
    total: Number  # scores of the games without a whim
    counted: int  # how many these are


@compile_plain
@apart
def new_lessons(ways: Ways, games: int, turns: int) -> Lessons:
    """Room for so many games."""
    boards = games * turns
    return Lessons(
        np.zeros((boards, ways.table_base.shape[0]), dtype=np.int32),
        np.zeros((boards, ways.net_base.shape[0]), dtype=np.int32),
        np.zeros(boards, dtype=np.int64),
        np.zeros(boards, dtype=np.float32),
        np.zeros(games, dtype=np.int64),
        0.0,
        0,
    )


@compile_plain
@apart
def closed(lessons: Lessons, boards: int, total: Number, counted: int) -> Lessons:
    """What was filled of them."""
    return Lessons(
        lessons.table_at[:boards].copy(),
        lessons.net_at[:boards].copy(),
        lessons.chips[:boards].copy(),
        lessons.goal[:boards].copy(),
        lessons.ends,
        total,
        counted,
    )


@compile_plain
@apart
def gather(
    g: Agreed, v: BoardTables, start: NDArray[np.void], first: int, dice: Whole, whims: Floats
) -> Lessons:
    """Lessons from the rolls that came: a board should be worth the best value of the next roll.

    `first` is the number of the first game, every other of which follows a whim.
    """
    memory, trace, room = new_memory(v), new_trace(v.ways, dice.shape[1]), np.empty(1, STATE)
    lessons = new_lessons(v.ways, dice.shape[0], v.tables.shape[1])
    total, counted, boards = 0.0, 0, 0
    for i in range(dice.shape[0]):
        led = (first + i) % 2 == 1 and whims.shape[1] > 0
        whim = whims[i] if led else whims[i][:0]
        room[0] = start[0]
        turns = play(g, v, room[0], dice[i], v.margin, whim, memory, trace)
        for turn in range(turns - 1):
            copy_row(trace.table_at[turn], lessons.table_at[boards])
            copy_row(trace.net_at[turn], lessons.net_at[boards])
            lessons.chips[boards] = trace.chips[turn]
            lessons.goal[boards] = trace.best[turn + 1]
            boards += 1
        lessons.ends[i] = boards
        if not led:
            total += score(g, room[0].boards[0])
            counted += 1
    return closed(lessons, boards, total, counted)


@compile_plain
def tempted_by_any(ways: Ways, roll: int, quick: int, whim: Floats, values: Floats) -> int:
    """As `tempted`, the number of a placement, among all of a roll that are legal. `quick` is the best one.

    If it has fewer chips than are required at most, none with more is possible.
    """
    fewest = ways.least[ways.chips[quick]]
    best, choice = LOWEST, quick
    for i in range(ways.start[roll], ways.start[roll + 1]):
        u = ways.number[i]
        value = values[u]
        if value == LOWEST or ways.chips[u] < fewest:
            continue
        for f in range(whim.shape[0]):
            if ways.masks[u] >> f & 1:
                value += whim[f]
        if value > best:
            best, choice = value, u
    return int(choice)


@compile_plain
def code_of(ways: Ways, roll: int, u: int) -> int:
    """The move with a roll that makes placement u."""
    code = 0
    while ways.number[ways.start[roll] + code] != u:
        code += 1
    return code


@compile_plain
@apart
def gather_exact(
    g: Agreed, v: BoardTables, start: NDArray[np.void], first: int, dice: Whole, whims: Floats
) -> Lessons:
    """As `gather`, but goals are exact means over the next roll: slower, and almost without noise."""
    memory, room = new_memory(v), np.empty(1, STATE)
    lessons = new_lessons(v.ways, dice.shape[0], v.tables.shape[1])
    total, counted, boards = 0.0, 0, 0
    for i in range(dice.shape[0]):
        led = (first + i) % 2 == 1 and whims.shape[1] > 0
        room[0] = start[0]
        s = room[0]
        expected_value(v, 0, s.boards[0], s.left[0], ENDLESS, memory)
        turns = 0
        while s.actor != OVER:
            chance(g, s, dice[i, turns])
            choice, _ = best_of_roll(v.ways, s.roll, memory.values)
            if led:
                choice = tempted_by_any(v.ways, s.roll, choice, whims[i], memory.values)
            move(g, s, code_of(v.ways, s.roll, choice))
            turns += 1
            if s.left[0] > 0:
                lessons.goal[boards] = expected_value(v, 0, s.boards[0], s.left[0], ENDLESS, memory)
                locate(v, s.boards[0], memory)
                copy_row(memory.at, lessons.table_at[boards])
                copy_row(memory.net_at, lessons.net_at[boards])
                lessons.chips[boards] = s.left[0]
                boards += 1
        lessons.ends[i] = boards
        if not led:
            total += score(g, s.boards[0])
            counted += 1
    return closed(lessons, boards, total, counted)


# --- teaching the net -----------------------------------------------------------------------------------


@compiled(fastmath=True)
def add_gradient(
    net: Net, grad: Net, at: Steps, chips: int, error: Number, memory: WorkingMemory, back: Floats
) -> None:
    """Add the gradient of error^2 / 2 for the board that the net has just valued."""
    h1, h2 = memory.hidden_1, memory.hidden_2
    n1, n2 = h1.shape[0], h2.shape[0]
    for k in range(n2):
        grad.out[k] += error * h2[k]
        h2[k] = error * net.out[k] if h2[k] > 0 else np.float32(0.0)
        grad.mix_bias[k] += h2[k]
    for j in range(n1):
        x = h1[j]
        slope = np.float32(0.0)
        if x > 0:
            for k in range(n2):
                grad.mix[j, k] += x * h2[k]
                slope += net.mix[j, k] * h2[k]
        back[j] = slope
    for j in range(n1):
        grad.chips[chips, j] += back[j]
    for g in range(at.shape[0]):
        row = grad.pattern[at[g]]
        for j in range(n1):
            row[j] += back[j]


@compiled(fastmath=True)
def adam(weight: Floats, grad: Floats, mean: Floats, square: Floats, rate: Number, scale: Number) -> None:
    """One step of Adam on flat arrays; clears the gradient."""
    keep1, keep2, tiny = np.float32(0.1), np.float32(0.001), np.float32(1e-6)
    for i in range(weight.shape[0]):
        g = grad[i] * scale
        mean[i] += keep1 * (g - mean[i])
        square[i] += keep2 * (g * g - square[i])
        weight[i] -= rate * mean[i] / (np.sqrt(square[i]) + tiny)
        grad[i] = 0


@compile_plain
@apart
def learn_net(
    lessons: Lessons,
    batch: int,
    v: BoardTables,
    grad: Net,
    flat: Floats,
    flat_grad: Floats,
    mean: Floats,
    square: Floats,
    rate: Number,
) -> None:
    """Teach the net its lessons in their order, with a step after every `batch` games.

    `flat` and `flat_grad` are the memory behind the net and `grad`, `mean` and `square` what Adam remembers.
    """
    memory, still, net_still = new_memory(v), v.ways.table_steps[0], v.ways.net_steps[0]
    back = np.zeros(v.net.mix.shape[0], dtype=np.float32)
    board = fresh = 0
    for game in range(lessons.ends.shape[0]):
        while board < lessons.ends[game]:
            chips, net_at = lessons.chips[board], lessons.net_at[board]
            value = table_value(v.tables[0, chips], lessons.table_at[board], still)
            value += net_value(v.net, net_at, net_still, chips, memory.hidden_1, memory.hidden_2)
            error = np.float32(value - lessons.goal[board])
            add_gradient(v.net, grad, net_at, chips, error, memory, back)
            board += 1
            fresh += 1
        if (game + 1) % batch == 0:
            adam(flat, flat_grad, mean, square, np.float32(rate), np.float32(1.0 / max(1, fresh)))
            fresh = 0
