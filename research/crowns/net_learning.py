"""Crowns alone: a net that learns from given values of boards."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from pasch.games.crowns.values.model import Net
from pasch.games.crowns.values.placements import Floats, Steps, Whole

#: of Adam: the share of a step's gradient, and of its square, in the means; and what keeps it from dividing by 0
KEEP: Final = (np.float32(0.1), np.float32(0.001))
TINY: Final = np.float32(1e-6)


class Lessons(NamedTuple):
    """Boards and what the net should add to them."""

    at: Steps  # [board, group]
    chips: Whole  # [board] chips left
    goal: Floats  # [board]


def add_gradient(net: Net, grad: Net, lessons: Lessons) -> None:
    """Write the mean gradient of error² / 2 over these lessons."""
    at, chips, goal = lessons
    h1 = np.maximum(net.chips[chips] + net.pattern[at].sum(axis=1), 0)
    h2 = np.maximum(h1 @ net.mix + net.mix_bias, 0)
    error = (h2 @ net.out - goal) / np.float32(len(goal))
    grad.out[:] = error @ h2
    back_2 = np.where(h2 > 0, error[:, None] * net.out, np.float32(0))
    grad.mix_bias[:] = back_2.sum(axis=0)
    grad.mix[:] = h1.T @ back_2
    back_1 = np.where(h1 > 0, back_2 @ net.mix.T, np.float32(0))
    grad.chips[:] = grad.pattern[:] = 0
    np.add.at(grad.chips, chips, back_1)
    np.add.at(grad.pattern, at.ravel(), np.repeat(back_1, at.shape[1], axis=0))


def learn_net(
    lessons: Lessons,
    batch: int,
    net: Net,
    grad: Net,
    memory: tuple[Floats, Floats, Floats, Floats],
    rate: float,
) -> None:
    """Teach the net its lessons in their order, with a step of Adam after every `batch` boards.

    `memory` is that behind the net and its gradient, and what Adam remembers: means of gradients and of their squares.
    """
    flat, flat_grad, mean, square = memory
    for begin in range(0, len(lessons.goal) - batch + 1, batch):
        which = slice(begin, begin + batch)
        add_gradient(net, grad, Lessons(lessons.at[which], lessons.chips[which], lessons.goal[which]))
        mean += KEEP[0] * (flat_grad - mean)
        square += KEEP[1] * (flat_grad**2 - square)
        flat -= np.float32(rate) * mean / (np.sqrt(square) + TINY)
