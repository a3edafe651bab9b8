"""The race to the target: final scores and winners, from the chances of each seat's lines in every round.

Seats do not block each other, so as long as nobody looks at the others' boards their totals are
independent. The only thing that ties them is the end: the game is over after the first round in which
somebody's total is enough. So one row of chances per seat is enough, for any number of seats: of the
totals, together with "not enough up to now", round by round.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, count
from math import fsum, prod
from operator import add, mul
from typing import Final, NamedTuple

#: chances by number of points or by total
Chances = list[float]

#: the computation ends when the game continues with less than this probability, or after this number of rounds
NEGLIGIBLE: Final = 1e-13
MAX_ROUNDS: Final = 4_000


class Finish(NamedTuple):
    """By seat, for each case: the chance to be among the winners, and the expected final score."""

    win: tuple[Chances, ...]
    score: tuple[Chances, ...]


class _Standing(NamedTuple):
    """One seat's totals after a round, and what follows from them."""

    #: the chances of totals that are enough, and the chance of having at most as many
    enough: Chances
    up_to: Chances
    #: the chances of totals that are not enough, and their sum
    on: Chances
    still: float


def totals_after(total: int, size: int, lines: Sequence[float] = (1.0,)) -> Chances:
    """The chances of each total, from those of each number of lines in addition to `total` (by default none)."""
    row = [0.0] * size
    row[total : total + len(lines)] = lines
    return row


def finish_chances(
    totals: Sequence[Sequence[Chances]], enough: int, lines_of: Callable[[int], Sequence[float]]
) -> Finish:
    """How the game ends if before the round under way nobody's total was enough to end it.

    `totals` are each seat's chances of every total after this round, a row for each case (seats for which
    all cases are alike have one row); `enough` is the lowest total that ends the game; `lines_of(r)` the
    chances of each number of lines in the r-th round after this one.
    """
    seats, cases = range(len(totals)), max(map(len, totals))
    win = [[0.0] * cases for _ in seats]
    score = [[_mean(each[case % len(each)]) for case in range(cases)] for each in totals]
    rows: Sequence[Sequence[Chances]] = totals
    for number in range(MAX_ROUNDS):
        standing = [[_standing(row, enough) for row in each] for each in rows]
        going = []
        for case in range(cases):
            now = [each[case % len(each)] for each in standing]
            for seat, own in enumerate(now):
                others, best = now[:seat] + now[seat + 1 :], own.enough
                for other in others:
                    best = list(map(mul, best, other.up_to))
                win[seat][case] += fsum(best)
            going.append(prod(each.still for each in now))
        if max(going) < NEGLIGIBLE:
            break
        lines = lines_of(number)
        # if there is another round, every seat can expect the same of it, whatever came before
        coming = [still * _mean(lines) for still in going]
        score = [list(map(add, row, coming)) for row in score]
        rows = [[_added(one.on, lines) for one in each] for each in standing]
    return Finish(tuple(win), tuple(score))


def _standing(row: Chances, enough: int) -> _Standing:
    on = row[:enough]
    return _Standing(row[enough:], list(accumulate(row))[enough:], on, fsum(on))


def _mean(chances: Sequence[float]) -> float:
    """The mean number of points."""
    return fsum(map(mul, chances, count()))


def _added(row: Chances, lines: Sequence[float]) -> Chances:
    """The chances of totals after one more round."""
    none = [0.0] * (len(lines) - 1)
    padded, backwards = none + row + none, lines[::-1]
    return [
        fsum(map(mul, backwards, padded[total : total + len(lines)]))
        for total in range(len(row) + len(lines) - 1)
    ]
