"""Würfel Joker, compiled: one game as a row of numbers (see `pasch.lab.batch.driver`).

Turns are walked along their graph, which knows all that the rules say; only taking turns is done here.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pasch.core.state import CHANCE, OVER
from pasch.lab.batch.compiling import bare, inlined
from pasch.lab.batch.jokers import NODE, ROUND, SEAT, TOTALS, Tables

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Menu = NDArray[np.int32]


@inlined
def reset(T: Tables, s: Ints) -> None:
    s[:] = 0
    s[0] = CHANCE


@inlined
def cases(T: Tables, s: Ints) -> int:
    return int(T.cases[s[NODE]])


@inlined
def chance(T: Tables, s: Ints, number: int) -> None:
    node = s[NODE]
    _go(T, s, T.target[T.first[node] + T.outcome[T.begin[node] + number]])


@inlined
def _go(T: Tables, s: Ints, node: int) -> None:
    """To a node of the turn; if that is its end, on to the next turn."""
    actor, seat = T.actor[node], s[SEAT]
    s[NODE] = node
    s[0] = actor if actor < 0 else seat
    if actor != OVER:
        return
    s[TOTALS + seat] += T.score[node]
    s[NODE] = 0
    s[0] = CHANCE
    s[SEAT] = seat + 1
    if seat + 1 == T.seats:
        s[SEAT] = 0
        s[ROUND] += 1
        if s[ROUND] == T.rounds:
            s[0] = OVER


@inlined
def count(T: Tables, s: Ints) -> int:
    return int(T.first[s[NODE] + 1] - T.first[s[NODE]])


@inlined
def move(T: Tables, s: Ints, index: int) -> None:
    _go(T, s, T.target[T.first[s[NODE]] + index])


@bare
def menu(T: Tables, s: Ints, out: Menu) -> None:
    first = T.first[s[NODE]]
    for edge in range(first, T.first[s[NODE] + 1]):
        out[T.action[edge]] = edge - first + 1


@inlined
def scores(T: Tables, s: Ints, out: Ints) -> None:
    for seat in range(T.seats):
        out[seat] = s[TOTALS + seat]


@inlined
def greedy(T: Tables, s: Ints) -> int:
    return int(T.greedy[s[NODE]])


@bare
def worths(T: Tables, s: Ints, out: Floats) -> None:
    # in the order of `TurnValues.move_points`, so that it is rounded alike
    rest = s[TOTALS + s[SEAT]] + (T.rounds - s[ROUND] - 1) * T.value[0]
    first = T.first[s[NODE]]
    for edge in range(first, T.first[s[NODE] + 1]):
        out[edge - first] = rest + T.value[T.target[edge]]
