"""Many games between computer players, in parts that come in order.

Two engines. The compiled one (`pasch.lab.batch`) plays millions of games and keeps nothing but their
scores; threads share them out. The ordinary one plays every game event by event as at the table, so that
records and receipts can be written; processes share them out. A cluster can do either. However it is done,
a game follows from the seed and its number alone: engine and number of workers change nothing.
"""

from __future__ import annotations

import os
import time
from collections.abc import Generator, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any, Final, Literal

import numpy as np

from pasch.core.chance import seed_key
from pasch.core.errors import OptionError
from pasch.core.game import Game
from pasch.core.philox import game_key
from pasch.core.receipt import SIMULATED, Receipt
from pasch.core.registry import configured_game
from pasch.lab.batch import Batch, BatchResult, NoBatch, batch, check_count, compiled_name
from pasch.lab.score_statistics import GameStatistics
from pasch.lab.work import parallel_map
from pasch.players.arena import Who, as_player, play_game, player_name
from pasch.players.base import Player, player

Engine = Literal["compiled", "ordinary"]

#: games per unit of work of the ordinary engine, which creates new players for each unit
GAMES_PER_PART: Final = 5
#: seconds that one process plays before others are started
SECONDS_ALONE: Final = 2.0


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
        self.game = configured_game(game, len(seats), {})
        self.seats = tuple(map(player_name, seats))
        self.games, self.seed, self.records, self.receipts = games, seed, records, receipts
        #: the engine in use
        self.engine: Engine = "ordinary"
        #: why the ordinary engine is used although it was not requested
        self.reason: str | None = None
        self._part = GAMES_PER_PART
        #: the players if they are objects, which other processes cannot create
        self._objects: list[Player] = []
        if records or receipts:
            if engine == "compiled":
                raise NoBatch("the compiled engine writes no records and no receipts")
            self.reason = "for records and receipts"
        elif engine != "ordinary":
            try:
                compiled = _batch(self.game, tuple(map(compiled_name, seats)))
                self.engine, self._part = "compiled", compiled.part
            except NoBatch as missing:
                if engine == "compiled":
                    raise
                self.reason = missing.reason
        if self.engine == "ordinary":
            players = [as_player(who) for who in seats]  # raises early if there is no such player
            self._objects = players if any(not isinstance(who, str) for who in seats) else []

    def parts(
        self, workers: int | None = None, ray: str | None = None
    ) -> Generator[BatchResult, None, None]:
        """The games in order. `workers`: threads or processes at most, by default one for every core.

        `ray`: the address of a cluster that does the work instead. Close the iterator to stop early.
        """
        if workers is not None:
            check_count("workers", workers, 1)
        processes = workers or os.cpu_count() or 1
        if self._objects and ray is not None:
            raise OptionError("ray: players that are objects play in this process only")
        in_threads = self.engine == "compiled" and ray is None
        size = self._part
        if in_threads:
            _batch(self.game, self.seats)  # compiled before threads share it
            # where there are few games, each thread still gets several parts
            size = max(1, min(size, self.games // (8 * processes)))
        play, waiting, begun = partial(self._play, size), iter(range(0, self.games, size)), time.monotonic()
        if self._objects or (workers is None and ray is None and not in_threads):
            # other processes are started if this takes long; they cannot create players that are objects
            for first in waiting:
                yield play(first)
                if not self._objects and time.monotonic() - begun > SECONDS_ALONE:
                    break
        yield from parallel_map(play, waiting, workers=processes, threads=in_threads, ray=ray)

    def _play(self, size: int, first: int) -> BatchResult:
        """The part of this size that begins with this game."""
        numbers = range(first, min(first + size, self.games))
        if self.engine == "compiled":
            return _batch(self.game, self.seats).play(len(numbers), self.seed, first)
        players = self._objects or [player(name) for name in self.seats]
        matches = [play_game(self.game, players, game_key(self.seed, number)) for number in numbers]
        scores = np.array([match.state.scores() for match in matches], np.int64)
        won = [[seat in match.state.winners() for seat in range(len(players))] for match in matches]
        receipts = [
            # the coach is not asked
            Receipt.of(
                self.game,
                match.events,
                table=f"{SIMULATED}{number}",
                dice="simulated",
                seed=seed_key(self.seed),
                contributions=[None] * len(players),
            ).to_json()
            for number, match in zip(numbers, matches, strict=True)
            if self.receipts
        ]
        return BatchResult(
            first,
            scores,
            np.array(won),
            sum(match.at(number).actor >= 0 for match in matches for number in range(len(match))),
            np.zeros(scores.shape),
            records=tuple(match.record().to_json() for match in matches if self.records),
            receipts=tuple(receipts),
        )

    def tallies(self, workers: int | None = None, ray: str | None = None) -> GameStatistics:
        """The statistics of all games."""
        found = GameStatistics(self.game.players)
        for part in self.parts(workers, ray):
            found.add_many(part.scores, part.winners)
        return found


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
    configured = configured_game(game, len(seats), options)
    return Simulation(configured, seats, games, str(seed)).tallies(workers)


@lru_cache(maxsize=4)
def _batch(game: Game[Any, Any], seats: tuple[str, ...]) -> Batch:
    """A batch, cached per worker."""
    return batch(game, seats)


def csv_lines(played: BatchResult) -> Iterator[str]:
    """Games as lines of a table: number, scores and shares of the win by seat; the first game's after a head."""
    seats = range(played.scores.shape[1])
    if played.first == 0:
        yield ",".join(["game", *(f"{what}_{seat}" for what in ("score", "win") for seat in seats)])
    shares = played.winners / played.winners.sum(axis=1, keepdims=True)
    for game, row in enumerate(zip(played.scores.tolist(), shares.tolist(), strict=True), played.first):
        yield ",".join(map(str, (game, *row[0], *row[1])))
