"""Fiese 15: roll six coloured dice under the targets of a strip, and stop before you miss them all.

Rules in short. Ten strips of fifteen are drawn, one a round; a strip gives each colour a target. Each seat
has one turn a round: roll the dice not yet set aside, set aside at least one that shows its target or less,
roll on or stop. Stopping scores the pips set aside, five dice bring 5 more, all six end the turn and
double it. A roll with nothing valid scores the targets of the dice still missing (as a gambler:
nothing). Highest total wins.

Sources: the printed rulebook; strips partly seen, partly reconstructed (see box.toml).

| option | default | meaning |
|---|---|---|
| handicap | false | the strips' backs, and white's target is a tile that depends on the standing |
| gambler | false | a roll with nothing valid scores nothing |
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import Annotated, Any, ClassVar, Final, Literal, NamedTuple, TypeVar

from msgspec import Meta

from pasch.core.errors import IllegalMove
from pasch.core.events import Event, NamedRoll, SeatEvent, arrange_names, subsets
from pasch.core.game import Game
from pasch.core.nodes import Choice, NamedDice, Pile
from pasch.core.options import Options
from pasch.core.position import Row, UpTo
from pasch.core.state import CHANCE, OVER, State
from pasch.games.fiese15.box import Fiese15Components, max_points

#: the dice, in the order of the colour cycle; every row of six is in this order, and so are bit masks
COLOURS: Final = ("red", "blue", "yellow", "black", "white", "green")
WHITE: Final = COLOURS.index("white")
FIVE_BONUS: Final = 5

Pips = TypeVar("Pips", int, float)


# --- events -------------------------------------------------------------------------------------------


class Strip(Event, frozen=True):
    """The strip drawn for the round, counted from 0."""

    strip: int


class Roll(NamedRoll, frozen=True):
    """The faces rolled, by colour; 0 where the die was not rolled."""

    names: ClassVar = COLOURS


class Keep(SeatEvent, frozen=True):
    """The dice set aside."""

    keep: tuple[str, ...]

    def __post_init__(self) -> None:
        arrange_names(self, "keep", COLOURS)


class Next(SeatEvent, frozen=True):
    """Roll on or stop."""

    next: Literal["roll", "stop"]


# --- options, and what the rules read of them and of the box ------------------------------------------


class Fiese15Options(Options, frozen=True, kw_only=True):
    """The variants."""

    handicap: Annotated[
        bool,
        Meta(
            description="Play the backs of the strips; white’s target is a tile: the further behind, the higher."
        ),
    ] = False
    gambler: Annotated[bool, Meta(description="A roll in which no die is valid scores nothing at all.")] = (
        False
    )
    components: Fiese15Components | None = None


class Config(NamedTuple):
    """What the rules read of players, options and box (`g` below)."""

    players: int
    rounds: int
    handicap: bool
    gambler: bool
    #: by strip and colour, on the side that is played; of white 0 if that is a tile
    targets: Sequence[Sequence[int]]
    #: white's tiles, ascending
    tiles: Sequence[int]


# --- the position (`s` below has the same fields as numbers and rows) ---------------------------------

STRIP, ROLL, KEEP, NEXT, ENDED = range(5)
ROLL_ON, STOP = range(2)
ByColour = Annotated[tuple[int, ...], Row(6, high=6)]


class Position(State, frozen=True):
    """One position. `phase` says what comes next."""

    phase: Literal["strip", "roll", "keep", "next", "over"]
    #: whose turn it is
    seat: int
    totals: Annotated[tuple[int, ...], Row("players", high=max_points)]
    #: the strips drawn so far; the last one is being played
    strips: Annotated[tuple[int, ...], UpTo("rounds", count="round", kinds="targets")]
    #: each seat's tile for white in this round (handicap only)
    tiles: Annotated[tuple[int, ...], Row("players", high=6, blank=True)]
    #: the targets of the seat whose turn it is, all 0 while no strip lies there
    targets: ByColour
    #: the faces set aside, 0 where a die still has to be rolled
    kept: ByColour
    #: the faces that lie on the table, of the roll just made
    rolled: ByColour


# --- a round --------------------------------------------------------------------------------------------


def draw(g: Config, s: Any, strip: int) -> None:
    """A round begins with this strip; in the handicap game everybody gets a tile."""
    if g.handicap:
        for seat in range(g.players):
            s.tiles[seat] = tile(g, s.totals, s.round, seat)
    s.strips[s.round] = strip
    s.round += 1
    begin_turn(g, s, first_seat(g))


def tile(g: Config, totals: Sequence[int], rounds: int, seat: int) -> int:
    """A 1 in the first round; then the leader has the lowest tile, and of equals the earlier seat the higher one."""
    if rounds == 0:
        return 1
    ahead = 0
    for other in range(g.players):
        if totals[other] > totals[seat] or (totals[other] == totals[seat] and other > seat):
            ahead += 1
    return g.tiles[ahead]


def begin_turn(g: Config, s: Any, seat: int) -> None:
    """All dice are to be rolled, under the targets of the strip."""
    s.actor, s.phase, s.seat = CHANCE, ROLL, seat
    for die in range(6):
        s.targets[die] = target(g, s.strips[s.round - 1], die, s.tiles[seat])
        s.kept[die] = s.rolled[die] = 0


def target(g: Config, strip: int, die: int, tile: int) -> int:
    """The target of a die on this strip; in the handicap game white's is the tile."""
    return tile if g.handicap and die == WHITE else g.targets[strip][die]


def first_seat(g: Config) -> int:
    """The seat that begins every round."""
    return 0


def next_seat(g: Config, seat: int) -> int:
    """The seat that has a turn after this one in the same round; -1 if the round is over."""
    return seat + 1 if seat + 1 < g.players else -1


def is_over(g: Config, rounds: int) -> bool:
    """Whether the game is over after this number of rounds."""
    return rounds == g.rounds


# --- a turn ---------------------------------------------------------------------------------------------


def roll(g: Config, s: Any) -> None:
    """The dice lie there: something has to be set aside, or nothing is valid and the turn is over."""
    if valid_dice(s.rolled, s.targets):
        s.actor, s.phase = s.seat, KEEP
    else:
        end_turn(g, s, 0, 0, 0, consolation(g, s.targets, s.kept))


def valid_dice(rolled: Sequence[int], targets: Sequence[int]) -> int:
    """The dice of a roll that may be set aside."""
    valid = 0
    for die in range(6):
        if is_valid(rolled[die], targets[die]):
            valid |= 1 << die
    return valid


def is_valid(face: int, target: int) -> bool:
    """Whether a die that was rolled (0 if it was not) shows its target or less."""
    return 0 < face <= target


def keeps(g: Config, s: Any, out: MutableSequence[int]) -> int:
    """Any valid dice may be set aside, but at least one."""
    valid, keep, found = valid_dice(s.rolled, s.targets), 0, 0
    while keep != valid:
        keep = (keep - valid) & valid  # the next larger set of valid dice
        out[found] = keep
        found += 1
    return found


def keep(g: Config, s: Any, dice: int) -> None:
    """Set these dice aside. All six end the turn."""
    missing = 0
    for die in range(6):
        if dice >> die & 1:
            s.kept[die] = s.rolled[die]
        s.rolled[die] = 0
        missing += s.kept[die] == 0
    s.phase = NEXT
    if missing == 0:
        end_turn(g, s, *stopped(s.kept), 0)


def roll_or_stop(g: Config, s: Any, code: int) -> None:
    """Roll the dice that are still missing, or stop."""
    if code == STOP:
        end_turn(g, s, *stopped(s.kept), 0)
    else:
        s.actor, s.phase = CHANCE, ROLL


# --- the score ------------------------------------------------------------------------------------------


def worth(kept: Sequence[int]) -> int:
    """What the dice set aside score when the turn ends with them."""
    pips, five, double = stopped(kept)
    return pips + five + double


def stopped(kept: Sequence[int]) -> tuple[int, int, int]:
    """The same in its parts: pips, bonus for five dice, and what six dice bring more."""
    dice, pips = 0, 0
    for die in range(6):
        dice += kept[die] > 0
        pips += kept[die]
    return pips, five_bonus(dice), doubled(dice, pips)


def points(dice: int, pips: Pips) -> Pips:
    """What a number of dice set aside with these pips score. Linear in the pips, so that means can be asked about."""
    return pips + five_bonus(dice) + doubled(dice, pips)


def five_bonus(dice: int) -> int:
    """Five dice bring 5 more."""
    return FIVE_BONUS if dice == 5 else 0


def doubled(dice: int, pips: Pips) -> Pips:
    """All six dice count twice."""
    return pips if dice == 6 else 0 * pips


def consolation(g: Config, targets: Sequence[int], kept: Sequence[int]) -> int:
    """What a roll with nothing valid scores: the targets still missing; nothing for gamblers."""
    missing = 0
    for die in range(6):
        if kept[die] == 0 and not g.gambler:
            missing += targets[die]
    return missing


def end_turn(g: Config, s: Any, pips: int, five: int, double: int, missed: int) -> None:
    """The seat has its points; the next seat, the next round or the end follows."""
    s.scored[0], s.scored[1], s.scored[2], s.scored[3] = pips, five, double, missed
    s.totals[s.seat] += pips + five + double + missed
    following = next_seat(g, s.seat)
    if following >= 0:
        begin_turn(g, s, following)
        return
    s.actor, s.phase = (OVER, ENDED) if is_over(g, s.round) else (CHANCE, STRIP)
    s.seat = 0
    for seat in range(g.players):
        s.tiles[seat] = 0
    for die in range(6):
        s.targets[die] = s.kept[die] = s.rolled[die] = 0


# --- why something is not possible -----------------------------------------------------------------------


def why_not_keep(state: Position, event: Keep, dice: int) -> IllegalMove:
    """Why these dice cannot be set aside."""
    wrong = dice & ~valid_dice(state.rolled, state.targets)
    if not wrong:
        return IllegalMove("keep", "at least one valid die has to be set aside")
    die = (wrong & -wrong).bit_length() - 1
    if state.kept[die]:
        return IllegalMove("keep", "the {colour} die has been set aside before", colour=COLOURS[die])
    colour, face, target = COLOURS[die], state.rolled[die], state.targets[die]
    said = "{colour} shows {face}, its target is {target}"
    return IllegalMove("keep", said, colour=colour, face=face, target=target)


# --- the game ---------------------------------------------------------------------------------------------


class Fiese15(Game[Fiese15Options, Fiese15Components]):
    """A game of Fiese 15 with its options and components."""

    id = "fiese15"
    title = "Fiese 15"
    pitch = "Roll six coloured dice under their targets and stop before a roll misses them all."
    seats = range(1, 7)
    minutes = (15, 30)
    Options = Fiese15Options
    Components = Fiese15Components
    Position = Position
    phases = {
        "strip": Pile(Strip, of="targets", drawn="strips", then=draw),
        "roll": NamedDice(Roll, "rolled", aside="kept", then=roll, keeps="keep"),
        "keep": Choice(Keep, subsets(COLOURS), then=keep, moves=keeps, why_not=why_not_keep),
        "next": Choice(Next, ("roll", "stop"), then=roll_or_stop),
    }
    parts = ("pips", "bonus for five dice", "all six count double", "targets of a missed roll")

    def configure(self) -> Config:
        box, handicap = self.components, self.options.handicap
        targets = tuple(strip.targets(handicap) for strip in box.strips)
        tiles = next(tiles.values for tiles in box.tiles if tiles.players == self.players)
        return Config(self.players, box.rounds, handicap, self.options.gambler, targets, tiles)
