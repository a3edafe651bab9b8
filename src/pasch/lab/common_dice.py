"""Common random numbers: games of one deal share their dice and cards in every seating.

In a tournament several games are played with the dice of one *deal*, each with other players in the seats.
Two players soon differ (one rolls again where the other stops), so the n-th event of one game is not that
of the other. Random numbers are therefore assigned by stream id, not by order. Events of the whole table (a
strip, a plan, the cards dealt) are counted through the game. Every other event is identified by its seat,
the seat's turn since the last event of the table, the roll within the turn and the die within the roll.
Events with the same id are the same in all games of a deal, whatever happened before; a card is, as
long as the packs are the same.

Every id has a key of its own, so each single game is as random as any and follows the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pasch.coach.reasons import begins_turn
from pasch.core.chance import Chance, Generator, subkey
from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.match import Match
from pasch.core.philox import Stream
from pasch.core.state import CHANCE, State
from pasch.players.base import Player


class StreamIds:
    """Follows one game and gives the stream id of every chance event."""

    def __init__(self, seats: int) -> None:
        #: events of the whole table so far
        self._common = 0
        #: turns that each seat has begun since the last of these
        self._turns = [0] * seats
        self._rolls = 0
        self._seat: int | None = None
        self._first: State | None = None

    def follow(self, state: State, event: Event) -> tuple[object, ...]:
        """The id of `event`, which comes after `state`; of a chance event any outcome will do."""
        seat = event.seat
        if seat is None:
            self._common += 1
            self._turns = [0] * len(self._turns)
            self._seat = None
            return ("table", self._common)
        if seat != self._seat or self._first is None or begins_turn(self._first, state, event):
            self._seat, self._first, self._rolls = seat, state, 0
            self._turns[seat] += 1
        if state.actor == CHANCE:
            self._rolls += 1
        return ("seat", self._common, seat, self._turns[seat], self._rolls)


def draw(chance: Chance, generator: Generator) -> Event:
    """An outcome drawn die by die and card by card, each from its own random number."""
    prefix: tuple[int, ...] = ()
    while steps := chance.step(prefix):
        case = generator.randrange(sum([cases for _, cases in steps]))
        for thing, cases in steps:
            case -= cases
            if case < 0:
                prefix = (*prefix, thing)
                break
    return chance.finish(prefix)


def play_with_common_dice(
    game: Game[Any, Any], players: Sequence[Player], generators: Sequence[Generator], key: bytes
) -> Match:
    """Play one game with the dice of the deal `key`; players and their own generators by seat."""
    match, ids = Match(game), StreamIds(game.players)
    state = match.state
    while not state.over:
        if state.actor == CHANCE:
            chance = state.chance()
            stream = ids.follow(state, chance.pick(0))
            state = match.play(draw(chance, Stream(subkey(key, *stream), 0)))
        else:
            move = players[state.actor].choose(state.view(state.actor), generators[state.actor])
            ids.follow(state, move)
            state = match.play(move)
    return match
