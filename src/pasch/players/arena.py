"""Games between computer players, decided by a key alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, TypeAlias

from pasch.core.errors import UnknownPlayer
from pasch.core.game import Game
from pasch.core.match import Match
from pasch.core.philox import Stream
from pasch.core.registry import configured_game
from pasch.core.state import CHANCE, State
from pasch.players.base import Player, player
from pasch.players.bots import BotPlayer

#: a player: its name, an object with `choose`, or a class or function to make one of
Who: TypeAlias = Player | Callable[..., Any] | str


def as_player(who: Who) -> Player:
    """A player: the one with this name, or the object itself if it has `choose`; a class is made, a function asked."""
    if isinstance(who, str):
        return player(who)
    made: Any = who() if isinstance(who, type) else who
    if callable(getattr(made, "choose", None)):
        return made  # type: ignore[no-any-return]
    if callable(made):
        return SimpleNamespace(choose=made, name=player_name(made))
    raise UnknownPlayer(
        "a player is a name, or has a method choose(view, generator); got {got}", got=type(who).__name__
    )


def player_name(who: Who) -> str:
    """What a player is called: its name, or that of its class or function."""
    if isinstance(who, str):
        return who
    return str(getattr(who, "name", None) or getattr(who, "__name__", None) or type(who).__name__)


def play_game(
    game: Game[Any, Any] | str,
    players: Sequence[Who],
    key: bytes,
    *,
    start: State | None = None,
    **options: Any,
) -> Match:
    """One whole game; `players` by seat, objects or names. The same key (16 bytes or more) gives the same game.

    `game`: a configured game, or its id with `options`. `start`: the first position. Chance draws from stream 0 of the
    key, seat s from stream s + 1 (see `pasch.core.philox`), so that no seat disturbs another.
    """
    game = configured_game(game, len(players), options)
    seated = [as_player(who) for who in players]
    for bot in seated:
        if isinstance(bot, BotPlayer):
            bot.begin()
    dice, *generators = (Stream(key, stream) for stream in range(game.players + 1))
    match = Match(game, start=start)
    state = match.state
    while not state.over:
        seat = state.actor
        if seat == CHANCE:
            state = match.play(state.chance().sample(dice))
        else:
            state = match.play(seated[seat].choose(state.view(seat), generators[seat]))
    return match
