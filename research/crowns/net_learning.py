"""Crowns alone, compiled: a net that learns from given values of boards."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pasch.core.rules import apart
from pasch.games.crowns.values.kernel import table_value
from pasch.games.crowns.values.model import BoardTables, Net
from pasch.games.crowns.values.placements import Floats, Number, Steps, Whole
from pasch.solve.compiled import compile_plain, compiled


class Lessons(NamedTuple):
    """Boards and the values that they should have."""

    table_at: Steps  # [board, group]
    net_at: Steps
    chips: Whole  # [board] chips left
    goal: Floats  # [board]


@compiled(fastmath=True)
def net_value(net: Net, at: Steps, chips: int, h1: Floats, h2: Floats) -> Number:
    """What the net adds; leaves its hidden layers in `h1` and `h2`."""
    n1, n2 = h1.shape[0], h2.shape[0]
    for j in range(n1):
        h1[j] = net.chips[chips, j]
    for g in range(at.shape[0]):
        row = net.pattern[at[g]]
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
def add_gradient(
    net: Net, grad: Net, at: Steps, chips: int, error: Number, h1: Floats, h2: Floats, back: Floats
) -> None:
    """Add the gradient of error^2 / 2 for the board that the net has just valued."""
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
    """Teach the net its lessons in their order, with a step after every `batch` boards.

    `flat` and `flat_grad` are the memory behind the net and `grad`, `mean` and `square` what Adam remembers.
    """
    one, two = v.net.mix.shape
    h1, h2, back = np.zeros(one, np.float32), np.zeros(two, np.float32), np.zeros(one, np.float32)
    for board in range(lessons.goal.shape[0]):
        chips, net_at = lessons.chips[board], lessons.net_at[board]
        value = table_value(v.tables[0, chips], lessons.table_at[board], v.ways.table_steps[0])
        value += net_value(v.net, net_at, chips, h1, h2)
        error = np.float32(value - lessons.goal[board])
        add_gradient(v.net, grad, net_at, chips, error, h1, h2, back)
        if (board + 1) % batch == 0:
            adam(flat, flat_grad, mean, square, np.float32(rate), np.float32(1.0 / batch))
