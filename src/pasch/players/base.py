"""What a computer player is, the simplest ones, and how players are found by name.

The others, which know what positions are worth, are in `pasch.players.levels`; those that users write
themselves are loaded by `pasch.players.bots`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final, Protocol

from pasch.core.chance import Generator
from pasch.core.errors import UnknownPlayer
from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.registry import find_part
from pasch.core.state import State
from pasch.players.bots import is_bot, load_bot
from pasch.players.levels import LADDER, LEVELS, ChoosingPlayer, LevelPlayer, WinnerPlayer
from pasch.solve.playouts import heuristic_values

#: the name of the player that uses learned values
LEARNED: Final = "learned"


class Player(Protocol):
    """Chooses moves. Knows nothing but the view it is shown; draws from nothing but the generator."""

    def choose(self, view: State, generator: Generator) -> Event:
        """One of the legal moves of the seat whose turn it is, `view` being what this seat may know."""


class RandomPlayer(ChoosingPlayer):
    """Every legal move is equally likely."""

    name = "random"

    def place(self, view: State, generator: Generator) -> int:
        return generator.randrange(len(view.codes()))


class GreedyPlayer(ChoosingPlayer):
    """Chooses the move with the highest heuristic value, the first of equal ones; uses no randomness.

    `heuristic` in the game's `beginner.py` estimates each move; without it, a few short playouts do.
    """

    name = "greedy"

    def place(self, view: State, generator: Generator) -> int:
        heuristic = getattr(find_part(view.game.id, "beginner"), "heuristic", None)
        if heuristic is None:
            looks = list(heuristic_values(view))
        else:
            config, numbers = greedy_config(view.game), view.unpack()
            looks = [heuristic(config, numbers, code) for code in view.codes()]
        return looks.index(max(looks))


def greedy_config(game: Game[Any, Any]) -> Any:
    """What the `heuristic` of a game reads: the config, or what `config(game)` in its `beginner.py` adds tables to."""
    own = getattr(find_part(game.id, "beginner"), "config", None)
    return game.config if own is None else own(game)


class LearnedPlayer(GreedyPlayer):
    """Plays by what the game has learned, at a glance, where that is known; elsewhere greedily.

    It needs neither tables nor a library: for devices that have no values of a game (`learned.py` in its folder).
    """

    name = LEARNED

    def place(self, view: State, generator: Generator) -> int:
        own = find_part(view.game.id, "learned")
        if own is None or not own.knows(view.game):
            return super().place(view, generator)
        move_values: list[float] = own.move_values(view.game, view.unpack(), view.codes())
        return move_values.index(max(move_values))


_makers: Final[dict[str, Callable[[], Player]]] = {
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
    LEARNED: LearnedPlayer,
    **{name: partial(LevelPlayer, name) for name in LEVELS[:-1]},
    LADDER[-1]: WinnerPlayer,
}


def player_names() -> tuple[str, ...]:
    """The names of all players, the simplest first."""
    return tuple(_makers)


def player(name: str) -> Player:
    """The player with this name; `FILE.py:NAME` is one that the user has written."""
    if is_bot(name):
        return load_bot(name, GreedyPlayer().choose)
    if name not in _makers:
        raise UnknownPlayer(
            "there is no player {name!r}; the players are {names}", name=name, names=", ".join(_makers)
        )
    return _makers[name]()
