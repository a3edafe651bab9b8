"""Games between computer players, decided by a key alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pasch.core.chance import KeyedGenerator, subkey
from pasch.core.errors import OptionError
from pasch.core.fair import rolled
from pasch.core.game import Game
from pasch.core.match import Match
from pasch.core.state import CHANCE
from pasch.players.base import Player
from pasch.players.bots import BotPlayer


def play_game(game: Game[Any, Any], players: Sequence[Player], key: bytes) -> Match:
    """One whole game; `players` by seat. The same key gives the same game everywhere.

    The chance event with number n in the record (counted from 1) is `derive(key, n, total)`; seat s
    draws what chance it needs from a generator of its own, so that no seat disturbs another.
    """
    if len(players) != game.players:
        raise OptionError(
            "seats: {got} players for a game of {wanted}", got=len(players), wanted=game.players
        )
    for player in players:
        if isinstance(player, BotPlayer):
            player.begin()
    generators = [KeyedGenerator(subkey(key, "seat", seat)) for seat in range(game.players)]
    match = Match(game)
    state = match.state
    while not state.over:
        seat = state.actor
        if seat == CHANCE:
            state = match.play(rolled(key, len(match) + 1, state.chance()))
        else:
            state = match.play(players[seat].choose(state.view(seat), generators[seat]))
    return match
