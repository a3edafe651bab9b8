"""Finding games and their parts: the one place that imports by name.

A game is a package: a folder of `pasch.games`, or a third-party package named in the entry-point group
`pasch.games` (the entry's name is the game's id, its value the package). It holds `rules.py`; every
other part is a module or a file beside it, named after its role, and may be missing.
"""

from __future__ import annotations

import logging
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import import_module, metadata, resources, util
from importlib.resources.abc import Traversable
from types import ModuleType
from typing import Any, Final

from pasch.core.errors import ArgumentError, UnknownGame
from pasch.core.game import Game

AnyGame = type[Game[Any, Any]]

logger = logging.getLogger("pasch.games")

#: the entry-point group in which other packages offer games
GROUP: Final = "pasch.games"


@cache
def packages() -> dict[str, str]:
    """The package of every game, by the game's id, in alphabetical order.

    Another package's game that cannot be loaded is left out, with one line in the log.
    """
    own = {
        folder.name: f"pasch.games.{folder.name}"
        for folder in resources.files("pasch.games").iterdir()
        # a site has bytecode in place of sources
        if folder.joinpath("rules.py").is_file() or folder.joinpath("rules.pyc").is_file()
    }
    others = {}
    for entry in metadata.entry_points(group=GROUP):
        try:
            _game_in(entry.value, entry.name)
            others[entry.name] = entry.value
        except (Exception, SystemExit) as error:  # noqa: BLE001 - it is other people's code that runs here
            problem = " ".join(f"{type(error).__name__}: {error}".split())
            said = "pasch: the game %r of the package %s is left out: %s"
            logger.warning(said, entry.name, entry.value, problem)
    return dict(sorted({**others, **own}.items()))


def game_ids() -> tuple[str, ...]:
    """The ids of all games, in alphabetical order."""
    return tuple(packages())


@cache
def find_game(name: str) -> AnyGame:
    """The class of the game with this id; only its rules are imported."""
    return _game_in(_package(name), name)


def _game_in(package: str, name: str) -> AnyGame:
    module = import_module(f"{package}.rules")
    for thing in vars(module).values():
        if isinstance(thing, type) and issubclass(thing, Game) and getattr(thing, "id", "") == name:
            return thing
    raise UnknownGame("the rules of {name!r} hold no game of that name", name=name)


def all_games() -> tuple[AnyGame, ...]:
    """The classes of all games, in alphabetical order of their ids."""
    return tuple(map(find_game, game_ids()))


@cache
def find_part(game: str, role: str) -> ModuleType | None:
    """The module of a game for a role such as `greedy` or `terminal`; None if the game has no such module."""
    name = f"{_package(game)}.{role}"
    return import_module(name) if util.find_spec(name) else None


def find_file(game: str, name: str) -> Traversable | None:
    """A file of a game's folder, such as `en.md`; None if the game has none of that name."""
    file = resources.files(_package(game)).joinpath(name)
    return file if file.is_file() else None


@cache
def find_data(game: str, name: str) -> dict[str, Any]:
    """The content of a TOML file of a game's folder; empty if the game has none of that name."""
    file = find_file(game, name)
    return tomllib.loads(file.read_text("utf-8")) if file else {}


def _package(name: str) -> str:
    if name not in packages():
        said = "there is no game {name!r}; the games are {names}"
        raise UnknownGame(said, name=name, names=", ".join(packages()))
    return packages()[name]


def configured_game(game: Game[Any, Any] | str, players: int, options: Mapping[str, Any]) -> Game[Any, Any]:
    """A game for this number of players, from its id and options, or an already configured game."""
    if isinstance(game, str):
        return find_game(game).agree(players, options)
    if options:
        raise ArgumentError("{names}: this game is configured already", names=", ".join(options))
    if players != game.players:
        raise ArgumentError("seats: {got} players for a game of {wanted}", got=players, wanted=game.players)
    return game
