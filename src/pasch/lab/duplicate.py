"""Duplicate dice: the same dice and cards for whoever sits there, as far as that can be.

In a tournament several games are played with the dice of one *deal*, each with other players in the seats.
Two players soon go different ways, one rolls again and one stops, so the n-th event of one game is not that
of the other. What the games share is therefore named by its place. What concerns the whole table (a strip,
a plan, the cards dealt) is counted. Everything else has a seat, the turn of that seat since the table's
last event, the roll in that turn and the die in that roll. Whatever has the same place in two games of a
deal is the same in both, however they went before. A card is the same as long as the packs are.

Each place has a key of its own, so that everything is as random as any dice, and follows the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pasch.coach.reasons import begins_turn
from pasch.core.chance import Chance, Generator, derive, subkey
from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.match import Match
from pasch.core.state import CHANCE, State
from pasch.players.base import Player


class Places:
    """Follows a game and knows the place of every roll."""

    def __init__(self, seats: int) -> None:
        #: events so far that concerned the whole table
        self._common = 0
        #: turns that each seat has begun since the last of these
        self._turns = [0] * seats
        self._rolls = 0
        self._seat: int | None = None
        self._first: State | None = None

    def follow(self, state: State, event: Event) -> tuple[object, ...]:
        """The place of `event`, which comes after `state`; of a roll any outcome will do."""
        seat: int | None = getattr(event, "seat", None)
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


def drawn(chance: Chance, key: bytes) -> Event:
    """What chance brings, die by die and card by card, each from a number of its own."""
    prefix: tuple[int, ...] = ()
    while steps := chance.step(prefix):
        case = derive(key, len(prefix) + 1, sum([cases for _, cases in steps]))
        for thing, cases in steps:
            case -= cases
            if case < 0:
                prefix = (*prefix, thing)
                break
    return chance.finish(prefix)


def play_duplicate(
    game: Game[Any, Any], players: Sequence[Player], generators: Sequence[Generator], key: bytes
) -> Match:
    """One whole game with the dice of the deal `key`; players and what they draw from, by seat."""
    match, places = Match(game), Places(game.players)
    state = match.state
    while not state.over:
        if state.actor == CHANCE:
            chance = state.chance()
            place = places.follow(state, chance.pick(0))
            state = match.play(drawn(chance, subkey(key, *place)))
        else:
            move = players[state.actor].choose(state.view(state.actor), generators[state.actor])
            places.follow(state, move)
            state = match.play(move)
    return match
