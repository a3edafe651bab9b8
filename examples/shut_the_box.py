"""Shut the Box with slides 1 to 9 and two dice: how often can it be shut?

Roll, and shut open slides that add up to the dice; a roll with nothing to shut ends the game. By the usual
rule one may roll a single die once 7, 8 and 9 are shut; with `--two-dice` both are always rolled.

The rules are below, about forty lines; the solving is done by `pasch.explore`. With the usual rule the
chance is 956177159/9795520512, about 9.76 %, the figure found in the literature; with two dice always
it is 466473281/6530347008, about 7.14 %.

    python examples/shut_the_box.py [--two-dice]
"""

from __future__ import annotations

import sys
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import NamedTuple

from pasch import CHANCE, OVER, explore, rolls

SLIDES = range(1, 10)


class Sum:
    """The sum of one die or two."""

    def __init__(self, dice: int) -> None:
        self.total = 6**dice
        sums = [(sum(roll), cases) for roll, cases in rolls(dice)]
        self._outcomes = [(s, sum(c for t, c in sums if t == s)) for s in sorted({s for s, _ in sums})]

    def outcomes(self) -> list[tuple[int, int]]:
        return self._outcomes


SUMS = {1: Sum(1), 2: Sum(2)}


class Box(NamedTuple):
    """The open slides, the dice about to be rolled (0: to be chosen) or the sum that was rolled."""

    open: tuple[int, ...]
    dice: int
    rolled: int = 0
    lost: bool = False
    always_two: bool = False

    @property
    def actor(self) -> int:
        if self.lost or not self.open:
            return OVER
        return CHANCE if self.dice and not self.rolled else 0

    def moves(self) -> list[tuple[int, ...]]:
        return ways(self.open, self.rolled) if self.rolled else [(1,), (2,)]

    def chance(self) -> Sum:
        return SUMS[self.dice]

    def apply(self, event: int | tuple[int, ...]) -> Box:
        if isinstance(event, int):
            return self._replace(rolled=event, lost=not ways(self.open, event))
        if not self.rolled:
            return self._replace(dice=event[0])
        left = tuple(slide for slide in self.open if slide not in event)
        choice = not self.always_two and not {7, 8, 9} & set(left)
        return self._replace(open=left, dice=0 if choice else 2, rolled=0)


@cache
def ways(open_slides: tuple[int, ...], total: int) -> list[tuple[int, ...]]:
    """The sets of open slides that add up to `total`."""
    return [
        chosen
        for size in range(1, len(open_slides) + 1)
        for chosen in combinations(open_slides, size)
        if sum(chosen) == total
    ]


def chance_to_shut(always_two: bool = False) -> Fraction:
    """The greatest chance to shut all slides, as an exact fraction."""
    graph = explore(Box(tuple(SLIDES), 2, always_two=always_two))
    solution = graph.solve_exactly(lambda box: [not box.open])
    shut = solution.start[0]
    assert isinstance(shut, Fraction)
    return shut


if __name__ == "__main__":
    answer = chance_to_shut("--two-dice" in sys.argv)
    print(f"{answer} = {float(answer):.6f}")
