"""Statistics of simulated games, counted while they are played: memory does not grow with their number.

Scores are whole numbers, so a seat's results are a histogram of scores. Mean, standard error and every
quantile follow from it exactly, and counting in another order, or merging partial counts, gives the same
numbers to the last bit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from html import escape
from math import sqrt
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Row = tuple[str, ...]

#: the quantiles that are reported
QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)


class Span(NamedTuple):
    """A bin of the histogram: a range of scores, both ends included, and its games."""

    low: int
    high: int
    games: int


class Moments:
    """Mean, deviation and standard error of whole numbers, without rounding until the end."""

    def __init__(self) -> None:
        self.games = 0
        self._sum = 0
        self._squares = 0

    def add(self, number: int, times: int = 1) -> None:
        """Count a number `times` times."""
        self.games += times
        self._sum += number * times
        self._squares += number * number * times

    def merge(self, other: Moments) -> None:
        """Add the counts of another one."""
        self.games += other.games
        self._sum += other._sum
        self._squares += other._squares

    @property
    def mean(self) -> float:
        return self._sum / self.games

    @property
    def deviation(self) -> float | None:
        """The standard deviation; one game says nothing about it."""
        if self.games < 2:
            return None
        # whole numbers until the end, so that nothing cancels
        spread = self.games * self._squares - self._sum**2
        return sqrt(Fraction(spread, self.games * (self.games - 1)))

    @property
    def error(self) -> float | None:
        """The standard error of the mean."""
        deviation = self.deviation
        return None if deviation is None else deviation / sqrt(self.games)


class Tabular:
    """Statistics that show themselves as a table."""

    def table(self) -> tuple[Row, list[Row]]:
        """Its head, which begins with the number of games, and its rows."""
        raise NotImplementedError

    def __repr__(self) -> str:
        (games, *head), rows = self.table()
        lines = [f"{row[0]}: {', '.join(map(' '.join, zip(head, row[1:], strict=True)))}" for row in rows]
        return "\n".join([f"<{type(self).__name__} of {games}>", *lines])

    def _repr_html_(self) -> str:
        """For notebooks."""
        head, rows = self.table()
        tagged = [("th", head), *(("td", row) for row in rows)]
        lines = ["".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row) for tag, row in tagged]
        return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


class ScoreStatistics:
    """One seat's results."""

    def __init__(self) -> None:
        self.scores: Counter[int] = Counter()
        #: games won, by the number of winners
        self.won: Counter[int] = Counter()

    def __repr__(self) -> str:
        error = "" if self.games < 2 else f" ± {self.error:.2f}"
        mean = f", mean {self.mean:.2f}{error}, wins {self.win_share:.1%}" if self.games else ""
        return f"<ScoreStatistics of {self.games} games{mean}>"

    def add(self, score: int, winners: int = 0) -> None:
        """Count a game; `winners` is the number of winners, 0 if the seat is not among them."""
        self.scores[score] += 1
        if winners:
            self.won[winners] += 1

    def add_many(self, scores: NDArray[Any], winners: NDArray[Any]) -> None:
        """The same for many games."""
        for counter, numbers in ((self.scores, scores), (self.won, winners[winners > 0])):
            found, times = np.unique(numbers, return_counts=True)
            counter.update(dict(zip(found.tolist(), times.tolist(), strict=True)))

    def merge(self, other: ScoreStatistics) -> None:
        """Add the counts of another one."""
        self.scores.update(other.scores)
        self.won.update(other.won)

    @property
    def games(self) -> int:
        """How many games were counted."""
        return self.scores.total()

    @property
    def moments(self) -> Moments:
        """Mean, deviation and standard error of the scores."""
        made = Moments()
        for score, times in self.scores.items():
            made.add(score, times)
        return made

    @property
    def mean(self) -> float:
        """The mean score."""
        return self.moments.mean

    @property
    def error(self) -> float | None:
        """The standard error of the mean; one game says nothing about it."""
        return self.moments.error

    @property
    def wins(self) -> Fraction:
        """Games won; a shared win counts as a fraction."""
        return sum((Fraction(times, among) for among, times in self.won.items()), Fraction())

    @property
    def win_share(self) -> float:
        """Games won divided by games played."""
        return float(self.wins / self.games)

    @property
    def win_error(self) -> float | None:
        """The standard error of the share."""
        games = self.games
        if games < 2:
            return None
        squares = sum((Fraction(times, among**2) for among, times in self.won.items()), Fraction())
        return sqrt((games * squares - self.wins**2) / (games - 1)) / games

    def quantile(self, share: float) -> int:
        """The lowest score that is not exceeded in at least this share of the games."""
        wanted, reached = share * self.games, 0
        for score in sorted(self.scores):
            reached += self.scores[score]
            # tolerate floating-point error: 0.05 has no exact binary form
            if reached >= wanted - 1e-9:
                return score
        raise ValueError("there are no games yet")

    def spans(self, width: int, start: int = 0) -> list[Span]:
        """The histogram in bins of `width` scores, one of which begins at `start`."""
        times: Counter[int] = Counter()
        for score, number in self.scores.items():
            times[(score - start) // width] += number
        places = range(min(times), max(times) + 1)
        return [Span(start + p * width, start + (p + 1) * width - 1, times[p]) for p in places]

    def json(self) -> dict[str, Any]:
        """All figures of a seat as JSON values."""
        moments = self.moments
        return {
            "mean": moments.mean,
            "error": moments.error,
            "deviation": moments.deviation,
            "least": min(self.scores),
            "most": max(self.scores),
            "quantiles": {f"{share:g}": self.quantile(share) for share in QUANTILES},
            "win_share": self.win_share,
            "win_error": self.win_error,
            "histogram": {str(score): self.scores[score] for score in sorted(self.scores)},
        }


class GameStatistics(Tabular):
    """The results of all seats."""

    def __init__(self, seats: int) -> None:
        self.seats = [ScoreStatistics() for _ in range(seats)]
        #: of the sums of all seats' scores, because seats of one game are not independent
        self.sums = Moments()

    def table(self) -> tuple[Row, list[Row]]:
        """By seat: the mean score and the share of wins, with standard errors."""
        rows: list[Row] = []
        for seat, own in enumerate(self.seats if self.games else ()):
            wins = f"{own.win_share:.1%} ± {own.win_error or 0.0:.1%}"
            rows.append((f"seat {seat}", f"{own.mean:.2f} ± {own.error or 0.0:.2f}", wins))
        return (f"{self.games} games", "mean", "wins"), rows

    @property
    def games(self) -> int:
        """How many games were counted."""
        return self.seats[0].games

    def add(self, scores: Sequence[int], winners: Iterable[int]) -> None:
        """Count a finished game: the scores by seat, and the seats that won."""
        won = set(winners)
        for seat, score in enumerate(scores):
            self.seats[seat].add(score, len(won) if seat in won else 0)
        self.sums.add(sum(scores))

    def add_many(self, scores: NDArray[Any], winners: NDArray[Any]) -> None:
        """Count many games: [game, seat] the scores, and the number of winners, 0 for a seat that lost."""
        for seat, statistics in enumerate(self.seats):
            statistics.add_many(scores[:, seat], winners[:, seat])
        sums, times = np.unique(scores.sum(axis=1), return_counts=True)
        for number, often in zip(sums.tolist(), times.tolist(), strict=True):
            self.sums.add(number, often)

    def merge(self, other: GameStatistics) -> None:
        """Add the counts of another one."""
        for own, more in zip(self.seats, other.seats, strict=True):
            own.merge(more)
        self.sums.merge(other.sums)

    @property
    def together(self) -> ScoreStatistics:
        """All seats merged, for identical players."""
        made = ScoreStatistics()
        for seat in self.seats:
            made.merge(seat)
        return made

    @property
    def mean(self) -> float:
        """The mean score of all seats."""
        return self.sums.mean / len(self.seats)

    @property
    def error(self) -> float | None:
        """Its standard error, from the variation between games."""
        found = self.sums.error
        return None if found is None else found / len(self.seats)


def round_width(range_of_scores: int, most: int) -> int:
    """The smallest round width with which a range of scores needs at most `most` spans."""
    unit = 1
    while True:
        for times in (1, 2, 5):
            if range_of_scores <= unit * times * (most - 1):
                return unit * times
        unit *= 10
