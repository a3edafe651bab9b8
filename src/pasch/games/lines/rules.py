"""Shut the Lines: cover numbers with sums of dice, line by line, until a roll no longer fits.

Rules in short. A plan holds the numbers from 1 up, each on several lines. In turn, every seat rolls all the
plan's dice and sorts all of them into groups; each group covers the number that it adds up to, which this
seat must not have covered before. If the dice cannot all be used, some of them may be, and the seat is
out of the round. Seats do not block each other. When all are out, a seat scores a point for each line that
it has covered. Rounds follow until somebody has reached the target; then the highest total wins.

Sources: the printed rulebook; how the numbers lie on the plans is reconstructed (see box.toml).

| option | default | meaning |
|---|---|---|
| plans | [1] | the plans of the rounds; after the last one the first comes again |
| plan_choice | listed | the plans come as `listed`, or one of them is `chosen` by the seat that begins the round |
| target | 10 | the points that end the game after a round |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import MutableSequence, Sequence
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta

from pasch.core.errors import EventError, IllegalMove
from pasch.core.events import Event, Roll, SeatEvent, arrange, sorted_faces
from pasch.core.game import Game
from pasch.core.nodes import Choice, Dice, InTurn
from pasch.core.options import HOUSE, Options
from pasch.core.position import Number, Rolled, Row
from pasch.core.rolls import Groups
from pasch.core.shapes import DiceShape, Last
from pasch.core.state import CHANCE, OVER, State
from pasch.games.lines.box import PLANS, LinesComponents, many_rounds, max_points
from pasch.games.lines.ways import MAX_WAYS, Covers, any_fits, covers_on, is_free

# --- events -------------------------------------------------------------------------------------------


class Plan(Event, frozen=True):
    """The plan of the round as it stands in the list, counted from 1."""

    plan: int


class ChosenPlan(SeatEvent, frozen=True):
    """The plan that the seat chooses which begins the round, counted from 1."""

    plan: int


class Cover(SeatEvent, frozen=True):
    """The dice in groups; each group covers the number that it adds up to."""

    cover: Groups

    def __post_init__(self) -> None:
        if not all(self.cover):
            raise EventError("a group has at least one die")
        arrange(self, cover=tuple(sorted(map(sorted_faces, self.cover))))


# --- options, and what the rules read of them and of the box ------------------------------------------


class LinesOptions(Options, frozen=True, kw_only=True):
    """What the table agrees on."""

    plans: Annotated[
        tuple[Literal[1, 2, 3, 4], ...],
        Meta(
            min_length=1,
            max_length=100,
            description="The plans of the rounds in order; after the last one the first comes again.",
        ),
    ] = (1,)
    plan_choice: Annotated[
        Literal["listed", "chosen"],
        Meta(
            description="The plans come in their order, or whoever begins the round chooses one of them.",
            extra=HOUSE | {"before": "listed"},
        ),
    ] = "listed"
    target: Annotated[
        int,
        Meta(
            ge=1,
            le=1000,
            description="The game ends after the round in which someone has this many points.",
        ),
    ] = 10
    components: LinesComponents | None = None


class Config(NamedTuple):
    """What the rules read of players, options and box (`g` below). Sets of numbers are bit masks."""

    players: int
    target: int
    #: the plans of the rounds, counted from 1; and those to choose from, none if they come in their order
    order: Sequence[int]
    choices: Sequence[int]
    #: by plan, counted from 0: its dice, all its numbers, and the numbers of each line
    dice: Sequence[int]
    full: Sequence[int]
    lines: Sequence[Sequence[int]]
    #: what the dice of a roll can cover, and what follows from a cover
    covers: Covers
    #: the plans that are played have no higher number
    highest: int


# --- the position (`s` below has the same fields as numbers and rows) ---------------------------------

PLAN, ROLL, COVER, ENDED = range(4)


class Position(State, frozen=True):
    """One position. `phase` says what comes next."""

    phase: Literal["plan", "roll", "cover", "over"]
    #: whose turn it is
    seat: int
    totals: Annotated[tuple[int, ...], Row("players", high=max_points)]
    #: the round, counted from 0
    round: Annotated[int, Number(high=many_rounds)]
    #: the plan being played, counted from 1; 0 until the round has one
    plan: Annotated[int, Number(0, PLANS)]
    #: the numbers each seat has covered: number n is bit n - 1
    covered: Annotated[tuple[int, ...], Row("players", bits="highest")]
    #: who is out of the round
    out: Annotated[tuple[bool, ...], Row("players", high=1)]
    rolled: Rolled


# --- a round --------------------------------------------------------------------------------------------


def begin_round(g: Config, s: Any) -> None:
    """A round waits for its plan: nothing is covered, all are in. Each round begins with the next seat."""
    s.phase, s.plan, s.seat = PLAN, 0, s.round % g.players
    s.actor = s.seat if len(g.choices) > 0 else CHANCE
    for seat in range(g.players):
        s.covered[seat] = 0
        s.out[seat] = False


def plans(g: Config, s: Any, out: MutableSequence[int]) -> int:
    """Any of the plans in the options may be chosen."""
    for place in range(len(g.choices)):
        out[place] = place
    return len(g.choices)


def choose(g: Config, s: Any, code: int) -> None:
    """The round is played on the plan chosen."""
    lay(g, s, g.choices[code])


def lay(g: Config, s: Any, plan: int) -> None:
    """The plan of the round lies there: dice are to be rolled."""
    s.actor, s.phase, s.plan = CHANCE, ROLL, plan


def end_round(g: Config, s: Any) -> None:
    """Everybody scores; the next round follows, or the game is over."""
    for seat in range(g.players):
        s.totals[seat] += points(g.lines[s.plan - 1], s.covered[seat])
    if is_over(g, s.totals):
        # the last boards stay on the table, for everybody to look at
        s.actor, s.phase = OVER, ENDED
    else:
        s.round += 1
        begin_round(g, s)


def points(lines: Sequence[int], covered: int) -> int:
    """What a board scores: a point for each line that is completely covered."""
    complete = 0
    for line in range(len(lines)):
        if lines[line] & ~covered == 0:
            complete += 1
    return complete


def is_over(g: Config, totals: Sequence[int]) -> bool:
    """Whether the game is over after a round with these totals: somebody has reached the target."""
    for seat in range(g.players):
        if totals[seat] >= g.target:
            return True
    return False


# --- a turn ---------------------------------------------------------------------------------------------


def dice(g: Config, s: Any) -> int:
    """All the dice of the plan are rolled."""
    return g.dice[s.plan - 1]


def roll(g: Config, s: Any, rolled: int) -> None:
    """The dice lie there: the seat has to choose, or nothing can be covered and it is out of the round."""
    free = free_numbers(g, s.plan, s.covered[s.seat])
    if any_fits(g.covers, rolled, len(g.covers.masks[rolled]), free):
        s.actor, s.phase, s.rolled = s.seat, COVER, rolled
    else:
        end_turn(g, s, 0, False)


def free_numbers(g: Config, plan: int, covered: int) -> int:
    """The numbers of a plan that are not covered yet."""
    return g.full[plan - 1] & ~covered


def covers(g: Config, s: Any, out: MutableSequence[int]) -> int:
    """The numbers covered have to be free, and all the dice have to be used if that is possible."""
    return legal_covers(g, s.rolled, free_numbers(g, s.plan, s.covered[s.seat]), out)


def legal_covers(g: Config, roll: int, free: int, out: MutableSequence[int]) -> int:
    """Write the covers that are legal with these numbers free."""
    masks, found = g.covers.masks[roll], 0
    ways = len(masks) if may_leave_dice(can_use_all(g, roll, free)) else g.covers.whole[roll]
    for way in range(ways):
        if is_free(masks[way], free):
            out[found] = g.covers.of_roll[roll][way]
            found += 1
    return found


def can_use_all(g: Config, roll: int, free: int) -> bool:
    """Whether all the dice can be used."""
    return any_fits(g.covers, roll, g.covers.whole[roll], free)


def may_leave_dice(all_fit: bool) -> bool:
    """Whether dice may be left over: only if they cannot all be used."""
    return not all_fit


def cover(g: Config, s: Any, code: int) -> None:
    """Cover these numbers."""
    end_turn(g, s, g.covers.numbers[code], stays_in(g, s.plan, code))


def stays_in(g: Config, plan: int, cover: int) -> bool:
    """Whether a seat stays in the round after a cover: if it uses all the dice."""
    return g.covers.used[cover] == g.dice[plan - 1]


def end_turn(g: Config, s: Any, covers: int, stays: bool) -> None:
    """The seat has covered its numbers; the next one that is not out follows, or the round is over."""
    s.actor, s.phase, s.rolled = CHANCE, ROLL, 0
    s.covered[s.seat] |= covers
    s.out[s.seat] = not stays
    for step in range(1, g.players + 1):
        following = (s.seat + step) % g.players
        if not s.out[following]:
            s.seat = following
            return
    end_round(g, s)


# --- why something is not possible -----------------------------------------------------------------------


def why_not_choice(state: Any, event: ChosenPlan, code: int | None) -> IllegalMove:
    """Why this plan cannot be chosen."""
    said = "plan {got} was not agreed on; there is a choice of {plans}"
    return IllegalMove("plan", said, got=event.plan, plans=state.game.config.choices)


def why_not_cover(state: Any, event: Cover, code: int | None) -> IllegalMove:
    """Why the rules forbid this cover."""
    there = Counter(state.rolled)
    for face, wanted in sorted(Counter(die for group in event.cover for die in group).items()):
        if wanted > there[face]:
            missing = (face,) * (there[face] + 1)
            said = "you have rolled {roll}; that does not contain {missing}"
            return IllegalMove("dice", said, roll=state.rolled, missing=missing)
    free = free_numbers(state.game.config, state.plan, state.covered[state.seat])
    sums = sorted(map(sum, event.cover))
    for number in sums:
        if sums.count(number) > 1:
            return IllegalMove("twice", "two groups make {number}", number=number)
        if number > state.game.config.full[state.plan - 1].bit_length():
            said = "there is no {number} on plan {plan}"
            return IllegalMove("plan", said, number=number, plan=state.plan)
        if not free >> number - 1 & 1:
            return IllegalMove("covered", "you have covered the {number} already", number=number)
    example = ", ".join("+".join(map(str, group)) for group in state.moves()[0].cover)
    return IllegalMove("all dice", "you have to use all dice, and you can: {example}", example=example)


# --- the game ---------------------------------------------------------------------------------------------


class Lines(Game[LinesOptions, LinesComponents]):
    """A game of Shut the Lines with its options and components."""

    id = "lines"
    title = "Shut the Lines"
    pitch = "Turn your dice into sums and cover whole lines of numbers before a roll no longer fits."
    seats = range(1, 5)
    minutes = (10, 30)
    Options = LinesOptions
    Components = LinesComponents
    Position = Position
    phases = {
        "plan": (
            InTurn(Plan, of="order", count="round", then=lay, option="plans"),
            Choice(ChosenPlan, lambda game: game.config.choices, choose, plans, why_not_choice),
        ),
        "roll": Dice(Roll, dice, roll, DiceShape(("plans", Last("plan"), "dice"))),
        "cover": Choice(Cover, lambda game: game.covers, cover, covers, why_not_cover, most=MAX_WAYS),
    }
    begin = begin_round

    def configure(self) -> Config:
        options, numbers = self.options, sorted(set(self.options.plans))
        #: the plans as the rules read them, plan 1 is plans[0]; and those that are played, each once
        self.plans = tuple(plan.table() for plan in self.components.plans)
        self.played = tuple(self.plans[number - 1] for number in numbers)
        #: every cover that can occur, by its number
        self.covers, ways = covers_on(self.played)
        dice, full, lines = zip(*self.plans, strict=True)
        choices = tuple(numbers) if options.plan_choice == "chosen" else ()
        reach = max(plan.full for plan in self.played).bit_length()
        return Config(self.players, options.target, options.plans, choices, dice, full, lines, ways, reach)
