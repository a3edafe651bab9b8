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
| round_limit | 60 | the game ends after this many rounds at the latest |
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta

from pasch.core import events
from pasch.core.errors import EventError, IllegalMove
from pasch.core.events import SeatEvent, arrange, sorted_faces
from pasch.core.game import Game
from pasch.core.nodes import Choice, Dice
from pasch.core.options import HOUSE, Options
from pasch.core.position import Number, RollNumber, Row
from pasch.core.state import CHANCE, OVER, State
from pasch.games.crowns.box import COUNTS, FIELDS, GOALS, PARTS, VALUES, CrownsComponents, Pairs, field
from pasch.games.crowns.ways import DICE, FIRST_ROLL, every_placement, max_moves, placements, tables

# --- events ---------------------------------------------------------------------------------------


class Roll(events.Roll, frozen=True):
    """Six dice, the highest first."""

    def __post_init__(self) -> None:
        arrange(self, roll=sorted_faces(self.roll)[::-1])


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


# --- options, and what the rules read of them and of the box -----------------------------------------


class CrownsOptions(Options, frozen=True, kw_only=True):
    """The variants."""

    solo_minimum: Annotated[
        Literal[1, 2],
        Meta(
            description="Alone: how many chips each roll has to place if possible. The titles seem made for two.",
            extra={"players": (1,)},
        ),
    ] = 1
    split: Annotated[
        bool,
        Meta(
            description="Dice of one number may be shared out over several fields of its row.", extra=HOUSE
        ),
    ] = False
    round_limit: Annotated[
        int,
        Meta(ge=1, le=1000, description="The game ends after this many rounds at the latest.", extra=HOUSE),
    ] = 60
    components: CrownsComponents | None = None


class Config(NamedTuple):
    """What the rules read of players, options and box (`g` below); and what the greedy player knows of dice."""

    players: int
    #: alone: the chips that a roll has to place at least, see `required`; otherwise 0
    minimum: int
    round_limit: int
    #: each seat's chips at the start
    all_chips: int
    #: what scores, edge fields and lines: the fields as a board, as numbers, and their crowns
    goals: Sequence[int]
    parts: Sequence[Sequence[int]]
    crowns: Sequence[int]
    #: by roll, beginning with `FIRST_ROLL`: the codes of its placements, the fewest chips first
    codes: Sequence[Sequence[int]]
    #: by code: the fields as a board, and the chips
    masks: Sequence[int]
    chips: Sequence[int]
    #: by turns and field: the chance that one of these rolls allows a chip there
    chances: Sequence[Sequence[float]]


# --- the position (`s` below has the same fields as numbers and rows) ---------------------------------

ROLL, PLACE, ENDED = range(3)


class Position(State, frozen=True):
    """One position. `phase` says what comes next."""

    phase: Literal["roll", "place", "over"]
    #: whose turn it is
    seat: int
    #: how many rounds are complete
    rounds: Annotated[int, Number(0, "round_limit")]
    #: each seat's covered fields: bit `field(value, count)`
    boards: Annotated[tuple[int, ...], Row("players", bits=FIELDS, upwards=True)]
    #: each seat's chips not yet placed or discarded
    left: Annotated[tuple[int, ...], Row("players", high="all_chips")]
    #: the dice on the table, the highest first; empty while they have to be rolled
    rolled: Annotated[tuple[int, ...], RollNumber(descending=True)]


def begin(g: Config, s: Any) -> None:
    """Everybody has all chips."""
    for seat in range(g.players):
        s.left[seat] = g.all_chips


# --- a turn -------------------------------------------------------------------------------------------


def roll(g: Config, s: Any, number: int) -> None:
    """The dice lie there, and the seat has to choose."""
    s.actor, s.phase, s.rolled = s.seat, PLACE, number


def roll_row(s: Any) -> int:
    """The row of the dice on the table in tables by roll."""
    return s.rolled - FIRST_ROLL


def moves(g: Config, s: Any, out: MutableSequence[int]) -> int:
    """Write the placements of the roll that fit the board and place enough chips."""
    board, left, found = s.boards[s.seat], s.left[s.seat], 0
    for code in g.codes[roll_row(s)]:
        if code < 0:
            break
        if fits(g.masks[code], g.chips[code], board, left):
            out[found] = code
            found += 1
    # the most chips come last; leaving some of them out is a placement, too
    least, less = required(g, g.chips[out[found - 1]]), 0
    while g.chips[out[less]] < least:
        less += 1
    if less:
        for place in range(less, found):
            out[place - less] = out[place]
    return found - less


def fits(fields: int, chips: int, board: int, left: int) -> bool:
    """Whether a placement can be made on a board: one chip per field, and no more chips than are left."""
    return fields & board == 0 and chips <= left


def required(g: Config, most: int) -> int:
    """How many chips have to be placed when a roll could place `most` at best: with several players none."""
    return min(g.minimum, most)


def cost(g: Config, chips: int) -> int:
    """The chips that a move costs which places this number: alone, a roll that can place nothing costs one."""
    return max(chips, 1) if g.minimum else chips


def place(g: Config, s: Any, code: int) -> None:
    """Place chips, or discard one."""
    s.boards[s.seat] |= g.masks[code]
    end_turn(g, s, cost(g, g.chips[code]))


def end_turn(g: Config, s: Any, spent: int) -> None:
    """The seat has spent this number of chips; the next seat, the next round or the end follows."""
    s.left[s.seat] -= spent
    s.rolled = 0
    s.actor, s.phase = (OVER, ENDED) if ends_game(g, s.left, s.rounds, s.seat) else (CHANCE, ROLL)
    s.rounds = rounds_after(g, s.rounds, s.seat)
    s.seat = following(g, s.seat)


def next_seat(g: Config, seat: int) -> int:
    """Who has a turn after this seat in the same round; -1 if the round is complete."""
    return seat + 1 if seat + 1 < g.players else -1


def following(g: Config, seat: int) -> int:
    """The seat that has a turn after this one, in the same round or as the first of the next."""
    return max(0, next_seat(g, seat))


def rounds_after(g: Config, rounds: int, seat: int) -> int:
    """How many rounds are complete after the turn of this seat."""
    return rounds + 1 if next_seat(g, seat) < 0 else rounds


def ends_game(g: Config, left: Sequence[int], rounds: int, seat: int) -> bool:
    """Whether the turn of this seat ends the game: a round is always finished."""
    return next_seat(g, seat) < 0 and is_over(g, left, rounds + 1)


def is_over(g: Config, left: Sequence[int], rounds: int) -> bool:
    """Whether the game ends after this many complete rounds: somebody has no chip left, or it was the last one."""
    for seat in range(g.players):
        if left[seat] == 0:
            return True
    return rounds_left(g, rounds) == 0


def rounds_left(g: Config, rounds: int) -> int:
    """How many rounds can follow at most when this many are complete."""
    return g.round_limit - rounds


# --- the score ----------------------------------------------------------------------------------------


def score(g: Config, board: int) -> int:
    """The crowns that count on a board: those of the goals of which nothing is lacking."""
    crowns = 0
    for goal in range(len(g.goals)):
        if g.goals[goal] & ~board == 0:
            crowns += g.crowns[goal]
    return crowns


def scores(g: Config, s: Any, out: Any) -> None:
    """Write each seat's score so far."""
    for seat in range(g.players):
        out[seat] = score(g, s.boards[seat])


# --- why something is not possible -----------------------------------------------------------------------


def why_not_place(state: Position, event: Place | Discard, code: int | None) -> IllegalMove:
    """Why the dice or the board do not allow this, or what has to be done instead."""
    g, split = state.game.config, state.game.options.split
    if isinstance(event, Discard):
        if not g.minimum:
            return IllegalMove("discard", "you lose chips only when you play alone")
        return IllegalMove("discard", "you lose a chip only when no chip fits")
    if event.place not in [way.pairs for way in placements(state.rolled, split)]:
        return _impossible(state.rolled, event.place, split)
    board, left = state.boards[state.seat], state.left[state.seat]
    for value, count in event.place:
        if board >> field(value, count) & 1:
            said = "{count}× in the row of {value} is covered already"
            return IllegalMove("covered", said, count=count, value=value)
    if len(event.place) > left:
        said = "you have only one chip left" if left == 1 else "you have only {left} chips left"
        return IllegalMove("chips", said, left=left)
    least = g.chips[state.codes()[0]]
    if not least:
        return IllegalMove("discard", "no chip fits, so you lose one")
    if least == 1:
        return IllegalMove("minimum", "you have to place at least one chip", least=least)
    return IllegalMove("minimum", "you have to place at least {least} chips", least=least)


def _impossible(rolled: tuple[int, ...], pairs: Pairs, split: bool) -> IllegalMove:
    """Why these dice do not allow the placement, whatever the board."""
    values = [value for value, _ in pairs]
    for value, count in pairs:
        if value not in rolled:
            return IllegalMove("value", "no die shows {value}", value=value)
        if pairs.count((value, count)) > 1:
            said = "{count}× in the row of {value} is named twice"
            return IllegalMove("twice", said, count=count, value=value)
        if values.count(value) > 1 and not split:
            said = "only one chip for each number: the {value} is used twice"
            return IllegalMove("split", said, value=value)
    for value in reversed(VALUES):
        needed, there = sum(n for used, n in pairs if used >= value), sum(face >= value for face in rolled)
        if needed > there:
            break
    said = "this needs {needed} dice that show {value} or more; you have {there}"
    if value == 6:
        said = "this needs {needed} sixes; you have {there}"
    return IllegalMove("dice", said, needed=needed, value=value, there=there)


# --- the game ---------------------------------------------------------------------------------------------


def values(game: Crowns) -> tuple[Pairs | Discard, ...]:
    """What each move holds: the fields; alone, placing nothing is discarding a chip."""
    nothing, *others = [way.pairs for way in every_placement(game.options.split)]
    return (Discard(0) if game.players == 1 else nothing, *others)


class Crowns(Game[CrownsOptions, CrownsComponents]):
    """A game of Crowns with its options and components."""

    id = "crowns"
    title = "Crowns"
    pitch = "Roll six dice, turn high ones down to fit, and crown whole lines before the chips run out."
    seats = range(1, 7)
    minutes = (15, 30)
    Options = CrownsOptions
    Components = CrownsComponents
    Position = Position
    phases = {
        "roll": Dice(Roll, DICE, then=roll),
        "place": Choice((Place, Discard), values, place, moves, why_not_place, max_moves),
    }
    begin = begin
    scores = scores

    def configure(self) -> Config:
        on_field = self.components.crowns()
        crowns = tuple(sum([on_field[number] for number in goal]) for goal in PARTS)
        minimum = self.options.solo_minimum if self.players == 1 else 0
        fixed = self.players, minimum, self.options.round_limit, self.components.chips.number
        return Config(*fixed, GOALS, PARTS, crowns, *tables(self.options.split))
