"""Settings of a game's puzzles (`puzzle.toml`), and today's puzzle. Needs no values, so a server may use it."""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import Any, Final, Literal, get_args

import msgspec

from pasch.core.errors import PaschError
from pasch.core.game import Game
from pasch.core.registry import find_data, find_game, game_ids, packages

Difficulty = Literal["easy", "medium", "hard"]
DIFFICULTIES: Final[tuple[Difficulty, ...]] = get_args(Difficulty)

#: by weekday, Monday first: the week gets harder
_OF_THE_WEEK: Final[tuple[Difficulty, ...]] = ("easy", "easy", "medium", "medium", "medium", "hard", "hard")


class NoPuzzle(PaschError):
    """There is no such puzzle."""


class PuzzlePlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game's puzzles."""

    #: the best move of a puzzle is better than every other one by at least this many points; without it none are
    #: made, because the values of the game are estimates
    margin: float | None = None
    #: a player's move that gave away at least this many points becomes a puzzle
    mistake: float = 0.5
    #: the options of the games that puzzles are taken from
    variants: tuple[dict[str, Any], ...] = ({},)

    @property
    def slack(self) -> float:
        """A move that gives away less than this counts as found."""
        return self.mistake / 5


@cache
def puzzle_plan(game: str) -> PuzzlePlan:
    """The plan of the game with this id."""
    return msgspec.convert(find_data(game, "puzzle.toml"), PuzzlePlan)


def has_puzzles(game: str) -> bool:
    """Whether puzzles are made of the game with this id."""
    return puzzle_plan(game).margin is not None


def puzzle_games(game: str) -> tuple[Game[Any, Any], ...]:
    """The games that puzzles of the game with this id are taken from: with the smallest number of seats."""
    found = find_game(game)
    return tuple(found.agree(found.seats[0], options) for options in puzzle_plan(game).variants)


def of_the_day(day: date) -> tuple[str, Difficulty]:
    """The game and the difficulty of a day's puzzle: the games take turns, and the week gets harder.

    Only games that come with Pasch take part, so that it is the same everywhere.
    """
    own = [game for game in game_ids() if packages()[game].startswith("pasch.") and has_puzzles(game)]
    return own[day.toordinal() % len(own)], _OF_THE_WEEK[day.weekday()]
