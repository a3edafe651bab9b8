"""What a tournament says: win rates, points, ratings, what the first seat is worth, and how sure that is.

Games with the same dice are no separate witnesses. Everything is averaged within a deal first, and errors
come from how much deals differ. The luck of the dice, which the coach's ledger knows,
averages zero whatever anybody does; taking it out leaves every mean where it is and makes it much surer (a
control variate). Of points the luck in points is taken off. Of wins the luck in chances to win is, where
these are exact; elsewhere as much of the luck in points as explains them best (least squares over deals).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from pasch.coach.ledger import exact_points
from pasch.lab.ratings import Rating, ratings
from pasch.lab.tournament import Deal, Tournament
from pasch.solve.valuer import valuer

Reals = NDArray[np.float64]

#: fewer deals than this do not say how wins depend on luck
ENOUGH: Final = 10


class Estimate(msgspec.Struct, frozen=True):
    """A mean, and how far it may lie from the truth: in 95 of 100 tournaments not farther than `margin`."""

    mean: float
    #: None if there is too little to say
    margin: float | None


class Line(msgspec.Struct, frozen=True):
    """One player's tournament."""

    name: str
    games: int
    #: share of the games won, shared wins in parts
    wins: Estimate
    points: Estimate
    #: the same with luck taken out; None where luck is not measured
    wins_adjusted: Estimate | None
    points_adjusted: Estimate | None
    #: points that moves gave away in a game
    costs: Estimate | None
    #: points that the dice gave in a game; zero in the long run
    luck: Estimate | None
    rating: Estimate
    #: games that the player did not finish itself, and what went wrong in the first of them
    failed: int
    problem: str | None


class Seat(msgspec.Struct, frozen=True):
    """What a seat is worth, everybody having sat there equally often."""

    wins: Estimate
    points: Estimate
    wins_adjusted: Estimate | None
    points_adjusted: Estimate | None


class Fewer(msgspec.Struct, frozen=True):
    """How many times fewer games tell two players apart with the same certainty.

    Compared with raw results of games that all have dice of their own.
    """

    duplicate: float | None
    luck: float | None
    both: float | None


class Standing(msgspec.Struct, frozen=True):
    """Everything that a tournament says."""

    deals: int
    games: int
    #: by rating
    lines: tuple[Line, ...]
    seats: tuple[Seat, ...]
    #: pairs[a][b]: what the a-th line scored against the b-th; None for oneself
    pairs: tuple[tuple[Estimate | None, ...], ...]
    fewer_for_wins: Fewer
    fewer_for_points: Fewer
    #: whether the ledger is exact, so that taking luck out leaves means where they are; ratings and pairs
    #: are then luck-adjusted
    exact: bool
    #: whether the luck taken out of wins is that in chances to win
    chances: bool


def standing(tournament: Tournament, deals: Sequence[Deal]) -> Standing:
    """Work out what the games played say."""
    return _Sums(tournament, deals).standing()


class _Sums:
    """The games as arrays [deal, seating, seat]."""

    def __init__(self, tournament: Tournament, deals: Sequence[Deal]) -> None:
        self.tournament, self.deals = tournament, deals
        self.seating = np.array(tournament.seatings())
        self.players, self.seats = len(tournament.entrants), tournament.seats
        self.scores = np.array([[game.scores for game in deal] for deal in deals], float)
        self.wins = np.array([[_shares(game.winners, self.seats) for game in deal] for deal in deals])
        self.luck: Reals | None = None
        self.costs: Reals | None = None
        if tournament.luck:
            self.luck = np.array([[game.luck for game in deal] for deal in deals], float)
            self.costs = np.array([[game.costs for game in deal] for deal in deals], float)
        self.exact = tournament.luck and exact_points(valuer(tournament.agreed()))
        #: what explains wins, and how much of it does; None if that has to be found out
        self.control: Reals | None = None
        self.slope: float | None = None
        if tournament.chances:
            chances = np.array([[game.chances for game in deal] for deal in deals], float)
            # of two seats one wins, or they share: half of what one's chances gain more than the other's
            self.control, self.slope = _less_others(chances) / 2, 1.0
        elif self.luck is not None:
            self.control = _less_others(self.luck)

    def standing(self) -> Standing:
        wins, points = self._of_players(self.wins), self._of_players(self.scores)
        none: list[None] = [None] * self.players
        fair_wins: Sequence[Estimate | None] = none
        fair_points: Sequence[Estimate | None] = none
        costs: Sequence[Estimate | None] = none
        luck: Sequence[Estimate | None] = none
        if self.luck is not None and self.costs is not None and self.control is not None:
            shares, control = self._sums(self.wins).sum(axis=1), self._sums(self.control).sum(axis=1)
            fair_wins = _adjusted(shares, control, self.slope)
            fair_points = self._of_players(self.scores - self.luck)
            costs, luck = self._of_players(self.costs), self._of_players(self.luck)
        results, games = self._pairs()
        rated = [self._rating(rating) for rating in ratings(results, games)]
        order = sorted(range(self.players), key=lambda number: (-rated[number].mean, number))
        failed, problems = self._failures()
        lines = tuple(
            Line(
                self.tournament.entrants[number].name,
                len(self.deals) * int((self.seating == number).any(axis=1).sum()),
                wins[number],
                points[number],
                fair_wins[number],
                fair_points[number],
                costs[number],
                luck[number],
                rated[number],
                failed[number],
                problems[number],
            )
            for number in order
        )
        pairs = tuple(
            tuple(_estimate(results[:, a, b] / games[a, b]) if games[a, b] else None for b in order)
            for a in order
        )
        return Standing(
            len(self.deals),
            len(self.deals) * len(self.seating),
            lines,
            self._seats(),
            pairs,
            self._fewer(self.wins, wins=True),
            self._fewer(self.scores, wins=False),
            self.exact,
            self.tournament.chances,
        )

    # --- means by player

    def _sums(self, values: Reals) -> Reals:
        """[deal, seating, player]: each player's share of its mean over the deal."""
        parts = np.zeros((*values.shape[:2], self.players))
        for number in range(self.players):
            here = self.seating == number
            parts[:, :, number] = (values * here).sum(axis=2) / here.sum()
        return parts

    def _of_players(self, values: Reals) -> list[Estimate]:
        means = self._sums(values).sum(axis=1)
        return [_estimate(means[:, number]) for number in range(self.players)]

    def _rating(self, rating: Rating) -> Estimate:
        deals = len(self.deals)
        return Estimate(rating.points, rating.error * quantile(deals - 1) if deals > 1 else None)

    def _failures(self) -> tuple[list[int], list[str | None]]:
        failed = [0] * self.players
        problems: list[str | None] = [None] * self.players
        for deal in self.deals:
            for seating, game in zip(self.seating, deal, strict=True):
                for seat, problem in game.failed.items():
                    failed[seating[seat]] += 1
                    problems[seating[seat]] = problems[seating[seat]] or problem
        return failed, problems

    # --- pairs and seats

    def _pairs(self) -> tuple[Reals, Reals]:
        """[deal, a, b] what a scored against b; [a, b] how often they met in each deal."""
        results = np.zeros((len(self.deals), self.players, self.players))
        luck, games = np.zeros_like(results), np.zeros((self.players, self.players))
        for place, seating in enumerate(self.seating):
            for s, a in enumerate(seating):
                for t, b in enumerate(seating):
                    if a == b:
                        continue
                    games[a, b] += 1
                    results[:, a, b] += _against(self.wins[:, place], self.scores[:, place], s, t)
                    if self.control is not None:
                        luck[:, a, b] += (self.control[:, place, s] - self.control[:, place, t]) / 2
        if not self.exact:
            return results, games
        flat = (len(results), -1)
        return _fair(results.reshape(flat), luck.reshape(flat), self.slope).reshape(results.shape), games

    def _seats(self) -> tuple[Seat, ...]:
        wins, points = self.wins.mean(axis=1), self.scores.mean(axis=1)
        fair_wins: Sequence[Estimate | None] = [None] * self.seats
        fair_points: Sequence[Estimate | None] = fair_wins
        if self.luck is not None and self.control is not None:
            fair_wins = _adjusted(wins, self.control.mean(axis=1), self.slope)
            fair = (self.scores - self.luck).mean(axis=1)
            fair_points = [_estimate(fair[:, seat]) for seat in range(self.seats)]
        return tuple(
            Seat(_estimate(wins[:, seat]), _estimate(points[:, seat]), fair_wins[seat], fair_points[seat])
            for seat in range(self.seats)
        )

    # --- what the methods are worth

    def _fewer(self, values: Reals, *, wins: bool) -> Fewer:
        """From the variance of the mean difference between two players when they meet, over all pairs.

        As it is, and as it would be if every game had dice of its own: then the games' variances add up.
        """
        if len(self.deals) < ENOUGH:
            return Fewer(None, None, None)
        raw = self._differences(values)
        plain = _variance(raw)
        duplicate = _ratio(plain, _variance(raw.sum(axis=1)))
        if self.luck is None or self.control is None:
            return Fewer(duplicate, None, None)
        control = self._differences(self.control if wins else self.luck)
        slope = self.slope if wins else 1.0
        flat = (len(raw), -1)
        return Fewer(
            duplicate,
            _ratio(plain, _variance(_fair(raw.reshape(flat), control.reshape(flat), slope))),
            _ratio(plain, _variance(_fair(raw.sum(axis=1), control.sum(axis=1), slope))),
        )

    def _differences(self, values: Reals) -> Reals:
        """[deal, seating, pair]: what a has more than b where they meet, in parts of its mean."""
        pairs = [(a, b) for a in range(self.players) for b in range(a)]
        found = np.zeros((*values.shape[:2], len(pairs)))
        for place, (a, b) in enumerate(pairs):
            own, other = self.seating == a, self.seating == b
            meet = np.flatnonzero(own.any(axis=1) & other.any(axis=1))
            weights = own[meet] / own[meet].sum(axis=1, keepdims=True)
            weights = weights - other[meet] / other[meet].sum(axis=1, keepdims=True)
            found[:, meet, place] = (values[:, meet] * weights).sum(axis=2) / len(meet)
        return found


def _shares(winners: tuple[int, ...], seats: int) -> list[float]:
    return [(seat in winners) / len(winners) for seat in range(seats)]


def _less_others(values: Reals) -> Reals:
    """What each seat has more than the others at its table on average."""
    seats = values.shape[-1]
    found: Reals = (values - values.mean(axis=-1, keepdims=True)) * seats / (seats - 1)
    return found


def _against(wins: Reals, scores: Reals, seat: int, other: int) -> Reals:
    """1 for being among the winners without the other, or for the higher score; half for a draw."""
    won = np.sign(wins[:, seat] - wins[:, other])
    ahead = np.where(won == 0, np.sign(scores[:, seat] - scores[:, other]), won)
    both = (wins[:, seat] > 0) & (wins[:, other] > 0)
    found: Reals = np.where(both, 0.5, (1 + ahead) / 2)
    return found


def _slope(values: Reals, control: Reals) -> float:
    """How far values go with their control, all columns together."""
    off = control - control.mean(axis=0)
    spread = float((off * off).sum())
    return float((off * (values - values.mean(axis=0))).sum()) / spread if spread > 0 else 0.0


def _fair(values: Reals, control: Reals, slope: float | None) -> Reals:
    """Each column less what its control explains; the control's own mean is zero."""
    if slope is None:
        slope = _slope(values, control) if len(values) >= ENOUGH else 0.0
    return values - slope * control


def _adjusted(values: Reals, control: Reals, slope: float | None) -> list[Estimate]:
    fair = _fair(values, control, slope)
    return [_estimate(fair[:, column], fitted=slope is None) for column in range(values.shape[1])]


def _estimate(values: Reals, fitted: bool = False) -> Estimate:
    """The mean of independent values, with what was `fitted` to them before taken into account."""
    mean, free = float(values.mean()), len(values) - 1 - fitted
    if free < 1:
        return Estimate(mean, None)
    squares = float(((values - values.mean()) ** 2).sum())
    return Estimate(mean, quantile(free) * sqrt(squares / free / len(values)))


def _variance(values: Reals) -> float:
    """Over the deals, everything else added up."""
    return float(values.var(axis=0, ddof=1).sum())


def _ratio(more: float, less: float) -> float | None:
    return more / less if less > 1e-12 * max(more, 1e-300) else None


def quantile(free: int) -> float:
    """How many standard errors to either side are 95 % (Student's distribution, Cornish and Fisher).

    >>> [round(quantile(free), 2) for free in (1, 2, 4, 9, 1000)]
    [12.71, 4.3, 2.78, 2.26, 1.96]
    """
    if free < 3:
        return (12.706204736, 4.302652730)[free - 1]
    z = 1.959963985
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(z + sum(term / free**power for power, term in enumerate(terms, 1)))
