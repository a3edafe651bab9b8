"""Shut the Lines, compiled: one game as a row of numbers (see `pasch.lab.batch.driver`)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pasch.core.state import CHANCE, OVER
from pasch.lab.batch.compiling import bare, inlined
from pasch.lab.batch.lines import (
    COVER,
    COVERED,
    ENDED,
    LAY,
    OUT,
    PHASE,
    PLAN,
    ROLL,
    ROLLED,
    ROUND,
    SEAT,
    TOTALS,
    WAYS,
    WHOLE,
    Tables,
)
from pasch.players.greedy import lines as sensible

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Menu = NDArray[np.int32]

looks = inlined(sensible.looks)


@inlined
def reset(T: Tables, s: Ints) -> None:
    s[:] = 0
    s[0] = CHANCE
    s[PHASE] = LAY


@inlined
def cases(T: Tables, s: Ints) -> int:
    return 1 if s[PHASE] == LAY else int(T.cases[s[PLAN]])


@inlined
def chance(T: Tables, s: Ints, number: int) -> None:
    if s[PHASE] == LAY:
        s[PLAN] = T.order[s[ROUND] % len(T.order)]
        s[PHASE] = ROLL
        return
    roll = T.roll[T.begin[s[PLAN]] + number]
    seat = s[SEAT]
    taken = ~(T.full[s[PLAN]] & ~s[COVERED + seat])
    ways, last = _fitting(T, T.first[roll], T.whole[roll], taken), T.whole[roll]
    whole = ways > 0
    if not whole:
        ways = _fitting(T, last, T.first[roll + 1], taken)
    if ways == 1 and not whole:
        # nothing can be covered: the one way is to cover nothing
        _end_turn(T, s, s[COVERED + seat], whole)
        return
    s[0] = seat
    s[PHASE] = COVER
    s[ROLLED] = roll
    s[WAYS] = ways
    s[WHOLE] = whole


@inlined
def _fitting(T: Tables, begin: int, end: int, taken: int) -> int:
    """How many of some groupings cover only numbers that are not taken."""
    ways = 0
    for way in range(begin, end):
        ways += T.mask[way] & taken == 0
    return ways


@inlined
def count(T: Tables, s: Ints) -> int:
    return int(s[WAYS])


@inlined
def _first_way(T: Tables, s: Ints) -> int:
    """The first grouping of those among which the moves are."""
    return int(T.first[s[ROLLED]] if s[WHOLE] else T.whole[s[ROLLED]])


@inlined
def _next_way(T: Tables, s: Ints, way: int) -> int:
    """This grouping or the next one that is a legal move."""
    taken = ~(T.full[s[PLAN]] & ~s[COVERED + s[SEAT]])
    while T.mask[way] & taken:
        way += 1
    return way


@inlined
def _way(T: Tables, s: Ints, index: int) -> int:
    """The grouping that a move is."""
    way = _next_way(T, s, _first_way(T, s))
    for _ in range(index):
        way = _next_way(T, s, way + 1)
    return way


@inlined
def move(T: Tables, s: Ints, index: int) -> None:
    covered = s[COVERED + s[SEAT]] | T.mask[_way(T, s, index)]
    _end_turn(T, s, covered, s[WHOLE] != 0)


@bare
def menu(T: Tables, s: Ints, out: Menu) -> None:
    way = _first_way(T, s)
    for index in range(s[WAYS]):
        way = _next_way(T, s, way)
        out[T.action[way]] = index + 1
        way += 1


@bare
def _end_turn(T: Tables, s: Ints, covered: int, stays: bool) -> None:
    seat = s[SEAT]
    s[0] = CHANCE
    s[PHASE] = ROLL
    s[COVERED + seat] = covered
    s[OUT + seat] = not stays
    for step in range(1, T.seats + 1):
        after = (seat + step) % T.seats
        if not s[OUT + after]:
            s[SEAT] = after
            return
    highest = 0
    for other in range(T.seats):
        s[TOTALS + other] += _points(T, s, s[COVERED + other])
        highest = max(highest, s[TOTALS + other])
    if highest >= T.target:
        s[0] = OVER
        s[PHASE] = ENDED
        return
    s[PHASE] = LAY
    s[ROUND] += 1
    s[SEAT] = s[ROUND] % T.seats
    for other in range(T.seats):
        s[COVERED + other] = 0
        s[OUT + other] = 0


@inlined
def _points(T: Tables, s: Ints, covered: int) -> int:
    """How many lines of the plan are completely covered."""
    complete = 0
    for line in range(T.lines.shape[1]):
        complete += T.lines[s[PLAN], line] & ~covered == 0
    return complete


@inlined
def scores(T: Tables, s: Ints, out: Ints) -> None:
    for seat in range(T.seats):
        out[seat] = s[TOTALS + seat]


# --- choosing ---------------------------------------------------------------------------------------


@bare
def greedy(T: Tables, s: Ints) -> int:
    best, most = 0, -np.inf
    way, covered = _first_way(T, s), s[COVERED + s[SEAT]]
    for index in range(s[WAYS]):
        way = _next_way(T, s, way)
        lines = _points(T, s, covered | T.mask[way])
        worth = looks(lines, T.groups[way], T.mask[way], s[WHOLE] != 0)
        if worth > most:
            best, most = index, worth
        way += 1
    return best


@bare
def worths(T: Tables, s: Ints, out: Floats) -> None:
    plan, way = s[PLAN], _first_way(T, s)
    small, large = T.small[plan], T.large[plan]
    for index in range(s[WAYS]):
        way = _next_way(T, s, way)
        covered = s[COVERED + s[SEAT]] | T.mask[way]
        if not s[WHOLE]:
            lines = np.float64(_points(T, s, covered))
        elif len(small):
            lines = small[covered]
        else:
            lines = np.float64(large[covered % len(large), covered // len(large)])
        out[index] = s[TOTALS + s[SEAT]] + lines
        way += 1
