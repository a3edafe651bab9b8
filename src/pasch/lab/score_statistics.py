"""Statistics of simulated games, counted while they are played: memory does not grow with their number.

Scores are whole numbers, so a seat's results are a histogram of scores. Mean, standard error and every
quantile follow from it exactly, and counting in another order, or in parts, gives the same numbers to the last bit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from html import escape
from itertools import count
from math import sqrt
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Row = tuple[str, ...]

#: the quantiles that are reported
QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)


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

    def add_many(self, scores: NDArray[Any], winners: NDArray[Any]) -> None:
        """Count games: the scores, and the number of winners of each, 0 where the seat is not among them."""
        for counter, numbers in ((self.scores, scores), (self.won, winners[winners > 0])):
            found, times = np.unique(numbers, return_counts=True)
            counter.update(dict(zip(found.tolist(), times.tolist(), strict=True)))

    @property
    def games(self) -> int:
        """The number of games counted."""
        return self.scores.total()

    @property
    def mean(self) -> float:
        """The mean score."""
        return sum(score * times for score, times in self.scores.items()) / self.games

    @property
    def deviation(self) -> float | None:
        """The standard deviation; None for one game."""
        return _deviation(self.scores, self.games)

    @property
    def error(self) -> float | None:
        """The standard error of the mean."""
        return None if self.deviation is None else self.deviation / sqrt(self.games)

    @property
    def win_share(self) -> float:
        """Games won divided by games played; a shared win counts as a fraction."""
        return float(sum(share * times for share, times in self._shares.items()) / self.games)

    @property
    def win_error(self) -> float | None:
        """The standard error of the share."""
        deviation = _deviation(self._shares, self.games)
        return None if deviation is None else deviation / sqrt(self.games)

    @property
    def _shares(self) -> dict[Fraction, int]:
        """Games by the share of the win, those lost left out."""
        return {Fraction(1, among): times for among, times in self.won.items()}

    def quantile(self, share: float) -> int:
        """The lowest score that is not exceeded in at least this share of the games."""
        scores, times = list(self.scores), list(self.scores.values())
        return int(np.quantile(scores, share, weights=times, method="inverted_cdf"))

    def histogram(self, width: int) -> dict[int, int]:
        """The number of games in bins of `width` scores, by the lowest score of the bin; one begins at 0."""
        times: Counter[int] = Counter()
        for score, number in self.scores.items():
            times[score // width * width] += number
        return {low: times[low] for low in range(min(times), max(times) + 1, width)}

    def json(self) -> dict[str, Any]:
        """All figures of a seat as JSON values."""
        return {
            "mean": self.mean,
            "error": self.error,
            "deviation": self.deviation,
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
        self.sums = ScoreStatistics()

    def table(self) -> tuple[Row, list[Row]]:
        """By seat: the mean score and the share of wins, with standard errors."""
        rows: list[Row] = []
        for seat, own in enumerate(self.seats if self.games else ()):
            wins = f"{own.win_share:.1%} ± {own.win_error or 0.0:.1%}"
            rows.append((f"seat {seat}", f"{own.mean:.2f} ± {own.error or 0.0:.2f}", wins))
        return (f"{self.games} games", "mean", "wins"), rows

    @property
    def games(self) -> int:
        """The number of games counted."""
        return self.seats[0].games

    def add_many(self, scores: NDArray[Any], winners: NDArray[Any]) -> None:
        """Count many games: [game, seat] the scores, and whether the seat is among the winners."""
        among = winners * winners.sum(axis=1, keepdims=True)
        for seat, statistics in enumerate(self.seats):
            statistics.add_many(scores[:, seat], among[:, seat])
        self.sums.add_many(scores.sum(axis=1), np.zeros(len(scores)))

    @property
    def together(self) -> ScoreStatistics:
        """All seats merged, for identical players."""
        made = ScoreStatistics()
        for seat in self.seats:
            made.scores.update(seat.scores)
            made.won.update(seat.won)
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


def _deviation(counts: Mapping[Any, int], games: int) -> float | None:
    """The standard deviation of numbers that came so often, and of zeros in all other games; None for one game."""
    if games < 2:
        return None
    # exact until the end, so that nothing cancels
    total = sum(number * times for number, times in counts.items())
    squares = sum(number * number * times for number, times in counts.items())
    return sqrt(Fraction(games * squares - total**2, games * (games - 1)))


def round_width(range_of_scores: int, max_bins: int) -> int:
    """The smallest round width with which a range of scores needs at most `max_bins` bins."""
    widths: Iterator[int] = (times * 10**power for power in count() for times in (1, 2, 5))
    return next(width for width in widths if range_of_scores <= width * (max_bins - 1))
