"""Winning chances of two seats that take turns until so many turns have been played.

At the start of a turn all that counts is how many turns are left and by how much the seat whose turn it is
leads. Going back from the end, a turn is solved for every lead at once, its scores being worth what the
other seat's turn leaves. Each seat makes its own chance to be among the winners as great as it can; as a
tie makes winners of both, the two chances are carried along separately. Of moves that win equally often
the one counts that brings more points, then the first.

Leads at which both chances are within `CERTAIN` of 0 and 1 are left out. Each turn adds at most that much
error.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pasch.solve.turns import Floats, Ints, Turn
from pasch.solve.valuer import Report, silent

#: counts up when the tables' contents change
SOLVER = 1
#: games with more turns to go than this are not solved exactly
MOST = 50
#: chances nearer than this to 0 or 1 are taken to be 0 or 1
CERTAIN = 1e-12
#: how many leads are solved together: as many as the processor's nearer memory holds
BLOCK = 64


class Duel:
    """The chances at the start of a turn, by turns left and lead."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self._first = arrays["first"]
        self._low = arrays["low"]
        self._chances = arrays["chances"]

    def at(self, turns: int, leads: Ints) -> Floats:
        """Each lead's chances of the seat about to move and of the other one, `turns` being left."""
        chances = self._chances[self._first[turns] : self._first[turns + 1]]
        return looked_up(int(self._low[turns]), chances, leads)

    def after(self, turns: int, leads: Ints) -> Floats:
        """The same from the seat that has just moved: its own chances and the other one's."""
        return self.at(turns, -leads)[:, ::-1]


def looked_up(low: int, chances: Floats, leads: Ints) -> Floats:
    """Rows of `chances`, of which the first is for the lead `low`; beyond them everything is certain."""
    places = leads - low
    found = chances[np.clip(places, 0, len(chances) - 1)]
    found[places < 0] = (0.0, 1.0)
    found[places >= len(chances)] = (1.0, 0.0)
    return found


def build(turn: Turn, turns: int, report: Report = silent, graph: Any = None) -> dict[str, NDArray[Any]]:
    """The chances at the start of each of the last `turns` turns but the first of them.

    `graph` is the turn's graph made `lean`; where that is not worth the trouble, the graph itself.
    """
    graph, scores = graph or lean(turn), turn.scores
    lows, tables = [0], [np.array([(1.0, 1.0)])]
    for left in range(1, turns):
        report(left / turns, f"{left} turns before the end")
        low, before = lows[-1], tables[-1]
        # leads from which some score makes a lead that the table before this one knows
        leads = np.arange(-(low + len(before) - 1) - scores[-1], -low - scores[0] + 1)
        chances = np.empty((len(leads), 2))
        for begin in range(0, len(leads), BLOCK):
            block = leads[begin : begin + BLOCK]
            chances[begin : begin + BLOCK] = _turn(graph, scores, block, low, before)
        first, last = _open_leads(chances)
        lows.append(int(leads[first]))
        tables.append(chances[first : last + 1])
    return {
        "low": np.array(lows, np.int64),
        "first": np.cumsum([0, *map(len, tables)]),
        "chances": np.concatenate(tables),
    }


def _turn(graph: Any, scores: Ints, leads: Ints, low: int, before: Floats) -> Floats:
    """The chances of a turn's two seats for each of `leads`."""
    from pasch.solve.turns_kernel import race

    made = (leads[None, :] + scores[:, None]).ravel()
    after = looked_up(low, before, -made)[:, ::-1]
    reward = np.ascontiguousarray(after.reshape(len(scores), len(leads), 2).transpose(0, 2, 1))
    out = np.empty((len(graph.kind), 2, len(leads)))
    race(graph, reward, 0, out)
    chances: Floats = out[-1].T
    return chances


def _open_leads(chances: Floats) -> tuple[int, int]:
    """The first and the last lead at which something can still be decided."""
    lost = (chances[:, 0] < CERTAIN) & (chances[:, 1] > 1 - CERTAIN)
    won = (chances[:, 0] > 1 - CERTAIN) & (chances[:, 1] < CERTAIN)
    undecided = np.flatnonzero(~lost & ~won)
    return int(undecided[0]), int(undecided[-1])


def lean(turn: Turn) -> Any:
    """The turn's graph without repetitions: the same choices or rolls once, each outcome once.

    Rolls that allow the same pushes are one outcome, pushes with the same result one move. Moves are in the
    order of the points they are worth, as `Turn.by_points` has them.
    """
    from pasch.solve.turns_kernel import CHOICE, Graph

    new: list[int] = list(range(len(turn.scores)))
    kind, first = [0] * len(new), [0] * (len(new) + 1)
    target: list[int] = []
    weight: list[float] = []
    known: dict[Any, int] = {}
    kinds, ends, chance = turn.kind.tolist(), turn.first.tolist(), turn.weight.tolist()
    ordered = turn.by_points.tolist()
    for node in range(len(turn.scores), len(kinds)):
        begin, end = ends[node : node + 2]
        # a roll that comes later has no new number yet: it stands for itself, as a negative one
        after = [new[t] if t < node else -t for t in ordered[begin:end]]
        summed: dict[int, float] = {}
        for place, share in zip(after, chance[begin:end], strict=True):
            summed[place] = summed.get(place, 0.0) + share
        if kinds[node] == CHOICE:
            summed = dict.fromkeys(summed, 0.0)
        what = (kinds[node], tuple(summed.items()))
        if what not in known:
            known[what] = len(kind)
            kind.append(what[0])
            target += summed
            weight += summed.values()
            first.append(len(target))
        new.append(known[what])
    target = [t if t >= 0 else new[-t] for t in target]
    return Graph(np.array(kind), np.array(first), np.array(target), np.array(weight))
