"""A player for tables at which nobody waits for a computation: greedy until the values are there.

Games between the same players are the same everywhere only with players that wait, so simulations and the
terminal use those; a server, which must answer, uses this one.
"""

from __future__ import annotations

import threading
from typing import Any

from pasch.core.chance import Generator
from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.state import State
from pasch.players.base import GreedyPlayer, Player
from pasch.solve.valuer import has_values, valuer


class Meanwhile:
    """Plays as `player` does, but greedily while the tables of the game are being made."""

    def __init__(self, player: Player, *, chances: bool = False) -> None:
        self._player = player
        #: whether the player asks for chances to win
        self._chances = chances

    def choose(self, view: State, generator: Generator) -> Event:
        game = view.game
        if not has_values(game.id) or not at_hand(game, chances=self._chances):
            make_tables(game, chances=self._chances)
            return GreedyPlayer().choose(view, generator)
        return self._player.choose(view, generator)


def at_hand(game: Game[Any, Any], *, chances: bool = False) -> bool:
    """Whether the values of a game can be told at once."""
    values = valuer(game)
    return values.ready and (values.chances_ready or not chances)


_making: dict[tuple[Game[Any, Any], bool], threading.Thread] = {}
_lock = threading.Lock()


def make_tables(game: Game[Any, Any], *, chances: bool = False) -> threading.Thread | None:
    """Begin to make the tables of a game in the background, once; None if it has none."""
    if not has_values(game.id):
        return None
    with _lock:
        under_way = _making.get((game, chances))
        if under_way is None or not under_way.is_alive():
            values = valuer(game)
            work = values.prepare if chances else values.prepare_points
            under_way = threading.Thread(target=work, name=f"tables of {game.id}", daemon=True)
            _making[game, chances] = under_way
            under_way.start()
    return under_way
