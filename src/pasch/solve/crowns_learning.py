"""Crowns alone, compiled: learning from games played, first the tables, then the net."""

from __future__ import annotations

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
from pasch.solve.crowns_model import Floats, Net, Number, Rules, Steps
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


@compiled(fastmath=True)
def learn_net(
    record: Record, turns: int, tables: Floats, net: Net, grad: Net, scratch: Scratch, back: Floats
) -> None:
    """Gradient of all boards of a game towards the best value of the next roll, whatever was played."""
    for turn in range(turns - 1):
        chips = record.chips[turn]
        value = table_value(tables[chips], record.table_at[turn], scratch.still)
        value += net_value(net, record.net_at[turn], scratch.net_still, chips, scratch)
        error = value - record.best[turn + 1]
        add_gradient(net, grad, record.net_at[turn], chips, error, scratch, back)


@compiled(fastmath=True)
def train_net(
    games: int,
    batch: int,
    seed: int,
    tables: Floats,
    net: Net,
    grad: Net,
    flat: Floats,
    flat_grad: Floats,
    mean: Floats,
    square: Floats,
    rules: Rules,
    rate: Number,
    whim_size: Number,
) -> Number:
    """Play and teach the net from the rolls that came; the mean score of the games without a whim.

    `flat` and `flat_grad` are the memory behind `net` and `grad`, `mean` and `square` what Adam remembers.
    """
    np.random.seed(seed)
    scratch, record = new_scratch(rules, net), new_record(rules, tables.shape[0])
    back = np.zeros(net.mix.shape[0], dtype=np.float32)
    no_whim = np.zeros(0, dtype=np.float32)
    total, counted, fresh = 0.0, 0, 0
    for i in range(games):
        led = whim_size > 0 and i % 2 == 1
        turns = play(tables, net, rules, MARGIN, new_whim(whim_size) if led else no_whim, scratch, record)
        learn_net(record, turns, tables, net, grad, scratch, back)
        if not led:
            total += table_value(tables[0], record.table_at[turns - 1], scratch.still)
            counted += 1
        fresh += turns
        if (i + 1) % batch == 0:
            adam(flat, flat_grad, mean, square, np.float32(rate), np.float32(1.0 / fresh))
            fresh = 0
    return total / counted


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
def learn_exact_game(
    tables: Floats, net: Net, grad: Net, rules: Rules, whim: Floats, scratch: Scratch, back: Floats
) -> tuple[Number, int]:
    """Play a game and add the gradient towards the exact mean over all rolls; score, boards seen."""
    board = np.int64(0)
    chips = tables.shape[0] - 1
    at, net_at = rules.table_base.copy(), rules.net_base.copy()
    expected_value(board, at, net_at, chips, ENDLESS, tables, net, rules, scratch)
    seen = 0
    while chips > 0:
        roll = draw(rules)
        choice, _ = best_of_roll(roll, rules, scratch.values)
        if whim.shape[0] > 0:
            choice = tempted_by_any(roll, choice, rules, whim, scratch.values)
        board |= rules.masks[choice]
        chips -= rules.cost[choice]
        at += rules.table_steps[choice]
        net_at += rules.net_steps[choice]
        if chips > 0:
            goal = expected_value(board, at, net_at, chips, ENDLESS, tables, net, rules, scratch)
            value = table_value(tables[chips], at, scratch.still)
            value += net_value(net, net_at, scratch.net_still, chips, scratch)
            add_gradient(net, grad, net_at, chips, np.float32(value - goal), scratch, back)
            seen += 1
    return table_value(tables[0], at, scratch.still), seen


@compiled(fastmath=True)
def train_exact(
    games: int,
    batch: int,
    seed: int,
    tables: Floats,
    net: Net,
    grad: Net,
    flat: Floats,
    flat_grad: Floats,
    mean: Floats,
    square: Floats,
    rules: Rules,
    rate: Number,
    whim_size: Number,
) -> Number:
    """As `train_net`, but goals are exact means over the next roll: slower, and almost without noise."""
    np.random.seed(seed)
    scratch = new_scratch(rules, net)
    back = np.zeros(net.mix.shape[0], dtype=np.float32)
    no_whim = np.zeros(0, dtype=np.float32)
    total, counted, fresh = 0.0, 0, 0
    for i in range(games):
        led = whim_size > 0 and i % 2 == 1
        whim = new_whim(whim_size) if led else no_whim
        score, seen = learn_exact_game(tables, net, grad, rules, whim, scratch, back)
        if not led:
            total += score
            counted += 1
        fresh += seen
        if (i + 1) % batch == 0:
            adam(flat, flat_grad, mean, square, np.float32(rate), np.float32(1.0 / max(1, fresh)))
            fresh = 0
    return total / counted
