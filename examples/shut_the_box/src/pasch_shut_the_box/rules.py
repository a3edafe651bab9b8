"""Shut the Box: shut tiles that add up to the dice until none fit.

Rules in short. The tiles 1 to 9 are open. Roll two dice and shut open tiles that add up to them; when 7, 8 and 9 are
shut, choose to roll one die or two. A roll that no open tiles make ends the turn. The tiles shut are the score.

Sources: a folk game, played in pubs with many house rules.

| option | default | meaning |
|---|---|---|
| one_die | may | whether one `may` roll a single die when 7, 8 and 9 are shut, or `never` |
| score | pips | the `pips` of the tiles shut count, or a point for having `shut` them all |
"""

from __future__ import annotations

from itertools import combinations
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from pasch import CHANCE, OVER, ROLLS, Bits, BySeat, Choice, Dice, Game, Options, Roll, SeatEvent, State

TILES = range(1, 10)
#: the sets of tiles that two dice can make
SETS = [some for size in range(1, 5) for some in combinations(TILES, size) if sum(some) <= 12]


class Shut(SeatEvent, frozen=True):
    """The tiles that are shut."""

    shut: tuple[int, ...]


class Take(SeatEvent, frozen=True):
    """How many dice are rolled."""

    dice: Literal[1, 2]


class BoxOptions(Options, frozen=True, kw_only=True):
    """House rules."""

    one_die: Annotated[Literal["may", "never"], msgspec.Meta(description="Roll a single die?")] = "may"
    score: Annotated[Literal["pips", "shut"], msgspec.Meta(description="What counts.")] = "pips"


class Config(NamedTuple):
    """What the rules read of players and options (`g` below)."""

    players: int
    one_die: bool
    pips_count: bool
    #: by set of tiles: the tiles as a bit mask, and their pips; by roll: its pips
    tiles: tuple[int, ...]
    pips: tuple[int, ...]
    rolled: tuple[int, ...]


ROLL, SHUT, TAKE, ENDED = range(4)
ALL, HIGH = 0b111111111, 0b111000000


class Position(State, frozen=True):
    """One position. `phase` says what comes next, `seat` whose turn it is."""

    phase: Literal["roll", "shut", "take", "over"]
    seat: int
    totals: BySeat
    #: the tiles that are open; how many dice are rolled next, and the pips that lie there
    open: Annotated[int, Bits(9)]
    dice: int
    pips: int


def begin_turn(g: Config, s: Any) -> None:
    """All tiles are open, and both dice are rolled."""
    s.actor, s.phase, s.open, s.dice, s.pips = CHANCE, ROLL, ALL, 2, 0


def roll(g: Config, s: Any, rolled: int) -> None:
    """Shut tiles, or the turn is over."""
    s.actor, s.phase, s.pips = s.seat, SHUT, g.rolled[rolled]
    for some in range(len(g.tiles)):
        if fits(g, s, some):
            return
    end_turn(g, s)


def fits(g: Config, s: Any, some: int) -> bool:
    """Whether these tiles are open and make the roll."""
    return g.pips[some] == s.pips and g.tiles[some] & ~s.open == 0


def sets(g: Config, s: Any, out: Any) -> int:
    """The sets of open tiles that make the roll."""
    found = 0
    for some in range(len(g.tiles)):
        if fits(g, s, some):
            out[found] = some
            found += 1
    return found


def shut(g: Config, s: Any, some: int) -> None:
    """The tiles are shut and count; then roll again, unless all are shut."""
    s.open &= ~g.tiles[some]
    s.totals[s.seat] += g.pips[some] if g.pips_count else s.open == 0
    s.actor, s.phase, s.dice, s.pips = CHANCE, ROLL, 2, 0
    if s.open == 0:
        end_turn(g, s)
    elif g.one_die and s.open & HIGH == 0:
        s.actor, s.phase = s.seat, TAKE


def take(g: Config, s: Any, code: int) -> None:
    """Roll one die or two."""
    s.actor, s.phase, s.dice = CHANCE, ROLL, code + 1


def end_turn(g: Config, s: Any) -> None:
    """The next player begins with an open box, or the game is over."""
    begin_turn(g, s)
    s.seat += 1
    if s.seat == g.players:
        s.actor, s.phase, s.seat = OVER, ENDED, 0


class ShutTheBox(Game[BoxOptions, Any]):
    """A game of Shut the Box with its options."""

    id = "shut_the_box"
    title = "Shut the Box"
    pitch = "Shut tiles that add up to your dice until none fit."
    seats = range(1, 7)
    minutes = (2, 10)
    Options = BoxOptions
    Position = Position
    begin = begin_turn
    phases = {
        "roll": Dice(Roll, "dice", then=roll),
        "shut": Choice(Shut, SETS, shut, sets),
        "take": Choice(Take, (1, 2), take),
    }

    def configure(self) -> Config:
        masks = tuple(sum(1 << tile - 1 for tile in some) for some in SETS)
        one_die, pips_count = self.options.one_die == "may", self.options.score == "pips"
        return Config(
            self.players, one_die, pips_count, masks, tuple(map(sum, SETS)), tuple(map(sum, ROLLS))
        )
