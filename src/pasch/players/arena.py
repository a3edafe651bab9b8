"""Games between computer players, decided by a key alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pasch.core.game import Game
from pasch.core.match import Match
from pasch.core.philox import Stream
from pasch.core.registry import agreed_game
from pasch.core.state import CHANCE, State
from pasch.players.base import Who, as_player
from pasch.players.bots import BotPlayer


def play_game(
    game: Game[Any, Any] | str,
    players: Sequence[Who],
    key: bytes,
    *,
    start: State | None = None,
    **options: Any,
) -> Match:
    """One whole game; `players` by seat, objects or names. The same key (16 bytes or more) gives the same game.

    `game`: as agreed, or its id with `options`. `start`: a position to go on from. Chance draws from stream 0 of the
    key, seat s from stream s + 1 (see `pasch.core.philox`), so that no seat disturbs another.
    """
    game = agreed_game(game, len(players), options)
    seated = [as_player(who) for who in players]
    for player in seated:
        if isinstance(player, BotPlayer):
            player.begin()
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
