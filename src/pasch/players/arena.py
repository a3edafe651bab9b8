"""Games between computer players, decided by a key alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pasch.core.errors import OptionError
from pasch.core.game import Game
from pasch.core.match import Match
from pasch.core.philox import Stream
from pasch.core.state import CHANCE
from pasch.players.base import Player
from pasch.players.bots import BotPlayer


def play_game(game: Game[Any, Any], players: Sequence[Player], key: bytes) -> Match:
    """One whole game; `players` by seat. The same key (16 bytes or more) gives the same game everywhere.

    Chance draws from stream 0 of the key, seat s from stream s + 1 (see `pasch.core.philox`), so that no seat
    disturbs another.
    """
    if len(players) != game.players:
        raise OptionError(
            "seats: {got} players for a game of {wanted}", got=len(players), wanted=game.players
        )
    for player in players:
        if isinstance(player, BotPlayer):
            player.begin()
    dice, *generators = (Stream(key, stream) for stream in range(game.players + 1))
    match = Match(game)
    state = match.state
    while not state.over:
        seat = state.actor
        if seat == CHANCE:
            state = match.play(state.chance().sample(dice))
        else:
            state = match.play(players[seat].choose(state.view(seat), generators[seat]))
    return match
