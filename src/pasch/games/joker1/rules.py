"""Würfel Joker, game 1: push slides up to a combination, then double it in the jokers or lose it all.

Rules in short. A turn begins with three dice and the slides 1 to 6 down. After each roll the dice, alone
or added up, push slides up; every die that can push must. A die that pushed nothing leaves play, except a
6, which always stays and need not push. With no die left the turn scores nothing. After each roll: roll on,
stop and score the combination that stands, or take it into the jokers. There each 1 doubles it;
a roll with a 6 but no 1 lets you stop, or go on with the sixes; any other roll loses everything. The
third joker ends the turn. Highest total wins.

Sources: the printed rulebook; the table of combinations mostly reconstructed (see box.toml).

| option | default | meaning |
|---|---|---|
| rounds | 10 | how many turns each seat has |
| first_six | saves | what a 6 without a 1 does in the first joker roll: it `saves` the turn as later, or `busts` |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import MutableSequence, Sequence
from functools import cached_property
from typing import Annotated, Any, Final, Literal, NamedTuple, cast

import msgspec

from pasch.core.errors import EventError, IllegalMove
from pasch.core.events import Roll, SeatEvent, arrange, sorted_faces
from pasch.core.game import Game
from pasch.core.nodes import Choice, Dice
from pasch.core.options import HOUSE, Options
from pasch.core.position import Bits, Number, Rolled, Row
from pasch.core.rolls import SHOWN, Groups
from pasch.core.shapes import DiceShape
from pasch.core.state import CHANCE, OVER, State
from pasch.games.joker1.box import SLIDES, Joker1Components, Standing, max_points, standings
from pasch.games.joker1.ways import ALL, SIX, every_push, push_tables, pushable

#: a die showing this earns a joker
ONE: Final = 1


# --- events, besides the roll -----------------------------------------------------------------------------


class Push(SeatEvent, frozen=True):
    """The groups of dice that push slides up, each with its sum."""

    push: Groups

    def __post_init__(self) -> None:
        if not all(self.push):
            raise EventError("a group has at least one die")
        arrange(self, push=tuple(sorted(sorted_faces(group) for group in self.push)))


class Next(SeatEvent, frozen=True):
    """Roll on, stop, or go into the jokers."""

    next: Literal["roll", "stop", "jokers"]


# --- options, and what the rules read of them and of the box ------------------------------------------


class Joker1Options(Options, frozen=True, kw_only=True):
    """How long the game lasts, and what a 6 helps in the jokers."""

    rounds: Annotated[int, msgspec.Meta(ge=1, le=1000, description="How many turns each player has.")] = 10
    first_six: Annotated[
        Literal["saves", "busts"],
        msgspec.Meta(
            description="Whether a 6 saves the turn in the first joker roll, too, or only a 1 does.",
            extra=HOUSE | {"before": "saves"},
        ),
    ] = "saves"
    components: Joker1Components | None = None


class Config(NamedTuple):
    """What the rules read of players, options and box (`g` below)."""

    players: int
    rounds: int
    #: with which a turn begins
    dice: int
    #: the last of them ends the turn
    jokers: int
    #: the first joker roll needs a 1
    needs_one: bool
    #: by slides up: what the combination that stands is worth, -1 if none does
    combinations: Sequence[int]
    #: by roll and face: how many dice show it
    shown: Sequence[Sequence[int]]
    #: by roll and slides up: the codes of the legal pushes, and -1 after the last
    pushes: Sequence[Sequence[Sequence[int]]]
    #: by code of a push: the slides that go up, and how many dice other than sixes it uses
    pushed: Sequence[int]
    used: Sequence[int]


# --- the position (`s` below has the same fields as numbers; `rolled` is the number of a roll) ---------------

ROLL, PUSH, NEXT, JOKER_ROLL, JOKER_NEXT, ENDED = range(6)
ROLL_ON, STOP, JOKERS = range(3)


class Position(State, frozen=True):
    """One position. `phase` says what comes next; in the jokers it is a joker roll or a joker next."""

    phase: Literal["roll", "push", "next", "joker roll", "joker next", "over"]
    #: whose turn it is
    seat: int
    #: the round being played, from 0
    round: Annotated[int, Number(0, "rounds")]
    totals: Annotated[tuple[int, ...], Row("players", high=max_points)]
    #: the slides that are up
    slides: Annotated[int, Bits(6)]
    #: how many dice are in play
    dice: Annotated[int, Number(0, "dice")]
    #: the roll that is to push
    rolled: Rolled
    #: the jokers earned
    jokers: Annotated[int, Number(0, "jokers")]

    @property
    def combination(self) -> tuple[str, int] | None:
        """The combination that stands, name and value."""
        return self.standing.best

    @property
    def standing(self) -> Standing:
        """What the slides that are up are worth."""
        return cast(Joker1, self.game).standings[self.slides]


# --- a turn -----------------------------------------------------------------------------------------------


def begin_turn(g: Config, s: Any) -> None:
    """All slides are down and all dice in play."""
    s.actor, s.phase = CHANCE, ROLL
    s.slides, s.dice, s.rolled, s.jokers = 0, g.dice, 0, 0


def roll(g: Config, s: Any, rolled: int) -> None:
    """The dice lie there: they push, or the turn is over with nothing."""
    if g.pushes[rolled][s.slides][0] >= 0:
        s.actor, s.phase, s.rolled = s.seat, PUSH, rolled
    else:
        end_turn(g, s, 0, 0)


def legal_pushes(g: Config, s: Any, out: MutableSequence[int]) -> int:
    """The ways to push with this roll."""
    legal, found = g.pushes[s.rolled][s.slides], 0
    while legal[found] >= 0:
        out[found] = legal[found]
        found += 1
    return found


def push(g: Config, s: Any, code: int) -> None:
    """Slides go up, and dice that pushed nothing leave play."""
    s.dice = staying(g, s.rolled, code)
    s.slides |= g.pushed[code]
    s.phase, s.rolled = NEXT, 0


def staying(g: Config, rolled: int, code: int) -> int:
    """The dice in play after a push: those used for it, and every 6."""
    return g.used[code] + g.shown[rolled][SIX]


def decisions(g: Config, s: Any, out: MutableSequence[int]) -> int:
    """One may roll on, stop and, with a combination, go into the jokers; there one may roll on or stop."""
    out[0], out[1], out[2] = ROLL_ON, STOP, JOKERS
    if s.phase == JOKER_NEXT:
        return 2
    return 3 if stands(g, s.slides) else 2


def decide(g: Config, s: Any, code: int) -> None:
    """Roll on, in the jokers or not, stop, or go into the jokers."""
    if code == STOP:
        stop(g, s)
    else:
        s.actor, s.phase = CHANCE, ROLL if s.phase == NEXT and code == ROLL_ON else JOKER_ROLL


# --- the jokers -------------------------------------------------------------------------------------------


def joker_roll(g: Config, s: Any, rolled: int) -> None:
    """The last joker ends the turn; without dice left in play everything is lost."""
    s.dice = joker_dice(g, s.jokers, s.dice, rolled)
    s.jokers = earned(g, s.jokers, rolled)
    if s.jokers == g.jokers:
        stop(g, s)
    elif s.dice == 0:
        end_turn(g, s, 0, 0)
    else:
        s.actor, s.phase = s.seat, JOKER_NEXT


def earned(g: Config, jokers: int, rolled: int) -> int:
    """The jokers one has after a joker roll: each 1 earns another, as long as there are some."""
    return min(jokers + g.shown[rolled][ONE], g.jokers)


def joker_dice(g: Config, jokers: int, dice: int, rolled: int) -> int:
    """The dice in play after a joker roll: all of them if one shows a 1, else the sixes if they help."""
    if g.shown[rolled][ONE] > 0:
        return dice
    return g.shown[rolled][SIX] if sixes_save(g, jokers) else 0


def sixes_save(g: Config, jokers: int) -> bool:
    """Whether sixes help in a joker roll made with this number of jokers: always or, optionally, not in the first one.

    Where the first roll needs a 1, a seat that has no joker yet is about to make it.
    """
    return jokers > 0 or not g.needs_one


# --- the score --------------------------------------------------------------------------------------------


def score(g: Config, slides: int, jokers: int) -> int:
    """What stopping scores: the combination that stands, doubled by each joker."""
    return g.combinations[slides] << jokers if stands(g, slides) else 0


def stands(g: Config, slides: int) -> bool:
    """Whether a combination stands with these slides up."""
    return g.combinations[slides] >= 0


def stop(g: Config, s: Any) -> None:
    """The turn ends with what stands."""
    combination = score(g, s.slides, 0)
    end_turn(g, s, combination, score(g, s.slides, s.jokers) - combination)


def end_turn(g: Config, s: Any, combination: int, doubled: int) -> None:
    """The seat has its points; the next turn, or the end, follows."""
    s.scored[0], s.scored[1] = combination, doubled
    s.totals[s.seat] += combination + doubled
    s.seat = (s.seat + 1) % g.players
    s.round += s.seat == 0
    begin_turn(g, s)
    if s.round == g.rounds:
        s.actor, s.phase = OVER, ENDED


# --- why something is not possible ---------------------------------------------------------------------------


def why_not_push(state: Position, event: Push, code: int | None) -> IllegalMove:
    """Why the dice cannot push like this."""
    used = Counter(face for group in event.push for face in group)
    for face in used - Counter(state.rolled):
        return IllegalMove("push", "there are not that many dice showing {face}", face=face)
    down = ALL & ~state.slides
    for group in event.push:
        slide = sum(group)
        if slide not in SLIDES:
            return IllegalMove("push", "{sum} is too much, the slides go up to 6", sum=slide)
        bit = 1 << slide - 1
        if state.slides & bit:
            return IllegalMove("push", "slide {slide} is up already", slide=slide)
        if not down & bit:
            return IllegalMove("push", "slide {slide} can be pushed only once", slide=slide)
        down &= ~bit
    left = Counter(state.rolled) - used
    could = pushable(tuple(face for face in left.elements() if face != SIX), down)
    said = "the dice left over could still push slide {slide}, so they must"
    return IllegalMove("push", said, slide=could[0])


def why_not_jokers(state: Position, event: Next, code: int) -> IllegalMove:
    """Why one cannot go into the jokers."""
    if state.phase == "joker next":
        return IllegalMove("jokers", "you are in the jokers already: roll or stop")
    return IllegalMove("jokers", "you need a combination to go into the jokers")


# --- the game ---------------------------------------------------------------------------------------------

NEXTS: Final = ("roll", "stop", "jokers")
DICE_SHAPE: Final = DiceShape(1, ("dice",))


class Joker1(Game[Joker1Options, Joker1Components]):
    """A game of Würfel Joker 1 with its options and components."""

    id = "joker1"
    title = "Würfel Joker 1"
    pitch = "Push slides into a combination, then double it in the jokers or lose everything."
    seats = range(1, 7)
    minutes = (10, 30)
    Options = Joker1Options
    Components = Joker1Components
    Position = Position
    begin = begin_turn
    phases = {
        "roll": Dice(Roll, "dice", then=roll, shape=DICE_SHAPE),
        "push": Choice(
            Push, lambda game: every_push(game.config.dice), push, legal_pushes, why_not_push, most=52
        ),
        "next": Choice(Next, NEXTS, decide, decisions, why_not_jokers),
        "joker roll": Dice(Roll, "dice", then=joker_roll, shape=DICE_SHAPE),
        "joker next": Choice(Next, NEXTS, decide, decisions, why_not_jokers),
    }
    parts = ("combination", "doubled by jokers")

    @cached_property
    def standings(self) -> Sequence[Standing]:
        """What stands and what is out of reach, by the slides that are up."""
        return standings(self.components)

    def configure(self) -> Config:
        options, box = self.options, self.components
        values = tuple(standing.best[1] if standing.best else -1 for standing in self.standings)
        needs_one = options.first_six == "busts"
        tables = SHOWN, *push_tables(box.dice)
        return Config(self.players, options.rounds, box.dice, box.jokers, needs_one, values, *tables)
