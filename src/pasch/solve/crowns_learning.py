"""Crowns alone, compiled: learning from games played, first the tables, then the net.

The tables learn from each game before the next one is played. The net learns in chunks: many games are
played with the weights as they are, which gives *lessons*, boards with the values they should have; then
it learns from these in their order. So the games of a chunk, which take most of the time, can be played by
anybody anywhere.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pasch.games.crowns import FIELDS
from pasch.solve.compiled import compiled
from pasch.solve.crowns_kernel import (
    ENDLESS,
    LOWEST,
    MARGIN,
    Scratch,
    best_of_roll,
    expected_value,
    net_value,
    new_scratch,
    required,
    table_value,
)
from pasch.solve.crowns_model import Floats, Net, Number, Rules, Steps, Whole
from pasch.solve.crowns_play import Record, draw, new_record, play


@compiled()
def new_whim(size: Number) -> Floats:
    """A random bonus for each field."""
    whim = np.zeros(FIELDS, dtype=np.float32)
    for f in range(FIELDS):
        whim[f] = size * np.random.normal()
    return whim


@compiled(fastmath=True)
def learn_tables(
    record: Record, turns: int, tables: Floats, rate: Number, led: bool, scratch: Scratch
) -> None:
    """Go through a game backwards and pull the entries of each board towards its goal.

    The goal is the value of the next board as just corrected, so that one game carries its result back
    through all its turns; in a game led by a whim it is the best value of the next roll. The last board
    has no chip left: it is exact and never changed.
    """
    groups = record.table_at.shape[1]
    goal = record.best[turns - 1]
    for turn in range(turns - 2, -1, -1):
        at, table = record.table_at[turn], tables[record.chips[turn]]
        step = np.float32(rate * (goal - table_value(table, at, scratch.still)) / groups)
        for g in range(groups):
            table[at[g]] += step
        goal = record.best[turn] if led else table_value(table, at, scratch.still)


@compiled(fastmath=True)
def train_tables(
    games: int, seed: int, tables: Floats, net: Net, rules: Rules, rate: Number, whim_size: Number
) -> Number:
    """Play with the tables alone and learn; the mean score. Every other game may follow a whim."""
    np.random.seed(seed)
    scratch, record = new_scratch(rules, net), new_record(rules, tables.shape[0])
    no_whim = np.zeros(0, dtype=np.float32)
    total, counted = 0.0, 0
    for i in range(games):
        led = whim_size > 0 and i % 2 == 1
        whim, margin = (new_whim(whim_size), MARGIN) if led else (no_whim, np.float32(0.0))
        turns = play(tables, net, rules, margin, whim, scratch, record)
        learn_tables(record, turns, tables, rate, led, scratch)
        if not led:
            total += table_value(tables[0], record.table_at[turns - 1], scratch.still)
            counted += 1
    return total / counted


@compiled(fastmath=True)
def add_gradient(
    net: Net, grad: Net, at: Steps, chips: int, error: Number, scratch: Scratch, back: Floats
) -> None:
    """Add the gradient of error^2 / 2 for the board that the net has just valued."""
    h1, h2 = scratch.h1, scratch.h2
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


class Lessons(NamedTuple):
    """Boards and the values that they should have had, game by game."""

    table_at: Steps  # [board, group]
    net_at: Steps
    chips: Whole  # [board] chips left
    goal: Floats  # [board]
    ends: Whole  # [game] how many boards there are up to the game's end
    total: Number  # scores of the games without a whim
    counted: int  # how many these are


@compiled()
def new_lessons(rules: Rules, games: int, turns: int) -> Lessons:
    """Room for so many games."""
    boards = games * turns
    return Lessons(
        np.zeros((boards, rules.table_base.shape[0]), dtype=np.int32),
        np.zeros((boards, rules.net_base.shape[0]), dtype=np.int32),
        np.zeros(boards, dtype=np.int64),
        np.zeros(boards, dtype=np.float32),
        np.zeros(games, dtype=np.int64),
        0.0,
        0,
    )


@compiled()
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


@compiled(fastmath=True)
def gather(
    first: int, games: int, seed: int, tables: Floats, net: Net, rules: Rules, whim_size: Number
) -> Lessons:
    """Lessons from the rolls that came: a board should be worth the best value of the next roll.

    `first` is the number of the first game, every other of which follows a whim.
    """
    np.random.seed(seed)
    scratch, record = new_scratch(rules, net), new_record(rules, tables.shape[0])
    lessons = new_lessons(rules, games, tables.shape[0])
    no_whim = np.zeros(0, dtype=np.float32)
    total, counted, boards = 0.0, 0, 0
    for i in range(games):
        led = whim_size > 0 and (first + i) % 2 == 1
        turns = play(tables, net, rules, MARGIN, new_whim(whim_size) if led else no_whim, scratch, record)
        for turn in range(turns - 1):
            lessons.table_at[boards] = record.table_at[turn]
            lessons.net_at[boards] = record.net_at[turn]
            lessons.chips[boards] = record.chips[turn]
            lessons.goal[boards] = record.best[turn + 1]
            boards += 1
        lessons.ends[i] = boards
        if not led:
            total += table_value(tables[0], record.table_at[turns - 1], scratch.still)
            counted += 1
    return closed(lessons, boards, total, counted)


@compiled(fastmath=True)
def tempted_by_any(roll: int, quick: int, rules: Rules, whim: Floats, values: Floats) -> int:
    """As `tempted`, among all placements of a roll that are legal. `quick` is the best one.

    If it has fewer chips than are required at most, none with more is possible.
    """
    fewest = required(rules.minimum, rules.chips[quick])
    best, choice = LOWEST, quick
    for i in range(rules.start[roll], rules.start[roll + 1]):
        u = rules.number[i]
        value = values[u]
        if value == LOWEST or rules.chips[u] < fewest:
            continue
        for f in range(whim.shape[0]):
            if rules.masks[u] >> f & 1:
                value += whim[f]
        if value > best:
            best, choice = value, u
    return choice


@compiled(fastmath=True)
def gather_exact(
    first: int, games: int, seed: int, tables: Floats, net: Net, rules: Rules, whim_size: Number
) -> Lessons:
    """As `gather`, but goals are exact means over the next roll: slower, and almost without noise."""
    np.random.seed(seed)
    scratch = new_scratch(rules, net)
    lessons = new_lessons(rules, games, tables.shape[0])
    no_whim = np.zeros(0, dtype=np.float32)
    total, counted, boards = 0.0, 0, 0
    for i in range(games):
        led = whim_size > 0 and (first + i) % 2 == 1
        whim = new_whim(whim_size) if led else no_whim
        board = np.int64(0)
        chips = tables.shape[0] - 1
        at, net_at = rules.table_base.copy(), rules.net_base.copy()
        expected_value(board, at, net_at, chips, ENDLESS, tables, net, rules, scratch)
        while chips > 0:
            roll = draw(rules)
            choice, _ = best_of_roll(roll, rules, scratch.values)
            if led:
                choice = tempted_by_any(roll, choice, rules, whim, scratch.values)
            board |= rules.masks[choice]
            chips -= rules.cost[choice]
            at += rules.table_steps[choice]
            net_at += rules.net_steps[choice]
            if chips > 0:
                goal = expected_value(board, at, net_at, chips, ENDLESS, tables, net, rules, scratch)
                lessons.table_at[boards] = at
                lessons.net_at[boards] = net_at
                lessons.chips[boards] = chips
                lessons.goal[boards] = goal
                boards += 1
        lessons.ends[i] = boards
        if not led:
            total += table_value(tables[0], at, scratch.still)
            counted += 1
    return closed(lessons, boards, total, counted)


@compiled(fastmath=True)
def learn_net(
    lessons: Lessons,
    batch: int,
    tables: Floats,
    net: Net,
    grad: Net,
    flat: Floats,
    flat_grad: Floats,
    mean: Floats,
    square: Floats,
    rules: Rules,
    rate: Number,
) -> None:
    """Teach the net its lessons in their order, with a step after every `batch` games.

    `flat` and `flat_grad` are the memory behind `net` and `grad`, `mean` and `square` what Adam remembers.
    """
    scratch = new_scratch(rules, net)
    back = np.zeros(net.mix.shape[0], dtype=np.float32)
    board = fresh = 0
    for game in range(lessons.ends.shape[0]):
        while board < lessons.ends[game]:
            chips, net_at = lessons.chips[board], lessons.net_at[board]
            value = table_value(tables[chips], lessons.table_at[board], scratch.still)
            value += net_value(net, net_at, scratch.net_still, chips, scratch)
            error = np.float32(value - lessons.goal[board])
            add_gradient(net, grad, net_at, chips, error, scratch, back)
            board += 1
            fresh += 1
        if (game + 1) % batch == 0:
            adam(flat, flat_grad, mean, square, np.float32(rate), np.float32(1.0 / max(1, fresh)))
            fresh = 0
