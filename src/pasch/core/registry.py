"""Finding games: every module in `pasch.games` that has a data file of the same name is one."""

from __future__ import annotations

from functools import cache
from importlib import import_module, resources
from typing import Any

from pasch.core.errors import UnknownGame
from pasch.core.game import Game

AnyGame = type[Game[Any, Any]]


@cache
def game_ids() -> tuple[str, ...]:
    """The names of all games, in alphabetical order."""
    files = {entry.name for entry in resources.files("pasch.games").iterdir()}
    return tuple(sorted(n[:-3] for n in files if n.endswith(".py") and f"{n[:-3]}.toml" in files))


@cache
def find_game(name: str) -> AnyGame:
    """The game with this name; only its own module is imported."""
    if name not in game_ids():
        raise UnknownGame(
            "there is no game {name!r}; the games are {names}", name=name, names=", ".join(game_ids())
        )
    module = import_module(f"pasch.games.{name}")
    for thing in vars(module).values():
        if isinstance(thing, type) and issubclass(thing, Game) and getattr(thing, "id", "") == name:
            return thing
    raise UnknownGame("the module of {name!r} holds no game of that name", name=name)


def all_games() -> tuple[AnyGame, ...]:
    """All games, in alphabetical order of their names."""
    return tuple(map(find_game, game_ids()))
