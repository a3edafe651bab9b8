"""Shut the Lines: how beginners err. They cover single numbers and finish lines, and miss sums."""

from __future__ import annotations

from typing import Any

from pasch.games.lines.greedy import how_many
from pasch.games.lines.rules import PLAN, Config, points, stays_in


def appeal(g: Config, s: Any, code: int) -> float:
    """How much better a move looks than it is: for each number covered, and for each line that it finishes."""
    if s.phase == PLAN:
        return 0.0
    covers, own, lines = g.covers.numbers[code], s.covered[s.seat], g.lines[s.plan - 1]
    return how_many(covers) / 10 + (points(lines, own | covers) - points(lines, own)) / 5


def ideas(g: Config, s: Any, code: int) -> int:
    """What has to be thought of: each die that is added to another."""
    if s.phase == PLAN or not stays_in(g, s.plan, code):
        return 0
    return g.dice[s.plan - 1] - how_many(g.covers.numbers[code])
