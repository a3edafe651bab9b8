"""A player that falls back on the greedy one while the value tables of its game are being built.

A server must answer at once, so it uses this one. Simulations and the terminal wait for the tables instead:
only then are games between the same players the same everywhere.
"""

from __future__ import annotations

import threading
from typing import Any

from pasch.core.chance import Generator
from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.state import State
from pasch.players.base import GreedyPlayer, Player
from pasch.solve.valuer import valuer


class FallbackPlayer:
    """Plays as `player` does once the values of the game are ready, greedily until then."""

    def __init__(self, player: Player, *, chances: bool = False) -> None:
        self._player = player
        #: whether the player asks for chances to win
        self._chances = chances

    def choose(self, view: State, generator: Generator) -> Event:
        game = view.game
        if not values_ready(game, chances=self._chances):
            start_building(game, chances=self._chances)
            return GreedyPlayer().choose(view, generator)
        return self._player.choose(view, generator)


def values_ready(game: Game[Any, Any], *, chances: bool = False) -> bool:
    """Whether the values of a game can be looked up without building tables first."""
    values = valuer(game)
    return values.ready and (values.chances_ready or not chances)


_threads: dict[tuple[Game[Any, Any], bool], threading.Thread] = {}
_lock = threading.Lock()


def start_building(game: Game[Any, Any], *, chances: bool = False) -> threading.Thread:
    """The background thread that builds the tables of a game, started at most once."""
    with _lock:
        thread = _threads.get((game, chances))
        if thread is None or not thread.is_alive():
            values = valuer(game)
            work = values.prepare if chances else values.prepare_points
            thread = threading.Thread(target=work, name=f"tables of {game.id}", daemon=True)
            _threads[game, chances] = thread
            thread.start()
    return thread
