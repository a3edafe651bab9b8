"""Games for the tests of the lab: every game, short ones where that is possible."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from pasch.core.chance import seed_key
from pasch.core.match import Match
from pasch.core.state import State
from pasch.lab.spaces import actions
from pasch.players.arena import play_game
from pasch.players.base import RandomPlayer
from pasch.terminal.conformance import Case, agree, name, random_match

__all__ = ["CASES", "SOLO", "Case", "agree", "choices", "name", "random_game", "states"]

#: a game, players, options
CASES: list[Case] = [
    ("crowns", 1, {}),
    ("crowns", 1, {"solo_minimum": 2, "split": True}),
    ("crowns", 3, {"round_limit": 8}),
    ("fiese15", 1, {}),
    ("fiese15", 2, {"handicap": True, "gambler": True}),
    ("joker1", 1, {"rounds": 3}),
    ("joker1", 3, {"rounds": 2, "first_six": "busts"}),
    ("joker2", 1, {"rounds": 3}),
    ("joker2", 2, {"rounds": 2, "five_penalty": "pushed", "five_dice": "always"}),
    ("lines", 1, {"target": 2}),
    ("lines", 3, {"plans": [2, 4, 3], "target": 4}),
    ("lines", 2, {"plans": [3, 1, 3], "plan_choice": "chosen", "target": 4}),
    ("sixbysix", 2, {"round_limit": 3}),
    ("sixbysix", 4, {"streets": True, "round_limit": 2}),
]
SOLO: list[Case] = [case for case in CASES if case[1] == 1]


def random_game(case: Case, seed: int = 7) -> Match:
    """A game as `pasch.players.arena` plays it."""
    game = agree(case)
    return play_game(game, [RandomPlayer()] * game.players, seed_key(seed))


def choices(match: Match) -> list[int]:
    """The numbers of the moves that were made."""
    return [
        actions(match.game).number(event)
        for number, event in enumerate(match.events)
        if match.at(number).actor >= 0
    ]


def states(case: Case, games: int = 3) -> Iterator[State]:
    """All positions of some random games."""
    for number in range(games):
        match = random_match(agree(case), Random(number))
        yield from map(match.at, range(len(match) + 1))
