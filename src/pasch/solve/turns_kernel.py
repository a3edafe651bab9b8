"""Compiled kernels for the graph of one turn.

Nodes are numbered so that every node comes after those that it leads to: the scores first, in ascending
order, then choices and rolls. The one exception is a knot: a roll to which choices lead back (a double
that is forgone, a six that pushes nothing), or which comes again at once (a double that fits nothing).
The choices of a knot stand right before its roll. All that such a choice can do is to leave the knot or to
have the roll again, so the value of the roll is the solution of an equation in which it stands itself,
inside a largest-of. Its right side rises piece by piece in straight lines, less steeply than the value
itself, so there is one solution, found in as many steps as there are pieces.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.solve.compiled import compiled

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

SCORE, CHOICE, ROLL = 0, 1, 2
#: chances and points nearer than this are the same
SAME = 1e-12


class Graph(NamedTuple):
    """A turn. The edges of node n are those from first[n] to first[n + 1]."""

    kind: Ints
    first: Ints
    target: Ints
    #: the chance of an outcome; of a move it has no meaning
    weight: Floats


@compiled(nogil=True)
def knots(graph: Graph) -> Ints:
    """For each choice of a knot its roll, for each roll itself if it is one of a knot, -1 otherwise."""
    kind, first, target, _ = graph
    roll = np.full(len(kind), -1, np.int64)
    for i in range(len(kind)):
        for e in range(first[i], first[i + 1]):
            after = target[e]
            # what leads to a choice that leads on to a later roll stands before that roll as well
            if after >= i:
                roll[i] = after
            elif roll[after] >= i:
                roll[i] = roll[after]
    return roll


@compiled(nogil=True)
def race(graph: Graph, reward: Any, seat: int, out: Any) -> None:
    """What every node is worth if the choices are those that are best for `seat`.

    `reward` has for each score what it is worth to every seat in every case; `out` the same for each node.
    Of choices that are equally good the first counts. (Loops are written out: they compile much faster.)
    """
    kind, first, target, weight = graph
    scores, seats, cases = reward.shape
    roll = knots(graph)
    better = np.empty(cases, np.bool_)
    for i in range(len(kind)):
        for other in range(seats):
            for case in range(cases):
                if i < scores:
                    out[i, other, case] = reward[i, other, case]
                else:
                    out[i, other, case] = 0.0 if kind[i] == ROLL else -np.inf
        for e in range(first[i], first[i + 1]):
            after = target[e]
            if kind[i] == CHOICE:
                if after < i:
                    _take_better(out, i, after, seat, better)
            elif roll[i] < 0 or roll[after] != i:
                for other in range(seats):
                    for case in range(cases):
                        out[i, other, case] += weight[e] * out[after, other, case]
        if roll[i] == i:
            _untie(graph, roll, i, seat, out)


@compiled(nogil=True)
def _take_better(out: Any, i: int, after: int, seat: int, better: Any) -> None:
    """In the cases in which `after` is better for `seat`, let it be what `i` is worth."""
    cases = out.shape[2]
    for case in range(cases):
        better[case] = out[after, seat, case] > out[i, seat, case] + SAME
    for other in range(out.shape[1]):
        for case in range(cases):
            out[i, other, case] = out[after, other, case] if better[case] else out[i, other, case]


@compiled(nogil=True)
def _untie(graph: Graph, roll: Ints, i: int, seat: int, out: Any) -> None:
    """Solve the knot of roll `i`. So far `out` holds what its choices are worth if they leave the knot,
    and of the roll the part outside the knot."""
    seats, cases = out.shape[1], out.shape[2]
    begin = i
    while begin > 0 and roll[begin - 1] == i:
        begin -= 1
    value, new = np.full(cases, -np.inf), np.empty(cases)
    returns = np.ones((i + 1 - begin, cases), np.bool_)
    # from below: leave the knot wherever one can, then come back wherever that turns out to be better
    for j in range(begin, i):
        for case in range(cases):
            returns[j - begin, case] = out[j, seat, case] == -np.inf
    changed = True
    while changed:
        _rolled(graph, roll, i, begin, returns, seat, out, new)
        changed = False
        for case in range(cases):
            changed |= new[case] > value[case]
            value[case] = max(value[case], new[case])
            for j in range(begin, i):
                returns[j - begin, case] = out[j, seat, case] < value[case] - SAME
    for j in range(begin, i):
        _leave_or_return(graph, roll, begin, j, value, seat, out, returns)
    for other in range(seats):
        if other != seat:
            _rolled(graph, roll, i, begin, returns, other, out, new)
        for case in range(cases):
            out[i, other, case] = value[case] if other == seat else new[case]
    for j in range(begin, i):
        for other in range(seats):
            for case in range(cases):
                if returns[j - begin, case]:
                    out[j, other, case] = out[i, other, case]


@compiled(nogil=True)
def _rolled(
    graph: Graph, roll: Ints, i: int, begin: int, returns: Any, seat: int, out: Any, value: Floats
) -> None:
    """What the roll `i` of a knot is worth to `seat`, if these of its choices return to it."""
    again = np.zeros(len(value))
    for case in range(len(value)):
        value[case] = out[i, seat, case]
    for e in range(graph.first[i], graph.first[i + 1]):
        after, weight = graph.target[e], graph.weight[e]
        if roll[after] == i:
            for case in range(len(value)):
                if returns[after - begin, case]:
                    again[case] += weight
                else:
                    value[case] += weight * out[after, seat, case]
    for case in range(len(value)):
        value[case] /= 1.0 - again[case]


@compiled(nogil=True)
def _leave_or_return(
    graph: Graph, roll: Ints, begin: int, j: int, value: Floats, seat: int, out: Any, returns: Any
) -> None:
    """Choose again at choice `j` of a knot, now that the `value` of its roll is known."""
    first, target = graph.first, graph.target
    best = np.full(len(value), -np.inf)
    for e in range(first[j], first[j + 1]):
        after = target[e]
        inside = roll[after] == roll[j]
        for case in range(len(value)):
            comes_back = inside and returns[after - begin, case]
            worth = value[case] if comes_back else out[after, seat, case]
            if worth > best[case] + SAME:
                best[case], returns[j - begin, case] = worth, comes_back
                if not comes_back:
                    for other in range(out.shape[1]):
                        out[j, other, case] = out[after, other, case]


@compiled(nogil=True)
def best_first(graph: Graph, values: Floats) -> Ints:
    """The targets with the moves of each choice sorted by value, best first, of equals the first first."""
    kind, first, target, _ = graph
    ordered = target.copy()
    for i in range(len(kind)):
        if kind[i] == CHOICE:
            for e in range(first[i] + 1, first[i + 1]):
                moved, place = ordered[e], e
                while place > first[i] and values[ordered[place - 1]] < values[moved] - SAME:
                    ordered[place] = ordered[place - 1]
                    place -= 1
                ordered[place] = moved
    return ordered


@compiled(nogil=True)
def soften(graph: Graph, values: Floats, temperature: float, cap: float, chance: Floats) -> None:
    """The chance with which each edge is taken.

    Of an outcome it is its weight. A move that costs c points is exp(-c / temperature) times as likely as
    the best one, and impossible if it costs more than `cap`. At temperature 0 the first best is made.
    """
    kind, first, target, weight = graph
    for i in range(len(kind)):
        begin, end = first[i], first[i + 1]
        if kind[i] == ROLL:
            chance[begin:end] = weight[begin:end]
        elif kind[i] == CHOICE:
            best = -np.inf
            for e in range(begin, end):
                best = max(best, values[target[e]])
            sum_ = 0.0
            for e in range(begin, end):
                cost = best - values[target[e]]
                chance[e] = 0.0
                if temperature > 0 and cost <= cap:
                    chance[e] = np.exp(-cost / temperature)
                elif temperature <= 0 and cost <= SAME and sum_ == 0.0:
                    chance[e] = 1.0
                sum_ += chance[e]
            for e in range(begin, end):
                chance[e] /= sum_


@compiled(nogil=True)
def spread(graph: Graph, chance: Floats, node: int) -> Floats:
    """How often each node is come to from `node` if edges are taken with these chances."""
    kind, first, target, _ = graph
    roll = knots(graph)
    #: the chance to have the knot's roll (again) without leaving the knot
    returning = np.zeros(len(kind))
    for i in range(len(kind)):
        if roll[i] >= 0:
            for e in range(first[i], first[i + 1]):
                after = target[e]
                if after == roll[i]:
                    returning[i] += chance[e]
                elif roll[after] == roll[i]:
                    returning[i] += chance[e] * returning[after]
    mass = np.zeros(len(kind))
    top = max(node, roll[node])
    mass[top] = returning[node]
    mass[node] = 1.0
    for i in range(top, -1, -1):
        if roll[i] == i:
            mass[i] /= 1.0 - returning[i]
        for e in range(first[i], first[i + 1]):
            after = target[e]
            if after < i:
                mass[after] += mass[i] * chance[e]
                # whoever enters a knot by one of its choices may come to its roll, which is looked at first
                if roll[after] > after and roll[after] != roll[i]:
                    mass[roll[after]] += mass[i] * chance[e] * returning[after]
    return mass
