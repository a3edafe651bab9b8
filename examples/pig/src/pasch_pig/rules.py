"""Pig: roll one die as often as you dare.

Rules in short. A turn begins with a roll. A 1 ends it without points; any other face is added to the points
of the turn. Then roll on, or hold and keep the points of the turn. The first player to reach the target wins.

Sources: a folk game, which John Scarne described in 1945.

| option | default | meaning |
|---|---|---|
| target | 100 | the points that win |
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from pasch import CHANCE, OVER, BySeat, Choice, Components, Dice, Game, Options, SeatEvent, State


class Roll(SeatEvent, frozen=True):
    """The face of the die."""

    roll: int


class Next(SeatEvent, frozen=True):
    """Roll on, or hold and keep the points of the turn."""

    next: Literal["roll", "hold"]


class PigOptions(Options, frozen=True, kw_only=True):
    """How long the game lasts."""

    target: Annotated[int, msgspec.Meta(ge=10, le=1000, description="The points that win.")] = 100


class Config(NamedTuple):
    """What the rules read of players and options (`g` below)."""

    players: int
    target: int


ROLL, NEXT, ENDED = range(3)


class Position(State, frozen=True):
    """One position. `phase` says what comes next."""

    phase: Literal["roll", "next", "over"]
    #: whose turn it is
    seat: int
    totals: BySeat
    #: the points of this turn
    turn: int


def roll(g: Config, s: Any, face: int) -> None:
    """A 1 loses the points of the turn; a seat that reaches the target wins at once."""
    s.turn = 0 if face == 1 else s.turn + face
    if face == 1 or s.totals[s.seat] + s.turn >= g.target:
        end_turn(g, s)
    else:
        s.actor, s.phase = s.seat, NEXT


def roll_or_hold(g: Config, s: Any, code: int) -> None:
    """Roll again, or keep the points of the turn."""
    if code == 0:
        s.actor, s.phase = CHANCE, ROLL
    else:
        end_turn(g, s)


def end_turn(g: Config, s: Any) -> None:
    """The seat has the points of its turn; the next one rolls, unless this one has won."""
    s.totals[s.seat] += s.turn
    s.turn = 0
    if s.totals[s.seat] >= g.target:
        s.actor, s.phase = OVER, ENDED
    else:
        s.actor, s.phase, s.seat = CHANCE, ROLL, (s.seat + 1) % g.players


class Pig(Game[PigOptions, Components]):
    """A game of Pig with its options and components."""

    id = "pig"
    title = "Pig"
    pitch = "Roll one die as often as you dare; a 1 takes the whole turn away."
    seats = range(2, 7)
    minutes = (5, 15)
    Options = PigOptions
    Position = Position
    phases = {"roll": Dice(Roll, 1, then=roll), "next": Choice(Next, ("roll", "hold"), then=roll_or_hold)}

    def configure(self) -> Config:
        return Config(self.players, self.options.target)
