"""Games in batches: millions of them, compiled from the game's own rule functions.

    from pasch.lab.batch import batch

    games = batch(find_game("fiese15").agree(2), ["greedy", "random"])
    played = games.play(100_000, seed="1")
    played.scores.mean(axis=0)

Every game, with the players `random`, `greedy`, `easy`,
`medium`, `hard` and `perfect`. The same seed gives the games that the ordinary engine plays, event for event.
The compiler is imported when a batch is made, not before.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.core.errors import OptionError, PaschError
from pasch.core.game import Game
from pasch.core.philox import seed_words
from pasch.core.registry import configured_game, find_part
from pasch.lab import loop
from pasch.lab.loop import GREEDY, LEVEL, RANDOM, Buffer, Seats, Streams
from pasch.players.arena import Who, player_name
from pasch.players.base import GreedyPlayer, RandomPlayer, greedy_config
from pasch.players.levels import LEVELS, LevelPlayer, errors_of
from pasch.solve.records import arrays, records
from pasch.solve.valuer import valuer

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

#: the players that can be compiled
PLAYERS: Final = ("random", "greedy", *(name for name in LEVELS if name != "winner"))
#: games that a thread plays per task: enough to outweigh the call, few enough for steady progress
GAMES_PER_TASK: Final = 1 << 12


class NoBatch(PaschError):
    """One of these players cannot play in batches."""


class BatchResult(NamedTuple):
    """Results of consecutive games."""

    #: the number of the first one
    first: int
    #: by game and seat
    scores: Ints
    #: by game and seat, who is among the winners
    winners: Bools
    #: the number of decisions, forced ones included
    decisions: int
    #: by game and seat, what its moves gave away by the values; only of levels that a compiled batch plays
    given_away: Floats
    #: if requested, one line of JSON for each game
    records: tuple[str, ...] = ()
    receipts: tuple[str, ...] = ()


@cache
def compiled_loop(function: str, game: type[Game[Any, Any]], *, values: bool = False) -> Any:
    """A function of `pasch.lab.loop` compiled with a game's rule functions and players; values only if requested."""
    from pasch.solve.compiled import compile_plain

    used = {name: made for name, made in game.rule_functions()._asdict().items() if made}
    beginner: Any = find_part(game.id, "beginner")
    if function == "play" and hasattr(beginner, "heuristic"):
        used["greedy"] = beginner.heuristic
    if values:
        own: Any = find_part(game.id, "values")
        if not hasattr(own, "move_values"):
            raise _not_compiled(game, "values")
        used["move_values"] = own.move_values
        # a game may have a faster function for players that always make the best move
        used["best_worths"] = getattr(own, "best_worths", used["move_values"])
        if hasattr(beginner, "appeal"):
            used["appeal"], used["ideas"] = beginner.appeal, beginner.ideas
    return compile_plain(getattr(loop, function), replace=used, name=f"{game.id}{'_values' * values}")


def _not_compiled(game: type[Game[Any, Any]], what: str) -> NoBatch:
    return NoBatch("{title} has no compiled {role}", title=game.title, role=what)


class Batch:
    """Plays games of one kind between the same players, given as for `batch`. Threads may share it."""

    def __init__(self, game: Game[Any, Any] | str, players: Sequence[Who], **options: Any) -> None:
        game = configured_game(game, len(players), options)
        self.game = game
        self.players = tuple(map(compiled_name, players))
        if "greedy" in self.players and not hasattr(find_part(game.id, "beginner"), "heuristic"):
            raise _not_compiled(type(game), "greedy")
        levels = [name for name in self.players if name in LEVELS]
        self._play = compiled_loop("play", type(game), values=bool(levels))
        self._config = arrays(greedy_config(game))
        values: Any = valuer(game) if levels else None
        self._values = arrays(values.numbers()) if levels else None
        self._start = records(game, 1)
        #: games per unit of work; fewer where values are slow
        self.part: int = min(GAMES_PER_TASK, getattr(values, "games_at_once", GAMES_PER_TASK))

    def play(self, games: int, seed: str, first: int = 0) -> BatchResult:
        """The games with the numbers `first` to `first + games - 1` of this seed.

        A game follows from the seed and its number alone: in one call or in many, the result is the same.
        """
        check_count("games", games)
        check_count("first", first)
        seats, size, kinds = self.game.players, self.game.max_moves, {"random": RANDOM, "greedy": GREEDY}
        blocks, left = np.zeros((2, seats + 1), np.int64)
        streams = Streams(np.zeros(4, np.int64), blocks, left, np.zeros((seats + 1, 4), np.int64))
        streams.key[:2] = np.frombuffer(seed_words(seed), "<u4")
        results, won = np.zeros((games, seats), np.int64), np.zeros((games, seats), np.bool_)
        given = np.zeros((games, seats))
        errors = [errors_of(self.game, name) for name in self.players]
        decisions = self._play(
            self._config,
            self._values,
            self._start,
            self._start.copy(),
            Seats(
                np.array([kinds.get(name, LEVEL) for name in self.players]),
                np.array([one.weight for one in errors]),
                np.array([one.overlooks for one in errors]),
            ),
            streams,
            first,
            Buffer(np.zeros(size, np.int64), np.zeros(size), np.zeros(size), np.zeros(size, np.int64)),
            results,
            won,
            given,
        )
        return BatchResult(first, results, won, decisions, given)


def compiled_name(who: Who) -> str:
    """The name of a player that can be compiled: by name, or an object of a class that is."""
    name = player_name(who)
    if isinstance(who, str | RandomPlayer | GreedyPlayer | LevelPlayer) and name in PLAYERS:
        return name
    raise NoBatch("{name} plays no batches; these do: {names}", name=name, names=", ".join(PLAYERS))


def batch(game: Game[Any, Any] | str, players: Sequence[Who], **options: Any) -> Batch:
    """A compiled batch of a configured game, or of an id with options, with players (names or objects) by seat.

    Raises NoBatch if that is not possible.
    """
    return Batch(game, players, **options)


def check_count(name: str, number: Any, least: int = 0) -> None:
    """Raise OptionError unless an argument is a whole number, `least` or more."""
    if not isinstance(number, int | np.integer) or number < least:
        said = "{name}: expected a whole number from {least} on, got {got!r}"
        raise OptionError(said, name=name, least=least, got=number)
