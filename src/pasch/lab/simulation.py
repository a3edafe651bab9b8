"""Many games between computer players, in parts that come in order.

Two engines. The compiled one (`pasch.lab.batch`) plays millions of games and keeps nothing but their
scores; threads share them out. The ordinary one plays every game event by event as at the table, so that
records and receipts can be written; processes share them out. A cluster can do either. However it is done,
a game follows from the seed and its number alone: engine and number of workers change nothing.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Final, Literal, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from pasch.core.chance import seed_key
from pasch.core.errors import OptionError
from pasch.core.game import Game
from pasch.core.match import Match
from pasch.core.philox import game_key
from pasch.core.receipt import SIMULATED, Receipt
from pasch.core.registry import agreed_game
from pasch.lab.batch import Batch, NoBatch, Played, batch, check_count
from pasch.lab.score_statistics import GameStatistics
from pasch.lab.work import parallel_map
from pasch.players.arena import Who, as_player, play_game, player_name
from pasch.players.base import Player, player

Engine = Literal["compiled", "ordinary"]

#: games per unit of work; the ordinary engine creates new players for each unit
STRETCH: Final[dict[Engine, int]] = {"ordinary": 5, "compiled": 4096}
#: seconds that one process plays before others are started
SECONDS_ALONE: Final = 2.0


class Part(NamedTuple):
    """Games that have been played, one after the other."""

    #: the number of the first one
    first: int
    #: [game, seat]
    scores: NDArray[np.int64]
    #: [game, seat] among how many winners the seat is; 0 if it has not won
    winners: NDArray[np.int64]
    #: how many decisions were made, forced ones included
    decisions: int
    records: tuple[str, ...] = ()
    receipts: tuple[str, ...] = ()

    @property
    def games(self) -> int:
        return len(self.scores)


class Stretch(msgspec.Struct, frozen=True):
    """Games to be played; it can be pickled for any process."""

    engine: Engine
    game: Game[Any, Any]
    seats: tuple[str, ...]
    seed: str
    first: int
    games: int
    records: bool = False
    receipts: bool = False


class Simulation:
    """Many games of one kind between the same players, by seat: names, or objects that play in this process.

    `engine`: None takes the compiled one where it knows the game and all the players. NoBatch if the
    compiled one is wanted and cannot be had.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        seats: Sequence[Who],
        games: int,
        seed: str = "0",
        *,
        engine: Engine | None = None,
        records: bool = False,
        receipts: bool = False,
    ) -> None:
        check_count("games", games, 1)
        self.game = agreed_game(game, len(seats), {})
        self.seats = tuple(map(player_name, seats))
        self.games = games
        self.seed = seed
        self.records = records
        self.receipts = receipts
        #: why the ordinary engine is used although it was not requested
        self.reason: str | None = None
        self._batch: Batch | None = None
        if records or receipts:
            if engine == "compiled":
                raise NoBatch("the compiled engine writes no records and no receipts")
            self.reason = "for records and receipts"
        elif engine != "ordinary":
            try:
                self._batch = batch(game, seats)
            except NoBatch as missing:
                if engine == "compiled":
                    raise
                self.reason = missing.reason
        # a wrong name is refused before anything is played
        players = [as_player(who) for who in seats] if self._batch is None else []
        #: the players if they are objects, which other processes cannot create
        self._objects = players if any(not isinstance(who, str) for who in seats) else []

    @property
    def engine(self) -> Engine:
        """The engine in use."""
        return "ordinary" if self._batch is None else "compiled"

    def parts(self, workers: int | None = None, ray: str | None = None) -> Iterator[Part]:
        """The games in order. `workers`: threads or processes at most, by default one for every core.

        `ray`: the address of a cluster that does the work instead. Close the iterator to stop early.
        """
        if workers is not None:
            check_count("workers", workers, 1)
        most = workers or os.cpu_count() or 1
        if self._objects:
            if ray is not None:
                raise OptionError("ray: players that are objects play in this process only")
            for job in self._stretches():
                yield _play_here(self._objects, job)
        elif ray is not None:
            yield from parallel_map(play_stretch, self._stretches(), workers=most, ray=ray)
        elif self._batch is not None:
            for played in self._batch.parts(self.games, self.seed, most):
                yield _compiled_part(played)
        elif workers is not None:
            yield from parallel_map(play_stretch, self._stretches(), workers=most)
        else:
            yield from self._alone_first(most)

    def _alone_first(self, most: int) -> Iterator[Part]:
        """Play in this process first; share out what is left after SECONDS_ALONE."""
        waiting, begun = self._stretches(), time.monotonic()
        for stretch in waiting:
            yield play_stretch(stretch)
            if time.monotonic() - begun > SECONDS_ALONE:
                break
        following = next(waiting, None)
        if following is not None:
            yield from parallel_map(play_stretch, chain([following], waiting), workers=most)

    def tallies(self, workers: int | None = None, ray: str | None = None) -> GameStatistics:
        """The statistics of all games."""
        found = GameStatistics(self.game.players)
        for part in self.parts(workers, ray):
            found.add_many(part.scores, part.winners)
        return found

    def _stretches(self) -> Iterator[Stretch]:
        length = STRETCH[self.engine]
        if self._batch is not None:
            length = min(length, self._batch.part)
        for first in range(0, self.games, length):
            yield Stretch(
                self.engine,
                self.game,
                self.seats,
                self.seed,
                first,
                min(length, self.games - first),
                self.records,
                self.receipts,
            )


def simulate(
    game: Game[Any, Any] | str,
    seats: Sequence[Who],
    games: int,
    *,
    seed: object = "0",
    workers: int | None = None,
    **options: Any,
) -> GameStatistics:
    """The statistics of many games between computer players by seat: names, or objects with `choose`.

    `game`: its id, with options as in its documentation, or a configured game. The same seed gives the same games as
    `pasch simulate --seed`, with any number of workers (by default one for every core).
    """
    configured = agreed_game(game, len(seats), options)
    return Simulation(configured, seats, games, str(seed)).tallies(workers)


def play_stretch(job: Stretch) -> Part:
    """Play these games, one after the other."""
    if job.engine == "compiled":
        return _compiled_part(_ready(job.game, job.seats).play(job.games, job.seed, job.first))
    return _play_here([player(name) for name in job.seats], job)


def _play_here(players: Sequence[Player], job: Stretch) -> Part:
    numbers = range(job.first, job.first + job.games)
    return played_part(
        [play_game(job.game, players, game_key(job.seed, number)) for number in numbers], job
    )


@lru_cache(maxsize=4)
def _ready(game: Game[Any, Any], seats: tuple[str, ...]) -> Batch:
    """A batch, cached per worker."""
    return batch(game, seats)


def _compiled_part(played: Played) -> Part:
    among = played.winners * played.winners.sum(axis=1, keepdims=True)
    return Part(played.first, played.scores, among, played.decisions)


def played_part(matches: Sequence[Match], job: Stretch) -> Part:
    """What is kept of finished games."""
    scores = np.array([match.state.scores() for match in matches], np.int64)
    winners = np.zeros_like(scores)
    for place, match in enumerate(matches):
        won = match.state.winners()
        winners[place, list(won)] = len(won)
    records = [match.record().to_json() for match in matches] if job.records else []
    receipts = [
        simulated_receipt(match, job.seed, number).to_json()
        for number, match in enumerate(matches if job.receipts else (), job.first)
    ]
    decisions = sum(match.at(number).actor >= 0 for match in matches for number in range(len(match)))
    return Part(job.first, scores, winners, decisions, tuple(records), tuple(receipts))


def simulated_receipt(match: Match, seed: str, number: int) -> Receipt:
    """The receipt of game `number`, counted from 0, of a simulation; the coach is not asked."""
    return Receipt.of(
        match.game,
        match.events,
        table=f"{SIMULATED}{number}",
        dice="simulated",
        seed=seed_key(seed),
        contributions=[None] * match.game.players,
    )
