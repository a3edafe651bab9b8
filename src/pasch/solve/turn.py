"""The graph of one turn, which ends in scores, and what follows from it: points, chances, distributions of scores.

Chances of two seats go back from the end: at the start of a turn all that counts is how many turns are left and by how
much the seat leads whose turn it is, so a turn is solved for every lead, its scores being worth what the other seat's
turn leaves (`Duel`). Of moves that win equally often the one counts that brings more points, then the first.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import Any, Final

from pasch.core.state import State
from pasch.solve.explore import FINAL, explored
from pasch.solve.graph import NO_END, Graph, Task, check, evaluate, plan_of, row_of, scratch_of, spread
from pasch.solve.positions import Rules
from pasch.solve.scores import Distribution
from pasch.solve.tables import Arrays
from pasch.solve.valuer import Progress, no_progress

#: chances nearer than this to 0 or 1 are taken to be 0 or 1
CERTAIN: Final = 1e-12
#: leads that a thread solves per task
LEADS_AT_ONCE: Final = 64


class Turn:
    """The graph of a turn with the expected points of every node; `ends`: the nodes of the scores, else the first."""

    def __init__(
        self,
        graph: Graph,
        scores: Sequence[int],
        start: int,
        values: Sequence[float] | None = None,
        compiled: bool = False,
        ends: Sequence[int] | None = None,
    ) -> None:
        self.scores, self.start = list(scores), start
        self.ends = list(range(len(scores)) if ends is None else ends)
        self.graph = Graph(*map(list, graph))
        self._plan = plan_of(self.graph)
        self._new, self._spread, self._evaluate = row_of, spread, evaluate
        if compiled:
            from pasch.solve.records import arrays

            self._evaluate = compiled_function(evaluate, cycles=any(self._plan.cuts))
            self._new, self._spread = compiled_row, compiled_function(spread)
            self.graph, self._plan = arrays(self.graph), arrays(self._plan)
        #: expected points at each node if the turn is played for points
        self.values: Any = self._new(0, 0.0)
        self.values = self.chances([list(map(float, scores))], 0) if values is None else values

    def chances(self, rewards: Sequence[Sequence[float]], seat: int) -> Any:
        """What every node is worth to each seat, by node and seat, if `seat` chooses; `rewards`: by seat and score."""
        columns = len(rewards)
        value = self._new(len(self.graph.actor) * columns, 0.0)
        for column, worths in enumerate(rewards):
            for end, worth in zip(self.ends, worths, strict=True):
                value[end * columns + column] = worth
        scratch = scratch_of(self._plan, columns, self._new)
        task = Task(self.graph, self._plan, self.values, seat, columns, value, scratch)
        check(self._evaluate(task, len(self._plan.cuts)))
        return value

    def distribution(self) -> Distribution:
        """How likely each score is if every choice is made for points."""
        mass, again = (self._new(len(self.graph.actor), 0.0) for _ in range(2))
        mass[self.start] = 1.0
        scratch = scratch_of(self._plan, 1, self._new)
        task = Task(self.graph, self._plan, self._new(0, 0.0), -1, 1, self.values, scratch)
        self._spread(task, mass, again)
        return Distribution.of(self.scores, [float(mass[end]) for end in self.ends])

    def build_duel(self, turns: int, report: Progress = no_progress) -> dict[str, Any]:
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
                leads = range(-(low + len(before) - 1) - max(self.scores), -low - min(self.scores) + 1)
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

        chances, value = np.zeros((len(leads), 2)), np.zeros(2 * len(self.graph.actor))
        scratch, scores = scratch_of(self._plan, 2, self._new), np.array(self.scores)
        task = Task(self.graph, self._plan, self.values, 0, 2, value, scratch)
        # by lead; beyond the table everything is certain
        known = np.concatenate([[(0.0, 1.0)], before, [(1.0, 0.0)]])
        for place, lead in enumerate(leads):
            # after the turn it is the other seat's, and to that the lead is one the other way
            after = known[np.clip(-(lead + scores) - low + 1, 0, len(known) - 1)]
            value.reshape(-1, 2)[self.ends] = after[:, ::-1]
            self._evaluate(task, len(self._plan.cuts))
            chances[place] = value[2 * self.start : 2 * self.start + 2]
        return chances


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

    def __init__(self, low: memoryview[int], first: memoryview[int], chances: memoryview[float]) -> None:
        self._low, self._first, self._chances = low.tolist(), first.tolist(), chances

    def at(self, turns: int, lead: int) -> tuple[float, float]:
        """The chances of the seat about to move, which leads by so much, and of the other; `turns` are left."""
        place = self._first[turns] + lead - self._low[turns]
        # before and behind its part of the table everything is certain
        if place < self._first[turns]:
            return 0.0, 1.0
        if place >= self._first[turns + 1]:
            return 1.0, 0.0
        return self._chances[place, 0], self._chances[place, 1]


def explored_turn(start: State, place: Callable[[Any], int]) -> Arrays:
    """The tables of the turn with which a game of one seat and one turn begins.

    `place` tells the positions of the turn apart, as whole numbers.
    """
    walked = explored(Rules(start.game), FINAL, start.unpack())
    ends, graph = list(walked.given), walked.graph()
    places = {
        place(walked.make(key)): node for node, key in enumerate(walked.keys) if node not in walked.given
    }
    if len(places) + len(ends) < len(walked.keys):
        raise ValueError("two positions of a turn have the same place")
    turn = Turn(graph, [round(walked.given[end][0]) for end in ends], 0, ends=ends)
    nodes = [places.get(at, -1) for at in range(max(places) + 1)]
    found = graph._asdict() | {"scores": turn.scores, "ends": ends, "nodes": nodes, "values": turn.values}
    real = ("weight", "reward", "values")
    return {name: array("d" if name in real else "i", some) for name, some in found.items()}
