"""How strong the levels are: how often one beats another, and what it gives away.

Two players meet in both orders of the seats with the same dice; such a pair of games is a *deal*, and standard errors
come from the variation between deals. What is compiled is played compiled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pasch.core.chance import seed_key, subkey
from pasch.core.game import Game
from pasch.lab.batch import PLAYERS, batch
from pasch.players.arena import play_game
from pasch.players.base import player
from pasch.players.levels import Figure

Floats = NDArray[np.float64]


def win_share(game: Game[Any, Any], one: str, other: str, deals: int, seed: str) -> Figure:
    """How often `one` beats `other` in a game of two seats; a win that is shared counts half."""
    found = [_won(game, seats, seats.index(one), deals, seed) for seats in ((one, other), (other, one))]
    return mean_and_error((found[0] + found[1]) / 2)


def loss(game: Game[Any, Any], level: str, games: int, seed: str) -> Figure:
    """What a seat gives away in a game in which all seats are of this level."""
    played = batch(game, [level] * game.players).play(games, seed)
    return mean_and_error(played.given_away.mean(axis=1))


def mean_and_error(numbers: Sequence[float] | Floats) -> Figure:
    """The mean of independent numbers, and its standard error."""
    found = np.asarray(numbers)
    return Figure(float(found.mean()), float(found.std(ddof=1) / np.sqrt(len(found))))


def _won(game: Game[Any, Any], seats: tuple[str, str], seat: int, games: int, seed: str) -> Floats:
    """By game: 1 for a win of this seat, 1/2 for a shared one, 0 for none."""
    if set(seats) <= set(PLAYERS):
        winners = batch(game, seats).play(games, seed).winners
        return np.asarray(winners[:, seat] / winners.sum(axis=1), dtype=np.float64)
    return np.array(list(_won_singly(game, seats, seat, games, seed)))


def _won_singly(
    game: Game[Any, Any], seats: tuple[str, str], seat: int, games: int, seed: str
) -> Iterator[float]:
    players = [player(name) for name in seats]
    for number in range(games):
        winners = play_game(game, players, subkey(seed_key(seed), number)).state.winners()
        yield (seat in winners) / len(winners)
