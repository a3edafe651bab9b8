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
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeVar

import msgspec

from pasch.core.chance import Chance, ColouredDice, OneOf
from pasch.core.errors import EventError, IllegalMove, IllegalOutcome
from pasch.core.events import Event, SeatEvent, arrange, unreadable_event
from pasch.core.game import Game
from pasch.core.options import Options
from pasch.core.shapes import DiceShape, PileShape
from pasch.core.state import CHANCE, OVER, State
from pasch.games.fiese15.box import Fiese15Components

#: the dice, in the order of the colour cycle; every tuple of six below is in this order
COLOURS: Final = ("red", "blue", "yellow", "black", "white", "green")
FIVE_BONUS: Final = 5
WHITE: Final = COLOURS.index("white")

NOTHING: Final = (0, 0, 0, 0, 0, 0)

#: every set of dice, by its bit mask: bit 0 is the first colour
DICE: Final = tuple(
    tuple(colour for bit, colour in enumerate(COLOURS) if mask >> bit & 1) for mask in range(64)
)
#: the bit mask of every set of dice
MASKS: Final = {dice: mask for mask, dice in enumerate(DICE)}

Pips = TypeVar("Pips", int, float)


# --- events ---------------------------------------------------------------------------------------


class Strip(Event, frozen=True):
    """The strip drawn for the round, counted from 0."""

    strip: int


class Roll(SeatEvent, frozen=True):
    """The faces rolled, by colour; 0 where the die was not rolled."""

    roll: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.roll) != 6:
            raise EventError("there has to be one face, or 0, for each of {colours}", colours=COLOURS)

    def json(self) -> dict[str, Any]:
        return {"seat": self.seat, "roll": {c: f for c, f in zip(COLOURS, self.roll, strict=True) if f}}

    @classmethod
    def from_json(cls, written: Any) -> Roll:
        try:
            read = msgspec.convert(written, _WrittenRoll, strict=True)
        except msgspec.ValidationError as error:
            raise unreadable_event(error) from None
        if not read.roll:
            raise EventError("a roll names its faces by colour", detail='as in {"red":3}')
        for colour, face in read.roll.items():
            if colour not in COLOURS:
                raise EventError(
                    "there is no die called {colour!r}; the dice are {colours}",
                    colour=colour,
                    colours=COLOURS,
                )
            if not 1 <= face <= 6:
                raise EventError("{colour} shows {face}, a die shows 1 to 6", colour=colour, face=face)
        return cls(read.seat, tuple([read.roll.get(colour, 0) for colour in COLOURS]))


class _WrittenRoll(msgspec.Struct, forbid_unknown_fields=True):
    """A roll as the record writes it."""

    seat: int
    roll: dict[str, int]


class Keep(SeatEvent, frozen=True):
    """The dice set aside."""

    keep: tuple[str, ...]

    def __post_init__(self) -> None:
        if self.keep not in MASKS:
            for colour in self.keep:
                if colour not in COLOURS:
                    raise EventError("there is no die called {colour!r}", colour=colour)
            if len(set(self.keep)) != len(self.keep):
                raise EventError("a die is named twice")
            arrange(self, keep=tuple(colour for colour in COLOURS if colour in self.keep))


class Next(SeatEvent, frozen=True):
    """Roll on or stop."""

    next: Literal["roll", "stop"]


# --- options ---------------------------------------------------------------------------------------


class Fiese15Options(Options, frozen=True, kw_only=True):
    """The variants."""

    handicap: Annotated[
        bool,
        msgspec.Meta(
            description="Play the backs of the strips; white’s target is a tile: the further behind, the higher."
        ),
    ] = False
    gambler: Annotated[
        bool, msgspec.Meta(description="A roll in which no die is valid scores nothing at all.")
    ] = False
    components: Fiese15Components | None = None


# --- the rules --------------------------------------------------------------------------------------
# These functions are run as they stand and compiled (see `pasch.core.rules`). `g` is what was
# agreed, `s` the state as numbers. A set of dice is a bit mask, bit 0 being the first colour.

STRIP, ROLL, KEEP, NEXT, ENDED = range(5)
#: what comes next, by its number above
PHASES: Final = ("strip", "roll", "keep", "next", "over")
#: the moves of the phase `next`; those of the phase `keep` are sets of dice
ROLL_ON, STOP = 0, 1


class Agreed(NamedTuple):
    """What the rules read of players, options and box."""

    players: int
    rounds: int
    handicap: bool
    gambler: bool
    #: by strip and colour, on the side that is played; of white 0 if that is a tile
    targets: Sequence[Sequence[int]]
    #: white's tiles, ascending
    tiles: Sequence[int]


@dataclass(slots=True)
class Numbers:
    """The state as numbers."""

    actor: int
    phase: int
    seat: int
    #: rounds begun, and the strips drawn for them
    round: int
    strips: list[int]
    totals: list[int]
    tiles: list[int]
    targets: list[int]
    kept: list[int]
    rolled: list[int]


def cases(g: Agreed, s: Numbers) -> int:
    """How many equally likely cases chance has: strips not drawn yet, or faces of the dice to be rolled."""
    if s.phase == STRIP:
        return len(g.targets) - s.round
    found = 1
    for die in range(6):
        if s.kept[die] == 0:
            found *= 6
    return found


def chance(g: Agreed, s: Numbers, case: int) -> None:
    """Let chance bring its case: the strip with this number of those left, or these faces."""
    if s.phase == STRIP:
        strip = 0
        while case > 0 or is_drawn(s, strip):
            if not is_drawn(s, strip):
                case -= 1
            strip += 1
        draw(g, s, strip)
        return
    for die in range(5, -1, -1):
        s.rolled[die] = 0
        if s.kept[die] == 0:
            s.rolled[die] = case % 6 + 1
            case //= 6
    roll(g, s)


def is_drawn(s: Numbers, strip: int) -> bool:
    """Whether a strip has been drawn before."""
    for earlier in range(s.round):
        if s.strips[earlier] == strip:
            return True
    return False


def draw(g: Agreed, s: Numbers, strip: int) -> None:
    """A round begins with this strip; in the handicap game tiles are given out by the standing."""
    if g.handicap:
        for seat in range(g.players):
            s.tiles[seat] = tile(g, s.totals, s.round, seat)
    s.strips[s.round] = strip
    s.round += 1
    begin_turn(g, s, first_seat(g))


def tile(g: Agreed, totals: Sequence[int], rounds: int, seat: int) -> int:
    """The tile that a seat gets after so many rounds: the leader the lowest, of equals the earlier the higher.

    In the first round everybody has a 1.
    """
    if rounds == 0:
        return 1
    before = 0
    for other in range(g.players):
        if totals[other] > totals[seat] or (totals[other] == totals[seat] and other > seat):
            before += 1
    return g.tiles[before]


def begin_turn(g: Agreed, s: Numbers, seat: int) -> None:
    """All dice are to be rolled under the targets of the strip."""
    s.actor = CHANCE
    s.phase = ROLL
    s.seat = seat
    for die in range(6):
        s.targets[die] = target(g, s.strips[s.round - 1], die, s.tiles[seat])
    clear_dice(s)


def target(g: Agreed, strip: int, die: int, tile: int) -> int:
    """The target of a die on this strip; in the handicap game white's is the tile."""
    return tile if g.handicap and die == WHITE else g.targets[strip][die]


def clear_dice(s: Numbers) -> None:
    """No dice are set aside and none lie on the table."""
    for die in range(6):
        s.kept[die] = 0
        s.rolled[die] = 0


def roll(g: Agreed, s: Numbers) -> None:
    """The dice lie there: somebody has to choose, or nothing is valid and the turn is over."""
    if valid_dice(s.rolled, s.targets):
        s.actor = s.seat
        s.phase = KEEP
    else:
        end_turn(g, s, consolation(g, s.targets, s.kept))


def valid_dice(rolled: Sequence[int], targets: Sequence[int]) -> int:
    """The dice of a roll that may be set aside: the valid ones."""
    valid = 0
    for die in range(6):
        if is_valid(rolled[die], targets[die]):
            valid |= 1 << die
    return valid


def is_valid(face: int, target: int) -> bool:
    """Whether a die that was rolled (0 if it was not) shows its target or less."""
    return 0 < face <= target


def consolation(g: Agreed, targets: Sequence[int], kept: Sequence[int]) -> int:
    """What a roll with nothing valid scores: the targets still missing; nothing for gamblers."""
    missing = 0
    for die in range(6):
        if kept[die] == 0 and not g.gambler:
            missing += targets[die]
    return missing


def moves(g: Agreed, s: Numbers, out: MutableSequence[int]) -> int:
    """Write the legal moves: sets of valid dice, any but none; or to roll on and to stop."""
    if s.phase == NEXT:
        out[0] = ROLL_ON
        out[1] = STOP
        return 2
    valid, keep, found = valid_dice(s.rolled, s.targets), 0, 0
    while keep != valid:
        # the next larger set of valid dice
        keep = (keep - valid) & valid
        out[found] = keep
        found += 1
    return found


def most_moves(g: Agreed) -> int:
    """There are never more moves: all sets of dice but the empty one."""
    return 63


def move(g: Agreed, s: Numbers, code: int) -> None:
    """Make a legal move."""
    if s.phase == NEXT:
        if code == STOP:
            end_turn(g, s, worth(s.kept))
        else:
            s.actor = CHANCE
            s.phase = ROLL
        return
    missing = 0
    for die in range(6):
        if code >> die & 1:
            s.kept[die] = s.rolled[die]
        s.rolled[die] = 0
        missing += s.kept[die] == 0
    s.phase = NEXT
    if missing == 0:
        end_turn(g, s, worth(s.kept))


def worth(kept: Sequence[int]) -> int:
    """What the dice set aside score when the turn ends with them."""
    dice, pips = 0, 0
    for die in range(6):
        dice += kept[die] > 0
        pips += kept[die]
    return points(dice, pips)


def points(dice: int, pips: Pips) -> Pips:
    """What so many dice set aside with so many pips score. Linear in pips: means will do."""
    if dice == 6:
        return 2 * pips
    return pips + FIVE_BONUS if dice == 5 else pips


def end_turn(g: Agreed, s: Numbers, scored: int) -> None:
    """The seat has its points; the next seat, the next round or the end follows."""
    s.totals[s.seat] += scored
    following = next_seat(g, s.seat)
    if following >= 0:
        begin_turn(g, s, following)
        return
    over = is_over(g, s.round)
    s.actor = OVER if over else CHANCE
    s.phase = ENDED if over else STRIP
    s.seat = 0
    for seat in range(g.players):
        s.tiles[seat] = 0
    for die in range(6):
        s.targets[die] = 0
    clear_dice(s)


def first_seat(g: Agreed) -> int:
    """Who begins every round."""
    return 0


def next_seat(g: Agreed, seat: int) -> int:
    """Who has a turn after this seat in the same round; -1 if the round is over."""
    return seat + 1 if seat + 1 < g.players else -1


def is_over(g: Agreed, rounds: int) -> bool:
    """Whether the game is over after so many rounds."""
    return rounds == g.rounds


def scores(g: Agreed, s: Numbers, out: MutableSequence[int]) -> None:
    """Write each seat's score so far."""
    for seat in range(g.players):
        out[seat] = s.totals[seat]


# --- the game -------------------------------------------------------------------------------------


class Fiese15(Game[Fiese15Options, Fiese15Components]):
    """A game of Fiese 15 as agreed."""

    id = "fiese15"
    title = "Fiese 15"
    pitch = "Roll six coloured dice under their targets and stop before a roll misses them all."
    seats = range(1, 7)
    minutes = (15, 30)
    events = (Strip, Roll, Keep, Next)
    Options = Fiese15Options
    Components = Fiese15Components
    chance_shapes = {Strip: PileShape("strips"), Roll: DiceShape(1, len(COLOURS), COLOURS, "keep")}

    def __init__(self, players: int, options: Fiese15Options | None = None) -> None:
        super().__init__(players, options)
        box, handicap = self.components, self.options.handicap
        self.agreed = Agreed(
            players,
            box.rounds,
            handicap,
            self.options.gambler,
            tuple(strip.back.targets(0) if handicap else strip.front.targets() for strip in box.strips),
            next(tiles.values for tiles in box.tiles if tiles.players == players),
        )

    def start(self) -> Fiese15State:
        return Fiese15State(
            self, CHANCE, "strip", 0, (0,) * self.players, (), (), NOTHING, NOTHING, NOTHING
        )


@cache
def _roll_chance(seat: int, missing: int) -> ColouredDice:
    bits = [bit for bit in range(6) if missing >> bit & 1]

    def make(faces: tuple[int, ...]) -> Roll:
        roll = [0] * 6
        for bit, face in zip(bits, faces, strict=True):
            roll[bit] = face
        return Roll(seat, tuple(roll))

    return ColouredDice(len(bits), make)


@cache
def _events(seat: int, phase: str) -> tuple[Event, ...]:
    """The move that each code is."""
    if phase == "keep":
        return tuple(Keep(seat, dice) for dice in DICE)
    return (Next(seat, "roll"), Next(seat, "stop"))


class Fiese15State(State, frozen=True):
    """One position. `phase` says what comes next."""

    game: Fiese15
    phase: Literal["strip", "roll", "keep", "next", "over"]
    #: whose turn it is
    seat: int
    totals: tuple[int, ...]
    #: the strips drawn so far; the last one is being played
    strips: tuple[int, ...]
    #: each seat's tile for white in this round (handicap only)
    tiles: tuple[int, ...]
    #: the targets of the seat whose turn it is, all 0 while no strip lies there
    targets: tuple[int, ...]
    #: the faces set aside, 0 where a die still has to be rolled
    kept: tuple[int, ...]
    #: the faces that lie on the table, of the roll just made
    rolled: tuple[int, ...]

    @property
    def valid(self) -> int:
        """The dice on the table that may be set aside, as a bit mask."""
        return valid_dice(self.rolled, self.targets)

    @property
    def worth(self) -> int:
        """What stopping now would score."""
        return worth(self.kept)

    @property
    def missed(self) -> int:
        """What a roll with nothing valid would score now."""
        return consolation(self.game.agreed, self.targets, self.kept)

    def numbers(self) -> Numbers:
        rounds, drawn = self.game.agreed.rounds, len(self.strips)
        return Numbers(
            self.actor, PHASES.index(self.phase), self.seat, drawn, [*self.strips, *[0] * (rounds - drawn)],
            [*self.totals], [*(self.tiles or (0,) * len(self.totals))], [*self.targets], [*self.kept],
            [*self.rolled],
        )  # fmt: skip

    def after(self, s: Numbers) -> Fiese15State:
        tiles = tuple(s.tiles) if self.game.agreed.handicap and s.phase not in (STRIP, ENDED) else ()
        return Fiese15State(
            self.game, s.actor, PHASES[s.phase], s.seat, tuple(s.totals), tuple(s.strips[: s.round]), tiles,
            tuple(s.targets), tuple(s.kept), tuple(s.rolled),
        )  # fmt: skip

    def moves(self) -> tuple[Event, ...]:
        if self.actor < 0:
            return ()
        events = _events(self.seat, self.phase)
        return tuple([events[code] for code in self.codes()])

    def chance(self) -> Chance:
        if self.phase == "strip":
            there = range(len(self.game.components.strips))
            return OneOf(Strip(strip) for strip in there if strip not in self.strips)
        missing = sum([1 << bit for bit, face in enumerate(self.kept) if not face])
        return _roll_chance(self.seat, missing)

    def scores(self) -> tuple[int, ...]:
        return self.totals

    def apply(self, event: Event) -> Fiese15State:
        g, s = self.game.agreed, self.numbers()
        if self.phase == "keep" and type(event) is Keep and event.seat == self.seat:
            move(g, s, self._kept(event))
        elif self.phase == "next" and type(event) is Next and event in _events(self.seat, "next"):
            move(g, s, ROLL_ON if event.next == "roll" else STOP)
        elif self.phase == "roll" and type(event) is Roll and event.seat == self.seat:
            self._check_roll(event)
            s.rolled[:] = event.roll
            roll(g, s)
        elif self.phase == "strip" and type(event) is Strip:
            self._check_strip(event.strip)
            draw(g, s, event.strip)
        else:
            raise self.misplaced(event)
        return self.after(s)

    def _check_strip(self, strip: int) -> None:
        if not 0 <= strip < len(self.game.components.strips):
            raise IllegalOutcome("strip", "there is no such strip", detail=f"strip {strip}")
        if strip in self.strips:
            raise IllegalOutcome("strip", "this strip has been drawn before", detail=f"strip {strip}")

    def _check_roll(self, event: Roll) -> None:
        for colour, face, kept in zip(COLOURS, event.roll, self.kept, strict=True):
            if face and kept:
                raise IllegalOutcome(
                    "roll", "the {colour} die has been set aside and is not rolled", colour=colour
                )
            if not face and not kept:
                raise IllegalOutcome("roll", "the {colour} die has to be rolled too", colour=colour)
            if not 0 <= face <= 6:
                raise IllegalOutcome(
                    "roll", "{colour} shows {face}, a die shows 1 to 6", colour=colour, face=face
                )

    def _kept(self, event: Keep) -> int:
        """The dice set aside as a bit mask, if the rules allow it."""
        keep = MASKS[event.keep]
        if not keep:
            raise IllegalMove("keep", "at least one valid die has to be set aside")
        wrong = keep & ~self.valid
        if wrong:
            raise self._not_valid(COLOURS.index(DICE[wrong][0]))
        return keep

    def _not_valid(self, die: int) -> IllegalMove:
        if self.kept[die]:
            return IllegalMove("keep", "the {colour} die has been set aside before", colour=COLOURS[die])
        return IllegalMove(
            "keep",
            "{colour} shows {face}, its target is {target}",
            colour=COLOURS[die],
            face=self.rolled[die],
            target=self.targets[die],
        )
