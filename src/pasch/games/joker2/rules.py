"""Würfel Joker, game 2: calculate with two dice and push nine slides up, one after each roll.

Rules in short. A turn begins with the slides 1 to 9 down. Roll both dice and push the one slide that a sum,
difference, product or quotient of theirs makes; of a double the face alone will do too, and a double may be
forgone and rolled again. Once slide 5 is up, the result may be combined with 5 as well. Then roll on or
stop. All nine up score 45. Otherwise the slides still down count as minus, after a roll that fits nothing
the two dice as well; a seat that used the 5 has the minus five times, the last dice included. Highest total wins.

Sources: the printed rulebook (see box.toml).

| option | default | meaning |
|---|---|---|
| rounds | 10 | how many turns each seat has |
| five_penalty | used | the minus counts five times once the 5 was `used` to calculate, or is `pushed` |
| five_dice | always | the last dice count as minus `always` when the minus counts five times, or after a `bust` only |
"""

from __future__ import annotations

import re
from collections.abc import MutableSequence, Sequence
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec

from pasch.core.errors import EventError, IllegalMove
from pasch.core.events import Event, Roll, SeatEvent
from pasch.core.game import Game
from pasch.core.nodes import Choice, Dice
from pasch.core.options import HOUSE, Options
from pasch.core.position import Bits, Number, Rolled, Row
from pasch.core.state import CHANCE, OVER, State
from pasch.games.joker2.box import SIGNS, SLIDES, Joker2Components, least_points, max_points
from pasch.games.joker2.ways import ALL, DICE, FIVE, PUSHES, push_tables, uses_five, ways

# --- events, besides the roll -----------------------------------------------------------------------------

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
            raise EventError(
                "{how!r} is not a calculation such as {example}", how=self.how, example="4*2-5"
            )
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


# --- options, and what the rules read of them and of the box ------------------------------------------


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
        Literal["always", "bust"],
        msgspec.Meta(
            description="When the last dice are part of a multiplied loss: always, or after a bust only.",
            extra=HOUSE | {"before": "bust"},
        ),
    ] = "always"
    components: Joker2Components | None = None


class Config(NamedTuple):
    """What the rules read of players, options and box (`g` below)."""

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
    #: by roll: its faces
    faces: Sequence[Sequence[int]]
    #: by roll and slides up: the codes of the legal pushes, and -1 after the last
    pushes: Sequence[Sequence[Sequence[int]]]
    #: by code of a push: the slide that goes up, and whether the five is used for it
    pushed: Sequence[int]
    with_five: Sequence[int]


# --- the position (`s` below has the same fields as numbers; `rolled` is the number of a roll) ---------------

ROLL, PUSH, NEXT, ENDED = range(4)
ROLL_ON, STOP = range(2)
#: the moves of the phase `push`: the pushes, and to forgo a double
MOVES: Final[tuple[Event, ...]] = (*(Push(0, way.slide, way.how) for way in PUSHES), Forgo(0))
FORGO: Final = len(PUSHES)


class Position(State, frozen=True):
    """One position. `phase` says what comes next."""

    phase: Literal["roll", "push", "next", "over"]
    #: whose turn it is
    seat: int
    #: the round being played, from 0
    round: Annotated[int, Number(0, "rounds")]
    totals: Annotated[tuple[int, ...], Row("players", low=least_points, high=max_points)]
    #: the slides that are up
    slides: Annotated[int, Bits(9)]
    #: the minus of this turn would be multiplied, as it stands
    fivefold: bool
    #: the roll that is to push
    rolled: Rolled
    #: the pips of the last roll that stopping would add to the minus
    pips: Annotated[int, Number(0, 12)] = 0


# --- a turn -----------------------------------------------------------------------------------------------


def roll(g: Config, s: Any, rolled: int) -> None:
    """The dice lie there: they push, or the turn is over; a double that fits nothing is rolled again."""
    if g.pushes[rolled][s.slides][0] >= 0:
        s.actor, s.phase, s.rolled = s.seat, PUSH, rolled
    elif not is_double(g, rolled):
        once = bust(g, s.slides, 0, rolled)
        end_turn(g, s, 0, once, bust(g, s.slides, s.fivefold, rolled) - once)


def is_double(g: Config, rolled: int) -> bool:
    """Whether both dice show the same: such a roll may be forgone."""
    return g.faces[rolled][0] == g.faces[rolled][1]


def shown(g: Config, rolled: int) -> int:
    """The pips of a roll."""
    return g.faces[rolled][0] + g.faces[rolled][1]


def legal_pushes(g: Config, s: Any, out: MutableSequence[int]) -> int:
    """The ways to push with this roll; a double may be forgone, too."""
    legal, found = g.pushes[s.rolled][s.slides], 0
    while legal[found] >= 0:
        out[found] = legal[found]
        found += 1
    if is_double(g, s.rolled):
        out[found] = FORGO
        found += 1
    return found


def push(g: Config, s: Any, code: int) -> None:
    """A slide goes up, or the double is rolled again. All slides end the turn."""
    if code == FORGO:
        roll_again(g, s)
        return
    s.slides, s.fivefold = after_push(g, s.slides, s.fivefold, code)
    s.pips = pips_on_stopping(g, s.fivefold, s.rolled)
    s.phase, s.rolled = NEXT, 0
    if is_complete(s.slides):
        stop(g, s)


def after_push(g: Config, slides: int, fivefold: int, code: int) -> tuple[int, int]:
    """The slides that are up after a push, and whether the minus is multiplied.

    It is once the five was used or, by another agreement, once its slide is up.
    """
    up = slides | 1 << g.pushed[code] - 1
    if g.pushed_five:
        return up, up >> FIVE - 1 & 1
    return up, fivefold | g.with_five[code]


def pips_on_stopping(g: Config, fivefold: int, rolled: int) -> int:
    """The pips of the last roll that stopping adds to the minus: by one agreement all, if the five counts."""
    return shown(g, rolled) if g.five_dice and fivefold else 0


def roll_again(g: Config, s: Any) -> None:
    """Both dice are to be rolled."""
    s.actor, s.phase, s.rolled, s.pips = CHANCE, ROLL, 0, 0


def roll_or_stop(g: Config, s: Any, code: int) -> None:
    """Roll on or stop."""
    if code == STOP:
        stop(g, s)
    else:
        roll_again(g, s)


# --- the score --------------------------------------------------------------------------------------------


def stopped(g: Config, slides: int, fivefold: int, pips: int) -> int:
    """What a turn scores that is stopped: the bonus for all slides, else the minus of those still down and the pips."""
    return g.bonus if is_complete(slides) else minus(g, slides, fivefold, pips)


def is_complete(slides: int) -> bool:
    """Whether all slides are up, which ends the turn and scores the bonus."""
    return slides == ALL


def bust(g: Config, slides: int, fivefold: int, rolled: int) -> int:
    """What a turn scores that ends with a roll that fits nothing: its dice count as minus, too."""
    return minus(g, slides, fivefold, shown(g, rolled))


def minus(g: Config, slides: int, fivefold: int, pips: int) -> int:
    """The slides still down and some pips as minus, several times with the five."""
    lost = pips
    for slide in range(1, 10):
        if not slides >> slide - 1 & 1:
            lost += g.costs[slide - 1]
    return -lost * g.factor if fivefold else -lost


def stop(g: Config, s: Any) -> None:
    """The turn ends with the slides that are up."""
    points, once = stopped(g, s.slides, s.fivefold, s.pips), stopped(g, s.slides, 0, s.pips)
    if is_complete(s.slides):
        end_turn(g, s, points, 0, 0)
    else:
        end_turn(g, s, 0, once, points - once)


def end_turn(g: Config, s: Any, bonus: int, once: int, again: int) -> None:
    """The seat has its points; the next turn, or the end, follows."""
    s.scored[0], s.scored[1], s.scored[2] = bonus, once, again
    s.totals[s.seat] += bonus + once + again
    s.seat = (s.seat + 1) % g.players
    s.round += s.seat == 0
    s.slides, s.fivefold = 0, 0
    roll_again(g, s)
    if s.round == g.rounds:
        s.actor, s.phase = OVER, ENDED


# --- why something is not possible ---------------------------------------------------------------------------


def why_not_push(state: Position, event: Push | Forgo, code: int | None) -> IllegalMove:
    """Why this slide cannot be pushed like this, or the roll not be forgone."""
    if isinstance(event, Forgo):
        return IllegalMove("forgo", "only a double may be forgone; this roll has to be used")
    used = tuple(sorted(int(face) for face in event.how[:3:2])) * (2 if len(event.how) == 1 else 1)
    how, five_up = event.how.translate(SIGNS), bool(state.slides >> FIVE - 1 & 1)
    if used != state.rolled:
        dice = " and ".join(map(str, state.rolled))
        return IllegalMove("push", "{how} is not a calculation with the dice {dice}", how=how, dice=dice)
    if state.slides >> event.push - 1 & 1:
        return IllegalMove("push", "slide {slide} is up already", slide=event.push)
    if uses_five(event.how) and not five_up:
        return IllegalMove("push", "you can use the 5 only when its slide is up")
    if not ways(state.rolled, five_up)[event.push]:
        return IllegalMove("push", "these dice do not make {slide}", slide=event.push)
    return IllegalMove("push", "{how} does not make {slide}", how=how, slide=event.push)


# --- the game ---------------------------------------------------------------------------------------------


class Joker2(Game[Joker2Options, Joker2Components]):
    """A game of Würfel Joker 2 with its options and components."""

    id = "joker2"
    title = "Würfel Joker 2"
    pitch = "Calculate with two dice to push nine slides up; the five helps, at a price."
    seats = range(1, 7)
    minutes = (15, 30)
    Options = Joker2Options
    Components = Joker2Components
    Position = Position
    phases = {
        "roll": Dice(Roll, DICE, then=roll),
        "push": Choice((Push, Forgo), MOVES, push, legal_pushes, why_not_push, most=22),
        "next": Choice(Next, ("roll", "stop"), then=roll_or_stop),
    }
    parts = ("bonus for all slides", "slides down and dice", "the same again for the five")

    def configure(self) -> Config:
        options, box = self.options, self.components
        pushed_five, five_dice = options.five_penalty == "pushed", options.five_dice == "always"
        scoring = box.slides, box.bonus, box.factor, pushed_five, five_dice
        return Config(self.players, options.rounds, *scoring, *push_tables())
