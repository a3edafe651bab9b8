"""Rounds of Shut the Lines on one plan: what a set of covered numbers is worth, and how a round may end.

The tables follow from a plan's dice and lines alone and are kept under these. Plans of up to 16 numbers need no
compiler, neither for making nor for reading; the table of a larger one is made by compiled code, as are
estimates of how a round on it ends.
"""

from __future__ import annotations

from array import array
from functools import lru_cache
from threading import Lock
from typing import Any, Final

from pasch.games.lines.box import PlanTable
from pasch.games.lines.rules import Lines, points
from pasch.games.lines.values.race import Chances
from pasch.games.lines.values.solitaire import Solitaire
from pasch.solve import tables
from pasch.solve.keys import source_digest
from pasch.solve.valuer import Progress, no_progress

#: maximum of numbers of plans with complete tables; for larger plans, maximum of free numbers for which the end of
#: a round is solved on request
SMALL: Final = 16
ON_THE_SPOT: Final = 12
#: rounds played to estimate how a round on a large plan ends: from its start, and from elsewhere
ROUNDS_FROM_START: Final = 1 << 20
ROUNDS_FROM_ELSEWHERE: Final = 1 << 11

Rewards = tuple[tuple[float, ...], ...]


class RoundValues:
    """The values of rounds on one plan."""

    def __init__(self, plan: PlanTable) -> None:
        self.plan = plan
        self.numbers = plan.full.bit_length()
        self.small = self.numbers <= SMALL
        #: the maximum of points of a round
        self.max_points = points(plan.lines, plan.full)
        self._tables: dict[str, memoryview[Any]] | None = None
        self._lock = Lock()

    @property
    def key(self) -> dict[str, Any]:
        """Everything that the tables follow from."""
        plan = self.plan
        return {
            "sources": source_digest(Lines),
            "dice": plan.dice,
            "numbers": self.numbers,
            "lines": plan.lines,
        }

    def open(self) -> bool:
        """Open the tables if they are there."""
        if self._tables is None:
            self._tables = tables.read_table(tables.table_path("lines", self.key))
        return self._tables is not None

    def prepare(self, report: Progress = no_progress) -> None:
        """Open the tables, or build and keep them."""
        with self._lock:
            if self._tables is None:
                self._tables = tables.table("lines", self.key, self.build, report)

    def build(self, report: Progress = no_progress) -> tables.Arrays:
        """Work the tables out."""
        report(0.0, f"all sets of {self.numbers} numbers")
        if self.small:
            reward, chance_of_each = self.lines_as_reward
            play = Solitaire(self.plan, reward, also=chance_of_each, report=report)
            every = range(self.plan.full + 1)
            chances = array("d", [chance for covered in every for chance in play.means[covered]])
            spread = memoryview(chances).cast("B").cast("d", (len(every), self.max_points + 1))
            return {"value": array("d", [play.value[covered] for covered in every]), "spread": spread}
        from pasch.games.lines.values.large import simulated, solve_large

        value = solve_large(self.plan, report)
        self._check(value)
        report(0.95, "how a round ends")
        return {"value": value, "spread": simulated(self.plan, value, 0, ROUNDS_FROM_START)}

    def _check(self, value: Any) -> None:
        """Compare a large table with what the rules say of some of its sets.

        The kernel that makes it has its own way to treat rolls that do not fit.
        """
        free = sum(1 << bit for bit in range(0, self.numbers, 3))
        play = Solitaire(self.plan, self.lines_as_reward[0], self.plan.full & ~free)
        for covered, right in play.value.items():
            if abs(float(value[covered]) - right) > 1e-5:
                raise RuntimeError(f"the table of this plan contradicts the rules at {covered:b}")

    @property
    def lines_as_reward(self) -> tuple[tuple[float, ...], Rewards]:
        """The reward of a seat that wants the most lines, and with it the chance of each number of lines."""
        every = range(self.max_points + 1)
        chances = tuple(tuple(float(lines == wanted) for lines in every) for wanted in every)
        return tuple(map(float, every)), chances

    # --- answers

    def table(self, name: str) -> Any:
        """One of the tables: `value`, the expected lines from every set, or `spread`, the chances of each number.

        By set; of large plans `spread` is that of the empty set.
        """
        if self._tables is None:
            self.prepare()
        assert self._tables is not None
        return self._tables[name]

    def expected(self, covered: int) -> float:
        """The expected lines at the end of the round, of a seat that is still in."""
        found: float = self.table("value")[covered]
        return found

    def solvable(self, covered: int) -> bool:
        """Whether best play for any reward is found on the spot from here on."""
        return self.small or (self.plan.full & ~covered).bit_count() <= ON_THE_SPOT

    def chances(self, covered: int, start: int | None = None) -> Chances:
        """The chances of each number of lines in play for the most; estimated where it is not solvable.

        Several sets that hold the numbers `start` are answered quicker together.
        """
        if self.small:
            width, flat = self.max_points + 1, self.table("spread").cast("B").cast("d")
            return list(flat[covered * width : (covered + 1) * width])
        start = covered if start is None else start
        if self.solvable(start):
            return list(solved(self.plan, start, *self.lines_as_reward).means[covered])
        return _estimated(self, covered) if covered else list(self.table("spread"))


@lru_cache(maxsize=16)
def rounds_on(plan: PlanTable) -> RoundValues:
    """The values of rounds on a plan; the same object for equal plans."""
    return RoundValues(plan)


@lru_cache(maxsize=8)
def solved(plan: PlanTable, covered: int, reward: tuple[float, ...], also: Rewards) -> Solitaire:
    """Best play from a solvable set on, `reward` and other functions being by the number of lines."""
    return Solitaire(plan, reward, covered, also)


@lru_cache(maxsize=4096)
def _estimated(rounds: RoundValues, covered: int) -> Chances:
    from pasch.games.lines.values.large import simulated

    found: Chances = simulated(rounds.plan, rounds.table("value"), covered, ROUNDS_FROM_ELSEWHERE).tolist()
    return found
