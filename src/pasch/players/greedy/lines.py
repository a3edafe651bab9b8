"""Shut the Lines, greedily: finish lines, and spend as few and as high numbers as possible on the way."""

from __future__ import annotations

from pasch.core.events import Event
from pasch.core.state import State
from pasch.games.lines import Cover, LinesState, mask_of


def worth(view: State, move: Event) -> float:
    """How good a cover looks.

    A line that is complete stays complete, so finishing lines comes before everything else. Apart from
    that a player wants to last. The dice use up the same number of pips however they are grouped: a few
    high numbers leave the low ones free, and with many of those nearly every roll can still be made.
    """
    assert isinstance(view, LinesState)
    assert isinstance(move, Cover)
    mask = mask_of(tuple(map(sum, move.cover)))
    lines = view.table.points(view.covered[view.seat] | mask)
    whole = sum(map(len, move.cover)) == len(view.rolled)
    return looks(lines, len(move.cover), mask, whole)


def looks(lines: int, groups: int, mask: int, whole: bool) -> float:
    """The same in numbers: lines complete afterwards, groups made, numbers covered, all dice used?"""
    if not whole:
        # the last turn of the round: nothing has to be saved any more
        return 100.0 * lines + groups
    # masks fit into 30 bits, and the mask with the highest number is the largest
    return 100.0 * lines - groups + mask / (1 << 30)
