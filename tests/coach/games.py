"""Games for the coach to look at."""

from __future__ import annotations

from typing import Any

from pasch import Match
from pasch.coach.judge import EventJudgement, judge
from pasch.core.chance import seed_key, subkey
from pasch.core.game import Game
from pasch.players.arena import play_game
from pasch.players.base import player
from pasch.terminal.conformance import agree as agree


def play(game: Game[Any, Any], seats: str, number: int = 0) -> Match:
    """A game between players named `a,b`; the last one takes all other seats."""
    names = seats.split(",")
    names += [names[-1]] * (game.players - len(names))
    players = [player(name) for name in names[: game.players]]
    return play_game(game, players, subkey(seed_key("coach"), seats, number))


def judged(match: Match, number: int) -> EventJudgement:
    """The coach's judgement of event `number` of a match, counted from 1."""
    return judge(match.at(number - 1), match.events[number - 1], match.at(number), number)
