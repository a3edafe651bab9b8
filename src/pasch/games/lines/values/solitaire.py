"""A round of Shut the Lines as a game of solitaire: best play for any reward by points, in plain Python.

Seats do not block each other, so each plays the round alone. Its set of covered numbers only grows, so going through
the sets from the fullest down finds every successor ready.

The cases of the dice are the bits of one whole number, and for each set of numbers that a roll can cover it is
known which cases can. So instead of every roll go through what can be covered, the best first, and let each settle the
cases that can cover it and have not been settled by anything better.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import itemgetter, mul
from typing import Final, NamedTuple

from pasch.core.chance import rolls
from pasch.core.rolls import ROLL_NUMBERS
from pasch.games.lines.box import PlanTable
from pasch.games.lines.rules import may_leave_dice, points, stays_in
from pasch.games.lines.values.tables import config_of
from pasch.games.lines.ways import is_free
from pasch.solve.valuer import Progress, no_progress

#: numbers to cover, the cases that can cover exactly these, and whether the seat then stays in the round
CoverCases = tuple[int, int, bool]
#: what something brings, the cases in which it is possible, the set after it
Option = tuple[float, int, int]

_worth: Final = itemgetter(0)


class PlanCovers(NamedTuple):
    """What the dice can cover on a plan."""

    cases: int
    #: with all the dice, and with dice left over; ascending
    whole: tuple[CoverCases, ...]
    partial: tuple[CoverCases, ...]


@lru_cache(maxsize=16)
def covers_on(plan: PlanTable) -> PlanCovers:
    """What the dice can cover on a plan, as the rules say."""
    g, total = config_of(plan), 0
    whole: dict[tuple[int, bool], int] = {}
    partial: dict[tuple[int, bool], int] = {}
    for faces, cases in rolls(plan.dice):
        roll, bits = ROLL_NUMBERS[faces], (1 << cases) - 1 << total
        total += cases
        for way, cover in enumerate(g.covers.of_roll[roll]):
            found = whole if way < g.covers.whole[roll] else partial
            key = g.covers.numbers[cover], stays_in(g, 1, cover)
            found[key] = found.get(key, 0) | bits
    return PlanCovers(total, _listed(whole), _listed(partial))


def _listed(covers: dict[tuple[int, bool], int]) -> tuple[CoverCases, ...]:
    return tuple((mask, cases, stays) for (mask, stays), cases in sorted(covers.items()))


class Solitaire:
    """Best play for a reward by points, from every set that holds the numbers `covered`.

    Among equally good covers the one with the smallest mask is taken. `also` are other functions of the points, whose
    means in this play are wanted.
    """

    def __init__(
        self,
        plan: PlanTable,
        reward: Sequence[float],
        covered: int = 0,
        also: Sequence[Sequence[float]] = (),
        report: Progress = no_progress,
    ) -> None:
        covers, free = covers_on(plan), plan.full & ~covered
        self._plan, self._reward = plan, reward
        self._final = list(zip(*also, strict=True)) or [()] * len(reward)
        self._cases, self._every = covers.cases, (1 << covers.cases) - 1
        self._points: dict[int, int] = {}
        #: by set: the greatest expected reward, and the means of the other functions
        self.value: dict[int, float] = {}
        self.means: dict[int, tuple[float, ...]] = {}
        whole = [cover for cover in covers.whole if is_free(cover[0], free)]
        partial = [cover for cover in covers.partial if is_free(cover[0], free)]
        high = _upper_half(free)
        low = free & ~high
        for done, upper in enumerate(_subsets(high)):
            report(done / (1 << high.bit_count()), f"all sets of {free.bit_count()} numbers")
            # what overlaps the higher numbers is sorted out once for all sets of the lower ones
            here = [cover for cover in whole if not cover[0] & upper]
            partly = [cover for cover in partial if not cover[0] & upper]
            for lower in _subsets(low):
                self._solve(covered | upper | lower, here, partly)

    def _solve(self, board: int, whole: list[CoverCases], partial: list[CoverCases]) -> None:
        """Find the best play from a board, given what may fit."""
        self._points[board] = points(self._plan.lines, board)
        total, left = 0.0, self._every
        #: how many cases each option settles, and the set after it
        counts: list[int] = []
        afters: list[int] = []
        for covers in (whole + partial,) if may_leave_dice(True) else (whole, partial):
            if not left:
                break
            for worth, cases, after in sorted(self._options(board, covers), key=_worth, reverse=True):
                settled = left & cases
                if settled:
                    count = settled.bit_count()
                    total += count * worth
                    counts.append(count)
                    afters.append(after)
                    left ^= settled
                    if not left:
                        break
        self.value[board] = total / self._cases
        if self._final[0]:
            means, final, cases = self.means, self._final, self._cases
            rows = [means[after] if after >= 0 else final[~after] for after in afters]
            means[board] = tuple(
                [sum(map(mul, counts, column)) / cases for column in zip(*rows, strict=True)]
            )

    def _options(self, board: int, covers: list[CoverCases]) -> list[Option]:
        """What each cover that fits brings; the set after one that ends the round is the points, below zero."""
        value, points, reward = self.value, self._points, self._reward
        now = points[board]
        return [
            (value[board | mask], cases, board | mask)
            if stays
            else (reward[points[board | mask]], cases, ~points[board | mask])
            for mask, cases, stays in covers
            # a last cover that scores no more is as good as to cover nothing, which is always possible
            if not mask & board and (stays or not mask or points[board | mask] != now)
        ]


def _upper_half(numbers: int) -> int:
    """The higher half of a set's numbers."""
    for _ in range(numbers.bit_count() // 2):
        numbers &= numbers - 1
    return numbers


def _subsets(numbers: int) -> Iterator[int]:
    """All subsets of a set, each before its own subsets."""
    subset = numbers
    while subset:
        yield subset
        subset = (subset - 1) & numbers
    yield 0
