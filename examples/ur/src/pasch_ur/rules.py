"""The Royal Game of Ur: a race of two along a road of fourteen squares.

Rules in short. Throw four dice; each even face is worth a step. Move one of your pieces on by all steps: one from your
hand onto the road, one further, or one off its end by exactly the steps that it needs. The squares 5 to 12 are shared:
there a piece of the other player is sent back to their hand, except from the rosette on 8. A piece that lands on a
rosette (4, 8, 14) gives another throw. Without steps or a legal move the turn is over. All pieces home win.

Sources: the path of Irving Finkel, who read the rules from a clay tablet of 177 BC.

| option | default | meaning |
|---|---|---|
| pieces | 1 | how many pieces each player has |
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from pasch import CHANCE, OVER, ROLLS, BySeat, Choice, Dice, Game, Options, Roll, Row, SeatEvent, State

#: the last square, the squares that both use, and the rosettes
LAST, SHARED, ROSETTES = 14, range(5, 13), (4, 8, 14)
SAFE = 8


class Move(SeatEvent, frozen=True):
    """The square of the piece that moves; 0: it comes from the hand."""

    piece: int


class UrOptions(Options, frozen=True, kw_only=True):
    """How long the race is."""

    pieces: Annotated[int, msgspec.Meta(ge=1, le=7, description="How many pieces each player has.")] = 1


class Config(NamedTuple):
    """What the rules read of players and options (`g` below)."""

    players: int
    pieces: int
    #: by roll: the steps that it is worth
    steps: tuple[int, ...]
    #: by square: whether it is shared, and whether it is a rosette
    shared: tuple[bool, ...]
    rosette: tuple[bool, ...]


THROW, MOVE, ENDED = range(3)


class Position(State, frozen=True):
    """One position. `phase` says what comes next."""

    phase: Literal["throw", "move", "over"]
    #: whose turn it is
    seat: int
    #: the pieces in hand, and those that are home
    hand: BySeat
    home: BySeat
    #: the squares taken, as bits
    squares: Annotated[tuple[int, ...], Row("players", bits=LAST + 1)]
    #: the steps thrown
    steps: int


def begin(g: Config, s: Any) -> None:
    """All pieces are in hand."""
    for seat in range(g.players):
        s.hand[seat] = g.pieces


def throw(g: Config, s: Any, rolled: int) -> None:
    """The steps are thrown; without a legal move the turn is over."""
    s.actor, s.phase, s.steps = s.seat, MOVE, g.steps[rolled]
    for piece in range(LAST + 1):
        if can_move(g, s, piece):
            return
    end_turn(g, s, False)


def can_move(g: Config, s: Any, piece: int) -> bool:
    """Whether the piece on this square (0: in hand) may move on by all steps."""
    own, to = s.squares[s.seat], piece + s.steps
    there = s.hand[s.seat] > 0 if piece == 0 else own >> piece & 1 > 0
    if not there or s.steps == 0 or to > LAST + 1 or (to <= LAST and own >> to & 1 > 0):
        return False
    return to != SAFE or s.squares[1 - s.seat] >> to & 1 == 0


def pieces(g: Config, s: Any, out: Any) -> int:
    """The pieces that may move."""
    found = 0
    for piece in range(LAST + 1):
        if can_move(g, s, piece):
            out[found] = piece
            found += 1
    return found


def move(g: Config, s: Any, piece: int) -> None:
    """The piece moves on, perhaps home, perhaps onto one of the other player."""
    seat, other, to = s.seat, 1 - s.seat, piece + s.steps
    if piece == 0:
        s.hand[seat] -= 1
    else:
        s.squares[seat] &= ~(1 << piece)
    if to > LAST:
        s.home[seat] += 1
        end_turn(g, s, False)
        if s.home[seat] == g.pieces:
            s.actor, s.phase = OVER, ENDED
        return
    s.squares[seat] |= 1 << to
    if g.shared[to] and s.squares[other] >> to & 1 > 0:
        s.squares[other] &= ~(1 << to)
        s.hand[other] += 1
    end_turn(g, s, g.rosette[to])


def end_turn(g: Config, s: Any, again: bool) -> None:
    """The other player throws, or the same one again."""
    if not again:
        s.seat = 1 - s.seat
    s.actor, s.phase, s.steps = CHANCE, THROW, 0


class Ur(Game[UrOptions, Any]):
    """A game of Ur with its options."""

    id = "ur"
    title = "The Royal Game of Ur"
    pitch = "Race your pieces along the road, and send those of the other player back."
    seats = range(2, 3)
    minutes = (5, 30)
    Options = UrOptions
    Position = Position
    begin = begin
    scores = "home"
    phases = {"throw": Dice(Roll, 4, then=throw), "move": Choice(Move, range(LAST + 1), move, pieces)}

    def configure(self) -> Config:
        steps = tuple(sum(face % 2 == 0 for face in roll) for roll in ROLLS)
        shared, rosette = (
            tuple(square in some for square in range(LAST + 1)) for some in (SHARED, ROSETTES)
        )
        return Config(self.players, self.options.pieces, steps, shared, rosette)
