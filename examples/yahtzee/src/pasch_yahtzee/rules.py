"""Yahtzee: thirteen turns, thirteen boxes.

Rules in short. A turn has up to three rolls; before the second and the third keep as many of the five dice as you like.
Then fill an empty box of your card. The upper boxes count the dice of one face, and 63 points there bring 35 more. A
Yahtzee, five equal dice, scores 50 in its box, and 100 more for every later one. Once the box is filled, a Yahtzee
whose upper box is filled, too, is a *joker*: it counts as a full house or a straight.

Sources: the printed rules; `free` is what Tom Verhoeff's programs play, whose best average is 254.5896 points.

| option | default | meaning |
|---|---|---|
| joker | free | with a Yahtzee whose box is filled any empty box may be filled (`free`), or the rules say which (`forced`) |
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from pasch import CHANCE, OVER, BySeat, Choice, Components, Dice, Game, Options, Roll, Row, SeatEvent, State
from pasch.core.rolls import FIRST_ROLL, ROLLS, SHOWN

DICE, FACES, ENOUGH = 5, 6, 63
UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
LOWER = (
    "three of a kind",
    "four of a kind",
    "full house",
    "small straight",
    "large straight",
    "yahtzee",
    "chance",
)
BOXES = UPPER + LOWER
THREE, FOUR, HOUSE, SMALL, LARGE, YAHTZEE, ANY = range(FACES, len(BOXES))
DIGITS = {
    sum(shown[face] * FACES ** (FACES - face) for face in range(1, 7)): n
    for n, shown in enumerate(SHOWN[: FIRST_ROLL[6]])
}
NUMBERS = tuple(DIGITS.get(number, -1) for number in range(FACES**FACES))
ALL_LOWER, ALL = 0b1111111000000, 0b1111111111111


class Keep(SeatEvent, frozen=True):
    """The dice that are kept; the others are rolled again."""

    keep: tuple[int, ...]


class Fill(SeatEvent, frozen=True):
    """The box that is filled."""

    box: str


class YahtzeeOptions(Options, frozen=True, kw_only=True):
    """What a joker may do."""

    joker: Annotated[
        Literal["free", "forced"], msgspec.Meta(description="Which boxes a joker may fill.")
    ] = "free"


class Config(NamedTuple):
    """What the rules read of players and options (`g` below)."""

    players: int
    forced: bool
    #: by roll and face: how many dice show it
    shown: tuple[tuple[int, ...], ...]
    #: the number of a roll by how many dice show each face, the digits of a number
    number: tuple[int, ...]


ROLL, KEEP, FILL, ENDED = range(4)


class Position(State, frozen=True):
    """One position. `phase` says what comes next."""

    phase: Literal["roll", "keep", "fill", "over"]
    #: whose turn it is
    seat: int
    #: the boxes filled as bits, the points of the upper ones (63 are enough), and whether the Yahtzee box scored
    filled: Annotated[tuple[int, ...], Row("players", bits=len(BOXES))]
    upper: BySeat
    yahtzee: BySeat
    totals: BySeat
    #: the rolls that are left in this turn, and how many dice show each face
    rolls: int
    dice: Annotated[tuple[int, ...], Row(FACES)]


def begin_turn(g: Config, s: Any) -> None:
    """Five dice, three rolls."""
    s.actor, s.phase, s.rolls = CHANCE, ROLL, 3
    for face in range(FACES):
        s.dice[face] = 0


def to_roll(g: Config, s: Any) -> int:
    """The dice that are not kept."""
    return DICE - s.dice[0] - s.dice[1] - s.dice[2] - s.dice[3] - s.dice[4] - s.dice[5]


def roll(g: Config, s: Any, rolled: int) -> None:
    """The dice lie there: keep some, or after the last roll fill a box."""
    for face in range(FACES):
        s.dice[face] += g.shown[rolled][face + 1]
    s.rolls -= 1
    s.actor, s.phase = s.seat, KEEP if s.rolls > 0 else FILL


def keeps(g: Config, s: Any, out: Any) -> int:
    """Any of the dice may be kept: of each face none up to all."""
    ways = found = 1
    for face in range(FACES):
        ways *= s.dice[face] + 1
    for way in range(ways):
        rest, found = way, 0
        for face in range(FACES):
            found = found * FACES + rest % (s.dice[face] + 1)
            rest //= s.dice[face] + 1
        out[way] = g.number[found]
    return ways


def keep(g: Config, s: Any, kept: int) -> None:
    """The dice that are not kept are rolled again; if all are, a box is filled."""
    for face in range(FACES):
        s.dice[face] = g.shown[kept][face + 1]
    if to_roll(g, s) > 0:
        s.actor, s.phase = CHANCE, ROLL
    else:
        s.phase, s.rolls = FILL, 0


def joker_face(s: Any) -> int:
    """The face of a Yahtzee when that box is filled, from 0; otherwise -1."""
    for face in range(FACES):
        if s.dice[face] == DICE and s.filled[s.seat] >> YAHTZEE & 1:
            return face
    return -1


def boxes(g: Config, s: Any, out: Any) -> int:
    """The empty boxes; a forced joker goes into its upper box, else into a lower one, else anywhere."""
    filled, joker, found = s.filled[s.seat], joker_face(s), 0
    for box in range(len(BOXES)):
        fits = filled >> box & 1 == 0
        if fits and joker >= 0 and g.forced:
            open_upper = filled >> joker & 1 == 0
            fits = box == joker if open_upper else box >= FACES or filled & ALL_LOWER == ALL_LOWER
        if fits:
            out[found] = box
            found += 1
    return found


def fill(g: Config, s: Any, box: int) -> None:
    """The dice score in the box, and it is the next player's turn."""
    seat, joker = s.seat, joker_face(s)
    points = worth(s, box, joker >= 0 and s.filled[seat] >> joker & 1 > 0)
    s.totals[seat] += points + (100 if joker >= 0 and s.yahtzee[seat] else 0)
    if box < FACES:
        if s.upper[seat] < ENOUGH <= s.upper[seat] + points:
            s.totals[seat] += 35
        s.upper[seat] = min(s.upper[seat] + points, ENOUGH)
    if box == YAHTZEE and points > 0:
        s.yahtzee[seat] = 1
    s.filled[seat] |= 1 << box
    s.seat = (seat + 1) % g.players
    begin_turn(g, s)
    if s.filled[s.seat] == ALL:
        s.actor, s.phase = OVER, ENDED


def worth(s: Any, box: int, joker: bool) -> int:
    """What the dice score in a box."""
    if box < FACES:
        return s.dice[box] * (box + 1)
    pips = most = row = longest = 0
    pair = False
    for face in range(FACES):
        pips += s.dice[face] * (face + 1)
        most, pair = max(most, s.dice[face]), pair or s.dice[face] == 2
        row = row + 1 if s.dice[face] > 0 else 0
        longest = max(longest, row)
    if box == THREE or box == FOUR:
        return pips if most >= box - 3 else 0
    if box == HOUSE:
        return 25 if (most == 3 and pair) or joker else 0
    if box == SMALL:
        return 30 if longest >= 4 or joker else 0
    if box == LARGE:
        return 40 if longest >= 5 or joker else 0
    if box == YAHTZEE:
        return 50 if most == DICE else 0
    return pips


class Yahtzee(Game[YahtzeeOptions, Components]):
    """A game of Yahtzee as agreed."""

    id = "yahtzee"
    title = "Yahtzee"
    pitch = "Three rolls a turn, thirteen boxes to fill."
    seats = range(1, 5)
    minutes = (10, 40)
    Options = YahtzeeOptions
    Position = Position
    begin = begin_turn
    phases = {
        "roll": Dice(Roll, to_roll, then=roll),
        "keep": Choice(Keep, ROLLS[: FIRST_ROLL[DICE + 1]], keep, keeps, most=32),
        "fill": Choice(Fill, BOXES, fill, boxes),
    }

    def configure(self) -> Config:
        return Config(self.players, self.options.joker == "forced", SHOWN, NUMBERS)
