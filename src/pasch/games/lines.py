"""Shut the Lines: cover numbers with sums of dice, line by line, until a roll no longer fits.

Rules in short. A plan holds the numbers from 1 up, each on several lines. In turn, every seat rolls all the
plan's dice and sorts all of them into groups; each group covers the number that it adds up to, which this
seat must not have covered before. If the dice cannot all be used, some of them may be, and the seat is
out of the round. Seats do not block each other. When all are out, a seat scores a point for each line that
it has covered. Rounds follow until somebody has reached the target; then the highest total wins.

Sources: the printed rulebook; how the numbers lie on the plans is reconstructed (see lines.toml).

| option | default | meaning |
|---|---|---|
| plans | [1] | the plans of the rounds; after the last one the first comes again |
| target | 10 | the points that end the game after a round |
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Annotated, Final, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from pasch.core.chance import Chance, EqualDice, OneOf
from pasch.core.components import Components, Provenance
from pasch.core.errors import ComponentError, EventError, IllegalMove, IllegalOutcome
from pasch.core.events import Event, SeatEvent, arrange
from pasch.core.game import Game
from pasch.core.options import Options
from pasch.core.state import CHANCE, OVER, State

PLANS: Final = 4
MOST_DICE: Final = 5

#: dice in groups: each group ascending, the groups sorted
Groups = tuple[tuple[int, ...], ...]


# --- events ---------------------------------------------------------------------------------------


def _check_faces(key: str, faces: tuple[int, ...]) -> None:
    for face in faces:
        if not 1 <= face <= 6:
            raise EventError("{key}: a die shows 1 to 6, not {face}", key=key, face=face)


class Plan(Event, frozen=True):
    """The plan of the round, counted from 1."""

    plan: int


class Roll(SeatEvent, frozen=True):
    """The faces rolled, ascending."""

    roll: tuple[int, ...]

    def __post_init__(self) -> None:
        _check_faces("roll", self.roll)
        arrange(self, roll=tuple(sorted(self.roll)))


class Cover(SeatEvent, frozen=True):
    """The dice in groups; each group covers the number that it adds up to."""

    cover: Groups

    def __post_init__(self) -> None:
        for group in self.cover:
            if not group:
                raise EventError("cover: a group has at least one die")
            _check_faces("cover", group)
        arrange(self, cover=tuple(sorted(tuple(sorted(group)) for group in self.cover)))


# --- component data and options -------------------------------------------------------------------


class PrintedPlan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One plan: its figures, its lines, and how it is drawn (a star or a square)."""

    #: the plan holds the numbers from 1 to this one
    numbers: int
    dice: int
    sum: int
    line_count: int
    line_length: int
    lines: tuple[tuple[int, ...], ...]
    #: a star's numbers, both clockwise from the top; see `star_lines`
    tips: tuple[int, ...] = ()
    inner: tuple[int, ...] = ()
    step: int = 2
    #: a square's numbers, row by row
    square: tuple[tuple[int, ...], ...] = ()
    #: of the figures
    provenance: Provenance = "seen"
    #: of how the numbers lie
    arrangement: Provenance = "seen"


def star_lines(tips: tuple[int, ...], inner: tuple[int, ...], step: int) -> tuple[tuple[int, ...], ...]:
    """The lines of a star as drawn: from a tip over two inner numbers to the tip `step` further round."""
    n = len(tips)
    return tuple((tips[i], inner[i], inner[(i + 1) % n], tips[(i + step) % n]) for i in range(n))


def square_lines(square: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """The lines of a square as drawn: rows, columns, diagonals."""
    n = len(square)
    falling = tuple(square[i][i] for i in range(n))
    rising = tuple(square[i][n - 1 - i] for i in range(n))
    return (*square, *zip(*square, strict=True), falling, rising)


class LinesComponents(Components, frozen=True, kw_only=True):
    """The four plans; plan 1 is `plans[0]`."""

    plans: tuple[PrintedPlan, ...]

    def check(self, players: int) -> None:
        _demand(len(self.plans) == PLANS, "plans", "there are four, not {got}", got=len(self.plans))
        for number, plan in enumerate(self.plans):
            place = f"plans[{number}]"
            _check_figures(place, plan)
            _check_drawing(place, plan)
            _check_lines(f"{place}.lines", plan)

    def provenance(self) -> tuple[tuple[str, Provenance], ...]:
        found: list[tuple[str, Provenance]] = []
        for number, plan in enumerate(self.plans, 1):
            figures = (
                f"plan {number}: numbers 1 to {plan.numbers}, {plan.line_count} lines of {plan.line_length}"
                f" adding up to {plan.sum}, {plan.dice} dice"
            )
            found.append((figures, plan.provenance))
            found.append((f"plan {number}: where the numbers lie", plan.arrangement))
        return tuple(found)


def _demand(holds: bool, place: str, template: str, **details: object) -> None:
    if not holds:
        raise ComponentError(place, template, **details)


def _check_figures(place: str, plan: PrintedPlan) -> None:
    dice, numbers, most = plan.dice, plan.numbers, 6 * plan.dice
    possible = 1 <= dice <= MOST_DICE
    _demand(possible, f"{place}.dice", "there are 1 to {most}, not {got}", most=MOST_DICE, got=dice)
    reach = "with these dice the highest number is 1 to {most}, not {got}"
    _demand(1 <= numbers <= most, f"{place}.numbers", reach, most=most, got=numbers)


def _check_drawing(place: str, plan: PrintedPlan) -> None:
    square, tips, inner = plan.square, plan.tips, plan.inner
    either = "a plan is drawn either as a square or with tips and inner"
    _demand(bool(square) != bool(tips or inner), place, either)
    if square:
        place = f"{place}.square"
        even = all(len(row) == len(square) for row in square)
        _demand(even, place, "a square has as many columns as rows")
    else:
        as_many = "a star has at least 5 tips and as many inner numbers"
        _demand(5 <= len(tips) == len(inner), f"{place}.tips", as_many)
        most, step = (len(tips) - 1) // 2, plan.step
        _demand(2 <= step <= most, f"{place}.step", "a step is 2 to {most}, not {got}", most=most, got=step)
        place = f"{place}.tips"
    drawn = sorted(number for part in (tips, inner, *square) for number in part)
    all_once = "the numbers 1 to {most} must be drawn, each of them once"
    _demand(drawn == list(range(1, plan.numbers + 1)), place, all_once, most=plan.numbers)


def _check_lines(place: str, plan: PrintedPlan) -> None:
    lines, count, length, total = plan.lines, plan.line_count, plan.line_length, plan.sum
    _demand(len(lines) == count, place, "there must be {count}, not {got}", count=count, got=len(lines))
    for index, line in enumerate(lines):
        where, size, got = f"{place}[{index}]", len(line), sum(line)
        _demand(size == length, where, "a line has {length} numbers, not {got}", length=length, got=size)
        _demand(got == total, where, "the line must add up to {total}, not {got}", total=total, got=got)
    drawing = square_lines(plan.square) if plan.square else star_lines(plan.tips, plan.inner, plan.step)
    named, drawn = set(map(_in_order, lines)), set(map(_in_order, drawing))
    for line in sorted(named - drawn):
        _demand(False, place, "the drawing has no line {line}", line=_spaced(line))
    for line in sorted(drawn - named):
        _demand(False, place, "the drawing has the line {line} too", line=_spaced(line))
    _demand(len(named) == count, place, "a line is there twice")


def _in_order(line: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(line))


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
    target: Annotated[
        int,
        msgspec.Meta(
            ge=1,
            le=1000,
            description="The game ends after the round in which someone has this many points.",
        ),
    ] = 10
    components: LinesComponents | None = None


# --- rule tables ----------------------------------------------------------------------------------
# Sets of numbers are bit masks: the number n is bit n - 1. A roll is an ascending tuple of faces.


class Grouping(NamedTuple):
    """Groups of dice whose sums are all different, and the numbers that they cover."""

    mask: int
    groups: Groups


class PlanTable(msgspec.Struct, frozen=True):
    """What the rules read of a plan."""

    dice: int
    #: all numbers of the plan
    full: int
    #: the numbers of each line
    lines: tuple[int, ...]

    def points(self, covered: int) -> int:
        """How many lines are completely covered."""
        return sum(line & ~covered == 0 for line in self.lines)


def mask_of(numbers: tuple[int, ...]) -> int:
    """A set of numbers as a bit mask."""
    mask = 0
    for number in numbers:
        mask |= 1 << number - 1
    return mask


def numbers_of(mask: int) -> tuple[int, ...]:
    """The numbers in a bit mask, ascending."""
    return tuple(number for number in range(1, mask.bit_length() + 1) if mask >> number - 1 & 1)


@cache
def partial_groupings(roll: tuple[int, ...]) -> tuple[Grouping, ...]:
    """All ways to make groups of some of the dice, of all and of none included, sums all different.

    Equal dice are not told apart. Ways that use more dice come first, then those with more groups.
    Whether a plan has the numbers, and whether they are still free, is not asked here.
    """
    ways: set[Groups] = {()}
    for die in roll:
        grown = set(ways)  # the die is left over
        for groups in ways:
            grown.add(tuple(sorted((*groups, (die,)))))
            for at, group in enumerate(groups):
                grown.add(tuple(sorted((*groups[:at], (*group, die), *groups[at + 1 :]))))
        ways = grown
    found = []
    for groups in ways:
        sums = tuple(map(sum, groups))
        if len(set(sums)) == len(sums):
            found.append(Grouping(mask_of(sums), groups))
    return tuple(sorted(found, key=lambda way: (-_dice(way.groups), -len(way.groups), way.groups)))


@cache
def groupings(roll: tuple[int, ...]) -> tuple[Grouping, ...]:
    """The complete groupings: all ways to put every die into a group, sums all different."""
    return tuple(way for way in partial_groupings(roll) if _dice(way.groups) == len(roll))


@cache
def complete_masks(roll: tuple[int, ...]) -> tuple[int, ...]:
    """What the complete groupings of a roll can cover, each set of numbers once, ascending."""
    return tuple(sorted({way.mask for way in groupings(roll)}))


@cache
def partial_masks(roll: tuple[int, ...]) -> tuple[int, ...]:
    """What some of the dice can cover, each set of numbers once, ascending; the empty set is the first."""
    return tuple(sorted({way.mask for way in partial_groupings(roll)}))


def fits(roll: tuple[int, ...], free: int) -> bool:
    """Whether all the dice can be used when the numbers in `free` are not covered yet."""
    return any(mask & ~free == 0 for mask in complete_masks(roll))


def fits_partly(roll: tuple[int, ...], free: int) -> bool:
    """Whether anything at all can be covered; every group of dice stands alone in some grouping."""
    return any(mask & ~free == 0 for mask in partial_masks(roll)[1:])


def _dice(groups: Groups) -> int:
    return sum(map(len, groups))


@cache
def _masks(roll: tuple[int, ...]) -> dict[Groups, int]:
    return {way.groups: way.mask for way in partial_groupings(roll)}


@cache
def _covers(seat: int, roll: tuple[int, ...], whole: bool) -> tuple[tuple[int, Cover], ...]:
    ways = groupings(roll) if whole else partial_groupings(roll)
    return tuple((way.mask, Cover(seat, way.groups)) for way in ways)


@cache
def _roll_chance(seat: int, dice: int) -> EqualDice:
    return EqualDice(dice, lambda roll: Roll(seat, roll))


@cache
def _plan_chance(plan: int) -> OneOf:
    return OneOf([Plan(plan)])


# --- the game -------------------------------------------------------------------------------------


class Lines(Game[LinesOptions, LinesComponents]):
    """A game of Shut the Lines as agreed."""

    id = "lines"
    title = "Shut the Lines"
    pitch = "Turn your dice into sums and cover whole lines of numbers before a roll no longer fits."
    seats = range(1, 5)
    minutes = (10, 30)
    events = (Plan, Roll, Cover)
    Options = LinesOptions
    Components = LinesComponents

    def __init__(self, players: int, options: LinesOptions | None = None) -> None:
        super().__init__(players, options)
        #: the rule tables of the plans; plan 1 is tables[0]
        self.tables = tuple(
            PlanTable(plan.dice, (1 << plan.numbers) - 1, tuple(map(mask_of, plan.lines)))
            for plan in self.components.plans
        )

    def start(self) -> LinesState:
        return self.new_round(0, (0,) * self.players)

    def new_round(self, number: int, totals: tuple[int, ...]) -> LinesState:
        """The state before the plan of a round, counted from 0, is laid out: the next seat begins it."""
        uncovered, all_in = (0,) * self.players, (False,) * self.players
        begins = number % self.players
        return LinesState(self, CHANCE, "plan", begins, totals, number, 0, uncovered, all_in, ())

    def plan(self, number: int) -> PlanTable:
        """The rule table of a plan, counted from 1."""
        return self.tables[number - 1]

    def plan_of_round(self, number: int) -> int:
        """The plan, counted from 1, of a round, counted from 0."""
        plans = self.options.plans
        return plans[number % len(plans)]


class LinesState(State, frozen=True):
    """One position. `phase` says what comes next: plan, roll, cover or over."""

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
        """The rule table of the plan being played."""
        assert isinstance(self.game, Lines)
        return self.game.plan(self.plan)

    @property
    def free(self) -> int:
        """The numbers that the seat whose turn it is has not covered yet, as a bit mask."""
        return self.table.full & ~self.covered[self.seat]

    def moves(self) -> tuple[Event, ...]:
        if self.phase != "cover":
            return ()
        taken = ~self.free
        whole = _covers(self.seat, self.rolled, True)
        fitting = tuple([cover for mask, cover in whole if not mask & taken])
        if fitting:
            return fitting
        partly = _covers(self.seat, self.rolled, False)
        return tuple([cover for mask, cover in partly if not mask & taken])

    def chance(self) -> Chance:
        if self.phase == "plan":
            assert isinstance(self.game, Lines)
            return _plan_chance(self.game.plan_of_round(self.round))
        return _roll_chance(self.seat, self.table.dice)

    def scores(self) -> tuple[int, ...]:
        return self.totals

    def apply(self, event: Event) -> LinesState:
        if self.phase == "cover" and type(event) is Cover and event.seat == self.seat:
            return self._cover(event)
        if self.phase == "roll" and type(event) is Roll and event.seat == self.seat:
            return self._roll(event)
        if self.phase == "plan" and type(event) is Plan:
            return self._lay(event)
        raise self.misplaced(event)

    def _lay(self, event: Plan) -> LinesState:
        assert isinstance(self.game, Lines)
        plan = self.game.plan_of_round(self.round)
        if event.plan != plan:
            raise IllegalOutcome(
                "plan", "this round is played on plan {plan}, not on plan {got}", plan=plan, got=event.plan
            )
        return replace(self, phase="roll", plan=plan)

    def _roll(self, event: Roll) -> LinesState:
        dice, got = self.table.dice, len(event.roll)
        if got != dice:
            template = "plan {plan} is played with {dice} dice, not with {got}"
            raise IllegalOutcome("roll", template, plan=self.plan, dice=dice, got=got)
        if not fits_partly(event.roll, self.free):
            return self._end_turn(self.covered[self.seat], out=True)
        return replace(self, actor=self.seat, phase="cover", rolled=event.roll)

    def _cover(self, event: Cover) -> LinesState:
        mask = _masks(self.rolled).get(event.cover)
        free, whole = self.free, _dice(event.cover) == len(self.rolled)
        if mask is None or mask & ~free or (not whole and fits(self.rolled, free)):
            raise self._refusal(event)
        return self._end_turn(self.covered[self.seat] | mask, out=not whole)

    def _refusal(self, event: Cover) -> IllegalMove:
        """Why the rules forbid this cover."""
        there = Counter(self.rolled)
        for face, wanted in sorted(Counter(die for group in event.cover for die in group).items()):
            if wanted > there[face]:
                return IllegalMove(
                    "dice",
                    "the dice {roll} do not contain {missing}",
                    roll=_spaced(self.rolled),
                    missing=_spaced((face,) * (there[face] + 1)),
                )
        sums = sorted(map(sum, event.cover))
        for number in sums:
            if sums.count(number) > 1:
                return IllegalMove("twice", "two groups make {number}", number=number)
            if number > self.table.full.bit_length():
                template = "there is no {number} on plan {plan}"
                return IllegalMove("plan", template, number=number, plan=self.plan)
            if not self.free >> number - 1 & 1:
                return IllegalMove("covered", "{number} is covered already", number=number)
        example = next(way.groups for way in groupings(self.rolled) if not way.mask & ~self.free)
        return IllegalMove(
            "all dice",
            "every die has to be used, because {example} is possible",
            example=", ".join("+".join(map(str, group)) for group in example),
        )

    def _end_turn(self, covered: int, *, out: bool) -> LinesState:
        seat, players = self.seat, self.game.players
        boards = (*self.covered[:seat], covered, *self.covered[seat + 1 :])
        gone = (*self.out[:seat], out, *self.out[seat + 1 :])
        moved = replace(self, actor=CHANCE, phase="roll", covered=boards, out=gone, rolled=())
        for step in range(1, players + 1):
            after = (seat + step) % players
            if not gone[after]:
                return replace(moved, seat=after)
        return moved._end_round()

    def _end_round(self) -> LinesState:
        points = map(self.table.points, self.covered)
        totals = tuple(map(int.__add__, self.totals, points))
        if max(totals) >= self.game.options.target:
            # the last boards stay on the table, for everybody to look at
            return replace(self, actor=OVER, phase="over", totals=totals)
        assert isinstance(self.game, Lines)
        return self.game.new_round(self.round + 1, totals)


def _spaced(faces: tuple[int, ...]) -> str:
    return " ".join(map(str, faces))
