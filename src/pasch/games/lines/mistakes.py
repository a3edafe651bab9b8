"""Shut the Lines: how beginners err. They cover single numbers and finish lines, and miss sums."""

from __future__ import annotations

from pasch.games.lines.greedy import how_many
from pasch.games.lines.rules import PLAN, Agreed, Numbers, points, stays_in


def appeal(g: Agreed, s: Numbers, code: int) -> float:
    """How much better a move looks than it is: for each number covered, and for each line that it finishes."""
    if s.phase == PLAN:
        return 0.0
    covers, own, lines = g.masks[s.roll][code], s.covered[s.seat], g.lines[s.plan - 1]
    return how_many(covers) / 10 + (points(lines, own | covers) - points(lines, own)) / 5


def ideas(g: Agreed, s: Numbers, code: int) -> int:
    """What has to be thought of: each die that is added to another."""
    if s.phase == PLAN or not stays_in(g, s.roll, code):
        return 0
    dice = 0
    for face in g.faces[s.roll]:
        dice += face > 0
    return dice - how_many(g.masks[s.roll][code])
