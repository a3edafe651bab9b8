"""A sensible beginner at Shut the Lines, and how beginners err.

It finishes lines, and spends as few and as high numbers as possible on the way; of the plans it takes the one that has
most lines for its numbers. Weaker ones cover single numbers and finish lines, and miss sums.
"""

from __future__ import annotations

from typing import Any

from pasch.core.rules import count_bits
from pasch.games.lines.rules import PLAN, Config, points, stays_in


def heuristic(g: Config, s: Any, code: int) -> float:
    """How good a cover looks, or a plan.

    A line that is complete stays complete, so finishing lines comes before everything else. Apart from
    that a player wants to last. The dice use up the same number of pips however they are grouped: a few
    high numbers leave the low ones free, and with many of those nearly every roll can still be made.
    """
    if s.phase == PLAN:
        plan = g.choices[code] - 1
        return points(g.lines[plan], g.full[plan]) / count_bits(g.full[plan])
    covers = g.covers.numbers[code]
    lines = 100.0 * points(g.lines[s.plan - 1], s.covered[s.seat] | covers)
    if not stays_in(g, s.plan, code):
        # the last turn of the round: nothing has to be saved any more
        return lines + count_bits(covers)
    # masks fit into 30 bits, and the mask with the highest number is the largest
    return lines - count_bits(covers) + covers / (1 << 30)


# --- mistakes ----------------------------------------------------------------------------------------


def appeal(g: Config, s: Any, code: int) -> float:
    """How much better a move looks than it is: for each number covered, and for each line that it finishes."""
    if s.phase == PLAN:
        return 0.0
    covers, own, lines = g.covers.numbers[code], s.covered[s.seat], g.lines[s.plan - 1]
    return count_bits(covers) / 10 + (points(lines, own | covers) - points(lines, own)) / 5


def ideas(g: Config, s: Any, code: int) -> int:
    """What has to be thought of: each die that is added to another."""
    if s.phase == PLAN or not stays_in(g, s.plan, code):
        return 0
    return g.dice[s.plan - 1] - count_bits(g.covers.numbers[code])
