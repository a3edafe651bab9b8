"""Distributions of future scores, and the chance to be among the winners that follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from operator import mul
from typing import NamedTuple, Self

#: smaller probabilities at the ends of a distribution are cut off
TAIL = 1e-18


def dot(left: Iterable[float], right: Iterable[float]) -> float:
    """The sum of the products, as far as both go."""
    return float(sum(map(mul, left, right)))


class Distribution(NamedTuple):
    """A probability distribution over consecutive whole numbers of points."""

    #: the lowest number of points
    low: int
    #: the chances of `low`, `low` + 1, …
    chances: Sequence[float]

    @classmethod
    def of(cls, scores: Sequence[int], chances: Sequence[float]) -> Self:
        """From scores in any order and their chances."""
        low = min(scores)
        counted = [0.0] * (max(scores) - low + 1)
        for score, chance in zip(scores, chances, strict=True):
            counted[score - low] += chance
        return cls(low, counted).trimmed()

    @classmethod
    def certain(cls, points: int) -> Self:
        """The distribution of a certain number of points."""
        return cls(points, [1.0])

    @property
    def high(self) -> int:
        return self.low + len(self.chances) - 1

    @property
    def points(self) -> range:
        """The numbers of points, ascending."""
        return range(self.low, self.high + 1)

    def mean(self) -> float:
        return dot(self.points, self.chances)

    def variance(self) -> float:
        mean = self.mean()
        return dot([(points - mean) ** 2 for points in self.points], self.chances)

    def trimmed(self) -> Self:
        likely = [place for place, chance in enumerate(self.chances) if chance > TAIL]
        first, last = likely[0], likely[-1]
        return type(self)(self.low + first, self.chances[first : last + 1])

    def plus(self, other: Distribution) -> Self:
        """The sum of two independent numbers of points."""
        short, long = sorted((list(self.chances), list(other.chances)), key=len)
        short.reverse()
        # the shorter one slides along the longer one
        padding = [0.0] * (len(short) - 1)
        padded = padding + long + padding
        both = [dot(short, padded[place : place + len(short)]) for place in range(len(long) + len(padding))]
        return type(self)(self.low + other.low, both).trimmed()

    def times(self, count: int) -> Self:
        """The sum of `count` independent numbers of points with this distribution."""
        whole, power = type(self).certain(0), self
        while count:
            if count & 1:
                whole = whole.plus(power)
            count >>= 1
            if count:
                power = power.plus(power)
        return whole

    def negative(self) -> Self:
        """The distribution of the negative of the points."""
        return type(self)(-self.high, self.chances[::-1])

    def at_most(self, points: range) -> list[float]:
        """The cumulative probability at each of a range of scores."""
        cumulative = [0.0, *accumulate(self.chances)]
        return [cumulative[min(max(place - self.low + 1, 0), len(self.chances))] for place in points]


def mixture(parts: Sequence[Distribution]) -> Distribution:
    """The mixture of several distributions in equal parts."""
    chances = [chance / len(parts) for part in parts for chance in part.chances]
    return Distribution.of([points for part in parts for points in part.points], chances)


def rewards(
    seat: int, scores: Sequence[int], own: Distribution, others: Mapping[int, Distribution]
) -> list[list[float]]:
    """Every seat's chance to be among the winners, by seat and score of the turn under way of `seat`.

    `own` are the final points of `seat` but for that score, `others` the final points of the other seats;
    all independent.
    """
    chances: list[list[float]] = [[] for _ in range(len(others) + 1)]
    reached = range(own.low + min(scores), own.high + max(scores) + 1)
    below = [1.0] * len(reached)
    for other in others.values():
        below = list(map(mul, below, other.at_most(reached)))
    chances[seat] = [dot(own.chances, below[own.low + score - reached.start :]) for score in scores]
    for number, other in others.items():
        ahead = list(other.chances)
        for third, rival in others.items():
            if third != number:
                ahead = list(map(mul, ahead, rival.at_most(other.points)))
        # what the seat may have without the score, for the other one not to be behind
        needed = range(other.low - max(scores), other.high - min(scores) + 1)
        behind = own.at_most(needed)
        chances[number] = [dot(ahead, behind[other.low - score - needed.start :]) for score in scores]
    return chances
