"""What a computer player is, the two simplest ones, and how players are found by name.

The others, which know what positions are worth, are in `pasch.players.levels`; those that users write
themselves are loaded by `pasch.players.bots`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Protocol

from pasch.core.chance import Generator
from pasch.core.errors import IllegalMove, PaschError
from pasch.core.events import Event
from pasch.core.state import State
from pasch.players.bots import is_bot, load_bot


class UnknownPlayer(PaschError):
    """No computer player has this name."""


class Player(Protocol):
    """Chooses moves. Knows nothing but the view it is shown; draws from nothing but the generator."""

    def choose(self, view: State, generator: Generator) -> Event:
        """One of the legal moves of the seat whose turn it is, `view` being what this seat may know."""


def choose(player: Player, state: State, generator: Generator) -> Event:
    """The player's move in `state`, of which it is shown only what the seat to move may know."""
    return player.choose(state.view(state.actor), generator)


def _moves(view: State) -> tuple[Event, ...]:
    moves = view.moves()
    if not moves:
        raise IllegalMove("turn", "there is nothing to choose now")
    return moves


class RandomPlayer:
    """Every legal move is equally likely."""

    def choose(self, view: State, generator: Generator) -> Event:
        moves = _moves(view)
        return moves[generator.randrange(len(moves))]


class GreedyPlayer:
    """Takes the move that looks best at once: the first of highest worth. It needs no luck."""

    def choose(self, view: State, generator: Generator) -> Event:
        moves = _moves(view)
        worth = _worth(view.game.id)
        return max(moves, key=lambda move: worth(view, move))


@cache
def _worth(game: str) -> Callable[[State, Event], float]:
    """How good a move looks in this game; only the module of the game played is imported."""
    worth: Callable[[State, Event], float] = import_module(f"pasch.players.greedy.{game}").worth
    return worth


_makers: dict[str, Callable[[], Player]] = {}


def register(name: str, make: Callable[[], Player]) -> None:
    """Let `player(name)` find what `make` makes. Costly things belong into `make`: it runs when needed."""
    if name in _makers:
        raise ValueError(f"there is a player named {name!r} already")
    _makers[name] = make


def player_names() -> tuple[str, ...]:
    """The names of all players, in the order in which they were registered."""
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


def _level(name: str) -> Callable[[], Player]:
    def make() -> Player:
        from pasch.players.levels import level

        return level(name)

    return make


register("random", RandomPlayer)
register("greedy", GreedyPlayer)
for _name in ("easy", "medium", "hard", "perfect", "winner"):
    register(_name, _level(_name))
