"""Statistics of a tournament: win rates, points, ratings and what each seat is worth, with intervals.

Games with the same dice are not independent. Everything is averaged within a deal first, and errors come
from the variation between deals. The luck of the dice, which the coach's ledger knows, averages zero
whatever the players do; subtracting it keeps every mean and reduces its variance (a control variate). Points
are adjusted by the luck in points. Wins are adjusted by the luck in chances to win where these are exact,
elsewhere by the luck in points times the slope that fits best (least squares over deals).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from math import sqrt
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from pasch.coach.ledger import exact_points
from pasch.core.game import Game
from pasch.core.registry import agreed_game
from pasch.lab.batch import check_count
from pasch.lab.ratings import Rating, ratings
from pasch.lab.score_statistics import Row, Tabular
from pasch.lab.tournament import Deal, Tournament, play_tournament
from pasch.players.arena import Who
from pasch.solve.valuer import valuer

Reals = NDArray[np.float64]

#: the fewest deals from which a slope is fitted
MIN_FITTED_DEALS: Final = 10


class Interval(msgspec.Struct, frozen=True):
    """A mean with its 95 % confidence interval, mean ± margin."""

    mean: float
    #: None where there are too few deals
    margin: float | None

    def shown(self, digits: int = 1, times: int = 1) -> str:
        """As `12.3 ± 0.4`, multiplied by `times`: 100 for per cent."""
        margin = "?" if self.margin is None else f"{times * self.margin:.{digits}f}"
        return f"{times * self.mean:.{digits}f} ± {margin}"


class PlayerStatistics(msgspec.Struct, frozen=True):
    """One player's tournament."""

    name: str
    games: int
    #: share of the games won; a shared win counts as a fraction
    wins: Interval
    points: Interval
    #: the same, adjusted for luck; None where luck is not measured
    wins_adjusted: Interval | None
    points_adjusted: Interval | None
    #: points that moves gave away in a game
    costs: Interval | None
    #: points that the dice gave in a game; zero in the long run
    luck: Interval | None
    rating: Interval
    #: games in which the player failed and `greedy` took over, and the first failure's message
    failed: int
    problem: str | None


class SeatStatistics(msgspec.Struct, frozen=True):
    """What a seat is worth; every player has sat there equally often."""

    wins: Interval
    points: Interval
    wins_adjusted: Interval | None
    points_adjusted: Interval | None


class VarianceReduction(msgspec.Struct, frozen=True):
    """By what factor each method reduces the games needed to separate two players with the same confidence.

    Compared with raw results of games with independent dice.
    """

    common_dice: float | None
    luck: float | None
    both: float | None


class TournamentStatistics(Tabular, msgspec.Struct, frozen=True):
    """All statistics of a tournament."""

    deals: int
    games: int
    #: the best rating first
    players: tuple[PlayerStatistics, ...]
    seats: tuple[SeatStatistics, ...]
    #: pairs[a][b]: what the a-th player scored against the b-th; None for a = b
    pairs: tuple[tuple[Interval | None, ...], ...]
    reduction_for_wins: VarianceReduction
    reduction_for_points: VarianceReduction
    #: whether the ledger is exact, so that adjusting for luck keeps the means; ratings and pairs are then
    #: adjusted
    exact: bool
    #: whether wins are adjusted by the luck in chances to win
    chances: bool

    def table(self) -> tuple[Row, list[Row]]:
        """By player, the best first; with luck taken out where that is exact."""
        rows: list[Row] = []
        for player in self.players:
            wins = (player.wins_adjusted if self.exact else None) or player.wins
            points = (player.points_adjusted if self.exact else None) or player.points
            rows.append((player.name, player.rating.shown(0), wins.shown(1, 100), points.shown()))
        return (f"{self.games} games", "rating", "wins %", "points"), rows


def tournament_statistics(tournament: Tournament, deals: Sequence[Deal]) -> TournamentStatistics:
    """The statistics of the deals played."""
    return _DealArrays(tournament, deals).statistics()


class _DealArrays:
    """The games as arrays [deal, seating, seat]."""

    def __init__(self, tournament: Tournament, deals: Sequence[Deal]) -> None:
        self.tournament, self.deals = tournament, deals
        self.seating = np.array(tournament.seatings())
        self.players, self.seats = len(tournament.entrants), tournament.seats
        self.scores = np.array([[game.scores for game in deal] for deal in deals], float)
        self.wins = np.array([[_shares(game.winners, self.seats) for game in deal] for deal in deals])
        self.luck: Reals | None = None
        self.costs: Reals | None = None
        self.without_luck: Reals | None = None
        if tournament.luck:
            self.luck = np.array([[game.luck for game in deal] for deal in deals], float)
            self.costs = np.array([[game.costs for game in deal] for deal in deals], float)
            self.without_luck = self.scores - self.luck
        self.exact = tournament.luck and exact_points(valuer(tournament.agreed()))
        #: the control variate of wins, and its slope; None if the slope has to be fitted
        self.control: Reals | None = None
        self.slope: float | None = None
        if tournament.chances:
            chances = np.array([[game.chances for game in deal] for deal in deals], float)
            # of two seats one wins or they share: a share of the win gains half of the difference
            self.control, self.slope = _less_others(chances) / 2, 1.0
        elif self.luck is not None:
            self.control = _less_others(self.luck)

    def statistics(self) -> TournamentStatistics:
        wins, points = _intervals(self._means(self.wins)), _intervals(self._means(self.scores))
        adjusted_wins, adjusted_points = self._adjusted(self._means), self._of_players(self.without_luck)
        costs, luck = self._of_players(self.costs), self._of_players(self.luck)
        results, games = self._pairs()
        rated = [self._rating(rating) for rating in ratings(results, games)]
        order = sorted(range(self.players), key=lambda number: (-rated[number].mean, number))
        failed, problems = self._failures()
        players = tuple(
            PlayerStatistics(
                self.tournament.entrants[number].name,
                len(self.deals) * int((self.seating == number).any(axis=1).sum()),
                wins[number],
                points[number],
                adjusted_wins[number],
                adjusted_points[number],
                costs[number],
                luck[number],
                rated[number],
                failed[number],
                problems[number],
            )
            for number in order
        )
        pairs = tuple(
            tuple(_interval(results[:, a, b] / games[a, b]) if games[a, b] else None for b in order)
            for a in order
        )
        return TournamentStatistics(
            len(self.deals),
            len(self.deals) * len(self.seating),
            players,
            self._seats(),
            pairs,
            self._reduction(self.wins, wins=True),
            self._reduction(self.scores, wins=False),
            self.exact,
            self.tournament.chances,
        )

    # --- means by player

    def _means(self, values: Reals) -> Reals:
        """[deal, player]: the player's mean over the deal."""
        here = [self.seating == number for number in range(self.players)]
        return np.stack([(values * own).sum(axis=(1, 2)) / own.sum() for own in here], axis=1)

    def _of_players(self, values: Reals | None) -> Sequence[Interval | None]:
        return [None] * self.players if values is None else _intervals(self._means(values))

    def _adjusted(self, means: Callable[[Reals], Reals]) -> Sequence[Interval | None]:
        """Shares of the wins without luck, by player or seat, whose means over a deal these are."""
        wins = means(self.wins)
        if self.control is None:
            return [None] * wins.shape[1]
        return _intervals(_controlled(wins, means(self.control), self.slope), fitted=self.slope is None)

    def _rating(self, rating: Rating) -> Interval:
        deals = len(self.deals)
        return Interval(rating.points, rating.error * quantile(deals - 1) if deals > 1 else None)

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
        """[deal, a, b] the results of a against b; [a, b] how often they met in each deal."""
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
        return _controlled(results.reshape(flat), luck.reshape(flat), self.slope).reshape(
            results.shape
        ), games

    def _seats(self) -> tuple[SeatStatistics, ...]:
        def mean(values: Reals) -> Reals:
            found: Reals = values.mean(axis=1)
            return found

        none: Sequence[Interval | None] = [None] * self.seats
        adjusted = none if self.without_luck is None else _intervals(mean(self.without_luck))
        columns = _intervals(mean(self.wins)), _intervals(mean(self.scores)), self._adjusted(mean), adjusted
        return tuple(map(SeatStatistics, *columns))

    # --- variance reduction

    def _reduction(self, values: Reals, *, wins: bool) -> VarianceReduction:
        """From the variance of the mean difference between two players when they meet, over all pairs.

        Compared with what it would be with independent dice: then the games' variances add up.
        """
        if len(self.deals) < MIN_FITTED_DEALS:
            return VarianceReduction(None, None, None)
        raw = self._differences(values)
        plain = _variance(raw)
        common_dice = _ratio(plain, _variance(raw.sum(axis=1)))
        if self.luck is None or self.control is None:
            return VarianceReduction(common_dice, None, None)
        control = self._differences(self.control if wins else self.luck)
        slope = self.slope if wins else 1.0
        flat = (len(raw), -1)
        return VarianceReduction(
            common_dice,
            _ratio(plain, _variance(_controlled(raw.reshape(flat), control.reshape(flat), slope))),
            _ratio(plain, _variance(_controlled(raw.sum(axis=1), control.sum(axis=1), slope))),
        )

    def _differences(self, values: Reals) -> Reals:
        """[deal, seating, pair]: what each game adds to the mean difference of a pair over the deal."""
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
    """The difference between each seat and the mean of the others at its table."""
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
    """The least-squares slope of values on their control variate, all columns together."""
    off = control - control.mean(axis=0)
    spread = float((off * off).sum())
    return float((off * (values - values.mean(axis=0))).sum()) / spread if spread > 0 else 0.0


def _controlled(values: Reals, control: Reals, slope: float | None) -> Reals:
    """Each column less slope times control; the control's own mean is zero."""
    if slope is None:
        slope = _slope(values, control) if len(values) >= MIN_FITTED_DEALS else 0.0
    return values - slope * control


def _intervals(values: Reals, fitted: bool = False) -> list[Interval]:
    """The interval of each column."""
    return [_interval(column, fitted) for column in values.T]


def _interval(values: Reals, fitted: bool = False) -> Interval:
    """The mean of independent values; a slope `fitted` to them before costs a degree of freedom."""
    mean, free = float(values.mean()), len(values) - 1 - fitted
    if free < 1:
        return Interval(mean, None)
    squares = float(((values - values.mean()) ** 2).sum())
    return Interval(mean, quantile(free) * sqrt(squares / free / len(values)))


def _variance(values: Reals) -> float:
    """The variance over deals, summed over everything else."""
    return float(values.var(axis=0, ddof=1).sum())


def _ratio(more: float, less: float) -> float | None:
    return more / less if less > 1e-12 * max(more, 1e-300) else None


def quantile(free: int) -> float:
    """The 97.5 % quantile of Student's distribution (Cornish and Fisher's expansion).

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


def tournament(
    game: Game[Any, Any] | str,
    players: Sequence[Who],
    games: int = 1000,
    *,
    seats: int = 2,
    seed: object = "0",
    luck: bool = True,
    workers: int | None = None,
    **options: Any,
) -> TournamentStatistics:
    """Every player against every other, in all seats with the same dice, as `pasch tournament`: at least `games` games.

    `players`: names, or objects with `choose`. `game`: its id, for `seats` at a table and with options as in its
    documentation, or a configured game. `luck=False` does not take luck out, which is quicker. The same seed gives
    the same numbers, with any number of workers (by default one for every core; players that are objects play in one).
    """
    check_count("games", games, 1)
    configured = game if isinstance(game, Game) else agreed_game(game, seats, options)
    held = Tournament.of(configured, players, str(seed), luck)
    objects = any(not isinstance(who, str) for who in players)
    most = 1 if objects else workers or os.cpu_count() or 1
    deals = -(-games // len(held.seatings()))
    return tournament_statistics(held, list(play_tournament(held, deals, workers=most)))
