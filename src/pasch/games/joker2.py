"""Würfel Joker, game 2: calculate with two dice and push nine slides up, one after each roll.

Rules in short. A turn begins with the slides 1 to 9 down. Roll both dice and push the one slide that a sum,
difference, product or quotient of theirs makes; of a double the face alone will do too, and a double may be
forgone and rolled again. Once slide 5 is up, the result may be combined with 5 as well. Then roll on or
stop. All nine up score 45. Otherwise the slides still down count as minus, after a roll that fits nothing
the two dice as well; whoever used the 5 has the minus five times. Highest total wins.

Sources: the printed rulebook (see joker2.toml).

| option | default | meaning |
|---|---|---|
| rounds | 10 | how many turns each seat has |
| five_penalty | used | the minus counts five times once the 5 was `used` to calculate, or is `pushed` |
"""

from __future__ import annotations

import re
from functools import cache
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec

from pasch.core.chance import Chance, EqualDice
from pasch.core.components import Components, Provenance
from pasch.core.errors import ComponentError, EventError, IllegalMove, IllegalOutcome
from pasch.core.events import Event, SeatEvent, arrange
from pasch.core.game import Game
from pasch.core.options import Options
from pasch.core.state import CHANCE, OVER, State

#: the slides; slide n is bit n - 1 of every bit mask below
SLIDES: Final = range(1, 10)
ALL: Final = 0b111111111
DICE: Final = 2
#: the slide that helps calculating once it is up
FIVE: Final = 5
OPERATORS: Final = "+-*/"

Dice = tuple[int, ...]


# --- events ---------------------------------------------------------------------------------------


class Roll(SeatEvent, frozen=True):
    """The faces of the two dice."""

    roll: Dice

    def __post_init__(self) -> None:
        for face in self.roll:
            if type(face) is not int or not 1 <= face <= 6:
                raise EventError("roll: a die shows 1 to 6, not {face!r}", face=face)
        arrange(self, roll=tuple(sorted(self.roll)))


_HOW: Final = re.compile(r"([1-6])(?:[-+*/]([1-6])(?:[-+*/]5)?)?")


class Push(SeatEvent, frozen=True):
    """The slide pushed and the calculation that made its number."""

    push: int
    how: str

    def __post_init__(self) -> None:
        if type(self.push) is not int or self.push not in SLIDES:
            raise EventError("push: the slides are 1 to 9, not {got!r}", got=self.push)
        written = _HOW.fullmatch(self.how)
        if written is None:
            raise EventError(
                "how: {how!r} is no calculation such as {example}", how=self.how, example="4*2-5"
            )
        first, second = written.groups()
        if second is not None and first < second:
            raise EventError("how: in {how!r} the larger die has to come first", how=self.how)


class Forgo(SeatEvent, frozen=True):
    """A double is not used."""

    push: None = None

    @classmethod
    def from_json(cls, written: Any) -> Forgo:
        if written.get("push", 0) is not None:
            raise EventError("push: how the slide is made has to be written beside it, or push is null")
        return super().from_json(written)


class Next(SeatEvent, frozen=True):
    """Roll on or stop."""

    next: Literal["roll", "stop"]


# --- component data and options -------------------------------------------------------------------


class Sources(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the component data come from."""

    slides: Provenance = "seen"
    bonus: Provenance = "seen"
    factor: Provenance = "seen"


class Joker2Components(Components, frozen=True, kw_only=True):
    """What the slides cost, and what the five and all nine slides do to the score."""

    slides: tuple[int, ...]
    bonus: int
    factor: int
    sources: Sources = Sources()

    def check(self, players: int) -> None:
        if len(self.slides) != len(SLIDES):
            raise ComponentError("slides", "there are nine slides, not {got}", got=len(self.slides))
        for number, cost in enumerate(self.slides):
            if not 0 <= cost <= 100:
                raise ComponentError(f"slides[{number}]", "a slide costs 0 to 100, not {got}", got=cost)
        if not 0 <= self.bonus <= 1000:
            raise ComponentError("bonus", "all nine score 0 to 1000, not {got}", got=self.bonus)
        if not 1 <= self.factor <= 100:
            raise ComponentError("factor", "the minus counts 1 to 100 times, not {got}", got=self.factor)

    def provenance(self) -> tuple[tuple[str, Provenance], ...]:
        return (
            (f"what slides 1 to 9 cost ({' '.join(map(str, self.slides))})", self.sources.slides),
            (f"all nine slides up ({self.bonus})", self.sources.bonus),
            (f"the minus with the five (times {self.factor})", self.sources.factor),
        )


class Joker2Options(Options, frozen=True, kw_only=True):
    """How long the game lasts, and what the five costs."""

    rounds: Annotated[int, msgspec.Meta(ge=1, le=1000, description="How many turns each player has.")] = 10
    five_penalty: Annotated[
        Literal["used", "pushed"],
        msgspec.Meta(
            description="When the minus is multiplied: the 5 was used in a calculation, or its slide is up."
        ),
    ] = "used"
    components: Joker2Components | None = None


# --- the rules' tables ----------------------------------------------------------------------------


def numbers(mask: int) -> tuple[int, ...]:
    """The slides of a bit mask, ascending."""
    return tuple(slide for slide in SLIDES if mask >> slide - 1 & 1)


def minus(components: Joker2Components, slides: int) -> int:
    """What the slides still down cost while `slides` are up, before the dice and the five."""
    return sum(components.slides[slide - 1] for slide in numbers(ALL & ~slides))


def _combine(left: int, operator: str, right: int) -> int | None:
    """A calculation of two whole numbers; None when a division leaves a remainder."""
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    if operator == "*":
        return left * right
    return None if left % right else left // right


@cache
def ways(dice: Dice, five_up: bool) -> tuple[tuple[str, ...], ...]:
    """For each slide the calculations that make its number, slide n at place n (place 0 is empty).

    >>> ways((2, 4), True)[7]
    ('4-2+5', '4/2+5')
    """
    smaller, larger = sorted(dice)
    found: list[list[str]] = [[] for _ in range(len(SLIDES) + 1)]
    if smaller == larger:
        found[larger].append(f"{larger}")
    for operator in OPERATORS:
        result = _combine(larger, operator, smaller)
        if result is None:
            continue
        how = f"{larger}{operator}{smaller}"
        made: dict[str, int | None] = {how: result}
        if five_up:
            made |= {f"{how}{then}{FIVE}": _combine(result, then, FIVE) for then in OPERATORS}
        for written, number in made.items():
            if number is not None and number in SLIDES:
                found[number].append(written)
    # a calculation without the five before those with it
    return tuple(tuple(sorted(hows, key=len)) for hows in found)


class Way(NamedTuple):
    """One legal push."""

    slide: int
    how: str
    #: the five was used in the calculation
    five: bool


@cache
def pushes(dice: Dice, slides: int) -> tuple[Way, ...]:
    """Every legal push with `dice` while `slides` are up; none: the roll fits nothing.

    >>> [way.how for way in pushes((2, 6), 0)]
    ['6/2', '6-2', '6+2']
    """
    made = ways(dice, bool(slides >> FIVE - 1 & 1))
    return tuple(
        Way(slide, how, _uses_five(how)) for slide in numbers(ALL & ~slides) for how in made[slide]
    )


def _uses_five(how: str) -> bool:
    return len(how) == len("4*2-5")


# --- the game -------------------------------------------------------------------------------------


class Joker2(Game[Joker2Options, Joker2Components]):
    """A game of Würfel Joker 2 as agreed."""

    id = "joker2"
    title = "Würfel Joker 2"
    pitch = "Calculate with two dice to push nine slides up; the five helps, at a price."
    seats = range(1, 7)
    minutes = (15, 30)
    events = (Roll, Push, Forgo, Next)
    Options = Joker2Options
    Components = Joker2Components

    #: for every set of slides up, as a bit mask: what those still down cost
    minus: tuple[int, ...]

    def __init__(self, players: int, options: Joker2Options | None = None) -> None:
        super().__init__(players, options)
        self.minus = tuple(minus(self.components, slides) for slides in range(ALL + 1))

    def start(self) -> Joker2State:
        return Joker2State(self, CHANCE, "roll", 0, 0, (0,) * self.players, 0, False, ())

    def score(self, slides: int, fivefold: bool, dice: Dice = ()) -> int:
        """What a turn scores that ends with these slides up; `dice` are those of a bust."""
        if slides == ALL:
            return self.components.bonus
        lost = self.minus[slides] + sum(dice)
        return -lost * self.components.factor if fivefold else -lost

    def fivefold(self, slides: int, used: bool) -> bool:
        """Whether the minus is multiplied, with these slides up and the five used or not."""
        if self.options.five_penalty == "pushed":
            return bool(slides >> FIVE - 1 & 1)
        return used


@cache
def _roll_chance(seat: int) -> EqualDice:
    return EqualDice(DICE, lambda faces: Roll(seat, faces))


@cache
def _push_moves(seat: int, dice: Dice, slides: int) -> dict[Event, Way]:
    return {Push(seat, way.slide, way.how): way for way in pushes(dice, slides)}


@cache
def _moves(seat: int, dice: Dice, slides: int) -> tuple[Event, ...]:
    moves = tuple(_push_moves(seat, dice, slides))
    return (*moves, Forgo(seat)) if _is_double(dice) else moves


@cache
def _nexts(seat: int) -> tuple[Next, ...]:
    return (Next(seat, "roll"), Next(seat, "stop"))


def _is_double(dice: Dice) -> bool:
    return dice[0] == dice[1]


class Joker2State(State, frozen=True):
    """One position. `phase` says what comes next: roll, push, next or over."""

    phase: Literal["roll", "push", "next", "over"]
    #: whose turn it is
    seat: int
    #: the round being played, from 0
    round: int
    totals: tuple[int, ...]
    #: the slides that are up, as a bit mask (slide n is bit n - 1)
    slides: int
    #: the minus of this turn would be multiplied, as it stands
    fivefold: bool
    #: the roll that is to push
    rolled: tuple[int, ...]

    @property
    def _rules(self) -> Joker2:
        assert isinstance(self.game, Joker2)
        return self.game

    def moves(self) -> tuple[Event, ...]:
        if self.phase == "push":
            return _moves(self.seat, self.rolled, self.slides)
        if self.phase == "next":
            return _nexts(self.seat)
        return ()

    def chance(self) -> Chance:
        return _roll_chance(self.seat)

    def scores(self) -> tuple[int, ...]:
        return self.totals

    def apply(self, event: Event) -> Joker2State:
        if type(event) is Roll and event.seat == self.seat and self.phase == "roll":
            return self._roll(event.roll)
        if type(event) is Push and event.seat == self.seat and self.phase == "push":
            return self._push(event)
        if type(event) is Forgo and event.seat == self.seat and self.phase == "push":
            return self._forgo()
        if type(event) is Next and event.seat == self.seat and self.phase == "next":
            if event.next == "stop":
                return self._end_turn(self._rules.score(self.slides, self.fivefold))
            return self._to("roll", CHANCE, self.slides, self.fivefold)
        raise self.misplaced(event)

    def _to(self, phase: Any, actor: int, slides: int, fivefold: bool, rolled: Dice = ()) -> Joker2State:
        return Joker2State(
            self.game, actor, phase, self.seat, self.round, self.totals, slides, fivefold, rolled
        )

    def _roll(self, roll: Dice) -> Joker2State:
        if len(roll) != DICE:
            raise IllegalOutcome("roll", "two dice are rolled, not {got}", got=len(roll))
        if pushes(roll, self.slides):
            return self._to("push", self.seat, self.slides, self.fivefold, roll)
        if _is_double(roll):
            # it fits nothing, so it is forgone without a word and rolled again
            return self
        return self._end_turn(self._rules.score(self.slides, self.fivefold, roll))

    def _forgo(self) -> Joker2State:
        if not _is_double(self.rolled):
            raise IllegalMove("forgo", "only a double may be forgone; this roll has to be used")
        return self._to("roll", CHANCE, self.slides, self.fivefold)

    def _push(self, event: Push) -> Joker2State:
        way = _push_moves(self.seat, self.rolled, self.slides).get(event)
        if way is None:
            raise self._why_not(event)
        slides = self.slides | 1 << way.slide - 1
        fivefold = self._rules.fivefold(slides, self.fivefold or way.five)
        if slides == ALL:
            return self._end_turn(self._rules.score(slides, fivefold))
        return self._to("next", self.seat, slides, fivefold)

    def _why_not(self, event: Push) -> IllegalMove:
        used = tuple(sorted(int(face) for face in event.how[:3:2])) * (2 if len(event.how) == 1 else 1)
        if used != self.rolled:
            return IllegalMove(
                "push",
                "{how} is no calculation with the dice {dice}",
                how=event.how,
                dice=" and ".join(map(str, self.rolled)),
            )
        if self.slides >> event.push - 1 & 1:
            return IllegalMove("push", "slide {slide} is up already", slide=event.push)
        if _uses_five(event.how) and not self.slides >> FIVE - 1 & 1:
            return IllegalMove("push", "the 5 helps only when its slide is up")
        return IllegalMove("push", "{how} does not make {slide}", how=event.how, slide=event.push)

    def _end_turn(self, points: int) -> Joker2State:
        totals = list(self.totals)
        totals[self.seat] += points
        seat, played = self.seat + 1, self.round
        if seat == self.game.players:
            seat, played = 0, played + 1
        over = played == self.game.options.rounds
        return Joker2State(
            self.game,
            OVER if over else CHANCE,
            "over" if over else "roll",
            seat,
            played,
            tuple(totals),
            0,
            False,
            (),
        )
