"""Statistics of a tournament: win rates, points, ratings and the value of each seat, with intervals.

Games with the same dice are not independent. Everything is averaged within a deal first, and errors come
from the variation between deals.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from itertools import permutations
from math import log
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from pasch.coach.practice import Interval, interval, quantile
from pasch.core.game import Game
from pasch.core.registry import configured_game
from pasch.lab.batch import check_count
from pasch.lab.score_statistics import Row, Tabular
from pasch.lab.tournament import Deal, PlayedGame, Tournament
from pasch.lab.work import parallel_map
from pasch.players.arena import Who

Reals = NDArray[np.float64]

#: the mean of all ratings
AVERAGE: Final = 1500.0
#: Elo points to one natural unit of strength
SCALE: Final = 400 / log(10)
#: drawn games of the prior, for each pair
PRIOR_GAMES: Final = 1.0


class SeatStatistics(msgspec.Struct, frozen=True, kw_only=True):
    """The value of a seat; every player has sat there equally often."""

    #: share of the games won; a shared win counts as a fraction
    wins: Interval
    points: Interval


class PlayerStatistics(SeatStatistics, frozen=True, kw_only=True):
    """One player's tournament."""

    name: str
    games: int
    rating: Interval
    #: points that moves gave away in a game; None where that is not measured
    costs: Interval | None = None
    #: points that the dice gave in a game; with exact values zero in the long run
    luck: Interval | None = None
    #: games in which the player failed and `greedy` took over, and the first failure's message
    failed: int
    problem: str | None


class TournamentStatistics(Tabular, msgspec.Struct, frozen=True):
    """All statistics of a tournament."""

    deals: int
    games: int
    #: the best rating first
    players: tuple[PlayerStatistics, ...]
    seats: tuple[SeatStatistics, ...]
    #: pairs[a][b]: what the a-th player scored against the b-th; None for a = b
    pairs: tuple[tuple[Interval | None, ...], ...]

    def table(self) -> tuple[Row, list[Row]]:
        """By player, the best first."""
        return figures(f"{self.games} games", [player.name for player in self.players], self.players)


#: the columns of players and seats: what is shown of which field, with its digits and what it is multiplied by
COLUMNS: Final = (
    ("rating", "rating", 0, 1),
    ("wins %", "wins", 1, 100),
    ("points", "points", 1, 1),
    ("luck", "luck", 2, 1),
    ("gave away", "costs", 2, 1),
)


def figures(what: str, names: Sequence[str], entries: Sequence[SeatStatistics]) -> tuple[Row, list[Row]]:
    """A head, and a row for each player or seat, with the columns that are known of them."""
    known = [column for column in COLUMNS if getattr(entries[0], column[1], None)]
    rows: list[Row] = [
        (name, *(getattr(entry, field).shown(digits, times) for _, field, digits, times in known))
        for name, entry in zip(names, entries, strict=True)
    ]
    return (what, *(title for title, *_ in known)), rows


def tournament_statistics(tournament: Tournament, deals: Sequence[Deal]) -> TournamentStatistics:
    """The statistics of the deals played."""
    seating = np.array(tournament.seatings)
    entrants = range(len(tournament.entrants))

    def collect(read: Callable[[PlayedGame], Iterable[float] | None]) -> Reals:
        """[deal, seating, seat]: something of all games."""
        return np.array([[read(game) for game in deal] for deal in deals], float)

    scores, wins = collect(lambda game: game.scores), collect(_shares)
    by_seat = {"wins": wins, "points": scores}
    by_player: dict[str, Reals] = {}
    if tournament.luck:
        by_player = {"luck": collect(lambda game: game.luck), "costs": collect(lambda game: game.costs)}
    results, met = _pairs(seating, len(entrants), wins, scores)
    rated = ratings(results, met)

    def of_player(number: int) -> PlayerStatistics:
        own = seating == number
        means = {
            name: interval(((values * own).sum(axis=(1, 2)) / own.sum()).tolist())
            for name, values in (by_seat | by_player).items()
        }
        sat = [(deal[place], seat) for deal in deals for place, seat in np.argwhere(own)]
        failures = [game.failed[seat] for game, seat in sat if seat in game.failed]
        return PlayerStatistics(
            name=tournament.entrants[number].name,
            games=len(deals) * int(own.any(axis=1).sum()),
            rating=rated[number],
            failed=len(failures),
            problem=next(filter(None, failures), None),
            **means,
        )

    def of_seat(seat: int) -> SeatStatistics:
        return SeatStatistics(
            **{name: interval(values[:, :, seat].mean(axis=1).tolist()) for name, values in by_seat.items()}
        )

    order = sorted(entrants, key=lambda number: (-rated[number].mean, number))
    return TournamentStatistics(
        len(deals),
        len(deals) * len(seating),
        tuple(map(of_player, order)),
        tuple(map(of_seat, range(tournament.game.players))),
        tuple(
            tuple(interval((results[:, a, b] / met[a, b]).tolist()) if met[a, b] else None for b in order)
            for a in order
        ),
    )


def _pairs(seating: NDArray[Any], players: int, wins: Reals, scores: Reals) -> tuple[Reals, Reals]:
    """[deal, a, b] the results of a against b; [a, b] how often they met in each deal."""
    results, met = np.zeros((len(wins), players, players)), np.zeros((players, players))
    for place, seats in enumerate(seating):
        for (s, a), (t, b) in permutations(enumerate(seats), 2):
            if a != b:
                met[a, b] += 1
                results[:, a, b] += _against(wins[:, place], scores[:, place], s, t)
    return results, met


def _shares(game: PlayedGame) -> list[float]:
    return [(seat in game.winners) / len(game.winners) for seat in range(len(game.scores))]


def _against(wins: Reals, scores: Reals, seat: int, other: int) -> Reals:
    """1 for being among the winners without the other, or for the higher score; half for a draw."""
    won = np.sign(wins[:, seat] - wins[:, other])
    ahead = np.where(won == 0, np.sign(scores[:, seat] - scores[:, other]), won)
    both = (wins[:, seat] > 0) & (wins[:, other] > 0)
    found: Reals = np.where(both, 0.5, (1 + ahead) / 2)
    return found


def ratings(results: Reals, games: Reals) -> list[Interval]:
    """The ratings of all players: Bradley and Terry's model on the scale of Elo.

    A player rated 400 points higher is expected to win ten games for every one lost. Shared wins count as half.
    A prior of one drawn game for each pair gives a finite rating to a player who has never lost; it weighs less
    the more games there are.

    `results[deal, a, b]` is what a scored against b in a deal, 1 for a win; `games[a, b]` how often the two
    met in each deal; what one of them did not score the other did. Results of one deal may be correlated, those of
    different deals are not: errors come from the sandwich estimator, clustered by deal.
    """
    deals = len(results)
    given = PRIOR_GAMES * (games > 0)
    wins, both = results.sum(axis=0) + given / 2, deals * games + given
    strength = _fit(wins, both)
    chance = _chance(strength)
    # the prior's games count as well: without them a player who never lost would have no error
    prior = _laplacian(given * (0.5 - chance) ** 2)
    information = _laplacian(both * chance * (1 - chance))
    # each deal's contribution to the gradient of the likelihood, by player
    gradient = (results - games * chance).sum(axis=2)
    gradient -= gradient.mean(axis=0)
    meat = gradient.T @ gradient * (deals / max(1, deals - 1)) + prior
    bread = np.linalg.pinv(information)
    errors = SCALE * np.sqrt(np.maximum(0.0, np.diag(bread @ meat @ bread)))
    times = quantile(deals - 1) if deals > 1 else None
    return [
        Interval(AVERAGE + SCALE * float(point), None if times is None else times * float(error))
        for point, error in zip(strength, errors, strict=True)
    ]


def _fit(wins: Reals, both: Reals, steps: int = 100) -> Reals:
    """The maximum-likelihood strengths, with mean zero, by Newton's method in steps of at most 2."""
    strength = np.zeros(len(wins))
    for _ in range(steps):
        chance = _chance(strength)
        slope = (wins - both * chance).sum(axis=1)
        step = np.linalg.pinv(_laplacian(both * chance * (1 - chance))) @ slope
        strength = strength + step * min(1.0, 2.0 / max(1e-12, float(np.abs(step).max())))
        strength -= strength.mean()
        if np.abs(step).max() < 1e-12:
            break
    return strength


def _chance(strength: Reals) -> Reals:
    """[a, b] the chance that a wins against b."""
    found: Reals = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    return found


def _laplacian(weights: Reals) -> Reals:
    found: Reals = np.diag(weights.sum(axis=1)) - weights
    return found


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
    documentation, or a configured game. `luck=False` measures no luck and no costs, which is quicker. The same
    seed gives the same numbers, with any number of workers (by default one for every core; players that are objects
    play in one).
    """
    check_count("games", games, 1)
    configured = game if isinstance(game, Game) else configured_game(game, seats, options)
    held = Tournament.of(configured, players, str(seed), luck)
    objects = any(not isinstance(who, str) for who in players)
    processes = 1 if objects else workers or os.cpu_count() or 1
    deals = -(-games // len(held.seatings))
    return tournament_statistics(held, list(parallel_map(held.deal, range(deals), workers=processes)))
