"""A batch: a game as agreed, its players, and the compiled loop with the game's kernel in it.

The compiler is imported when a batch is made, not before.
"""

from __future__ import annotations

import hashlib
import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache, cached_property
from importlib import import_module, util
from typing import Any, Final, NamedTuple, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from pasch.core.chance import Chance, subkey
from pasch.core.errors import OptionError, PaschError
from pasch.core.game import Game
from pasch.core.registry import game_ids
from pasch.players.base import player_names
from pasch.players.bots import is_bot
from pasch.players.levels import LEVELS, absurd, temperature

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: the players that have a kernel
PLAYERS: Final = ("random", "greedy", *(name for name in LEVELS if name != "winner"))
#: games that a thread plays at a stretch: enough to be worth the call, little enough to be soon done
PART: Final = 1 << 12


class NoBatch(PaschError):
    """This game, or one of these players, cannot be played in batches."""


class Played(NamedTuple):
    """Finished games."""

    #: the number of the first one
    first: int
    #: by game and seat
    scores: Ints
    #: by game and seat, who is among the winners
    winners: Bools
    decisions: int
    #: dice rolled and cards drawn, event by event; a deal counts card by card
    chances: int


class Replayed(NamedTuple):
    """One game from a tape."""

    #: rows of seat and number of the move
    decisions: Ints
    scores: Ints
    winners: Bools


class BatchModule(Protocol):
    """What `pasch.lab.batch.<game>` holds."""

    #: the name of the module with the compiled functions
    KERNEL: str

    def state_size(self, game: Any) -> int:
        """How many numbers a state has."""

    def most_moves(self, game: Any) -> int:
        """More legal moves than this there never are."""

    def tables(self, game: Any, greedy: bool, values: bool) -> Any:
        """The tables; those for greedy players and those of values only if they are wanted.

        NoBatch if the kernel does not know the variant.
        """


def steps(game: Game[Any, Any], chance: Chance, case: int) -> tuple[int, ...]:
    """The numbers by which the kernel of a game is told this case of a chance event.

    One number, unless the game's module has a function `steps(chance, case)` because its kernel goes card
    by card.
    """
    own = getattr(batch_module(game.id), "steps", None)
    return (case,) if own is None else tuple(own(chance, case))


def batched_games() -> tuple[str, ...]:
    """The names of the games that have a kernel, in alphabetical order."""
    return tuple(name for name in game_ids() if util.find_spec(f"{__package__}.{name}") is not None)


@cache
def batch_module(game: str) -> BatchModule:
    """The tables of a game; NoBatch if it has none."""
    if game not in batched_games():
        raise NoBatch("{game} cannot be played in batches", game=game)
    return cast(BatchModule, import_module(f"{__package__}.{game}"))


def bound(function: str, game: str, values: bool = True) -> Any:
    """A function of the driver with the kernel of a game in it, perhaps without what values take.

    That is worth the while only if a game's module says VALUES_APART, because they take long to compile.
    """
    return _bound(function, game, values or not getattr(batch_module(game), "VALUES_APART", False))


@cache
def _bound(function: str, game: str, values: bool) -> Any:
    from pasch.lab.batch import driver

    kernel = import_module(batch_module(game).KERNEL)
    return driver.bind(getattr(driver, function), kernel, values=values)


class Batch:
    """Plays games of one kind between the same players. Threads may share it."""

    def __init__(self, game: Game[Any, Any], players: Sequence[str]) -> None:
        if len(players) != game.players:
            raise OptionError(
                "seats: {got} players for a game of {wanted}", got=len(players), wanted=game.players
            )
        self.game = game
        self.players = tuple(players)
        for name in self.players:
            _check_player(name)
        module = batch_module(game.id)
        self._size, self._moves = module.state_size(game), module.most_moves(game)
        levels = [name for name in self.players if name in LEVELS]
        self.tables = module.tables(game, "greedy" in self.players, bool(levels))
        #: games that a thread plays at a stretch; fewer where a game's module says that values take long
        self.part: int = min(PART, getattr(module, "PART_WITH_VALUES", PART) if levels else PART)
        self._play = bound("play", game.id, bool(levels))

    @cached_property
    def _seats(self) -> Any:
        from pasch.lab.batch.driver import GREEDY, LEVEL, RANDOM, Seats

        kinds = {"random": RANDOM, "greedy": GREEDY}
        return Seats(
            np.array([kinds.get(name, LEVEL) for name in self.players]),
            np.array([temperature(self.game, n) if n in LEVELS else 0.0 for n in self.players]),
            float(absurd(self.game)),
        )

    def play(self, games: int, seed: str, first: int = 0) -> Played:
        """The games with the numbers `first` to `first + games - 1` of this seed.

        A game follows from the seed and its number alone: in one call or in many, the result is the same.
        """
        return self._run(games, first, key=_words(seed))[0]

    def play_keyed(self, keys: Sequence[bytes]) -> Played:
        """One game for each key: the games that `pasch.players.arena.play_game` plays with them.

        Slower than `play`. NoBatch if the game's kernel goes card by card.
        """
        if hasattr(batch_module(self.game.id), "steps"):
            raise NoBatch("{title} cannot be played by keys", title=self.game.title)
        seats = range(self.game.players)
        every = [(key, *(subkey(key, "seat", seat) for seat in seats)) for key in keys]
        return self._run(len(keys), 0, keys=every)[0]

    def replay(self, tape: Sequence[int] | Ints) -> Replayed:
        """One game from given numbers.

        The tape holds the case of every chance event and every number that a player draws, in the order of
        the game; `random` draws below the number of legal moves, the levels below 2^53 where they have a
        choice of several. IndexError or ValueError if it cannot be the tape of a whole game.
        """
        numbers = np.array(tape, np.int64)
        if not len(numbers):
            raise IndexError("an empty tape is no game")
        room = 4 * len(numbers) + 64
        while True:
            trace = np.zeros((room, 2), np.int64)
            played, used = self._run(1, 0, tape=numbers, trace=trace)
            if used < len(numbers):
                raise ValueError("the tape goes on after the end of the game")
            if played.decisions <= room:
                return Replayed(trace[: played.decisions], played.scores[0], played.winners[0])
            room = played.decisions

    def _run(
        self,
        games: int,
        first: int,
        key: NDArray[np.uint64] | None = None,
        tape: Ints | None = None,
        keys: Sequence[Sequence[bytes]] = (),
        trace: Ints | None = None,
    ) -> tuple[Played, int]:
        from pasch.lab.batch.driver import CHANCES, DECISIONS, DRAWN

        seats = self.game.players
        results, won = np.zeros((games, seats), np.int64), np.zeros((games, seats), np.bool_)
        counts = np.zeros(3, np.int64)
        self._play(
            self.tables,
            self._seats,
            new_source(seats, key, tape, keys),
            first,
            np.zeros(self._size, np.int64),
            np.zeros(self._moves),
            np.zeros((0, 2), np.int64) if trace is None else trace,
            results,
            won,
            counts,
        )
        played = Played(first, results, won, int(counts[DECISIONS]), int(counts[CHANCES]))
        return played, int(counts[DRAWN])


def new_source(
    seats: int,
    key: NDArray[np.uint64] | None = None,
    tape: Ints | None = None,
    keys: Sequence[Sequence[bytes]] = (),
) -> Any:
    """A `driver.Source` of one of the three kinds; `keys` are by game: chance's, then each seat's."""
    from pasch.lab.batch.driver import Source
    from pasch.lab.batch.keyed import WORK, key_words

    places = seats + 1
    return Source(
        np.zeros(4, np.uint64) if key is None else key,
        np.zeros(4, np.uint64),
        np.zeros(0, np.int64) if tape is None else tape,
        np.zeros(1, np.int64),
        key_words([one for game in keys for one in game]).reshape(len(keys), places, 8),
        np.zeros((places, 16), np.uint32),
        np.zeros(places, np.int64),
        np.zeros(WORK, np.uint32),
    )


def _check_player(name: str) -> None:
    if name not in PLAYERS:
        known = name in player_names() or is_bot(name)
        raise NoBatch(
            "{name} plays no batches; these do: {names}" if known else "there is no player {name!r}",
            name=name,
            names=", ".join(PLAYERS),
        )


def _words(seed: str) -> NDArray[np.uint64]:
    """The generator's key: the SHA-256 of the seed as four words."""
    digest = hashlib.sha256(f"pasch batch {seed}".encode()).digest()
    return np.frombuffer(digest, "<u8").astype(np.uint64)


def batch(game: Game[Any, Any], players: Sequence[str]) -> Batch:
    """Make ready to play this game between these players, by seat; NoBatch if that is not possible."""
    return Batch(game, players)


def play_many(
    game: Game[Any, Any], players: Sequence[str], games: int, seed: str, threads: int | None = None
) -> Iterator[Played]:
    """Play games 0 to `games - 1` of a seed on all cores; they come in parts, in order.

    What comes does not depend on the number of threads. Only a few parts are in memory at a time.
    """
    return shared_out(batch(game, players), games, seed, threads)


def shared_out(players: Batch, games: int, seed: str, threads: int | None = None) -> Iterator[Played]:
    """As `play_many`, with a batch that is there already."""
    threads = threads or os.cpu_count() or 1
    # where there are few games, each thread still gets several parts
    part = max(1, min(players.part, games // (8 * threads)))
    waiting: deque[Future[Played]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for first in range(0, games, part):
                waiting.append(pool.submit(players.play, min(part, games - first), seed, first))
                if len(waiting) > 2 * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for following in waiting:
                following.cancel()
