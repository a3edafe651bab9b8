"""Würfel Joker, game 2: calculate with two dice and push nine slides up, one after each roll.

Rules in short. A turn begins with the slides 1 to 9 down. Roll both dice and push the one slide that a sum,
difference, product or quotient of theirs makes; of a double the face alone will do too, and a double may be
forgone and rolled again. Once slide 5 is up, the result may be combined with 5 as well. Then roll on or
stop. All nine up score 45. Otherwise the slides still down count as minus, after a roll that fits nothing
the two dice as well; whoever used the 5 has the minus five times. Highest total wins.

Sources: the printed rulebook (see box.toml).

| option | default | meaning |
|---|---|---|
| rounds | 10 | how many turns each seat has |
| five_penalty | used | the minus counts five times once the 5 was `used` to calculate, or is `pushed` |
| five_dice | bust | the last dice count as minus after a `bust` only, or `always` when the minus counts five times |
"""

from __future__ import annotations

import re
from collections.abc import Callable, MutableSequence, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec

from pasch.core.chance import Chance, EqualDice, faces, rolls
from pasch.core.errors import EventError, IllegalMove, IllegalOutcome
from pasch.core.events import Event, SeatEvent, arrange
from pasch.core.game import Game
from pasch.core.lazy import lazy_table
from pasch.core.options import HOUSE, Options, house
from pasch.core.registry import find_part
from pasch.core.shapes import DiceShape
from pasch.core.state import CHANCE, OVER, State
from pasch.games.joker2.box import SIGNS, SLIDES, Joker2Components

ALL: Final = 0b111111111
DICE: Final = 2
#: the slide that helps calculating once it is up
FIVE: Final = 5
OPERATORS: Final = "+-*/"

Dice = tuple[int, ...]

#: every roll by its number; number 0 is no roll at all
ROLLS: Final[tuple[Dice, ...]] = ((), *(roll for roll, _ in rolls(DICE)))
ROLL_NUMBERS: Final = {roll: number for number, roll in enumerate(ROLLS)}


# --- events ---------------------------------------------------------------------------------------


class Roll(SeatEvent, frozen=True):
    """The faces of the two dice."""

    roll: Dice

    def __post_init__(self) -> None:
        for face in self.roll:
            if type(face) is not int or not 1 <= face <= 6:
                raise EventError("a die shows 1 to 6, not {face}", face=face)
        arrange(self, roll=tuple(sorted(self.roll)))


_HOW: Final = re.compile(r"([1-6])(?:[-+*/]([1-6])(?:[-+*/]5)?)?")


class Push(SeatEvent, frozen=True):
    """The slide pushed and the calculation that made its number."""

    push: int
    how: str

    def __post_init__(self) -> None:
        if type(self.push) is not int or self.push not in SLIDES:
            raise EventError("the slides are 1 to 9, not {got}", got=self.push)
        written = _HOW.fullmatch(self.how)
        if written is None:
            raise EventError("{how!r} is no calculation such as {example}", how=self.how, example="4*2-5")
        first, second = written.groups()
        if second is not None and first < second:
            raise EventError("in {how!r} the larger die has to come first", how=self.how)


class Forgo(SeatEvent, frozen=True):
    """A double is not used."""

    push: None = None

    @classmethod
    def from_json(cls, written: Any) -> Forgo:
        if written.get("push", 0) is not None:
            raise EventError(
                "a slide needs the calculation that makes it", detail="push and how, or push alone and null"
            )
        return super().from_json(written)


class Next(SeatEvent, frozen=True):
    """Roll on or stop."""

    next: Literal["roll", "stop"]


# --- options ----------------------------------------------------------------------------------------


class Joker2Options(Options, frozen=True, kw_only=True):
    """How long the game lasts, and what the five costs."""

    rounds: Annotated[int, msgspec.Meta(ge=1, le=1000, description="How many turns each player has.")] = 10
    five_penalty: Annotated[
        Literal["used", "pushed"],
        msgspec.Meta(
            description="When a loss counts five times: after calculating with the 5, or as soon as its slide is up.",
            extra=HOUSE,
        ),
    ] = "used"
    five_dice: Annotated[
        Literal["bust", "always"],
        msgspec.Meta(
            description="When the last dice belong to a minus that is multiplied: after a bust only, or always.",
            extra=house(before="bust"),
        ),
    ] = "bust"
    components: Joker2Components | None = None


# --- what dice can push ---------------------------------------------------------------------------


def numbers(mask: int) -> tuple[int, ...]:
    """The slides of a bit mask, ascending."""
    return tuple(slide for slide in SLIDES if mask >> slide - 1 & 1)


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


@cache
def push_numbers() -> dict[Way, int]:
    """Every push that can ever be made, with its number."""
    # of the slides that are up only the five allows anything new
    fives = (0, 1 << FIVE - 1)
    every = dict.fromkeys(way for slides in fives for roll in ROLLS[1:] for way in pushes(roll, slides))
    return {way: number for number, way in enumerate(every)}


# --- the rules --------------------------------------------------------------------------------------
# These functions are run as they stand and compiled (see `pasch.core.rules`). `g` is what was
# agreed, `s` the state as numbers. A set of slides is a bit mask, a roll its number in `ROLLS`.

ROLL, PUSH, NEXT, ENDED = range(4)
#: what comes next, by its number above
PHASES: Final = ("roll", "push", "next", "over")
_PHASE_NUMBERS: Final = {phase: number for number, phase in enumerate(PHASES)}
#: the moves of the phase `next`
ROLL_ON, STOP = 0, 1
#: the moves of the phase `push`: to forgo the double; all others are the pushes in `pushes`, counted from 1
FORGO: Final = 0


class Agreed(NamedTuple):
    """What the rules read of players, options and box."""

    players: int
    rounds: int
    #: what each slide costs that is still down
    costs: Sequence[int]
    #: what all nine slides score
    bonus: int
    #: how many times the minus counts with the five
    factor: int
    #: the five counts once its slide is up, used or not
    pushed_five: bool
    #: the last dice count on stopping, too, when the five counts
    five_dice: bool
    #: by case: the roll
    rolled: Sequence[int]
    #: by roll: its faces, and how many cases it is
    faces: Sequence[Sequence[int]]
    cases: Sequence[int]
    #: by roll and slides up: in how many ways it can push
    ways: Sequence[Sequence[int]]
    #: by roll, slides up and way: the slide that goes up, and whether the five is used for it
    pushed: Sequence[Sequence[Sequence[int]]]
    with_five: Sequence[Sequence[Sequence[int]]]
    #: the number of a push among all that can ever occur, as above; how many such pushes there are
    push_number: Sequence[Sequence[Sequence[int]]]
    push_count: Sequence[int]
    #: by slides up and fivefold: what the greedy player expects of each of its plans if it rolls on
    caution: Sequence[Sequence[float]]
    courage: Sequence[Sequence[float]]


@dataclass(slots=True)
class Numbers:
    """The state as numbers."""

    actor: int
    phase: int
    seat: int
    round: int
    totals: list[int]
    slides: int
    fivefold: int
    rolled: int
    #: the pips of the last roll that stopping would add to the minus
    pips: int


def cases(g: Agreed, s: Numbers) -> int:
    """How many equally likely cases the next roll has."""
    return 36


def chance(g: Agreed, s: Numbers, case: int) -> None:
    """Let the dice show their case."""
    roll(g, s, g.rolled[case])


def roll(g: Agreed, s: Numbers, rolled: int) -> None:
    """The dice lie there: they push, or the turn is over; a double that fits nothing is rolled again."""
    if g.ways[rolled][s.slides] > 0:
        s.actor = s.seat
        s.phase = PUSH
        s.rolled = rolled
    elif not is_double(g, rolled):
        end_turn(g, s, bust(g, s.slides, s.fivefold, rolled))


def is_double(g: Agreed, rolled: int) -> bool:
    """Whether both dice show the same: such a roll may be forgone."""
    return g.faces[rolled][0] == g.faces[rolled][1]


def moves(g: Agreed, s: Numbers, out: MutableSequence[int]) -> int:
    """Write the legal moves: the pushes, of a double also to forgo it; or to roll on and to stop."""
    if s.phase == NEXT:
        out[0] = ROLL_ON
        out[1] = STOP
        return 2
    found = g.ways[s.rolled][s.slides]
    for way in range(found):
        out[way] = way + 1
    if is_double(g, s.rolled):
        out[found] = FORGO
        found += 1
    return found


def most_moves(g: Agreed) -> int:
    """There are never more moves: the face of a double, 4 results alone and with the five by 4 ways; to forgo it."""
    return 22


def move(g: Agreed, s: Numbers, code: int) -> None:
    """Make a legal move."""
    if s.phase == PUSH and code != FORGO:
        s.slides, s.fivefold = pushed(g, s.slides, s.fivefold, s.rolled, code - 1)
        s.pips = pips_on_stopping(g, s.fivefold, s.rolled)
        s.rolled = 0
        s.phase = NEXT
        if is_complete(s.slides):
            end_turn(g, s, stopped(g, s.slides, s.fivefold, s.pips))
    elif s.phase == NEXT and code == STOP:
        end_turn(g, s, stopped(g, s.slides, s.fivefold, s.pips))
    else:
        s.actor = CHANCE
        s.phase = ROLL
        s.rolled = 0
        s.pips = 0


def pushed(g: Agreed, slides: int, fivefold: int, rolled: int, way: int) -> tuple[int, int]:
    """The slides that are up after a push, and whether the minus is multiplied.

    It is once the five was used or, by another agreement, once its slide is up.
    """
    up = slides | 1 << g.pushed[rolled][slides][way] - 1
    if g.pushed_five:
        return up, up >> FIVE - 1 & 1
    return up, fivefold | g.with_five[rolled][slides][way]


def pips_on_stopping(g: Agreed, fivefold: int, rolled: int) -> int:
    """The pips of the last roll that stopping adds to the minus: by one agreement all, if the five counts."""
    return shown(g, rolled) if g.five_dice and fivefold else 0


def stopped(g: Agreed, slides: int, fivefold: int, pips: int) -> int:
    """What a turn scores that is stopped: the bonus for all slides, else the minus of those still down and the pips."""
    return g.bonus if is_complete(slides) else minus(g, slides, fivefold, pips)


def is_complete(slides: int) -> bool:
    """Whether all slides are up, which ends the turn and scores the bonus."""
    return slides == ALL


def bust(g: Agreed, slides: int, fivefold: int, rolled: int) -> int:
    """What a turn scores that ends with a roll that fits nothing: its dice count as minus, too."""
    return minus(g, slides, fivefold, shown(g, rolled))


def shown(g: Agreed, rolled: int) -> int:
    """The pips of a roll."""
    return g.faces[rolled][0] + g.faces[rolled][1]


def minus(g: Agreed, slides: int, fivefold: int, pips: int) -> int:
    """The slides still down and some pips as minus, several times with the five."""
    lost = pips
    for slide in range(1, 10):
        if not slides >> slide - 1 & 1:
            lost += g.costs[slide - 1]
    return -lost * g.factor if fivefold else -lost


def end_turn(g: Agreed, s: Numbers, scored: int) -> None:
    """The seat has its points; the next turn, or the end, follows."""
    s.totals[s.seat] += scored
    s.round = next_round(g, s.seat, s.round)
    s.seat = next_seat(g, s.seat)
    over = is_over(g, s.round)
    s.actor = OVER if over else CHANCE
    s.phase = ENDED if over else ROLL
    s.slides = 0
    s.fivefold = 0
    s.rolled = 0
    s.pips = 0


def next_seat(g: Agreed, seat: int) -> int:
    """Whose turn it is after this seat's."""
    return (seat + 1) % g.players


def next_round(g: Agreed, seat: int, played: int) -> int:
    """The round after this seat's turn: a new one when it is the first seat's turn again."""
    return played + 1 if next_seat(g, seat) == 0 else played


def is_over(g: Agreed, played: int) -> bool:
    """Whether the game is over after so many rounds."""
    return played == g.rounds


def scores(g: Agreed, s: Numbers, out: MutableSequence[int]) -> None:
    """Write each seat's score so far."""
    for seat in range(g.players):
        out[seat] = s.totals[seat]


# --- the game -------------------------------------------------------------------------------------


@cache
def _dice_tables() -> dict[str, Any]:
    """The tables of `Agreed` that follow from the dice alone."""

    def table(answer: Callable[[tuple[Way, ...]], Any]) -> Any:
        sizes = (len(ROLLS), ALL + 1)
        return lazy_table(sizes, lambda roll, slides: answer(pushes(ROLLS[roll], slides) if roll else ()))

    return {
        "rolled": tuple(ROLL_NUMBERS[tuple(sorted(roll))] for roll in faces(DICE)),
        "faces": ((0,) * DICE, *ROLLS[1:]),
        "cases": (0, *(cases for _, cases in rolls(DICE))),
        "ways": table(len),
        "pushed": table(lambda ways: tuple([way.slide for way in ways])),
        "with_five": table(lambda ways: tuple([int(way.five) for way in ways])),
        "push_number": table(lambda ways: tuple([push_numbers()[way] for way in ways])),
        "push_count": lazy_table([1], lambda _: len(push_numbers())),
    }


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
    chance_shapes = {Roll: DiceShape(DICE)}

    def __init__(self, players: int, options: Joker2Options | None = None) -> None:
        super().__init__(players, options)
        box = self.components
        self.agreed = Agreed(
            players=players,
            rounds=self.options.rounds,
            costs=box.slides,
            bonus=box.bonus,
            factor=box.factor,
            pushed_five=self.options.five_penalty == "pushed",
            five_dice=self.options.five_dice == "always",
            caution=self._looked_at("caution"),
            courage=self._looked_at("courage"),
            **_dice_tables(),
        )

    def _looked_at(self, name: str) -> Any:
        """A table of what a function of the greedy player answers."""

        def answer(slides: int, fivefold: int) -> float:
            answered: float = getattr(find_part(self.id, "greedy"), name)(self.agreed, slides, fivefold)
            return answered

        return lazy_table((ALL + 1, 2), answer)

    def start(self) -> Joker2State:
        return Joker2State(self, CHANCE, "roll", 0, 0, (0,) * self.players, 0, False, ())

    def score(self, slides: int, fivefold: bool, pips: int = 0) -> int:
        """What a turn scores that is stopped with these slides up, and pips that count."""
        return stopped(self.agreed, slides, fivefold, pips)


@cache
def _roll_chance(seat: int) -> EqualDice:
    return EqualDice(DICE, lambda faces: Roll(seat, faces))


@cache
def _push_codes(seat: int, dice: Dice, slides: int) -> dict[Event, int]:
    """The moves that may be made with a roll, with their codes."""
    found: dict[Event, int] = {Forgo(seat): FORGO}
    for way, pushed in enumerate(pushes(dice, slides)):
        found[Push(seat, pushed.slide, pushed.how)] = way + 1
    return found


@cache
def _next_codes(seat: int) -> dict[Event, int]:
    return {Next(seat, "roll"): ROLL_ON, Next(seat, "stop"): STOP}


#: the kinds of moves of each phase
_MOVES: Final[dict[str, tuple[type[SeatEvent], ...]]] = {
    "roll": (),
    "push": (Push, Forgo),
    "next": (Next,),
    "over": (),
}


class Joker2State(State, frozen=True):
    """One position. `phase` says what comes next: roll, push, next or over."""

    game: Joker2
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
    #: the pips of the last roll that stopping would add to the minus
    pips: int = 0

    def numbers(self) -> Numbers:
        return Numbers(
            self.actor, _PHASE_NUMBERS[self.phase], self.seat, self.round, [*self.totals], self.slides,
            int(self.fivefold), ROLL_NUMBERS[self.rolled], self.pips,
        )  # fmt: skip

    def after(self, s: Numbers) -> Joker2State:
        return Joker2State(
            self.game, s.actor, PHASES[s.phase], s.seat, s.round, tuple(s.totals), s.slides,
            bool(s.fivefold), ROLLS[s.rolled], s.pips,
        )  # fmt: skip

    def _codes(self) -> dict[Event, int]:
        """The moves of this phase, legal or not, with their codes."""
        if self.phase == "push":
            return _push_codes(self.seat, self.rolled, self.slides)
        return _next_codes(self.seat)

    def moves(self) -> tuple[Event, ...]:
        if self.actor < 0:
            return ()
        events = [*self._codes()]
        return tuple([events[code] for code in self.codes()])

    def chance(self) -> Chance:
        return _roll_chance(self.seat)

    def scores(self) -> tuple[int, ...]:
        return self.totals

    def apply(self, event: Event) -> Joker2State:
        g, s = self.game.agreed, self.numbers()
        if type(event) is Roll and event.seat == self.seat and self.phase == "roll":
            if len(event.roll) != DICE:
                raise IllegalOutcome("roll", "two dice are rolled, not {got}", got=len(event.roll))
            roll(g, s, ROLL_NUMBERS[event.roll])
            if s.actor == CHANCE and s == self.numbers():
                return self
        elif isinstance(event, _MOVES[self.phase]) and event.seat == self.actor:
            code = self._codes().get(event)
            if code is None or code not in self.codes(s):
                raise self._why_not(event)
            move(g, s, code)
        else:
            raise self.misplaced(event)
        return self.after(s)

    def _why_not(self, event: Event) -> IllegalMove:
        if not isinstance(event, Push):
            return IllegalMove("forgo", "only a double may be forgone; this roll has to be used")
        used = tuple(sorted(int(face) for face in event.how[:3:2])) * (2 if len(event.how) == 1 else 1)
        how = event.how.translate(SIGNS)
        if used != self.rolled:
            dice = " and ".join(map(str, self.rolled))
            return IllegalMove("push", "{how} is no calculation with the dice {dice}", how=how, dice=dice)
        if self.slides >> event.push - 1 & 1:
            return IllegalMove("push", "slide {slide} is up already", slide=event.push)
        if _uses_five(event.how) and not self.slides >> FIVE - 1 & 1:
            return IllegalMove("push", "you can use the 5 only when its slide is up")
        if not ways(self.rolled, bool(self.slides >> FIVE - 1 & 1))[event.push]:
            return IllegalMove("push", "these dice do not make {slide}", slide=event.push)
        return IllegalMove("push", "{how} does not make {slide}", how=how, slide=event.push)
