"""Compiled kernels of the general solver: the order of the positions, and their values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pasch.solve.compiled import compiled

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

#: values nearer than this are the same to a seat that chooses
SAME = 1e-12


@compiled(nogil=True)
def knots(first: Ints, target: Ints) -> tuple[Ints, Ints]:
    """Tarjan's strongly connected components, each after all that it leads to.

    All positions in that order, and where each component begins in it. Within a component positions are
    in the order in which the search left them, so that value iteration needs few rounds.
    """
    n = len(first) - 1
    order, begin = np.empty(n, np.int64), np.empty(n + 1, np.int64)
    index, low = np.full(n, -1, np.int64), np.empty(n, np.int64)
    on_stack = np.zeros(n, np.bool_)
    stack, path, at = np.empty(n, np.int64), np.empty(n, np.int64), first[:-1].copy()
    finished = np.empty(n, np.int64)
    counter = depth = height = found = placed = done = 0
    for root in range(n):
        if index[root] >= 0:
            continue
        path[0], depth = root, 1
        while depth:
            v = path[depth - 1]
            if index[v] < 0:
                index[v] = low[v] = counter
                counter += 1
                stack[height] = v
                height += 1
                on_stack[v] = True
            deeper = False
            while at[v] < first[v + 1]:
                w = target[at[v]]
                if index[w] < 0:
                    path[depth] = w
                    depth += 1
                    deeper = True
                    break
                if on_stack[w]:
                    low[v] = min(low[v], low[w])
                at[v] += 1
            if deeper:
                continue
            depth -= 1
            finished[v] = done
            done += 1
            if low[v] == index[v]:
                begin[found] = placed
                found += 1
                while True:
                    height -= 1
                    w = stack[height]
                    on_stack[w] = False
                    order[placed] = w
                    placed += 1
                    if w == v:
                        break
                knot = order[begin[found - 1] : placed]
                if len(knot) > 1:
                    knot[:] = knot[np.argsort(finished[knot])]
    begin[found] = n
    return order, begin[: found + 1].copy()


@compiled(nogil=True)
def solve(
    actor: Ints,
    first: Ints,
    target: Ints,
    weight: Floats,
    prefer: Floats,
    seating: Ints,
    seatings: Any,
    order: Ints,
    begin: Ints,
    tolerance: float,
    values: Any,
) -> None:
    """Fill `values`, by position and seat; those of finished games are given."""
    scratch = np.empty(values.shape[1])
    for knot in range(len(begin) - 1):
        turning = _turns(first, target, order, begin[knot], begin[knot + 1])
        while True:
            change = 0.0
            for place in range(begin[knot], begin[knot + 1]):
                v = order[place]
                if first[v] == first[v + 1]:
                    continue
                _look(v, actor[v], first, target, weight, prefer, seating, seatings, values, scratch)
                for seat in range(len(scratch)):
                    change = max(change, abs(scratch[seat] - values[v, seat]))
                    values[v, seat] = scratch[seat]
            if not turning or change <= tolerance:
                break


@compiled(nogil=True)
def _turns(first: Ints, target: Ints, order: Ints, begin: int, end: int) -> bool:
    """Whether a component has a cycle: several positions, or one that leads to itself."""
    v = order[begin]
    found = end - begin > 1
    for edge in range(first[v], first[v + 1]):
        found |= target[edge] == v
    return found


@compiled(nogil=True)
def _look(
    v: int,
    actor: int,
    first: Ints,
    target: Ints,
    weight: Floats,
    prefer: Floats,
    seating: Ints,
    seatings: Any,
    values: Any,
    out: Floats,
) -> None:
    """One step of value iteration: the mean over outcomes, or the best move of the seat that chooses."""
    if actor < 0:
        out[:] = 0.0
        for edge in range(first[v], first[v + 1]):
            after, seats = target[edge], seating[edge]
            for seat in range(len(out)):
                out[seat] += weight[edge] * values[after, seatings[seats, seat]]
        return
    chosen = first[v]
    best = values[target[chosen], seatings[seating[chosen], actor]]
    for edge in range(first[v] + 1, first[v + 1]):
        value = values[target[edge], seatings[seating[edge], actor]]
        if value > best + SAME or (value > best - SAME and prefer[edge] > prefer[chosen] + SAME):
            best, chosen = value, edge
    for seat in range(len(out)):
        out[seat] = values[target[chosen], seatings[seating[chosen], seat]]
