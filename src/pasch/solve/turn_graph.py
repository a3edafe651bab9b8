"""The graph of one turn: what its positions are worth, and how often each is come to.

Nodes are numbered so that every node comes after those that it leads to: the scores first, in ascending
order, then choices and rolls. The one exception is a knot: a roll to which choices lead back (a double
that is forgone, a six that pushes nothing), or which comes again at once (a double that fits nothing).
The choices of a knot stand right before its roll. All that such a choice can do is to leave the knot or to
have the roll again, so the value of the roll is the solution of an equation in which it stands itself,
inside a largest-of. Its right side rises piece by piece in straight lines, less steeply than the value
itself, so there is one solution, found in as many steps as there are pieces.

The functions are run as they stand, on lists, by whoever reads tables, and compiled, on arrays, by whoever makes them
(see `pasch.solve.compiled`). What they need room for is given to them.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from math import inf
from typing import NamedTuple

SCORE, CHOICE, ROLL = 0, 1, 2
#: chances and points nearer than this are the same
SAME = 1e-12

Ints = MutableSequence[int]
Floats = MutableSequence[float]
#: by seat and node
Worths = Sequence[Floats]


class TurnGraph(NamedTuple):
    """A turn. The edges of node n are those from first[n] to first[n + 1]."""

    kind: Sequence[int]
    first: Sequence[int]
    target: Sequence[int]
    #: of an outcome its chance, of a move how many moves do the same
    weight: Sequence[float]


class KnotRoom(NamedTuple):
    """Room for `race` to think about a knot: two numbers for each of its choices and for its roll."""

    #: whether a choice returns to the roll
    returns: Ints
    #: the chance that the roll leads to it
    share: Floats


def knots(graph: TurnGraph, roll: Ints) -> int:
    """Write for each choice of a knot its roll, for each roll itself if it is one of a knot, else -1.

    How many choices and rolls the largest knot has.
    """
    kind, first, target, _ = graph
    largest = size = 0
    for i in range(len(kind)):
        roll[i] = -1
        for e in range(first[i], first[i + 1]):
            after = target[e]
            # what leads to a choice that leads on to a later roll stands before that roll as well
            if after >= i:
                roll[i] = after
            elif roll[after] >= i:
                roll[i] = roll[after]
        size = size + 1 if roll[i] >= i else 0
        largest = max(largest, size)
        if roll[i] == i:
            size = 0
    return largest


def race(
    graph: TurnGraph,
    roll: Ints,
    points: Sequence[float],
    reward: Sequence[Sequence[float]],
    seat: int,
    out: Worths,
    room: KnotRoom,
) -> None:
    """Write what every node is worth to each seat if the choices are those that are best for `seat`.

    `reward` is what each score is worth, by seat. Of choices that are equally good that with more `points` counts,
    then the first.
    """
    kind, first, target, weight = graph
    own = out[seat]
    for i in range(len(kind)):
        if kind[i] == CHOICE:
            best, by, chosen = -inf, -inf, -1
            for e in range(first[i], first[i + 1]):
                after = target[e]
                # what leads on to a later roll is looked at when that roll is
                if after < i:
                    worth = own[after]
                    if worth > best + SAME or (worth > best - SAME and points[after] > by + SAME):
                        best, by, chosen = worth, points[after], after
            for other in range(len(out)):
                out[other][i] = out[other][chosen] if chosen >= 0 else -inf
            continue
        for other in range(len(out)):
            worths = out[other]
            expected = reward[other][i] if kind[i] == SCORE else 0.0
            for e in range(first[i], first[i + 1]):
                if roll[i] < 0 or roll[target[e]] != i:
                    expected += weight[e] * worths[target[e]]
            worths[i] = expected
        if roll[i] == i:
            untie(graph, roll, points, i, seat, out, room)


def untie(
    graph: TurnGraph, roll: Ints, points: Sequence[float], i: int, seat: int, out: Worths, room: KnotRoom
) -> None:
    """Solve the knot of roll `i`.

    So far `out` holds what its choices are worth if they leave the knot, and of the roll the part outside the knot.
    """
    own, begin, returns = out[seat], i, room.returns
    while begin > 0 and roll[begin - 1] == i:
        begin -= 1
    # from below: leave the knot wherever one can, then come back wherever that turns out to be better
    for j in range(begin, i):
        room.share[j - begin] = 0.0
        returns[j - begin] = own[j] == -inf
    # the roll itself is the last of its knot
    room.share[i - begin], returns[i - begin] = 0.0, True
    for e in range(graph.first[i], graph.first[i + 1]):
        if roll[graph.target[e]] == i:
            room.share[graph.target[e] - begin] += graph.weight[e]
    value, new = -inf, rolled(i, begin, own, room)
    while new > value:
        value = new
        for j in range(begin, i):
            returns[j - begin] = own[j] < value - SAME
        new = rolled(i, begin, own, room)
    for j in range(begin, i):
        if abs(own[j] - value) <= SAME:
            leave_or_return(graph, roll, points, begin, j, value, seat, out, room)
    for other in range(len(out)):
        out[other][i] = value if other == seat else rolled(i, begin, out[other], room)
        for j in range(begin, i):
            if returns[j - begin]:
                out[other][j] = out[other][i]


def rolled(i: int, begin: int, worths: Floats, room: KnotRoom) -> float:
    """What the roll `i` of a knot is worth if its choices return to it as they do now."""
    value, again = worths[i], 0.0
    for j in range(begin, i + 1):
        if room.returns[j - begin]:
            again += room.share[j - begin]
        else:
            value += room.share[j - begin] * worths[j]
    return value / (1.0 - again)


def leave_or_return(
    graph: TurnGraph,
    roll: Ints,
    points: Sequence[float],
    begin: int,
    j: int,
    value: float,
    seat: int,
    out: Worths,
    room: KnotRoom,
) -> None:
    """Choose again at choice `j` of a knot, for which leaving it is as good as the `value` of its roll."""
    best, by, chosen, back = -inf, -inf, -1, False
    for e in range(graph.first[j], graph.first[j + 1]):
        after = graph.target[e]
        comes_back = roll[after] == roll[j] and room.returns[after - begin] > 0
        worth = value if comes_back else out[seat][after]
        if worth > best + SAME or (worth > best - SAME and points[after] > by + SAME):
            best, by, chosen, back = worth, points[after], after, comes_back
    room.returns[j - begin] = back
    for other in range(len(out)):
        # what comes back is worth what the roll is, which is written when that is known
        if not back:
            out[other][j] = out[other][chosen]


def best_first(graph: TurnGraph, values: Sequence[float], ordered: Ints) -> None:
    """Write the targets with the moves of each choice sorted by value, best first; equal moves keep their order."""
    kind, first, target, _ = graph
    for i in range(len(kind)):
        for e in range(first[i], first[i + 1]):
            moved, place = target[e], e
            while (
                kind[i] == CHOICE and place > first[i] and values[ordered[place - 1]] < values[moved] - SAME
            ):
                ordered[place] = ordered[place - 1]
                place -= 1
            ordered[place] = moved


def prefer(graph: TurnGraph, values: Sequence[float], chance: Floats) -> None:
    """Write the chance with which each edge is taken: of an outcome its weight; of moves the first best is made."""
    kind, first, target, weight = graph
    for i in range(len(kind)):
        begin, end = first[i], first[i + 1]
        best, total = -inf, 0.0
        for e in range(begin, end):
            best = max(best, values[target[e]])
        for e in range(begin, end):
            if kind[i] == ROLL:
                chance[e] = weight[e]
            else:
                chance[e] = 1.0 if best - values[target[e]] <= SAME and total == 0.0 else 0.0
            total += chance[e]
        for e in range(begin, end):
            chance[e] /= total


def spread(
    graph: TurnGraph, roll: Ints, chance: Sequence[float], node: int, returning: Floats, mass: Floats
) -> None:
    """Write into `mass` how often each node is come to from `node` if edges are taken with these chances."""
    kind, first, target, _ = graph
    # the chance to have the knot's roll (again) without leaving the knot
    for i in range(len(kind)):
        returning[i] = mass[i] = 0.0
        if roll[i] >= 0:
            for e in range(first[i], first[i + 1]):
                after = target[e]
                if after == roll[i]:
                    returning[i] += chance[e]
                elif roll[after] == roll[i]:
                    returning[i] += chance[e] * returning[after]
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
