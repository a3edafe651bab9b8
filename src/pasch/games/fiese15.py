"""Fiese 15: roll six coloured dice under the targets of a strip, and stop before you miss them all.

Rules in short. Ten strips of fifteen are drawn, one a round; a strip gives each colour a target. Each seat
has one turn a round: roll the dice not yet set aside, set aside at least one that shows its target or less,
roll on or stop. Stopping scores the pips set aside, five dice bring 5 more, all six end the turn and
double it. A roll with nothing valid scores the targets of the dice still missing (as a gambler:
nothing). Highest total wins.

Sources: the printed rulebook; strips partly seen, partly reconstructed (see fiese15.toml).

| option | default | meaning |
|---|---|---|
| handicap | false | the strips' backs, and white's target is a tile that depends on the standing |
| gambler | false | a roll with nothing valid scores nothing |
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec

from pasch.core.chance import Chance, ColouredDice, OneOf
from pasch.core.components import Components, Provenance
from pasch.core.errors import ComponentError, EventError, IllegalMove, IllegalOutcome
from pasch.core.events import Event, SeatEvent, arrange
from pasch.core.game import Game
from pasch.core.options import Options
from pasch.core.state import CHANCE, OVER, State

#: the dice, in the order of the colour cycle; every tuple of six below is in this order
COLOURS: Final = ("red", "blue", "yellow", "black", "white", "green")
#: what the targets of a front and of a back add up to
FRONT_SUM: Final = 15
BACK_SUM: Final = 14
FIVE_BONUS: Final = 5

Six = tuple[int, int, int, int, int, int]
NOTHING: Final[Six] = (0, 0, 0, 0, 0, 0)

#: every set of dice, by its bit mask: bit 0 is the first colour
DICE: Final = tuple(
    tuple(colour for bit, colour in enumerate(COLOURS) if mask >> bit & 1) for mask in range(64)
)
#: the bit mask of every set of dice
MASKS: Final = {dice: mask for mask, dice in enumerate(DICE)}


# --- events ---------------------------------------------------------------------------------------


class Strip(Event, frozen=True):
    """The strip drawn for the round, counted from 0."""

    strip: int


class Roll(SeatEvent, frozen=True):
    """The faces rolled, by colour; 0 where the die was not rolled."""

    roll: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.roll) != 6:
            raise EventError(
                "roll: expected one face, or 0, for each of {colours}", colours=", ".join(COLOURS)
            )

    def json(self) -> dict[str, Any]:
        return {"seat": self.seat, "roll": {c: f for c, f in zip(COLOURS, self.roll, strict=True) if f}}

    @classmethod
    def from_json(cls, written: Any) -> Roll:
        try:
            read = msgspec.convert(written, _WrittenRoll, strict=True)
        except msgspec.ValidationError as error:
            raise EventError("{problem}", problem=str(error)) from None
        if not read.roll:
            raise EventError("roll: expected the faces by colour, as in {example}", example='{"red":3}')
        for colour, face in read.roll.items():
            if colour not in COLOURS:
                raise EventError(
                    "roll: there is no {colour!r} die; the dice are {colours}",
                    colour=colour,
                    colours=", ".join(COLOURS),
                )
            if not 1 <= face <= 6:
                raise EventError(
                    "roll: {colour} shows {face}, a die shows 1 to 6", colour=colour, face=face
                )
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
                    raise EventError("keep: there is no {colour!r} die", colour=colour)
            if len(set(self.keep)) != len(self.keep):
                raise EventError("keep: a die is named twice")
            arrange(self, keep=tuple(colour for colour in COLOURS if colour in self.keep))


class Next(SeatEvent, frozen=True):
    """Roll on or stop."""

    next: Literal["roll", "stop"]


# --- component data and options -------------------------------------------------------------------


class Front(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The six targets of a strip's front."""

    red: int
    blue: int
    yellow: int
    black: int
    white: int
    green: int

    def targets(self) -> Six:
        """The targets in the order of the colours."""
        return (self.red, self.blue, self.yellow, self.black, self.white, self.green)


class Back(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The five targets of a strip's back; white's target is a tile."""

    red: int
    blue: int
    yellow: int
    black: int
    green: int

    def targets(self, white: int) -> Six:
        """The targets in the order of the colours, with `white` as the tile."""
        return (self.red, self.blue, self.yellow, self.black, white, self.green)


class PrintedStrip(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One strip, both sides."""

    front: Front
    back: Back
    #: where the front comes from
    provenance: Provenance = "seen"
    back_provenance: Provenance = "seen"


class Tiles(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """White's tiles used by a number of players in the handicap game."""

    players: int
    values: tuple[int, ...]
    provenance: Provenance = "seen"


class Fiese15Components(Components, frozen=True, kw_only=True):
    """The strips, how many of them a game uses, and the tiles."""

    rounds: int
    strips: tuple[PrintedStrip, ...]
    tiles: tuple[Tiles, ...]

    def check(self, players: int) -> None:
        if self.rounds < 1:
            raise ComponentError("rounds", "a game has at least one round, not {got}", got=self.rounds)
        if len(self.strips) < self.rounds:
            raise ComponentError(
                "strips",
                "{rounds} strips are drawn, but there are only {got}",
                rounds=self.rounds,
                got=len(self.strips),
            )
        for number, strip in enumerate(self.strips):
            _check_targets(f"strips[{number}].front", strip.front, FRONT_SUM)
            _check_targets(f"strips[{number}].back", strip.back, BACK_SUM)
        known = set()
        for number, tiles in enumerate(self.tiles):
            _check_tiles(f"tiles[{number}]", tiles)
            if tiles.players in known:
                raise ComponentError(
                    f"tiles[{number}]",
                    "these are the second tiles for {players} players",
                    players=tiles.players,
                )
            known.add(tiles.players)
        if players not in known:
            raise ComponentError("tiles", "there are none for {players} players", players=players)

    def provenance(self) -> tuple[tuple[str, Provenance], ...]:
        listed: list[tuple[str, Provenance]] = []
        for number, strip in enumerate(self.strips):
            front, back = strip.front.targets(), msgspec.structs.astuple(strip.back)
            listed.append((f"strip {number}, front ({_spaced(front)})", strip.provenance))
            listed.append((f"strip {number}, back ({_spaced(back)})", strip.back_provenance))
        for tiles in self.tiles:
            listed.append((f"tiles for {tiles.players} ({_spaced(tiles.values)})", tiles.provenance))
        return tuple(listed)


def _spaced(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))


def _check_targets(place: str, side: Front | Back, total: int) -> None:
    targets = msgspec.structs.asdict(side)
    for colour, target in targets.items():
        if not 1 <= target <= 6:
            raise ComponentError(f"{place}.{colour}", "a target is 1 to 6, not {got}", got=target)
    if sum(targets.values()) != total:
        raise ComponentError(
            place, "the targets must add up to {total}, not {got}", total=total, got=sum(targets.values())
        )


def _check_tiles(place: str, tiles: Tiles) -> None:
    if len(tiles.values) != tiles.players:
        raise ComponentError(
            f"{place}.values",
            "{players} players need as many tiles, not {got}",
            players=tiles.players,
            got=len(tiles.values),
        )
    if any(not 1 <= value <= 6 for value in tiles.values):
        raise ComponentError(f"{place}.values", "a tile shows 1 to 6")
    if list(tiles.values) != sorted(tiles.values):
        raise ComponentError(f"{place}.values", "the tiles have to be in ascending order")


class Fiese15Options(Options, frozen=True, kw_only=True):
    """The variants."""

    handicap: Annotated[
        bool,
        msgspec.Meta(
            description="Play the strips' backs; white's target is a tile: the further behind, the higher."
        ),
    ] = False
    gambler: Annotated[
        bool, msgspec.Meta(description="A roll in which no die is valid scores nothing at all.")
    ] = False
    components: Fiese15Components | None = None


# --- the rules as tables and formulas, for the game below and for solvers ---------------------------

Pips = TypeVar("Pips", int, float)


def valid_dice(roll: tuple[int, ...], targets: Six) -> int:
    """The dice of a roll that may be set aside, as a bit mask: those that show their target or less."""
    mask, bit = 0, 1
    for face, target in zip(roll, targets, strict=True):
        if 0 < face <= target:
            mask |= bit
        bit <<= 1
    return mask


@cache
def keeps(valid: int) -> tuple[int, ...]:
    """The sets of dice that may be set aside of the valid ones: any, but not none."""
    return tuple(mask for mask in range(1, 64) if mask & ~valid == 0)


def points(dice: int, pips: Pips) -> Pips:
    """What so many dice set aside with so many pips score. Linear in pips: means will do."""
    if dice == 6:
        return 2 * pips
    return pips + FIVE_BONUS if dice == 5 else pips


def worth(kept: tuple[int, ...]) -> int:
    """What the dice set aside score when the turn ends with them."""
    return points(6 - kept.count(0), sum(kept))


def consolation(targets: Six, kept: tuple[int, ...], gambler: bool = False) -> int:
    """What a roll with nothing valid scores: the targets still missing; nothing for gamblers."""
    if gambler:
        return 0
    return sum([target for target, face in zip(targets, kept, strict=True) if not face])


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

    def start(self) -> Fiese15State:
        return Fiese15State(
            self, CHANCE, "strip", 0, (0,) * self.players, (), (), NOTHING, NOTHING, NOTHING
        )

    def targets(self, strip: int, tile: int) -> Six:
        """The six targets of a turn on this strip; `tile` counts in the handicap game only."""
        printed = self.components.strips[strip]
        return printed.back.targets(tile) if self.options.handicap else printed.front.targets()

    def tiles(self, totals: tuple[int, ...]) -> tuple[int, ...]:
        """Each seat's tile by the standing: the leader the lowest, of equals the earlier the higher."""
        values = next(t.values for t in self.components.tiles if t.players == self.players)
        order = sorted(range(self.players), key=lambda seat: (-totals[seat], -seat))
        return tuple(values[order.index(seat)] for seat in range(self.players))


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
def _keep_moves(seat: int, valid: int) -> tuple[Keep, ...]:
    return tuple(Keep(seat, DICE[mask]) for mask in keeps(valid))


@cache
def _next_moves(seat: int) -> tuple[Next, ...]:
    return (Next(seat, "roll"), Next(seat, "stop"))


Phase = Literal["strip", "roll", "keep", "next", "over"]


class Fiese15State(State, frozen=True):
    """One position. `phase` says what comes next."""

    game: Fiese15
    phase: Phase
    #: whose turn it is
    seat: int
    totals: tuple[int, ...]
    #: the strips drawn so far; the last one is being played
    strips: tuple[int, ...]
    #: each seat's tile for white in this round (handicap only)
    tiles: tuple[int, ...]
    #: the targets of the seat whose turn it is, all 0 while no strip lies there
    targets: Six
    #: the faces set aside, 0 where a die still has to be rolled
    kept: tuple[int, ...]
    #: the faces that lie on the table, of the roll just made
    rolled: tuple[int, ...]

    @property
    def valid(self) -> int:
        """The dice on the table that may be set aside, as a bit mask."""
        return valid_dice(self.rolled, self.targets)

    def moves(self) -> tuple[Event, ...]:
        if self.phase == "keep":
            return _keep_moves(self.seat, self.valid)
        if self.phase == "next":
            return _next_moves(self.seat)
        return ()

    def chance(self) -> Chance:
        if self.phase == "strip":
            there = range(len(self.game.components.strips))
            return OneOf(Strip(strip) for strip in there if strip not in self.strips)
        missing = sum([1 << bit for bit, face in enumerate(self.kept) if not face])
        return _roll_chance(self.seat, missing)

    def scores(self) -> tuple[int, ...]:
        return self.totals

    def apply(self, event: Event) -> Fiese15State:
        if self.phase == "keep" and type(event) is Keep and event.seat == self.seat:
            return self._keep(event)
        if self.phase == "next" and type(event) is Next and event.seat == self.seat:
            if event.next == "roll":
                return self._to("roll", CHANCE, self.kept, NOTHING)
            if event.next == "stop":
                return self._end_turn(worth(self.kept))
        if self.phase == "roll" and type(event) is Roll and event.seat == self.seat:
            return self._roll(event)
        if self.phase == "strip" and type(event) is Strip:
            return self._draw(event)
        raise self.misplaced(event)

    def _to(self, phase: Phase, actor: int, kept: tuple[int, ...], rolled: tuple[int, ...]) -> Fiese15State:
        """The same turn, further on."""
        return Fiese15State(
            self.game,
            actor,
            phase,
            self.seat,
            self.totals,
            self.strips,
            self.tiles,
            self.targets,
            kept,
            rolled,
        )

    def _draw(self, event: Strip) -> Fiese15State:
        if not 0 <= event.strip < len(self.game.components.strips):
            raise IllegalOutcome("strip", "there is no strip {strip}", strip=event.strip)
        if event.strip in self.strips:
            raise IllegalOutcome("strip", "strip {strip} has been drawn before", strip=event.strip)
        tiles: tuple[int, ...] = ()
        if self.game.options.handicap:
            tiles = self.game.tiles(self.totals) if self.strips else (1,) * self.game.players
        return self._begin_turn(0, self.totals, (*self.strips, event.strip), tiles)

    def _begin_turn(
        self, seat: int, totals: tuple[int, ...], strips: tuple[int, ...], tiles: tuple[int, ...]
    ) -> Fiese15State:
        targets = self.game.targets(strips[-1], tiles[seat] if tiles else 0)
        return Fiese15State(
            self.game, CHANCE, "roll", seat, totals, strips, tiles, targets, NOTHING, NOTHING
        )

    def _roll(self, event: Roll) -> Fiese15State:
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
        if valid_dice(event.roll, self.targets):
            return self._to("keep", self.seat, self.kept, event.roll)
        return self._end_turn(consolation(self.targets, self.kept, self.game.options.gambler))

    def _keep(self, event: Keep) -> Fiese15State:
        keep = MASKS[event.keep]
        if not keep:
            raise IllegalMove("keep", "at least one valid die has to be set aside")
        wrong = keep & ~self.valid
        if wrong:
            raise self._not_valid(COLOURS.index(DICE[wrong][0]))
        kept = list(self.kept)
        for bit, face in enumerate(self.rolled):
            if keep >> bit & 1:
                kept[bit] = face
        if 0 in kept:
            return self._to("next", self.seat, tuple(kept), NOTHING)
        return self._end_turn(worth(tuple(kept)))

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

    def _end_turn(self, scored: int) -> Fiese15State:
        totals = list(self.totals)
        totals[self.seat] += scored
        if self.seat + 1 < self.game.players:
            return self._begin_turn(self.seat + 1, tuple(totals), self.strips, self.tiles)
        over = len(self.strips) == self.game.components.rounds
        return Fiese15State(
            self.game,
            OVER if over else CHANCE,
            "over" if over else "strip",
            0,
            tuple(totals),
            self.strips,
            (),
            NOTHING,
            NOTHING,
            NOTHING,
        )
