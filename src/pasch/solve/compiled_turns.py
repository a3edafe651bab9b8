"""Turns solved by compiled code: what makes tables. Whoever reads tables does not import this."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pasch.solve.compiled import compile_plain
from pasch.solve.duel import chances_at
from pasch.solve.records import fixed
from pasch.solve.turn_graph import KnotRoom, TurnGraph, race
from pasch.solve.turns import SolvedTurn
from pasch.solve.valuer import Report, silent

#: chances nearer than this to 0 or 1 are taken to be 0 or 1
CERTAIN = 1e-12
#: how many leads a thread solves at a stretch
PART = 64

Numbers = NDArray[Any]


@cache
def _compiled(function: Callable[..., Any]) -> Any:
    return compile_plain(function, name="turn")


class CompiledTurn(SolvedTurn):
    """As `SolvedTurn`, with arrays instead of lists and compiled functions."""

    def _graph(self, graph: TurnGraph) -> TurnGraph:
        parts: Any = (fixed(np.array(part, kind)) for part, kind in zip(graph, "qqqd", strict=True))
        return TurnGraph(*parts)

    def _run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return _compiled(function)(*arguments)

    def _numbers(self, numbers: Any) -> Any:
        return np.array(numbers)

    def _room(self, kind: type, *shape: int) -> Any:
        return np.zeros(shape, kind)

    def build_duel(self, turns: int, report: Report = silent) -> dict[str, Numbers]:
        """The table of `pasch.solve.duel`: chances at the start of each of the last `turns` turns but the first.

        Leads at which both chances are within `CERTAIN` of 0 and 1 are left out. Each turn adds at most that much
        error.
        """
        lows, tables = [0], [np.array([(1.0, 1.0)])]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for left in range(1, turns):
                report(left / turns, f"{left} turns before the end")
                low, before = lows[-1], tables[-1]
                # leads from which some score makes a lead that the table before this one knows
                leads = range(-(low + len(before) - 1) - self.scores[-1], -low - self.scores[0] + 1)
                parts = [leads[begin : begin + PART] for begin in range(0, len(leads), PART)]
                chances = np.concatenate([*pool.map(partial(self._duel, low, before), parts)])
                lost = (chances[:, 0] < CERTAIN) & (chances[:, 1] > 1 - CERTAIN)
                won = (chances[:, 0] > 1 - CERTAIN) & (chances[:, 1] < CERTAIN)
                undecided = np.flatnonzero(~lost & ~won)
                lows.append(leads[undecided[0]])
                tables.append(chances[undecided[0] : undecided[-1] + 1].copy())
        return {
            "low": np.array(lows, np.int64),
            "first": np.cumsum([0, *map(len, tables)]),
            "chances": np.concatenate(tables),
        }

    def _duel(self, low: int, before: Numbers, leads: range) -> Numbers:
        """Both seats' chances at the start of a turn of the seat that has each of these leads.

        `before` are those with one turn less, in which the other seat moves, beginning with the lead `low`.
        """
        chances, reward = np.zeros((len(leads), 2)), np.zeros((2, len(self.scores)))
        out, room = np.zeros((2, len(self.graph.kind))), self._knot_room()
        turn = self.graph, self._roll, self.values, np.array(self.scores)
        self._run(turn_of_a_duel, *turn, low, before, leads.start, reward, out, room, chances)
        return chances


def turn_of_a_duel(
    graph: TurnGraph,
    roll: Any,
    points: Any,
    scores: Numbers,
    low: int,
    before: Numbers,
    first_lead: int,
    reward: Any,
    out: Any,
    room: KnotRoom,
    chances: Numbers,
) -> None:
    """Write into `chances` those at the start of a turn for each lead from `first_lead` on."""
    for place in range(len(chances)):
        for score in range(len(scores)):
            lead = first_lead + place + scores[score]
            # after the turn it is the other seat's, and to that the lead is one the other way
            reward[1, score], reward[0, score] = chances_at(before, 0, len(before), -lead - low)
        race(graph, roll, points, reward, 0, out, room)
        chances[place, 0], chances[place, 1] = out[0, -1], out[1, -1]
