"""Scores still to come as distributions, and the chance to be among the winners that follows from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: tails that weigh less than this are cut off
TAIL = 1e-18


class Distribution(NamedTuple):
    """How likely each of some neighbouring whole numbers of points is."""

    #: the lowest number of points
    low: int
    #: the chances of `low`, `low` + 1, …
    chances: Floats

    @classmethod
    def of(cls, scores: Sequence[int] | NDArray[np.int64], chances: Floats) -> Self:
        """From scores in any order and their chances."""
        places = np.asarray(scores, np.int64)
        low = int(places.min())
        counted: Floats = np.bincount(places - low, weights=chances)  # type: ignore[assignment]
        return cls(low, counted).trimmed()

    @classmethod
    def certain(cls, points: int) -> Self:
        """This many points and no others."""
        return cls(points, np.ones(1))

    @property
    def high(self) -> int:
        return self.low + len(self.chances) - 1

    @property
    def points(self) -> NDArray[np.int64]:
        """The numbers of points, ascending."""
        return np.arange(self.low, self.high + 1)

    def mean(self) -> float:
        return float(self.points @ self.chances)

    def variance(self) -> float:
        return float((self.points - self.mean()) ** 2 @ self.chances)

    def trimmed(self) -> Self:
        likely = np.flatnonzero(self.chances > TAIL)
        first, last = int(likely[0]), int(likely[-1])
        return type(self)(self.low + first, self.chances[first : last + 1])

    def plus(self, other: Distribution) -> Self:
        """The sum of two independent numbers of points."""
        both = np.convolve(self.chances, other.chances)
        return type(self)(self.low + other.low, both).trimmed()

    def times(self, count: int) -> Self:
        """The sum of `count` independent numbers of points that are all distributed like this one."""
        whole, power = type(self).certain(0), self
        while count:
            if count & 1:
                whole = whole.plus(power)
            count >>= 1
            if count:
                power = power.plus(power)
        return whole

    def negative(self) -> Self:
        """Points lost instead of won."""
        return type(self)(-self.high, self.chances[::-1])

    def at_most(self, points: NDArray[np.int64]) -> Floats:
        """The chance to have at most so many points, for each of `points`."""
        cumulative = np.concatenate(([0.0], np.cumsum(self.chances)))
        return cumulative[np.clip(points - self.low + 1, 0, len(self.chances))]


def mixture(parts: Sequence[Distribution]) -> Distribution:
    """One of several distributions, all equally likely."""
    low, high = min(part.low for part in parts), max(part.high for part in parts)
    chances = np.zeros(high - low + 1)
    for part in parts:
        chances[part.low - low : part.high - low + 1] += part.chances / len(parts)
    return Distribution(low, chances)


def rewards(
    seat: int, scores: NDArray[np.int64], own: Distribution, others: Mapping[int, Distribution]
) -> Floats:
    """Every seat's chance to be among the winners, for each score of the turn under way of `seat`.

    `own` are the final points of `seat` but for that score, `others` the final points of the other seats;
    all independent. One row per score, one column per seat.
    """
    chances = np.empty((len(scores), len(others) + 1))
    reached = scores[:, None] + own.points[None, :]
    below = np.ones_like(reached, np.float64)
    for other in others.values():
        below *= other.at_most(reached)
    chances[:, seat] = below @ own.chances
    for number, other in others.items():
        ahead = other.chances.copy()
        for third, rival in others.items():
            if third != number:
                ahead *= rival.at_most(other.points)
        chances[:, number] = own.at_most(other.points[None, :] - scores[:, None]) @ ahead
    return chances
