"""Pasch: six small games, their exact rules, records and computer players.

>>> import pasch
>>> match = pasch.new("joker1", players=1, rounds=1)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pasch.core.match import Match
    from pasch.core.record import Record
    from pasch.core.registry import all_games, find_game, game_ids
    from pasch.core.state import CHANCE, OVER

__all__ = ["CHANCE", "OVER", "Match", "Record", "all_games", "find_game", "game_ids", "new"]

__version__ = "0.1.0"

#: where the names above live; they are fetched when first used, so that `pasch --help` is quick
_HOMES = {
    "CHANCE": "state",
    "OVER": "state",
    "Match": "match",
    "Record": "record",
    "all_games": "registry",
    "find_game": "registry",
    "game_ids": "registry",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'pasch' has no attribute {name!r}")
    thing = getattr(import_module(f"pasch.core.{_HOMES[name]}"), name)
    globals()[name] = thing
    return thing


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def new(game: str, players: int, **options: Any) -> Match:
    """A new match of the game with this name; options as in its documentation."""
    from pasch.core.match import Match
    from pasch.core.registry import find_game

    return Match(find_game(game).agree(players, options))
