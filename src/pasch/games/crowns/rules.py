"""Crowns: turn six dice into chips on your own board, and complete the lines that are worth most.

Rules in short. A board has a row for each die value and the columns 1x to 6x; every field shows some
crowns. A turn is one roll of six dice. A value used with k dice covers the field kx of its row; dice may be
lowered to a value that another die shows, and nothing has to be used. When somebody has placed the last
chip the round is finished. The 11 edge fields (value 6, column 6x) always score their crowns, the inner
fields only in complete lines of five. Alone, every roll has to place a chip, or else costs one.

Sources: the printed rulebook; the edge's crowns seen, the inner block's reconstructed (see box.toml).

| option | default | meaning |
|---|---|---|
| solo_minimum | 1 | alone: how many chips a roll has to place at least, as far as that is possible |
| split | false | the dice of one value may be split over several fields of its row |
| round_limit | 60 | the game ends after so many rounds at the latest |
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec

from pasch.core.chance import Chance, EqualDice
from pasch.core.errors import EventError, IllegalMove, IllegalOutcome
from pasch.core.events import Event, SeatEvent, arrange
from pasch.core.game import Game
from pasch.core.options import HOUSE, Options
from pasch.core.shapes import DiceShape
from pasch.core.state import CHANCE, OVER, State
from pasch.games.crowns.box import COUNTS, EDGE, FIELDS, LINES, VALUES, CrownsComponents, Pairs, field, mask
from pasch.games.crowns.ways import DICE, LOWER, chance_table, placement_tables, placements

# --- events ---------------------------------------------------------------------------------------


class Roll(SeatEvent, frozen=True):
    """Six dice, the highest first."""

    roll: tuple[int, ...]

    def __post_init__(self) -> None:
        for face in self.roll:
            if not 1 <= face <= 6:
                raise EventError("a die shows 1 to 6, not {face}", face=face)
        arrange(self, roll=tuple(sorted(self.roll, reverse=True)))


class Place(SeatEvent, frozen=True):
    """The fields that get a chip, as pairs of value and count, the highest first; none at all passes."""

    place: Pairs

    def __post_init__(self) -> None:
        for value, count in self.place:
            if value not in VALUES:
                raise EventError("a row is 1 to 6, not {value}", value=value)
            if count not in COUNTS:
                raise EventError("one to six dice make a field, not {count}", count=count)
        arrange(self, place=tuple(sorted(self.place, reverse=True)))


class Discard(SeatEvent, frozen=True):
    """The chip that a roll costs in the game for one when nothing can be placed."""

    discard: int = 1

    def __post_init__(self) -> None:
        if self.discard != 1:
            raise EventError("you lose one chip, not {got}", got=self.discard)


# --- options ---------------------------------------------------------------------------------------


class CrownsOptions(Options, frozen=True, kw_only=True):
    """The variants."""

    solo_minimum: Annotated[
        Literal[1, 2],
        msgspec.Meta(
            description="Alone: how many chips you have to place with each roll, as far as possible."
        ),
    ] = 1
    split: Annotated[
        bool,
        msgspec.Meta(
            description="Dice of one number may be shared out over several fields of its row.", extra=HOUSE
        ),
    ] = False
    round_limit: Annotated[
        int,
        msgspec.Meta(
            ge=1, le=1000, description="The game ends after so many rounds at the latest.", extra=HOUSE
        ),
    ] = 60
    components: CrownsComponents | None = None


# --- the rules --------------------------------------------------------------------------------------
# These functions are run as they stand and compiled (see `pasch.core.rules`). `g` is what was agreed, `s` the
# state as numbers. A move is the place of a placement among those of its roll. Alone, placing
# nothing is discarding a chip.

ROLL, PLACE, ENDED = range(3)
#: what comes next, by its number above
PHASES: Final = ("roll", "place", "over")
#: the move that places no chip
NOTHING: Final = 0
#: who begins every round
FIRST: Final = 0


class Agreed(NamedTuple):
    """What the rules read of players, options and box; and what the greedy player knows of dice."""

    players: int
    #: how many chips a roll has to place at least, as far as it can: see `required`
    minimum: int
    round_limit: int
    #: what scores, edge fields and lines: the fields as a board, as numbers, and their crowns
    goals: Sequence[int]
    parts: Sequence[Sequence[int]]
    crowns: Sequence[int]
    #: by roll: how many placements there are on an empty board
    ways: Sequence[int]
    #: by roll and placement: the fields as a board, the chips, and the number among all moves of the game
    masks: Sequence[Sequence[int]]
    chips: Sequence[Sequence[int]]
    numbers: Sequence[Sequence[int]]
    #: by turns and field: the chance that one roll or another allows a chip there
    chances: Sequence[Sequence[float]]


@dataclass(slots=True)
class Numbers:
    """The state as numbers."""

    actor: int
    phase: int
    seat: int
    #: complete rounds
    rounds: int
    #: by seat: covered fields, and chips not yet placed or discarded
    boards: list[int]
    left: list[int]
    #: the dice on the table, the highest first, and the number of this roll; 0 while they have to be rolled
    rolled: list[int]
    roll: int


def cases(g: Agreed, s: Numbers) -> int:
    """How many equally likely cases a roll has."""
    return 6**DICE


def chance(g: Agreed, s: Numbers, case: int) -> None:
    """Let the dice fall, the highest first."""
    for die in range(DICE):
        face, place = case % 6 + 1, die
        case //= 6
        while place > 0 and s.rolled[place - 1] < face:
            s.rolled[place] = s.rolled[place - 1]
            place -= 1
        s.rolled[place] = face
    roll(g, s)


def roll(g: Agreed, s: Numbers) -> None:
    """The dice lie there, and the seat has to choose."""
    s.actor = s.seat
    s.phase = PLACE
    s.roll = roll_number(s.rolled)


def roll_number(rolled: Sequence[int]) -> int:
    """The number of a roll, its dice the highest first: how many rolls come before it in `ROLLS`."""
    number = 0
    for die in range(DICE):
        number += LOWER[die][rolled[die]]
    return number


def moves(g: Agreed, s: Numbers, out: MutableSequence[int]) -> int:
    """Write the legal moves: the placements of the roll that fit the board and place enough chips."""
    masks, chips, least = g.masks[s.roll], g.chips[s.roll], least_chips(g, s)
    board, left, found = s.boards[s.seat], s.left[s.seat], 0
    for way in range(g.ways[s.roll]):
        if chips[way] >= least and fits(masks[way], chips[way], board, left):
            out[found] = way
            found += 1
    return found


def most_moves(g: Agreed) -> int:
    """There are never more moves than the roll with the most placements has."""
    return max(g.ways)


def fits(fields: int, chips: int, board: int, left: int) -> bool:
    """Whether a placement can be made on a board: one chip per field, and no more chips than are left."""
    return fields & board == 0 and chips <= left


def least_chips(g: Agreed, s: Numbers) -> int:
    """How many chips the roll has to place. Alone, none at all means that it can place nothing."""
    if required(g, DICE) == 0:
        return 0
    masks, chips = g.masks[s.roll], g.chips[s.roll]
    # the most chips come last
    way = g.ways[s.roll] - 1
    while not fits(masks[way], chips[way], s.boards[s.seat], s.left[s.seat]):
        way -= 1
    return required(g, chips[way])


def required(g: Agreed, most: int) -> int:
    """How many chips have to be placed when a roll could place `most` at best: with several players none."""
    return min(g.minimum, most)


def cost(g: Agreed, chips: int) -> int:
    """How many chips a move costs that places so many: alone, a roll that can place nothing costs one."""
    return max(chips, 1) if g.minimum else chips


def move(g: Agreed, s: Numbers, code: int) -> None:
    """Make a legal move."""
    s.boards[s.seat] |= g.masks[s.roll][code]
    end_turn(g, s, cost(g, g.chips[s.roll][code]))


def end_turn(g: Agreed, s: Numbers, spent: int) -> None:
    """The seat has spent so many chips; the next seat, the next round or the end follows."""
    s.left[s.seat] -= spent
    for die in range(DICE):
        s.rolled[die] = 0
    s.roll = 0
    over = ends_game(g, s.left, s.rounds, s.seat)
    s.actor = OVER if over else CHANCE
    s.phase = ENDED if over else ROLL
    s.rounds = rounds_after(g, s.rounds, s.seat)
    s.seat = following(g, s.seat)


def next_seat(g: Agreed, seat: int) -> int:
    """Who has a turn after this seat in the same round; -1 if the round is complete."""
    return seat + 1 if seat + 1 < g.players else -1


def following(g: Agreed, seat: int) -> int:
    """Who has a turn after this seat, in the same round or in the next."""
    later = next_seat(g, seat)
    return later if later >= 0 else FIRST


def rounds_after(g: Agreed, rounds: int, seat: int) -> int:
    """How many rounds are complete after the turn of this seat."""
    return rounds + 1 if next_seat(g, seat) < 0 else rounds


def ends_game(g: Agreed, left: Sequence[int], rounds: int, seat: int) -> bool:
    """Whether the turn of this seat ends the game: a round is always finished."""
    return next_seat(g, seat) < 0 and is_over(g, left, rounds + 1)


def is_over(g: Agreed, left: Sequence[int], rounds: int) -> bool:
    """Whether the game ends after so many complete rounds: somebody has no chip left, or it was the last one."""
    for seat in range(g.players):
        if left[seat] == 0:
            return True
    return rounds_left(g, rounds) == 0


def rounds_left(g: Agreed, rounds: int) -> int:
    """How many rounds can follow at most when so many are complete."""
    return g.round_limit - rounds


def turns_after(g: Agreed, left: Sequence[int], rounds: int, mover: int, seat: int) -> int:
    """How many turns a seat can have at most after that of `mover`, which has left everybody so many chips."""
    turns = 0 if is_over(g, left, rounds + 1) else rounds_left(g, rounds + 1)
    later = next_seat(g, mover)
    while later >= 0:
        turns += later == seat
        later = next_seat(g, later)
    return turns


def lacking(g: Agreed, goal: int, board: int) -> int:
    """The fields of a goal that are not covered yet, as a board."""
    return g.goals[goal] & ~board


def score(g: Agreed, board: int) -> int:
    """The crowns that count on a board: those of the goals of which nothing is lacking."""
    crowns = 0
    for goal in range(len(g.goals)):
        if lacking(g, goal, board) == 0:
            crowns += g.crowns[goal]
    return crowns


def scores(g: Agreed, s: Numbers, out: Any) -> None:
    """Write each seat's score so far."""
    for seat in range(g.players):
        out[seat] = score(g, s.boards[seat])


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
    chance_shapes = {Roll: DiceShape(DICE)}

    def __init__(self, players: int, options: CrownsOptions | None = None) -> None:
        super().__init__(players, options)
        #: the crowns of all fields, in the order of their numbers
        self.crowns = self.components.crowns()
        goals = (*(1 << edge for edge in EDGE), *LINES)
        parts = tuple(tuple(bit for bit in range(FIELDS) if goal >> bit & 1) for goal in goals)
        alone = players == 1
        self.agreed = Agreed(
            players,
            self.options.solo_minimum if alone else 0,
            self.options.round_limit,
            goals,
            parts,
            tuple(sum([self.crowns[number] for number in part]) for part in parts),
            *placement_tables(self.options.split, alone),
            chance_table(),
        )

    def start(self) -> CrownsState:
        chips = (self.components.chips.number,) * self.players
        return CrownsState(self, CHANCE, "roll", FIRST, 0, (0,) * self.players, chips, ())

    def score(self, board: int) -> int:
        """The crowns that count on a board: edge fields, and complete lines."""
        return score(self.agreed, board)


@cache
def _roll_chance(seat: int) -> EqualDice:
    return EqualDice(DICE, lambda roll: Roll(seat, roll))


@cache
def _events(seat: int, roll: tuple[int, ...], split: bool, alone: bool) -> tuple[Place | Discard, ...]:
    """The move that each code is."""
    nothing, *others = [Place(seat, way.pairs) for way in placements(roll, split)]
    return (Discard(seat) if alone else nothing, *others)


@cache
def _codes(roll: tuple[int, ...], split: bool) -> dict[Pairs, int]:
    """The code of each placement."""
    return {way.pairs: code for code, way in enumerate(placements(roll, split))}


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

    def numbers(self) -> Numbers:
        rolled = self.rolled or (0,) * DICE
        return Numbers(
            self.actor, PHASES.index(self.phase), self.seat, self.rounds, [*self.boards], [*self.left],
            [*rolled], roll_number(rolled),
        )  # fmt: skip

    def after(self, s: Numbers) -> CrownsState:
        return CrownsState(
            self.game, s.actor, PHASES[s.phase], s.seat, s.rounds, tuple(s.boards), tuple(s.left),
            tuple(s.rolled) if s.phase == PLACE else (),
        )  # fmt: skip

    def codes(self, s: Numbers | None = None) -> list[int]:
        if self.actor < 0:
            return []
        g, s = self.game.agreed, s or self.numbers()
        out = [0] * g.ways[s.roll]
        return out[: moves(g, s, out)]

    def moves(self) -> tuple[Place | Discard, ...]:
        if self.actor < 0:
            return ()
        events = _events(self.seat, self.rolled, self.game.options.split, self.game.players == 1)
        return tuple([events[code] for code in self.codes()])

    def chance(self) -> Chance:
        return _roll_chance(self.seat)

    def scores(self) -> tuple[int, ...]:
        return tuple([score(self.game.agreed, board) for board in self.boards])

    def apply(self, event: Event) -> CrownsState:
        g, s = self.game.agreed, self.numbers()
        if self.phase == "place" and type(event) is Place and event.seat == self.seat:
            move(g, s, self._placed(s, event.place))
        elif self.phase == "roll" and type(event) is Roll and event.seat == self.seat:
            if len(event.roll) != DICE:
                raise IllegalOutcome("roll", "six dice are rolled, not {got}", got=len(event.roll))
            s.rolled[:] = event.roll
            roll(g, s)
        elif self.phase == "place" and type(event) is Discard and event.seat == self.seat:
            self._check_discard(s)
            move(g, s, NOTHING)
        else:
            raise self.misplaced(event)
        return self.after(s)

    def _placed(self, s: Numbers, pairs: Pairs) -> int:
        """The code of a placement, if the rules allow it."""
        g, code = self.game.agreed, _codes(self.rolled, self.game.options.split).get(pairs)
        if code is None:
            raise self._impossible(pairs)
        board, left, chips = self.boards[self.seat], self.left[self.seat], len(pairs)
        if not fits(mask(pairs), chips, board, left):
            raise self._no_room(pairs, board, left)
        least = least_chips(g, s)
        if g.minimum and not least:
            raise IllegalMove("discard", "no chip fits, so you lose one")
        if chips < least:
            template = "you have to place at least {least} chips"
            raise IllegalMove(
                "minimum", "you have to place at least one chip" if least == 1 else template, least=least
            )
        return code

    def _no_room(self, pairs: Pairs, board: int, left: int) -> IllegalMove:
        """Why the placement does not fit the board."""
        for value, count in pairs:
            if board >> field(value, count) & 1:
                return IllegalMove(
                    "covered",
                    "{count}× in the row of {value} is covered already",
                    count=count,
                    value=value,
                )
        template = "you have only one chip left" if left == 1 else "you have only {left} chips left"
        return IllegalMove("chips", template, left=left)

    def _impossible(self, pairs: Pairs) -> IllegalMove:
        """Why these dice do not allow the placement, whatever the board."""
        values = [value for value, _ in pairs]
        for value, count in pairs:
            if value not in self.rolled:
                return IllegalMove("value", "no die shows {value}", value=value)
            if pairs.count((value, count)) > 1:
                return IllegalMove(
                    "twice", "{count}× in the row of {value} is named twice", count=count, value=value
                )
            if values.count(value) > 1 and not self.game.options.split:
                return IllegalMove(
                    "split", "only one chip for each number: the {value} is used twice", value=value
                )
        return self._too_few_dice(pairs)

    def _too_few_dice(self, pairs: Pairs) -> IllegalMove:
        for value in reversed(VALUES):
            needed = sum(count for used, count in pairs if used >= value)
            there = sum(face >= value for face in self.rolled)
            if needed > there:
                break
        template = "this needs {needed} dice that show {value} or more; you have {there}"
        if value == 6:
            template = "this needs {needed} sixes; you have {there}"
        return IllegalMove("dice", template, needed=needed, value=value, there=there)

    def _check_discard(self, s: Numbers) -> None:
        if not self.game.agreed.minimum:
            raise IllegalMove("discard", "you lose chips only when you play alone")
        if least_chips(self.game.agreed, s):
            raise IllegalMove("discard", "you lose a chip only when no chip fits")
