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
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Final, Literal, NamedTuple

import msgspec

from pasch.core.chance import Chance, EqualDice, OneOf
from pasch.core.errors import IllegalMove, IllegalOutcome
from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.lazy import lazy_table
from pasch.core.options import Options, house
from pasch.core.shapes import DiceShape, Last, TurnShape
from pasch.core.state import CHANCE, OVER, State
from pasch.games.lines.box import LinesComponents
from pasch.games.lines.events import ChosenPlan, Cover, Plan, Roll
from pasch.games.lines.ways import (
    MOST_WAYS,
    Faces,
    Groups,
    every_cover,
    groupings,
    mask_of,
    masks_of,
    numbered_rolls,
    partial_groupings,
    rolls_by_case,
    whole_ways,
)

# --- options --------------------------------------------------------------------------------------


class LinesOptions(Options, frozen=True, kw_only=True):
    """What the table agrees on."""

    plans: Annotated[
        tuple[Literal[1, 2, 3, 4], ...],
        msgspec.Meta(
            min_length=1,
            max_length=100,
            description="The plans of the rounds in order; after the last one the first comes again.",
        ),
    ] = (1,)
    plan_choice: Annotated[
        Literal["listed", "chosen"],
        msgspec.Meta(
            description="The plans come in their order, or whoever begins the round chooses one of them.",
            extra=house(before="listed"),
        ),
    ] = "listed"
    target: Annotated[
        int,
        msgspec.Meta(
            ge=1,
            le=1000,
            description="The game ends after the round in which someone has this many points.",
        ),
    ] = 10
    components: LinesComponents | None = None


# --- the rules ------------------------------------------------------------------------------------
# These functions are run as they stand and compiled (see `pasch.core.rules`). `g` is what was agreed,
# `s` the state as numbers. Rolls are numbered, and so are the ways to use the dice of each roll, in the
# order of `partial_groupings`: the complete ones come first. Sets of numbers are bit masks.
PLAN, ROLL, COVER, ENDED = range(4)
#: what comes next, by its number above
PHASES: Final = ("plan", "roll", "cover", "over")


class Agreed(NamedTuple):
    """What the rules read of players, options and box. Plans are counted from 0 in here."""

    players: int
    target: int
    #: the plans of the rounds, counted from 1
    order: Sequence[int]
    #: whoever begins a round chooses its plan; these there are, each once
    chosen: bool
    choices: Sequence[int]
    #: by plan: all its numbers, and the numbers of each line
    full: Sequence[int]
    lines: Sequence[Sequence[int]]
    #: by plan: how many cases its dice have, and which roll each case is (of plans that are played)
    cases: Sequence[int]
    rolls: Sequence[Sequence[int]]
    #: by roll: its faces
    faces: Sequence[Sequence[int]]
    #: by roll and way: the numbers covered (-1 after the last way), and the cover's number among all of the game
    masks: Sequence[Sequence[int]]
    covers: Sequence[Sequence[int]]
    #: how many covers the game has
    cover_count: Sequence[int]
    #: by roll: how many ways use all the dice
    whole: Sequence[int]
    #: the plans that are played have no higher number
    highest: int


@dataclass(slots=True)
class Numbers:
    """The state as numbers."""

    actor: int
    phase: int
    seat: int
    #: counted from 0
    round: int
    #: counted from 1; 0 until the round has one
    plan: int
    #: the number of the roll on the table; 0 if none lies there
    roll: int
    #: by seat, as bit masks
    covered: list[int]
    out: list[bool]
    totals: list[int]


def cases(g: Agreed, s: Numbers) -> int:
    """How many equally likely cases chance has: one plan, or the faces of the plan's dice."""
    return 1 if s.phase == PLAN else g.cases[s.plan - 1]


def chance(g: Agreed, s: Numbers, case: int) -> None:
    """Let chance bring its case: the plan of the round, or these faces."""
    if s.phase == PLAN:
        lay(s, plan_of_round(g, s.round))
    else:
        roll(g, s, g.rolls[s.plan - 1][case])


def plan_of_round(g: Agreed, number: int) -> int:
    """The plan, counted from 1, of a round, counted from 0."""
    return g.order[number % len(g.order)]


def lay(s: Numbers, plan: int) -> None:
    """The plan of the round lies there: dice are to be rolled."""
    s.actor = CHANCE
    s.phase = ROLL
    s.plan = plan


def roll(g: Agreed, s: Numbers, rolled: int) -> None:
    """The dice lie there: the seat has to choose, or nothing can be covered and it is out of the round."""
    if can_cover(g, rolled, free_numbers(g, s.plan, s.covered[s.seat])):
        s.actor = s.seat
        s.phase = COVER
        s.roll = rolled
    else:
        end_turn(g, s, 0, False)


def free_numbers(g: Agreed, plan: int, covered: int) -> int:
    """The numbers of a plan that are not covered yet."""
    return g.full[plan - 1] & ~covered


def can_cover(g: Agreed, roll: int, free: int) -> bool:
    """Whether anything can be covered: whether any way fits but that to cover nothing."""
    masks = g.masks[roll]
    for way in range(len(masks)):
        if masks[way] != 0 and is_free(masks[way], free):
            return True
    return False


def is_free(mask: int, free: int) -> bool:
    """Whether all these numbers are on the plan and not covered yet."""
    return mask & ~free == 0


def moves(g: Agreed, s: Numbers, out: MutableSequence[int]) -> int:
    """Write the legal moves: the plans to choose from; or the ways to use the dice that the rules allow."""
    if s.phase == PLAN:
        for place in range(len(g.choices)):
            out[place] = place
        return len(g.choices)
    return legal_ways(g, s.roll, free_numbers(g, s.plan, s.covered[s.seat]), out)


def legal_ways(g: Agreed, roll: int, free: int, out: MutableSequence[int]) -> int:
    """Write the ways that the rules allow with these numbers free."""
    masks, found = g.masks[roll], 0
    for way in range(allowed_ways(masks, g.whole[roll], free)):
        if is_free(masks[way], free):
            out[found] = way
            found += 1
    return found


def allowed_ways(masks: Sequence[int], whole: int, free: int) -> int:
    """How many of the ways, from the first, are allowed: `whole` of them use all the dice."""
    return len(masks) if may_leave_dice(can_use_all(masks, whole, free)) else whole


def can_use_all(masks: Sequence[int], whole: int, free: int) -> bool:
    """Whether all the dice can be used: whether one of the ways that do so fits."""
    for way in range(whole):
        if is_free(masks[way], free):
            return True
    return False


def may_leave_dice(all_fit: bool) -> bool:
    """Whether dice may be left over: only if they cannot all be used."""
    return not all_fit


def most_moves(g: Agreed) -> int:
    """There are never more moves: the plans, or the ways to use the dice of the largest rolls, which come last."""
    return max(MOST_WAYS[len(g.faces[-1])], len(g.choices))


def move(g: Agreed, s: Numbers, code: int) -> None:
    """Make a legal move: play on this one of the plans, or use the dice in this way."""
    if s.phase == PLAN:
        lay(s, g.choices[code])
    else:
        end_turn(g, s, g.masks[s.roll][code], stays_in(g, s.roll, code))


def stays_in(g: Agreed, roll: int, way: int) -> bool:
    """Whether a seat that uses the dice in this way stays in the round: whoever uses them all does."""
    return way < g.whole[roll]


def end_turn(g: Agreed, s: Numbers, covers: int, stays: bool) -> None:
    """The seat has covered its numbers; the next seat, the next round or the end follows."""
    s.actor = CHANCE
    s.phase = ROLL
    s.roll = 0
    s.covered[s.seat] |= covers
    s.out[s.seat] = not stays
    following = next_seat(g, s.out, s.seat)
    if following >= 0:
        s.seat = following
    else:
        end_round(g, s)


def next_seat(g: Agreed, out: Sequence[bool], seat: int) -> int:
    """Who has the turn after this seat: the next one that is not out of the round; -1 if all are."""
    for step in range(1, g.players + 1):
        after = (seat + step) % g.players
        if not out[after]:
            return after
    return -1


def end_round(g: Agreed, s: Numbers) -> None:
    """Everybody scores; the next round follows, or the game is over."""
    for seat in range(g.players):
        s.totals[seat] += points(g.lines[s.plan - 1], s.covered[seat])
    if is_over(g, s.totals):
        # the last boards stay on the table, for everybody to look at
        s.actor = OVER
        s.phase = ENDED
    else:
        begin_round(g, s, s.round + 1)


def points(lines: Sequence[int], covered: int) -> int:
    """What a board scores: a point for each line that is completely covered."""
    complete = 0
    for line in range(len(lines)):
        if lines[line] & ~covered == 0:
            complete += 1
    return complete


def is_over(g: Agreed, totals: Sequence[int]) -> bool:
    """Whether the game is over after a round with these totals: somebody has reached the target."""
    for seat in range(g.players):
        if reaches_target(g, totals[seat]):
            return True
    return False


def reaches_target(g: Agreed, total: int) -> bool:
    """Whether a total ends the game."""
    return total >= g.target


def begin_round(g: Agreed, s: Numbers, number: int) -> None:
    """A round, counted from 0, waits for its plan: nothing is covered, everybody is in."""
    s.phase = PLAN
    s.seat = first_seat(g, number)
    s.actor = s.seat if g.chosen else CHANCE
    s.round = number
    s.plan = 0
    for seat in range(g.players):
        s.covered[seat] = 0
        s.out[seat] = False


def first_seat(g: Agreed, number: int) -> int:
    """Who begins a round, counted from 0: each round the next seat."""
    return number % g.players


def scores(g: Agreed, s: Numbers, out: MutableSequence[int]) -> None:
    """Write each seat's score so far."""
    for seat in range(g.players):
        out[seat] = s.totals[seat]


# --- the game -------------------------------------------------------------------------------------


class PlanTable(msgspec.Struct, frozen=True):
    """What the rules read of a plan."""

    dice: int
    #: all numbers of the plan
    full: int
    #: the numbers of each line
    lines: tuple[int, ...]

    def points(self, covered: int) -> int:
        """How many lines are completely covered."""
        return points(self.lines, covered)


def agreed_on(
    plans: tuple[PlanTable, ...],
    order: tuple[int, ...],
    players: int = 1,
    target: int = 1,
    *,
    chosen: bool = False,
) -> Agreed:
    """What the rule functions read; `order` are the plans of the rounds, counted from 1."""
    choices = tuple(sorted(set(order)))
    played = tuple(plans[number - 1] for number in choices)
    rolls = numbered_rolls(plan.dice for plan in played)
    numbers = {roll: number for number, roll in enumerate(rolls)}

    def covers() -> dict[Groups, int]:
        return every_cover(tuple((plan.dice, plan.full) for plan in played))

    def cover_numbers(roll: int) -> tuple[int, ...]:
        known = covers()
        return tuple(known.get(way.groups, -1) for way in partial_groupings(rolls[roll]))

    return Agreed(
        players,
        target,
        order,
        chosen,
        choices,
        tuple(plan.full for plan in plans),
        tuple(plan.lines for plan in plans),
        tuple(6**plan.dice for plan in plans),
        lazy_table(len(plans), lambda plan: rolls_by_case(plans[plan].dice, numbers)),
        rolls,
        lazy_table(len(rolls), lambda roll: masks_of(rolls[roll])),
        lazy_table(len(rolls), cover_numbers),
        lazy_table([1], lambda _: len(covers())),
        lazy_table(len(rolls), lambda roll: whole_ways(rolls[roll])),
        max(plan.full for plan in played).bit_length(),
    )


def fits(roll: Faces, free: int) -> bool:
    """Whether all the dice of a roll can be used when the numbers in `free` are not covered yet."""
    return can_use_all(masks_of(roll), whole_ways(roll), free)


class Lines(Game[LinesOptions, LinesComponents]):
    """A game of Shut the Lines as agreed."""

    id = "lines"
    title = "Shut the Lines"
    pitch = "Turn your dice into sums and cover whole lines of numbers before a roll no longer fits."
    seats = range(1, 5)
    minutes = (10, 30)
    events = (Plan, ChosenPlan, Roll, Cover)
    Options = LinesOptions
    Components = LinesComponents
    chance_shapes = {Plan: TurnShape("plans"), Roll: DiceShape(("plans", Last("plan"), "dice"))}

    def __init__(self, players: int, options: LinesOptions | None = None) -> None:
        super().__init__(players, options)
        #: the plans as the rules read them; plan 1 is tables[0]
        self.tables = tuple(
            PlanTable(plan.dice, (1 << plan.numbers) - 1, tuple(map(mask_of, plan.lines)))
            for plan in self.components.plans
        )
        agreed, chosen = self.options, self.options.plan_choice == "chosen"
        self.agreed: Agreed = agreed_on(self.tables, agreed.plans, players, agreed.target, chosen=chosen)
        #: by faces: the number of the roll
        self.rolls = {roll: number for number, roll in enumerate(self.agreed.faces)}

    @property
    def played(self) -> tuple[PlanTable, ...]:
        """The plans that are played, each once."""
        return tuple(map(self.plan, self.agreed.choices))

    def start(self) -> LinesState:
        return self.new_round(0, (0,) * self.players)

    def new_round(self, number: int, totals: tuple[int, ...]) -> LinesState:
        """The state before the plan of a round, counted from 0, is laid out."""
        nothing = [0] * self.players
        s = Numbers(CHANCE, PLAN, 0, number, 0, 0, nothing, [False] * self.players, [*totals])
        begin_round(self.agreed, s, number)
        blank = LinesState(self, CHANCE, "plan", 0, totals, 0, 0, (), (), ())
        return blank.after(s)

    def plan(self, number: int) -> PlanTable:
        """A plan, counted from 1, as the rules read it."""
        return self.tables[number - 1]

    def plan_of_round(self, number: int) -> int:
        """The plan, counted from 1, of a round, counted from 0, as it stands in the list."""
        return plan_of_round(self.agreed, number)

    def next_plan(self, number: int) -> int | None:
        """The plan, counted from 1, of a round to come, counted from 0; None if it will be chosen."""
        return None if self.agreed.chosen else self.plan_of_round(number)


@cache
def _roll_chance(seat: int, dice: int) -> EqualDice:
    return EqualDice(dice, lambda roll: Roll(seat, roll))


# --- the state ------------------------------------------------------------------------------------


@cache
def _covers(seat: int, roll: tuple[int, ...]) -> tuple[Cover, ...]:
    """The move that each way is."""
    return tuple(Cover(seat, way.groups) for way in partial_groupings(roll))


@cache
def _codes(roll: tuple[int, ...]) -> dict[Groups, int]:
    return {way.groups: code for code, way in enumerate(partial_groupings(roll))}


class LinesState(State, frozen=True):
    """One position. `phase` says what comes next: plan, roll, cover or over."""

    game: Lines
    phase: Literal["plan", "roll", "cover", "over"]
    #: whose turn it is
    seat: int
    totals: tuple[int, ...]
    #: the round, counted from 0
    round: int
    #: the plan being played, counted from 1; 0 until the round has one
    plan: int
    #: the numbers each seat has covered, as bit masks: number n is bit n - 1
    covered: tuple[int, ...]
    #: who is out of the round
    out: tuple[bool, ...]
    #: the dice on the table, ascending
    rolled: tuple[int, ...]

    @property
    def table(self) -> PlanTable:
        """The plan being played, as the rules read it."""
        return self.game.plan(self.plan)

    @property
    def free(self) -> int:
        """The numbers that the seat whose turn it is has not covered yet, as a bit mask."""
        return free_numbers(self.game.agreed, self.plan, self.covered[self.seat])

    def numbers(self) -> Numbers:
        rolled = self.game.rolls[self.rolled] if self.rolled else 0
        return Numbers(
            self.actor, PHASES.index(self.phase), self.seat, self.round, self.plan, rolled,
            [*self.covered], [*self.out], [*self.totals],
        )  # fmt: skip

    def after(self, s: Numbers) -> LinesState:
        rolled = tuple(self.game.agreed.faces[s.roll]) if s.phase == COVER else ()
        return LinesState(
            self.game, s.actor, PHASES[s.phase], s.seat, tuple(s.totals), s.round, s.plan,
            tuple(s.covered), tuple(s.out), rolled,
        )  # fmt: skip

    def moves(self) -> tuple[Event, ...]:
        if self.actor < 0:
            return ()
        if self.phase == "plan":
            choices = self.game.agreed.choices
            return tuple([ChosenPlan(self.seat, choices[code]) for code in self.codes()])
        covers = _covers(self.seat, self.rolled)
        return tuple([covers[code] for code in self.codes()])

    def chance(self) -> Chance:
        if self.phase == "plan":
            return OneOf([Plan(self.game.plan_of_round(self.round))])
        return _roll_chance(self.seat, self.table.dice)

    def scores(self) -> tuple[int, ...]:
        return self.totals

    def apply(self, event: Event) -> LinesState:
        g, s = self.game.agreed, self.numbers()
        if self.phase == "cover" and type(event) is Cover and event.seat == self.seat:
            move(g, s, self._code(event))
        elif self.phase == "roll" and type(event) is Roll and event.seat == self.seat:
            self._check_roll(event)
            roll(g, s, self.game.rolls[event.roll])
        elif self.phase == "plan" and type(event) is Plan and self.actor == CHANCE:
            self._check_plan(event)
            lay(s, event.plan)
        elif self.phase == "plan" and type(event) is ChosenPlan and event.seat == self.actor >= 0:
            move(g, s, self._choice(event))
        else:
            raise self.misplaced(event)
        return self.after(s)

    def _check_plan(self, event: Plan) -> None:
        plan = self.game.plan_of_round(self.round)
        if event.plan != plan:
            raise IllegalOutcome(
                "plan", "this round is played on plan {plan}, not on plan {got}", plan=plan, got=event.plan
            )

    def _choice(self, event: ChosenPlan) -> int:
        """The place of a plan among those that may be chosen."""
        choices = self.game.agreed.choices
        if event.plan not in choices:
            template = "plan {got} was not agreed on; there is a choice of {plans}"
            raise IllegalMove("plan", template, got=event.plan, plans=choices)
        return choices.index(event.plan)

    def _check_roll(self, event: Roll) -> None:
        dice, got = self.table.dice, len(event.roll)
        if got != dice:
            template = "plan {plan} is played with {dice} dice, not with {got}"
            raise IllegalOutcome("roll", template, plan=self.plan, dice=dice, got=got)

    def _code(self, event: Cover) -> int:
        """The way in which a cover uses the dice, if the rules allow it."""
        g, rolled = self.game.agreed, self.game.rolls[self.rolled]
        masks, free = g.masks[rolled], self.free
        way = _codes(self.rolled).get(event.cover, -1)
        if way < 0 or not is_free(masks[way], free) or way >= allowed_ways(masks, g.whole[rolled], free):
            raise self._refusal(event)
        return way

    def _refusal(self, event: Cover) -> IllegalMove:
        """Why the rules forbid this cover."""
        there = Counter(self.rolled)
        for face, wanted in sorted(Counter(die for group in event.cover for die in group).items()):
            if wanted > there[face]:
                return IllegalMove(
                    "dice",
                    "you have rolled {roll}; that does not contain {missing}",
                    roll=self.rolled,
                    missing=(face,) * (there[face] + 1),
                )
        sums = sorted(map(sum, event.cover))
        for number in sums:
            if sums.count(number) > 1:
                return IllegalMove("twice", "two groups make {number}", number=number)
            if number > self.table.full.bit_length():
                template = "there is no {number} on plan {plan}"
                return IllegalMove("plan", template, number=number, plan=self.plan)
            if not self.free >> number - 1 & 1:
                return IllegalMove("covered", "you have covered the {number} already", number=number)
        example = next(way.groups for way in groupings(self.rolled) if is_free(way.mask, self.free))
        return IllegalMove(
            "all dice",
            "you have to use all dice, and you can: {example}",
            example=", ".join("+".join(map(str, group)) for group in example),
        )
