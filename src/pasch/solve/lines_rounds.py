"""Rounds of Shut the Lines on one plan: what a set of covered numbers is worth, and how a round may end.

Seats do not block each other, so a round is a game of patience: a set grows with every roll until one does
not fit. The tables follow from a plan's dice and lines alone and are kept under these.
"""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pasch.games.lines import Lines, PlanTable
from pasch.solve import tables
from pasch.solve.lines_solver import Floats, Play, lines_as_reward, simulated, solve, solve_large
from pasch.solve.valuer import Report, silent

#: counts up when the tables change their shape or their numbers
SOLVER: Final = 1
#: plans of up to so many numbers have tables of everything; of larger ones, so many free numbers at the
#: end of a round can be solved on the spot
SMALL: Final = 16
ON_THE_SPOT: Final = 12
#: rounds played to estimate how a round on a large plan ends: from its start, and from elsewhere
ROUNDS_FROM_START: Final = 1 << 20
ROUNDS_FROM_ELSEWHERE: Final = 1 << 11


class Rounds:
    """The rounds on one plan."""

    def __init__(self, plan: PlanTable) -> None:
        self.plan = plan
        self.numbers = plan.full.bit_length()
        self.small = self.numbers <= SMALL
        self._tables: dict[str, NDArray[Any]] | None = None
        self._lock = Lock()

    @property
    def key(self) -> dict[str, Any]:
        """Everything that the tables follow from."""
        plan = self.plan
        return {
            "rules": Lines.rules_version,
            "solver": SOLVER,
            "dice": plan.dice,
            "numbers": self.numbers,
            "lines": plan.lines,
        }

    def open(self) -> bool:
        """Open the tables if they are there."""
        if self._tables is None:
            self._tables = tables.read_table(tables.table_path("lines", self.key))
        return self._tables is not None

    def prepare(self, report: Report = silent) -> None:
        """Open the tables, or build and keep them."""
        with self._lock:
            if self._tables is None:
                self._tables = tables.table("lines", self.key, self.build, report)

    def build(self, report: Report = silent) -> tables.Arrays:
        """Work the tables out."""
        if self.small:
            report(0.0, f"all sets of {self.numbers} numbers")
            play = solve(self.plan, lines_as_reward(self.plan))
            return {"value": play.value, "spread": play.spread}
        value = solve_large(self.plan, report)
        report(0.95, "how a round ends")
        spread = simulated(self.plan, value, 0, ROUNDS_FROM_START)
        return {"value": value, "spread": spread}

    def _table(self, name: str) -> NDArray[Any]:
        if self._tables is None:
            self.prepare()
        assert self._tables is not None
        return np.asarray(self._tables[name])

    def values(self) -> NDArray[Any]:
        """The expected lines from every set: one row, or of a large plan by row and lane."""
        return self._table("value")

    def expected(self, covered: int) -> float:
        """The expected lines at the end of the round, of a seat that is still in."""
        value = self.values()
        if self.small:
            return float(value[covered])
        return float(value[covered % len(value), covered // len(value)])

    def solvable(self, covered: int) -> bool:
        """Whether best play for any reward is found on the spot from here on."""
        return self.small or (self.plan.full & ~covered).bit_count() <= ON_THE_SPOT

    def play(self, covered: int, reward: tuple[float, ...]) -> Play:
        """Best play from a solvable set on, `reward` being by the number of lines."""
        return _solved(self.plan, covered, reward)

    def for_lines(self, covered: int) -> Play | None:
        """Play for the most lines; None from sets that are not solvable."""
        if self.small:
            return Play(tuple(range(self.numbers)), self._table("value"), self._table("spread"))
        return self.play(covered, lines_as_reward(self.plan)) if self.solvable(covered) else None

    def chances(self, covered: int, play: Play | None = None) -> Floats:
        """The chances of each number of lines in play for the most; estimated where it is not solvable."""
        play = play or self.for_lines(covered)
        if play is not None:
            return play.chances(covered)
        return self._table("spread") if covered == 0 else _estimated(self, covered)


@lru_cache(maxsize=16)
def rounds_on(plan: PlanTable) -> Rounds:
    """The rounds on a plan; the same object for equal plans."""
    return Rounds(plan)


@lru_cache(maxsize=8)
def _solved(plan: PlanTable, covered: int, reward: tuple[float, ...]) -> Play:
    return solve(plan, reward, covered)


@lru_cache(maxsize=4096)
def _estimated(rounds: Rounds, covered: int) -> Floats:
    return simulated(rounds.plan, rounds._table("value"), covered, ROUNDS_FROM_ELSEWHERE)
