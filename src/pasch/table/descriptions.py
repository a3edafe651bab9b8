"""What passes between the server and its helpers: games, states and answers as plain values.

A state is a few hundred bytes however long the game has lasted. With a seat it has only what that seat may know, so
that the helper cannot know more than the seat does.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import msgspec

from pasch.core.game import Game
from pasch.core.registry import find_game
from pasch.core.state import State


def describe_game(game: Game[Any, Any]) -> dict[str, Any]:
    """The arguments that describe a game."""
    return {"game": game.id, "players": game.players, "options": game.options.json()}


def describe_state(state: State, seat: int | None = None) -> dict[str, Any]:
    """The arguments that describe a game and its state; with a seat, only what that seat may know."""
    known = state if seat is None else state.view(seat)
    return {**describe_game(state.game), "seat": seat, "state": known.snapshot()}


def read_game(arguments: Mapping[str, Any]) -> Game[Any, Any]:
    """The game that arguments describe."""
    options = msgspec.json.encode(arguments["options"])
    return _agreed(arguments["game"], arguments["players"], options)


@lru_cache(maxsize=32)
def _agreed(game: str, players: int, options: bytes) -> Game[Any, Any]:
    return find_game(game).agree(players, msgspec.json.decode(options))


def read_state(arguments: Mapping[str, Any]) -> State:
    """The state that arguments describe, as their seat (if there is one) knows it."""
    return read_game(arguments).read_state(arguments["state"])


NO_ANSWER: Final = msgspec.Raw()


class JobAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a helper answers, as JSON."""

    #: what the function has returned; empty if it has failed
    answer: msgspec.Raw = NO_ANSWER
    #: values have to be built first
    missing: bool = False
    #: bytes of values that were built
    built: int = 0
    problem: str | None = None
