"""Games for the coach to look at."""

from __future__ import annotations

from typing import Any

from pasch import Match, find_game
from pasch.core.chance import seed_key, subkey
from pasch.core.game import Game
from pasch.players.arena import play_game
from pasch.players.base import player

#: the games whose values are exact, in variants that are quick to solve
EXACT: list[tuple[str, int, dict[str, Any]]] = [
    ("fiese15", 2, {}),
    ("fiese15", 3, {"gambler": True}),
    ("joker1", 1, {"rounds": 3}),
    ("joker1", 2, {"rounds": 4}),
    ("joker1", 2, {"rounds": 3, "first_six": "busts"}),
    ("joker2", 2, {"rounds": 3}),
    ("joker2", 3, {"rounds": 2, "five_penalty": "pushed"}),
    ("joker2", 2, {"rounds": 2, "five_dice": "always"}),
    ("lines", 1, {"plans": [2], "target": 5}),
    ("lines", 2, {"plans": [1, 2]}),
    ("lines", 3, {"plans": [1, 2], "plan_choice": "chosen"}),
]


def agree(case: tuple[str, int, dict[str, Any]]) -> Game[Any, Any]:
    name, players, options = case
    return find_game(name).agree(players, options)


def case_name(case: tuple[str, int, dict[str, Any]]) -> str:
    name, players, options = case
    return f"{name}-{players}" + "".join(f"-{value}" for value in options.values())


def play(game: Game[Any, Any], seats: str, number: int = 0) -> Match:
    """A game between players named `a,b`; the last one takes all other seats."""
    names = seats.split(",")
    names += [names[-1]] * (game.players - len(names))
    players = [player(name) for name in names[: game.players]]
    return play_game(game, players, subkey(seed_key("coach"), seats, number))
