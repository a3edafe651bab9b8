"""The line protocol between the server and its helper processes.

A request is one line of JSON: its number, the name of a function, its arguments; so is an answer. Most
requests describe a game (id, players, options) and a state of it; with a seat, only what that seat may know,
so that the helper cannot know more than the seat does. A state is a few hundred bytes however long the game
has lasted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, TextIO

from pasch.core.game import Game
from pasch.core.registry import find_game
from pasch.core.state import State


def describe_game(game: Game[Any, Any]) -> dict[str, Any]:
    """The fields of a request that describe a game."""
    return {"game": game.id, "players": game.players, "options": game.options.json()}


def describe_state(state: State, seat: int | None = None) -> dict[str, Any]:
    """The fields of a request that describe a game and its state; with a seat, as that seat knows it."""
    known = state if seat is None else state.view(seat)
    return {**describe_game(state.game), "seat": seat, "state": known.snapshot()}


def read_game(request: Mapping[str, Any]) -> Game[Any, Any]:
    """The game that a request describes."""
    return _agreed(request["game"], request["players"], json.dumps(request["options"]))


@lru_cache(maxsize=32)
def _agreed(game: str, players: int, options: str) -> Game[Any, Any]:
    return find_game(game).agree(players, json.loads(options))


def read_state(request: Mapping[str, Any]) -> State:
    """The state that a request describes, as its seat (if it has one) knows it."""
    return read_game(request).read_state(request["state"])


#: the functions of a helper, by their names
Functions = Mapping[str, Callable[[dict[str, Any]], Any]]


def answer_request(functions: Functions, line: str) -> str:
    """The answer to a request: what the function of its name returns, or what went wrong."""
    request = json.loads(line)
    try:
        answer = {"answer": functions[request["do"]](request)}
    except Exception as error:  # noqa: BLE001 - whatever it is, the next request may succeed
        answer = {"problem": f"{type(error).__name__}: {error}"}
    return json.dumps({"number": request["number"], **answer})


def answer_requests(functions: Functions, requests: Iterable[str], answers: TextIO) -> None:
    """Say that the process has started, then answer every request."""

    def write(answer: str) -> None:
        answers.write(answer + "\n")
        answers.flush()

    write(json.dumps({"number": None}))
    for line in requests:
        write(answer_request(functions, line))
