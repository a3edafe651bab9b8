"""How players choose among moves by their worth, with or without mistakes; run as it stands and compiled."""

from __future__ import annotations

from typing import Any

from pasch.core.errors import IllegalMove
from pasch.core.events import Event
from pasch.core.rules import EQUAL
from pasch.core.state import State


def legal_moves(view: State) -> tuple[Event, ...]:
    """The moves to choose from; IllegalMove if there are none."""
    moves = view.moves()
    if not moves:
        raise IllegalMove("turn", "there is nothing to choose now")
    return moves


def choose_best(worth: Any, count: int) -> int:
    """The index of the first move of highest worth."""
    best = worth[0]
    for place in range(1, count):
        best = max(best, worth[place])
    for place in range(count):
        if worth[place] >= best - EQUAL:
            return place
    return 0


def choose_noticed(looks: Any, ideas: Any, count: int, overlooks: float, drawn: float) -> int:
    """The place of the move that looks best among those that are noticed; `drawn` is uniform from 0 to below 1.

    A move that takes n ideas is noticed with probability (1 - overlooks) ** n, one after the other from what looks
    best. If nothing is noticed, the move that takes the fewest ideas is made.
    """
    last = -1
    for _ in range(count):
        best = next_best(looks, count, last)
        seen = (1.0 - overlooks) ** ideas[best]
        if drawn < seen:
            return best
        drawn = (drawn - seen) / (1.0 - seen)
        last = best
    plainest = 0
    for place in range(1, count):
        if ideas[place] < ideas[plainest]:
            plainest = place
    return plainest


def next_best(looks: Any, count: int, last: int) -> int:
    """The place that follows `last` in the order of looks, the best first; the very first one after -1."""
    best = -1
    for place in range(count):
        later = last < 0 or looks[place] < looks[last] or (looks[place] == looks[last] and place > last)
        if later and (best < 0 or looks[place] > looks[best]):
            best = place
    return best
