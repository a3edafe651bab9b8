"""Pig: roll one die as often as you dare.

Rules in short. A turn begins with a roll. A 1 ends it without points; any other face is added to the points
of the turn. Then roll on, or hold and keep the points of the turn. Whoever first has the target has won.

Sources: a folk game, which John Scarne described in 1945.

| option | default | meaning |
|---|---|---|
| target | 100 | the points that win |
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Literal

import msgspec

from pasch import (
    CHANCE,
    OVER,
    Chance,
    Components,
    EqualDice,
    Event,
    Game,
    IllegalOutcome,
    Options,
    SeatEvent,
    State,
)


class Roll(SeatEvent, frozen=True):
    """The face of the die."""

    roll: int


class Next(SeatEvent, frozen=True):
    """Roll on, or hold and keep the points of the turn."""

    next: Literal["roll", "hold"]


class PigOptions(Options, frozen=True, kw_only=True):
    """How long the game lasts."""

    target: Annotated[int, msgspec.Meta(ge=10, le=1000, description="The points that win.")] = 100


class Pig(Game[PigOptions, Components]):
    """A game of Pig as agreed."""

    id = "pig"
    title = "Pig"
    pitch = "Roll one die as often as you dare; a 1 takes the whole turn away."
    seats = range(2, 7)
    minutes = (5, 15)
    events = (Roll, Next)
    Options = PigOptions

    def start(self) -> PigState:
        return PigState(self, CHANCE, 0, (0,) * self.players, 0)


@cache
def _die(seat: int) -> EqualDice:
    return EqualDice(1, lambda faces: Roll(seat, faces[0]))


@cache
def _nexts(seat: int) -> tuple[Next, ...]:
    return (Next(seat, "roll"), Next(seat, "hold"))


class PigState(State, frozen=True):
    """One position."""

    game: Pig
    #: whose turn it is
    seat: int
    totals: tuple[int, ...]
    #: the points of this turn
    turn: int

    def moves(self) -> tuple[Event, ...]:
        return _nexts(self.seat) if self.actor >= 0 else ()

    def chance(self) -> Chance:
        return _die(self.seat)

    def scores(self) -> tuple[int, ...]:
        return self.totals

    def apply(self, event: Event) -> PigState:
        if type(event) is Roll and event.seat == self.seat and self.actor == CHANCE:
            return self._roll(event.roll)
        if type(event) is Next and event.seat == self.seat and self.actor == self.seat:
            if event.next == "hold":
                return self._end_turn(self.turn)
            return PigState(self.game, CHANCE, self.seat, self.totals, self.turn)
        raise self.misplaced(event)

    def _roll(self, face: int) -> PigState:
        if not 1 <= face <= 6:
            raise IllegalOutcome("roll", "a die shows 1 to 6, not {face}", face=face)
        if face == 1:
            return self._end_turn(0)
        turn = self.turn + face
        if self.totals[self.seat] + turn >= self.game.options.target:
            return self._end_turn(turn)
        return PigState(self.game, self.seat, self.seat, self.totals, turn)

    def _end_turn(self, points: int) -> PigState:
        totals = list(self.totals)
        totals[self.seat] += points
        over = totals[self.seat] >= self.game.options.target
        after = self.seat if over else (self.seat + 1) % self.game.players
        return PigState(self.game, OVER if over else CHANCE, after, tuple(totals), 0)
