"""Crowns: turn six dice into chips on your own board, and complete the lines that are worth most.

Rules in short. A board has a row for each die value and the columns 1x to 6x; every field shows some
crowns. A turn is one roll of six dice. A value used with k dice covers the field kx of its row; dice may be
lowered to a value that another die shows, and nothing has to be used. When somebody has placed the last
chip the round is finished. The 11 edge fields (value 6, column 6x) always score their crowns, the inner
fields only in complete lines of five. Alone, every roll has to place a chip, or else costs one.

Sources: the printed rulebook; the edge's crowns seen, the inner block's reconstructed (see crowns.toml).

| option | default | meaning |
|---|---|---|
| solo_minimum | 1 | alone: how many chips a roll has to place at least, as far as that is possible |
| split | false | the dice of one value may be split over several fields of its row |
| round_limit | 60 | the game ends after so many rounds at the latest |
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Annotated, Final, Literal, NamedTuple

import msgspec

from pasch.core.chance import Chance, EqualDice, rolls
from pasch.core.components import Components, Provenance
from pasch.core.errors import ComponentError, EventError, IllegalMove, IllegalOutcome
from pasch.core.events import Event, SeatEvent, arrange
from pasch.core.game import Game
from pasch.core.options import Options
from pasch.core.state import CHANCE, OVER, State

DICE: Final = 6
VALUES: Final = range(1, 7)
COUNTS: Final = range(1, 7)
FIELDS: Final = 36
#: more crowns than this on one field are a slip of the pen
MOST_CROWNS: Final = 20

#: pairs (value, count), the highest first, of the fields that a roll's chips are placed on
Pairs = tuple[tuple[int, int], ...]


def field(value: int, count: int) -> int:
    """The number of a field; a board is a whole number whose bit `field(value, count)` means covered."""
    return (value - 1) * 6 + count - 1


def mask(pairs: Pairs) -> int:
    """These fields as a board."""
    covered = 0
    for value, count in pairs:
        covered |= 1 << field(value, count)
    return covered


#: the five rows, five columns and two diagonals of the inner block, as boards
LINES: Final = (
    *(mask(tuple((value, count) for count in range(1, 6))) for value in range(1, 6)),
    *(mask(tuple((value, count) for value in range(1, 6))) for count in range(1, 6)),
    mask(tuple((value, value) for value in range(1, 6))),
    mask(tuple((value, 6 - value) for value in range(1, 6))),
)
#: the edge fields' numbers: the row of the value 6 and the column 6x
EDGE: Final = tuple(field(value, count) for value in VALUES for count in COUNTS if 6 in (value, count))


# --- events ---------------------------------------------------------------------------------------


class Roll(SeatEvent, frozen=True):
    """Six dice, the highest first."""

    roll: tuple[int, ...]

    def __post_init__(self) -> None:
        for face in self.roll:
            if not 1 <= face <= 6:
                raise EventError("roll: a die shows 1 to 6, not {face}", face=face)
        arrange(self, roll=tuple(sorted(self.roll, reverse=True)))


class Place(SeatEvent, frozen=True):
    """The fields that get a chip, as pairs of value and count, the highest first; none at all passes."""

    place: Pairs

    def __post_init__(self) -> None:
        for value, count in self.place:
            if value not in VALUES:
                raise EventError("place: a value is 1 to 6, not {value}", value=value)
            if count not in COUNTS:
                raise EventError("place: one to six dice make a field, not {count}", count=count)
        arrange(self, place=tuple(sorted(self.place, reverse=True)))


class Discard(SeatEvent, frozen=True):
    """The chip that a roll costs in the game for one when nothing can be placed."""

    discard: int = 1

    def __post_init__(self) -> None:
        if self.discard != 1:
            raise EventError("discard: it is always one chip, not {got}", got=self.discard)


# --- component data and options -------------------------------------------------------------------


class Chips(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The chips of one player."""

    number: int
    provenance: Provenance = "seen"


class Row(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The crowns on the fields 1x to 6x of a value, and where they come from: all alike, or one by one."""

    value: int
    crowns: tuple[int, ...]
    provenance: Provenance | tuple[Provenance, ...] = "seen"

    def sources(self) -> tuple[Provenance, ...]:
        """Where each field's crowns come from."""
        return (self.provenance,) * 6 if isinstance(self.provenance, str) else self.provenance


class CrownsComponents(Components, frozen=True, kw_only=True):
    """The board and the chips."""

    chips: Chips
    rows: tuple[Row, ...]

    def check(self, players: int) -> None:
        if not 1 <= self.chips.number <= FIELDS:
            raise ComponentError(
                "chips.number", "a player has 1 to 36 chips, not {got}", got=self.chips.number
            )
        if len(self.rows) != len(VALUES):
            raise ComponentError("rows", "a board has six rows, not {got}", got=len(self.rows))
        seen: set[int] = set()
        for number, row in enumerate(self.rows):
            _check_row(f"rows[{number}]", row)
            if row.value in seen:
                raise ComponentError(
                    f"rows[{number}].value", "there are two rows of {value}", value=row.value
                )
            seen.add(row.value)

    def crowns(self) -> tuple[int, ...]:
        """The crowns of all 36 fields, in the order of their numbers."""
        return tuple(crowns for row in self._in_order() for crowns in row.crowns)

    def provenance(self) -> tuple[tuple[str, Provenance], ...]:
        told: list[tuple[str, Provenance]] = [(f"{self.chips.number} chips each", self.chips.provenance)]
        for row in self._in_order():
            sources = row.sources()
            for source in dict.fromkeys(sources):
                fields = ", ".join(
                    f"{count}x {crowns}"
                    for count, crowns, its in zip(COUNTS, row.crowns, sources, strict=True)
                    if its == source
                )
                told.append((f"crowns of value {row.value}: {fields}", source))
        return tuple(told)

    def _in_order(self) -> list[Row]:
        return sorted(self.rows, key=lambda row: row.value)


def _check_row(place: str, row: Row) -> None:
    if row.value not in VALUES:
        raise ComponentError(f"{place}.value", "a value is 1 to 6, not {got}", got=row.value)
    if len(row.crowns) != len(COUNTS):
        raise ComponentError(f"{place}.crowns", "a row has six fields, not {got}", got=len(row.crowns))
    for number, crowns in enumerate(row.crowns):
        if not 0 <= crowns <= MOST_CROWNS:
            raise ComponentError(
                f"{place}.crowns[{number}]",
                "a field shows 0 to {most} crowns, not {got}",
                most=MOST_CROWNS,
                got=crowns,
            )
    if len(row.sources()) != len(COUNTS):
        raise ComponentError(
            f"{place}.provenance",
            "one word for the row or six for its fields, not {got}",
            got=len(row.sources()),
        )


class CrownsOptions(Options, frozen=True, kw_only=True):
    """The variants."""

    solo_minimum: Annotated[
        Literal[1, 2],
        msgspec.Meta(description="Alone: how many chips a roll has to place, as far as that is possible."),
    ] = 1
    split: Annotated[
        bool,
        msgspec.Meta(description="Dice of one value may be split over several fields of its row."),
    ] = False
    round_limit: Annotated[
        int, msgspec.Meta(ge=1, le=1000, description="The game ends after so many rounds at the latest.")
    ] = 60
    components: CrownsComponents | None = None


# --- rule tables ----------------------------------------------------------------------------------


class Placement(NamedTuple):
    """One way to use a roll: the fields as a board, the number of chips, and the fields as pairs."""

    mask: int
    chips: int
    pairs: Pairs


def _shares(dice: int, split: bool) -> Iterator[tuple[int, ...]]:
    """The counts that up to `dice` dice of one value can make: none, one or, when split, different ones."""
    for parts in range(1 << dice):
        counts = tuple(count for count in range(dice, 0, -1) if parts >> (count - 1) & 1)
        if sum(counts) <= dice and (split or len(counts) <= 1):
            yield counts


@cache
def placements(roll: tuple[int, ...], split: bool) -> tuple[Placement, ...]:
    """All that the dice of `roll` allow on an empty board, the fewest chips first.

    Lowering is one condition: only values rolled are used, and for every value the dice used for it and
    for higher ones are no more than the dice that show it or more. So going down from 6 it is enough
    to count the dice not used yet. Leaving chips out of a placement gives a placement again.
    """
    ways: list[tuple[int, Pairs]] = [(0, ())]
    for value in reversed(VALUES):
        rolled = roll.count(value)
        if rolled:
            ways = [
                (dice + rolled - sum(counts), pairs + tuple((value, count) for count in counts))
                for dice, pairs in ways
                for counts in _shares(dice + rolled, split)
            ]
    found = [Placement(mask(pairs), len(pairs), pairs) for _, pairs in ways]
    found.sort(key=lambda placement: (placement.chips, placement.pairs))
    return tuple(found)


class PlacementTable(NamedTuple):
    """The placements of all rolls one after the other, for compiled code.

    Roll number r has `cases[r]` of the 6**6 cases and the placements from `start[r]` to before
    `start[r + 1]`, the empty one first. One is legal on a board when `masks[i] & board == 0`, `chips[i]`
    are left, and `chips[i] >= required(minimum, most)` with `most` the most chips among all that fit.
    """

    rolls: list[tuple[int, ...]]
    cases: list[int]
    start: list[int]
    masks: list[int]
    chips: list[int]


def placement_table(split: bool) -> PlacementTable:
    """The table of `placements`, in the order of `pasch.core.chance.rolls`."""
    table = PlacementTable([], [], [0], [], [])
    for ascending, cases in rolls(DICE):
        roll = ascending[::-1]
        table.rolls.append(roll)
        table.cases.append(cases)
        for placement in placements(roll, split):
            table.masks.append(placement.mask)
            table.chips.append(placement.chips)
        table.start.append(len(table.masks))
    return table


def required(minimum: int, most: int) -> int:
    """How many chips have to be placed when a roll could place `most` at best.

    `minimum` is 0 with several players. Alone, a roll that can place nothing costs a chip instead.
    """
    return min(minimum, most)


def is_over(left: Sequence[int], rounds: int, round_limit: int) -> bool:
    """Whether the game ends after so many complete rounds, the seats having so many chips left."""
    for chips in left:
        if not chips:
            return True
    return rounds == round_limit


#: the titles of the game for one and the score from which each is earned
TITLES: Final = (
    (40, "genius"),
    (36, "professional"),
    (31, "expert"),
    (26, "advanced"),
    (21, "good_beginner"),
)


def title(score: int) -> str:
    """The title that a score earns in the game for one, as a key for texts."""
    return next((name for least, name in TITLES if score >= least), "try_again")


# --- the game -------------------------------------------------------------------------------------


class Crowns(Game[CrownsOptions, CrownsComponents]):
    """A game of Crowns as agreed."""

    id = "crowns"
    title = "Crowns"
    pitch = "Roll six dice, turn high ones down to fit, and crown whole lines before the chips run out."
    seats = range(1, 7)
    minutes = (15, 30)
    events = (Roll, Place, Discard)
    Options = CrownsOptions
    Components = CrownsComponents

    def __init__(self, players: int, options: CrownsOptions | None = None) -> None:
        super().__init__(players, options)
        #: the crowns of all fields, in the order of their numbers
        self.crowns = self.components.crowns()
        #: what scores: pairs (the fields that must be covered, their crowns) of edge fields and lines
        self.scoring = tuple((1 << edge, self.crowns[edge]) for edge in EDGE) + tuple(
            (line, sum(crowns for bit, crowns in enumerate(self.crowns) if line >> bit & 1))
            for line in LINES
        )
        #: how many chips a roll has to place at least, if it can: see `required`
        self.minimum = self.options.solo_minimum if players == 1 else 0

    def start(self) -> CrownsState:
        chips = (self.components.chips.number,) * self.players
        return CrownsState(self, CHANCE, "roll", 0, 0, (0,) * self.players, chips, ())

    def score(self, board: int) -> int:
        """The crowns that count on a board: edge fields, and complete lines."""
        return sum([crowns for fields, crowns in self.scoring if board & fields == fields])


@cache
def _roll_chance(seat: int) -> EqualDice:
    return EqualDice(DICE, lambda roll: Roll(seat, roll))


@cache
def _events(seat: int, roll: tuple[int, ...], split: bool) -> tuple[tuple[int, int, Place], ...]:
    return tuple((p.mask, p.chips, Place(seat, p.pairs)) for p in placements(roll, split))


@cache
def _masks(roll: tuple[int, ...], split: bool) -> dict[Pairs, int]:
    return {placement.pairs: placement.mask for placement in placements(roll, split)}


class CrownsState(State, frozen=True):
    """One position. `phase` says what comes next: roll, place (or discard), or over."""

    game: Crowns
    phase: Literal["roll", "place", "over"]
    #: whose turn it is
    seat: int
    #: how many rounds are complete
    rounds: int
    #: each seat's covered fields: bit `field(value, count)`
    boards: tuple[int, ...]
    #: each seat's chips not yet placed or discarded
    left: tuple[int, ...]
    #: the dice on the table, the highest first; empty while they have to be rolled
    rolled: tuple[int, ...]

    def moves(self) -> tuple[Place | Discard, ...]:
        if self.phase != "place":
            return ()
        board, left = self.boards[self.seat], self.left[self.seat]
        fitting = [
            (chips, event)
            for covered, chips, event in _events(self.seat, self.rolled, self.game.options.split)
            if not covered & board and chips <= left
        ]
        if not self.game.minimum:
            return tuple([event for _, event in fitting])
        most = fitting[-1][0]
        if not most:
            return (Discard(self.seat),)
        least = required(self.game.minimum, most)
        return tuple([event for chips, event in fitting if chips >= least])

    def chance(self) -> Chance:
        return _roll_chance(self.seat)

    def scores(self) -> tuple[int, ...]:
        return tuple(map(self.game.score, self.boards))

    def apply(self, event: Event) -> CrownsState:
        if self.phase == "place" and type(event) is Place and event.seat == self.seat:
            return self._end_turn(self._check_place(event.place), len(event.place))
        if self.phase == "roll" and type(event) is Roll and event.seat == self.seat:
            return self._roll(event)
        if self.phase == "place" and type(event) is Discard and event.seat == self.seat:
            self._check_discard()
            return self._end_turn(0, 1)
        raise self.misplaced(event)

    def _roll(self, event: Roll) -> CrownsState:
        if len(event.roll) != DICE:
            raise IllegalOutcome("roll", "six dice are rolled, not {got}", got=len(event.roll))
        return CrownsState(
            self.game, self.seat, "place", self.seat, self.rounds, self.boards, self.left, event.roll
        )

    def _check_place(self, pairs: Pairs) -> int:
        """The fields that the placement covers, if it is legal."""
        covered = _masks(self.rolled, self.game.options.split).get(pairs)
        if covered is None:
            raise self._impossible(pairs)
        board, left = self.boards[self.seat], self.left[self.seat]
        if covered & board:
            value, count = next(pair for pair in pairs if board >> field(*pair) & 1)
            raise IllegalMove(
                "covered",
                "the field {count}x of value {value} is covered already",
                count=count,
                value=value,
            )
        if len(pairs) > left:
            template = "only one chip is left" if left == 1 else "only {left} chips are left"
            raise IllegalMove("chips", template, left=left)
        if len(pairs) < self.game.minimum:
            self._check_minimum(len(pairs), self.game.minimum)
        return covered

    def _impossible(self, pairs: Pairs) -> IllegalMove:
        """Why these dice do not allow the placement, whatever the board."""
        values = [value for value, _ in pairs]
        for value, count in pairs:
            if value not in self.rolled:
                return IllegalMove("value", "no die shows {value}", value=value)
            if pairs.count((value, count)) > 1:
                return IllegalMove(
                    "twice", "the field {count}x of value {value} is named twice", count=count, value=value
                )
            if values.count(value) > 1 and not self.game.options.split:
                return IllegalMove("split", "one chip per value: {value} is used twice", value=value)
        return self._too_few_dice(pairs)

    def _too_few_dice(self, pairs: Pairs) -> IllegalMove:
        for value in reversed(VALUES):
            needed = sum(count for used, count in pairs if used >= value)
            there = sum(face >= value for face in self.rolled)
            if needed > there:
                break
        template = "the placement needs {needed} dice that show {value} or more, the roll has {there}"
        if value == 6:
            template = "the placement needs {needed} sixes, the roll has {there}"
        return IllegalMove("dice", template, needed=needed, value=value, there=there)

    def _most(self) -> int:
        """The most chips that the roll can place."""
        board, left = self.boards[self.seat], self.left[self.seat]
        return max(
            chips
            for covered, chips, _ in placements(self.rolled, self.game.options.split)
            if not covered & board and chips <= left
        )

    def _check_minimum(self, chips: int, minimum: int) -> None:
        most = self._most()
        if not most:
            raise IllegalMove("discard", "nothing can be placed, so one chip has to be discarded")
        least = required(minimum, most)
        if chips < least:
            template = "at least {least} chips have to be placed"
            raise IllegalMove(
                "minimum", "at least one chip has to be placed" if least == 1 else template, least=least
            )

    def _check_discard(self) -> None:
        if not self.game.minimum:
            raise IllegalMove("discard", "chips are discarded only in the game for one")
        if self._most():
            raise IllegalMove("discard", "a chip is discarded only when nothing can be placed")

    def _end_turn(self, covered: int, chips: int) -> CrownsState:
        seat = self.seat
        boards = (*self.boards[:seat], self.boards[seat] | covered, *self.boards[seat + 1 :])
        left = (*self.left[:seat], self.left[seat] - chips, *self.left[seat + 1 :])
        if seat + 1 < self.game.players:
            return CrownsState(self.game, CHANCE, "roll", seat + 1, self.rounds, boards, left, ())
        rounds = self.rounds + 1
        if is_over(left, rounds, self.game.options.round_limit):
            return CrownsState(self.game, OVER, "over", 0, rounds, boards, left, ())
        return CrownsState(self.game, CHANCE, "roll", 0, rounds, boards, left, ())
