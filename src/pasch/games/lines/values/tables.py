"""What a cover or a choice of plan is worth by the tables of expected lines; run as it stands and compiled."""

from __future__ import annotations

from array import array
from collections.abc import MutableSequence, Sequence
from typing import Any, Final, NamedTuple

from pasch.games.lines.box import PlanTable
from pasch.games.lines.rules import PLAN, Config, points, stays_in
from pasch.games.lines.ways import covers_on

#: in place of the table of a plan that is not played, or not large
NO_TABLE: Final = (0.0,)
NO_LARGE_TABLE: Final = memoryview(array("f", [0.0]))


class LargeTables(NamedTuple):
    """The tables of large plans, in single precision."""

    plan_1: Any
    plan_2: Any
    plan_3: Any
    plan_4: Any


class LinesTables(NamedTuple):
    """The expected lines of a round from every set of covered numbers, by plan, counted from 0."""

    is_large: Sequence[bool]
    small: Sequence[Sequence[float]]
    large: LargeTables


def tables_of(tables: Sequence[Any]) -> LinesTables:
    """The tables of the four plans, of which large ones have single precision; None: the plan is not played."""
    large = [table is not None and table.itemsize == 4 for table in tables]
    small = [NO_TABLE if big or table is None else table for table, big in zip(tables, large, strict=True)]
    found = [table if big else NO_LARGE_TABLE for table, big in zip(tables, large, strict=True)]
    return LinesTables(tuple(large), tuple(small), LargeTables(*found))


def move_values(
    g: Config, v: LinesTables, s: Any, codes: Sequence[int], count: int, out: MutableSequence[float]
) -> None:
    """Write what each of the moves is worth: the total so far and the expected lines of the round after it."""
    for place in range(count):
        if s.phase == PLAN:
            out[place] = s.totals[s.seat] + expected(v, g.choices[codes[place]], 0)
            continue
        covered = s.covered[s.seat] | g.covers.numbers[codes[place]]
        stays = stays_in(g, s.plan, codes[place])
        out[place] = s.totals[s.seat] + lines_after(g, v, s.plan, covered, stays)


def lines_after(g: Config, v: LinesTables, plan: int, covered: int, stays: bool) -> float:
    """The lines of the round that a board brings: expected, if the seat stays in; else those that are there."""
    return expected(v, plan, covered) if stays else float(points(g.lines[plan - 1], covered))


def expected(v: LinesTables, plan: int, covered: int) -> float:
    """The expected lines of a seat that is still in the round."""
    return float(v.large[plan - 1][covered]) if v.is_large[plan - 1] else v.small[plan - 1][covered]


def config_of(plan: PlanTable) -> Config:
    """What the rule functions read of a plan that is played alone."""
    covers = covers_on((plan,))[1]
    return Config(1, 1, (1,), (), (plan.dice,), (plan.full,), (plan.lines,), covers, plan.full.bit_length())
