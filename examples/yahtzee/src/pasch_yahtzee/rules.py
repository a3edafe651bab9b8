"""Yahtzee: thirteen turns, thirteen boxes.

Rules in short. A turn has up to three rolls; before the second and the third keep any of the five dice. Then fill an
empty box of your card. The upper boxes count the dice of one face, and 63 points there bring 35 more. A Yahtzee, five
equal dice, scores 50 in its box, and 100 more for every later one. A Yahtzee whose box and whose upper box are filled
is a *joker*: it counts as a full house or a straight.

Sources: the printed rules; `free` is what Tom Verhoeff's programs play, whose best average is 254.5896 points.

| option | default | meaning |
|---|---|---|
| joker | free | with a Yahtzee whose box is filled any empty box may be filled, or the rules say which (`forced`) |
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from pasch import CHANCE, OVER, BySeat, Choice, Dice, Game, Options, Roll, Rolled, Row, SeatEvent, State
from pasch_yahtzee.ways import ALL, ALL_LOWER, BOXES, KEEPS, YAHTZEE, tables


class Keep(SeatEvent, frozen=True):
    """The dice that are kept; the others are rolled again."""

    keep: tuple[int, ...]


class Fill(SeatEvent, frozen=True):
    """The box that is filled."""

    box: str


class YahtzeeOptions(Options, frozen=True, kw_only=True):
    """What a joker may do."""

    joker: Annotated[Literal["free", "forced"], msgspec.Meta(description="What a joker may fill.")] = "free"


class Config(NamedTuple):
    """What the rules read of players and options (`g` below). Rolls have their numbers in `ROLLS`."""

    players: int
    forced: bool
    #: by roll kept: how many dice are rolled with it, and by roll of these, from the first on, what lies there then
    missing: tuple[int, ...]
    joined: tuple[tuple[int, ...], ...]
    first_roll: tuple[int, ...]
    #: by roll: what can be kept of it, and -1 after the last; the face of a Yahtzee, or 0; by box, what it scores
    keeps: tuple[tuple[int, ...], ...]
    five: tuple[int, ...]
    points: tuple[tuple[int, ...], ...]


ROLL, KEEP, FILL, ENDED = range(4)


class Position(State, frozen=True):
    """One position. `phase` says what comes next, `seat` whose turn it is."""

    phase: Literal["roll", "keep", "fill", "over"]
    seat: int
    totals: BySeat
    #: the boxes filled, as bits; the points of the upper ones (63 are enough); whether the Yahtzee box scored
    filled: Annotated[tuple[int, ...], Row("players", bits=len(BOXES))]
    upper: BySeat
    scored_yahtzee: BySeat
    #: how many rolls are left in this turn, the dice to be rolled, those kept, and those that lie there
    rolls: int
    dice: int
    kept: Rolled
    rolled: Rolled


def begin_turn(g: Config, s: Any) -> None:
    """Five dice, three rolls."""
    s.actor, s.phase, s.rolls, s.dice, s.kept, s.rolled = CHANCE, ROLL, 3, 5, 0, 0


def roll(g: Config, s: Any, rolled: int) -> None:
    """The dice lie there: keep some, or after the last roll fill a box."""
    s.rolled = g.joined[s.kept][rolled - g.first_roll[s.dice]]
    s.kept, s.dice, s.rolls = 0, 0, s.rolls - 1
    s.actor, s.phase = s.seat, KEEP if s.rolls > 0 else FILL


def keeps(g: Config, s: Any, out: Any) -> int:
    """Any of the dice may be kept."""
    found = 0
    while g.keeps[s.rolled][found] >= 0:
        out[found] = g.keeps[s.rolled][found]
        found += 1
    return found


def keep(g: Config, s: Any, kept: int) -> None:
    """The dice that are not kept are rolled again; if all are, a box is filled."""
    if kept == s.rolled:
        s.phase, s.rolls = FILL, 0
    else:
        s.actor, s.phase, s.kept, s.rolled, s.dice = CHANCE, ROLL, kept, 0, g.missing[kept]


def boxes(g: Config, s: Any, out: Any) -> int:
    """The empty boxes; a forced joker goes into its upper box, else into a lower one, else anywhere."""
    filled, upper, found = s.filled[s.seat], g.five[s.rolled] - 1, 0
    forced = g.forced and upper >= 0 and filled >> YAHTZEE & 1 > 0
    for box in range(len(g.points[0])):
        fits = filled >> box & 1 == 0
        if fits and forced:
            fits = box == upper if filled >> upper & 1 == 0 else box >= 6 or filled & ALL_LOWER == ALL_LOWER
        if fits:
            out[found] = box
            found += 1
    return found


def fill(g: Config, s: Any, box: int) -> None:
    """The dice score in the box, and it is the next player's turn."""
    seat, upper, points = s.seat, g.five[s.rolled] - 1, g.points[s.rolled][box]
    if upper >= 0 and s.filled[seat] >> YAHTZEE & 1 > 0:
        s.totals[seat] += 100 * s.scored_yahtzee[seat]
        if s.filled[seat] >> upper & 1 > 0 and 8 <= box <= 10:
            points = 25 if box == 8 else 30 if box == 9 else 40
    s.totals[seat] += points
    if box < 6:
        s.totals[seat] += 35 if s.upper[seat] < 63 <= s.upper[seat] + points else 0
        s.upper[seat] = min(s.upper[seat] + points, 63)
    if box == YAHTZEE and points > 0:
        s.scored_yahtzee[seat] = 1
    s.filled[seat] |= 1 << box
    s.seat = (seat + 1) % g.players
    begin_turn(g, s)
    if s.filled[s.seat] == ALL:
        s.actor, s.phase = OVER, ENDED


class Yahtzee(Game[YahtzeeOptions, Any]):
    """A game of Yahtzee with its options."""

    id = "yahtzee"
    title = "Yahtzee"
    pitch = "Three rolls a turn, thirteen boxes to fill."
    seats = range(1, 5)
    minutes = (10, 40)
    Options = YahtzeeOptions
    Position = Position
    begin = begin_turn
    phases = {
        "roll": Dice(Roll, "dice", then=roll),
        "keep": Choice(Keep, KEEPS, keep, keeps, most=32),
        "fill": Choice(Fill, BOXES, fill, boxes),
    }

    def configure(self) -> Config:
        return Config(self.players, self.options.joker == "forced", *tables())
