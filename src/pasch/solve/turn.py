"""The graph of one turn, which ends in scores, and what follows from it: points, chances, distributions of scores.

Chances of two seats go back from the end: at the start of a turn all that counts is how many turns are left and by how
much the seat leads whose turn it is, so a turn is solved for every lead, its scores being worth what the other seat's
turn leaves (`Duel`). Of moves that win equally often the one counts that brings more points, then the first.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from itertools import accumulate
from typing import Any, Final

from pasch.core.state import CHANCE, OVER, State
from pasch.solve.explore import POINTS, explored
from pasch.solve.graph import FINE, NO_END, Graph, Plan, Task, evaluate, plain_row, plan_of, room_of, spread
from pasch.solve.positions import Rules
from pasch.solve.scores import Distribution
from pasch.solve.tables import Arrays
from pasch.solve.valuer import Report, silent

#: chances nearer than this to 0 or 1 are taken to be 0 or 1
CERTAIN: Final = 1e-12
#: how many leads a thread solves at a stretch
LEADS_AT_ONCE: Final = 64


class Turn:
    """The graph of a turn with the expected points of every node. The first nodes are the scores that it may bring."""

    def __init__(
        self,
        graph: Graph,
        scores: Sequence[int],
        start: int,
        values: Sequence[float] | None = None,
        compiled: bool = False,
    ) -> None:
        self.scores, self.start, self.compiled = list(scores), start, compiled
        self.graph, self._plan = graph, plan_of(Graph(*map(list, graph)))
        if compiled:
            self.graph, self._plan = Graph(*map(self._fixed, graph)), Plan(*map(self._fixed, self._plan))
        self._new: Any = compiled_row if compiled else plain_row
        self._spread: Any = compiled_function(spread) if compiled else spread
        self._evaluate: Any = (
            compiled_function(evaluate, cycles=any(self._plan.cuts)) if compiled else evaluate
        )
        #: expected points at each node if the turn is played for points
        self.values: Any = self._new(0, 0.0)
        self.values = self.chances([list(map(float, scores))], 0) if values is None else values

    @staticmethod
    def _fixed(numbers: Any) -> Any:
        import numpy as np

        from pasch.solve.records import fixed

        whole = not len(numbers) or not isinstance(numbers[0], float)
        return fixed(np.array(numbers, np.int64 if whole and len(numbers) else np.float64))

    @property
    def nodes(self) -> int:
        """How many nodes there are."""
        return len(self.graph.actor)

    def chances(self, rewards: Sequence[Sequence[float]], seat: int) -> Any:
        """What every node is worth to each seat, by node and seat, if `seat` chooses; `rewards`: by seat and score."""
        columns = len(rewards)
        value = self._new(self.nodes * columns, 0.0)
        for column, worths in enumerate(rewards):
            for score, worth in enumerate(worths):
                value[score * columns + column] = worth
        room = room_of(self._plan, columns, self._new)
        task = Task(self.graph, self._plan, self.values, seat, columns, value, room)
        trouble = self._evaluate(task, len(self._plan.cuts))
        if trouble != FINE:
            raise ValueError("a turn has no end")
        return value

    def distribution(self, node: int | None = None) -> Distribution:
        """How likely each score is from `node` (the start) on if every choice is made for points."""
        mass, again, none = self._new(self.nodes, 0.0), self._new(self.nodes, 0.0), self._new(0, 0.0)
        mass[self.start if node is None else node] = 1.0
        room = room_of(self._plan, 1, self._new)
        self._spread(Task(self.graph, self._plan, none, -1, 1, self.values, room), mass, again)
        return Distribution.of(self.scores, [float(chance) for chance in mass[: len(self.scores)]])

    def build_duel(self, turns: int, report: Report = silent) -> dict[str, Any]:
        """The table of `Duel`: chances at the start of each of the last `turns` turns but the first; only if compiled.

        Leads at which both chances are within `CERTAIN` of 0 and 1 are left out: that much error a turn at most.
        """
        import numpy as np

        lows, tables = [0], [np.array([(1.0, 1.0)])]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for left in range(1, turns):
                report(left / turns, f"{left} turns before the end")
                low, before = lows[-1], tables[-1]
                # leads from which some score makes a lead that the table before this one knows
                leads = range(-(low + len(before) - 1) - self.scores[-1], -low - self.scores[0] + 1)
                parts = [
                    leads[begin : begin + LEADS_AT_ONCE] for begin in range(0, len(leads), LEADS_AT_ONCE)
                ]
                chances = np.concatenate([*pool.map(partial(self._duel, low, before), parts)])
                lost = (chances[:, 0] < CERTAIN) & (chances[:, 1] > 1 - CERTAIN)
                won = (chances[:, 0] > 1 - CERTAIN) & (chances[:, 1] < CERTAIN)
                undecided = np.flatnonzero(~lost & ~won)
                lows.append(leads[undecided[0]])
                tables.append(chances[undecided[0] : undecided[-1] + 1].copy())
        first = np.cumsum([0, *map(len, tables)])
        return {"low": np.array(lows, np.int64), "first": first, "chances": np.concatenate(tables)}

    def _duel(self, low: int, before: Any, leads: range) -> Any:
        """Both seats' chances at the start of a turn of the seat that has each of these leads.

        `before` are those with one turn less, in which the other seat moves, beginning with the lead `low`.
        """
        import numpy as np

        chances, value = np.zeros((len(leads), 2)), np.zeros(2 * self.nodes)
        room, scores = room_of(self._plan, 2, self._new), np.array(self.scores)
        task = Task(self.graph, self._plan, self.values, 0, 2, value, room)
        # by lead; beyond the table everything is certain
        known = np.concatenate([[(0.0, 1.0)], before, [(1.0, 0.0)]])
        for place, lead in enumerate(leads):
            # after the turn it is the other seat's, and to that the lead is one the other way
            after = known[np.clip(-(lead + scores) - low + 1, 0, len(known) - 1)]
            value[: 2 * len(scores)] = after[:, ::-1].ravel()
            self._evaluate(task, len(self._plan.cuts))
            chances[place] = value[2 * self.start : 2 * self.start + 2]
        return chances


def chances_at(chances: Any, begin: int, end: int, place: int) -> tuple[float, float]:
    """The chances in a row of a table that begins and ends there; before and behind it everything is certain."""
    if place < 0:
        return 0.0, 1.0
    if begin + place >= end:
        return 1.0, 0.0
    return chances[begin + place, 0], chances[begin + place, 1]


@cache
def compiled_function(function: Callable[..., Any], *, cycles: bool = True) -> Any:
    """A function of graphs as machine code; without `cycles` it does not know how to solve a component."""
    from pasch.solve.compiled import compile_plain

    return compile_plain(
        function, replace={} if cycles else {"solve_component": not_solved}, name=f"cycles{cycles:d}"
    )


def not_solved(k: Task, number: int) -> int:
    """In place of `solve_component` where there is none."""
    return NO_END


def compiled_row(size: int, fill: Any) -> Any:
    """A row as an array."""
    import numpy as np

    return np.full(size, fill, np.float64 if isinstance(fill, float) else np.int64)


class Duel:
    """The chances of two seats at the start of a turn, by turns left and lead."""

    def __init__(self, arrays: Mapping[str, Any]) -> None:
        self._first = arrays["first"].tolist()
        self._low = arrays["low"].tolist()
        self._chances = arrays["chances"]

    def at(self, turns: int, lead: int) -> tuple[float, float]:
        """The chances of the seat about to move, which leads by so much, and of the other; `turns` are left."""
        begin, end = self._first[turns : turns + 2]
        return chances_at(self._chances, begin, end, lead - self._low[turns])

    def after(self, turns: int, lead: int) -> tuple[float, float]:
        """The same from the seat that has just moved: its own chances and the other one's."""
        other, own = self.at(turns, -lead)
        return own, other


def explored_turn(start: State, place: Callable[[Any], int], places: int) -> Arrays:
    """The tables of the turn with which a game of one seat and one turn begins.

    `place` tells the positions of the turn apart, as numbers below `places`.
    """
    walked = explored(Rules(start.game), POINTS, start.unpack())
    # nodes with the points gained so far, so that the ends are scores
    reached = {(0, 0): 0}
    work, edges, over = (
        [(0, 0)],
        list[list[tuple[int, int]]](),
        walked.number["over", *(0.0,) * walked.columns],
    )
    for node, gained in work:
        begin, end = walked.first[node : node + 2]
        rewards = walked.reward[begin * walked.columns : end * walked.columns : walked.columns]
        edges.append(
            [(after, gained + round(r)) for after, r in zip(walked.target[begin:end], rewards, strict=True)]
        )
        for after in edges[-1]:
            if after not in reached:
                reached[after] = len(work)
                work.append(after)
    scores = sorted(gained for node, gained in work if node == over)
    inner = [(node, gained) for node, gained in work if node != over]
    number = {(over, score): place for place, score in enumerate(scores)}
    number |= {one: len(scores) + place for place, one in enumerate(inner)}
    actor, first, target, weight = [OVER] * len(scores), [0] * (len(scores) + 1), list[int](), list[float]()
    nodes, moves = [-1] * places, list[Sequence[int]]([] for _ in range(places))
    for one in inner:
        node, following = one[0], [number[after] for after in edges[reached[one]]]
        actor.append(walked.actor[node])
        target += following
        weight += walked.weight[walked.first[node] : walked.first[node + 1]]
        first.append(len(target))
        at = place(walked.make(walked.keys[node]))
        if nodes[at] >= 0:
            raise ValueError("two positions of a turn have the same place")
        nodes[at] = number[one]
        moves[at] = following if walked.actor[node] != CHANCE else []
    graph, new = without_repetitions(Graph(actor, first, target, weight, []))
    nodes = [new[node] if node >= 0 else -1 for node in nodes]
    moves = [[new[node] for node in some] for some in moves]
    turn = Turn(graph, scores, new[number[0, 0]])
    whole = {
        "scores": scores,
        "nodes": nodes,
        "start": [turn.start],
        "after": [n for some in moves for n in some],
    }
    whole |= {"actor": graph.actor, "first": graph.first, "target": graph.target}
    whole["first_move"] = [*accumulate(map(len, moves), initial=0)]
    real = {"weight": graph.weight, "reward": [], "values": turn.values}
    kinds = [
        *((name, "i", some) for name, some in whole.items()),
        *((name, "d", some) for name, some in real.items()),
    ]
    return {name: array(kind, some) for name, kind, some in kinds}


def without_repetitions(graph: Graph) -> tuple[Graph, list[int]]:
    """The graph with nodes that lead to the same only once, and the new number of each node. Ends stay the first."""
    plan, ends = plan_of(graph), graph.actor.count(OVER)
    known: dict[Any, int] = {}
    new = [*range(ends), *[-1] * (len(graph.actor) - ends)]
    actor, edges = [OVER] * ends, list[dict[int, float]]({} for _ in range(ends))
    for node in plan.order:
        if node < ends:
            continue
        merged: dict[int, float] = {}
        for e in range(graph.first[node], graph.first[node + 1]):
            # what comes up again has no new number yet: it stands for itself, as a negative one
            after = new[graph.target[e]] if new[graph.target[e]] >= 0 else -1 - graph.target[e]
            merged[after] = merged.get(after, 0.0) + graph.weight[e]
        what = graph.actor[node], tuple(merged.items())
        if what not in known:
            known[what] = len(actor)
            actor.append(graph.actor[node])
            edges.append(merged)
        new[node] = known[what]
    target = [after if after >= 0 else new[-1 - after] for some in edges for after in some]
    first = [*accumulate(map(len, edges), initial=0)]
    return Graph(actor, first, target, [share for some in edges for share in some.values()], []), new
