"""The line protocol between the server and its helper processes.

A request is one line of JSON: its number, the name of a function, its arguments; so is an answer. Most
requests describe a game (id, players, options) and its events so far; with a seat, only what that seat was
told of them, so that the helper cannot know more than the seat does.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TextIO

from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.registry import find_game
from pasch.core.state import State


def describe_game(game: Game[Any, Any], events: Iterable[Event], seat: int | None = None) -> dict[str, Any]:
    """The fields of a request that describe a game; with a seat, as that seat knows it."""
    told = events if seat is None else [event.view(seat) for event in events]
    return {
        "game": game.id,
        "players": game.players,
        "options": game.options.json(),
        "events": [event.json() for event in told],
        "seat": seat,
    }


def read_game(request: Mapping[str, Any]) -> Game[Any, Any]:
    """The game that a request describes."""
    return find_game(request["game"]).agree(request["players"], request["options"])


def read_state(request: Mapping[str, Any]) -> State:
    """The state after all events of a request, as its seat (if it has one) knows it."""
    game = read_game(request)
    state = game.start() if request["seat"] is None else game.start().view(request["seat"])
    for written in request["events"]:
        state = state.apply(game.read_event(written))
    return state


def answer_requests(
    functions: Mapping[str, Callable[[dict[str, Any]], Any]], requests: TextIO, answers: TextIO
) -> None:
    """Answer every request with what the function of its name returns, until there are no more."""
    for line in requests:
        request = json.loads(line)
        try:
            answer = {"answer": functions[request["do"]](request)}
        except Exception as error:  # noqa: BLE001 - whatever it is, the next request may succeed
            answer = {"problem": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps({"number": request["number"], **answer}) + "\n")
        answers.flush()
