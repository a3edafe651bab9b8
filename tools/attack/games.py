"""What attackers send: very long games, and custom boxes of the largest size that is accepted."""

from __future__ import annotations

import json
from random import Random
from typing import Any, NamedTuple

import msgspec

from pasch.core.registry import find_game
from pasch.core.state import CHANCE

#: the game whose games can be made longest
ENDLESS_GAME = "sixbysix"
#: rounds of two of its seats, with what a table may begin with
EVENTS_PER_ROUND = 23


class LongGame(NamedTuple):
    """Options, and the events of a game under way or at its end."""

    options: dict[str, Any]
    events: list[dict[str, Any]]


def long_game(events: int, *, finished: bool = False) -> LongGame:
    """A game of two seats with about `events` events; at its end, or with a seat to choose."""
    kind = find_game(ENDLESS_GAME)
    box = msgspec.to_builtins(kind.default_components())
    box["start"]["chips"] = kind.Components.printed_bounds["start.chips"]
    rounds = max(1, events // EVENTS_PER_ROUND) if finished else 1000
    options = {"streets": True, "round_limit": rounds, "components": box}
    state, random = kind.agree(2, options).start(), Random(1)
    played: list[dict[str, Any]] = []
    while not state.over and (finished or len(played) < events or state.actor == CHANCE):
        event = state.chance().sample(random) if state.actor == CHANCE else random.choice(state.moves())
        state = state.apply(event)
        played.append(event.json())
    return LongGame(options, played)


def own_box(number: int) -> dict[str, Any]:
    """A small custom box that nobody has solved yet."""
    box: dict[str, Any] = msgspec.to_builtins(find_game("joker1").default_components())
    box["combinations"][0]["value"] = number % 1000
    box["combinations"][1]["value"] = number // 1000 % 1000
    return box


def huge_box(size: int = 250_000) -> tuple[str, dict[str, Any]]:
    """A game and a custom box for it, of about `size` bytes."""
    box: dict[str, Any] = msgspec.to_builtins(find_game("fiese15").default_components())
    strip = box["strips"][0]
    box["strips"] = [strip] * (size // len(json.dumps(strip)))
    box["rounds"] = len(box["strips"])
    return "fiese15", box


def wide_box(size: int = 250_000) -> tuple[str, dict[str, Any]]:
    """A game and a custom box in which every move is looked up in a long list."""
    box: dict[str, Any] = msgspec.to_builtins(find_game("joker1").default_components())
    line = {"name": "", "slides": [1, 2, 3, 4, 5, 6], "value": 63, "exact": False}
    box["combinations"] = [{**line, "name": f"{n:x}"} for n in range(size // 90)]
    return "joker1", box
