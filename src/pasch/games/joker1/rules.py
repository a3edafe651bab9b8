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
from collections.abc import Callable, Iterator, MutableSequence, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec

from pasch.core.chance import Chance, EqualDice, faces, rolls
from pasch.core.errors import EventError, IllegalMove, IllegalOutcome
from pasch.core.events import Event, SeatEvent, arrange
from pasch.core.game import Game
from pasch.core.lazy import lazy_table
from pasch.core.options import Options, house
from pasch.core.registry import find_part
from pasch.core.shapes import DiceShape
from pasch.core.state import CHANCE, OVER, State
from pasch.games.joker1.box import MOST_DICE, SLIDES, Combination, Joker1Components

ALL: Final = 0b111111
#: a die showing this always stays in play
SIX: Final = 6
#: a die showing this earns a joker
ONE: Final = 1

Dice = tuple[int, ...]
Groups = tuple[Dice, ...]

#: every roll of at most so many dice, by its number; number 0 is no roll at all
ROLLS: Final = tuple(roll for dice in range(MOST_DICE + 1) for roll, _ in rolls(dice))
ROLL_NUMBERS: Final = {roll: number for number, roll in enumerate(ROLLS)}
#: where the rolls of so many dice begin
FIRST_ROLL: Final = tuple(sum(len(rolls(fewer)) for fewer in range(dice)) for dice in range(MOST_DICE + 2))


# --- events ---------------------------------------------------------------------------------------


def _sorted_faces(faces: Any) -> Dice:
    """The faces in ascending order; EventError unless each is one that a die has."""
    for face in faces:
        if type(face) is not int or not 1 <= face <= 6:
            raise EventError("a die shows 1 to 6, not {face}", face=face)
    return tuple(sorted(faces))


class Roll(SeatEvent, frozen=True):
    """The faces rolled."""

    roll: Dice

    def __post_init__(self) -> None:
        arrange(self, roll=_sorted_faces(self.roll))


class Push(SeatEvent, frozen=True):
    """The groups of dice that push slides up, each with its sum."""

    push: Groups

    def __post_init__(self) -> None:
        if not all(self.push):
            raise EventError("a group has at least one die")
        arrange(self, push=tuple(sorted(_sorted_faces(group) for group in self.push)))


class Next(SeatEvent, frozen=True):
    """Roll on, stop, or go into the jokers."""

    next: Literal["roll", "stop", "jokers"]


# --- options ----------------------------------------------------------------------------------------


class Joker1Options(Options, frozen=True, kw_only=True):
    """How long the game lasts, and what a 6 helps in the jokers."""

    rounds: Annotated[int, msgspec.Meta(ge=1, le=1000, description="How many turns each player has.")] = 10
    first_six: Annotated[
        Literal["saves", "busts"],
        msgspec.Meta(
            description="Whether a 6 saves the turn in the first joker roll, too, or only a 1 does.",
            extra=house(before="saves"),
        ),
    ] = "saves"
    components: Joker1Components | None = None


# --- combinations, and what dice can push ---------------------------------------------------------


def mask_of(slides: tuple[int, ...]) -> int:
    """Slides as a bit mask."""
    return sum(1 << slide - 1 for slide in slides)


def numbers(mask: int) -> tuple[int, ...]:
    """The slides of a bit mask, ascending."""
    return tuple(slide for slide in SLIDES if mask >> slide - 1 & 1)


def fits(combination: Combination, slides: int) -> bool:
    """Whether a combination stands when these slides are up: its own and, if it is exact, no others."""
    named = mask_of(combination.slides)
    return slides == named if combination.exact else slides & named == named


def best_combination(components: Joker1Components, slides: int) -> tuple[str, int] | None:
    """Name and value of the best combination that stands with these slides up, if one does."""
    standing = [c for c in components.combinations if fits(c, slides)]
    if not standing:
        return None
    best = max(standing, key=lambda c: c.value)
    return best.name, best.value


class Grouping(NamedTuple):
    """One legal way to push with a roll."""

    groups: Groups
    #: the slides that go up, as a bit mask
    slides: int
    #: how many dice are in play afterwards
    dice: int


@cache
def pushes(dice: Dice, slides: int) -> tuple[Grouping, ...]:
    """Every legal way to push with `dice` (ascending) while `slides` are up; none: the roll busts.

    >>> [grouping.groups for grouping in pushes((1, 2, 4), 0)]
    [((1,), (2,), (4,)), ((1,), (2, 4)), ((1, 2), (4,)), ((1, 4), (2,))]
    """
    others = tuple(face for face in dice if face != SIX)
    sixes = len(dice) - len(others)
    down = ALL & ~slides
    slide_six = 1 << SIX - 1
    # a natural 6 is left alone or takes its slide; the other dice have to make do with what remains
    chosen: list[tuple[Groups, int]] = [((), 0)]
    if sixes and down & slide_six:
        chosen.append((((SIX,),), slide_six))
    found = set()
    for with_six, taken in chosen:
        for groups, pushed, left in _groupings(others, down & ~taken):
            if not _pushable(left, down & ~taken & ~pushed):
                every = tuple(sorted(groups + with_six))
                found.add(Grouping(every, pushed | taken, len(others) - len(left) + sixes))
    alive = [grouping for grouping in found if grouping.dice]
    return tuple(sorted(alive, key=lambda grouping: (-len(grouping.groups), grouping.groups)))


def _groupings(dice: Dice, down: int) -> Iterator[tuple[Groups, int, Dice]]:
    """All ways to group some of the dice so that each group pushes another slide of `down`.

    Each with the slides pushed and the dice left over.
    """
    if not dice:
        yield (), 0, ()
        return
    first, rest = dice[0], dice[1:]
    for groups, pushed, left in _groupings(rest, down):
        yield groups, pushed, (first, *left)
    for size in range(len(rest) + 1):
        for partners in combinations(range(len(rest)), size):
            group = (first, *(rest[place] for place in partners))
            slide = 1 << sum(group) - 1
            if down & slide:
                remaining = tuple(face for place, face in enumerate(rest) if place not in partners)
                for groups, pushed, left in _groupings(remaining, down & ~slide):
                    yield (group, *groups), pushed | slide, left


def _pushable(dice: Dice, down: int) -> tuple[int, ...]:
    """The slides of `down` that some of the dice could push."""
    sums = {sum(group) for size in range(1, len(dice) + 1) for group in combinations(dice, size)}
    return tuple(slide for slide in numbers(down) if slide in sums)


@cache
def push_numbers(dice: int) -> dict[Groups, int]:
    """Every push that so many dice, or fewer, can ever make, with its number."""
    numbered: dict[Groups, int] = {}
    for roll in ROLLS[: FIRST_ROLL[dice + 1]]:
        for slides in range(ALL + 1):
            for grouping in pushes(roll, slides):
                numbered.setdefault(grouping.groups, len(numbered))
    return numbered


# --- the rules --------------------------------------------------------------------------------------
# These functions are run as they stand and compiled (see `pasch.core.rules`). `g` is what was
# agreed, `s` the state as numbers. A set of slides is a bit mask, a roll its number in `ROLLS`.

ROLL, PUSH, NEXT, JOKER_ROLL, JOKER_NEXT, ENDED = range(6)
#: what comes next, by its number above
PHASES: Final = ("roll", "push", "next", "joker roll", "joker next", "over")
_PHASE_NUMBERS: Final = {phase: number for number, phase in enumerate(PHASES)}
#: the moves of the phases `next` and `joker next`; those of the phase `push` are numbers of groupings in `pushes`
ROLL_ON, STOP, JOKERS = 0, 1, 2
#: what they are called
NEXTS: Final[tuple[Literal["roll", "stop", "jokers"], ...]] = ("roll", "stop", "jokers")


class Agreed(NamedTuple):
    """What the rules read of players, options and box."""

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
    #: by number of dice and case: the roll
    rolled: Sequence[Sequence[int]]
    #: by number of dice: the first of their rolls
    first_roll: Sequence[int]
    #: by roll: how many cases it is
    cases: Sequence[int]
    #: by roll and face: how many dice show it
    shown: Sequence[Sequence[int]]
    #: by roll and slides up: in how many ways it can push
    ways: Sequence[Sequence[int]]
    #: by roll, slides up and way: the slides that go up, and the dice in play afterwards
    pushed: Sequence[Sequence[Sequence[int]]]
    staying: Sequence[Sequence[Sequence[int]]]
    #: the number of a move among all that can ever occur: of a way to push as above, and of the others
    push_number: Sequence[Sequence[Sequence[int]]]
    next_number: Sequence[int]
    #: by number of dice and slides up: what the greedy player expects if it rolls no more, or once more
    standing: Sequence[Sequence[float]]
    one_more_roll: Sequence[Sequence[float]]


@dataclass(slots=True)
class Numbers:
    """The state as numbers."""

    actor: int
    phase: int
    seat: int
    round: int
    totals: list[int]
    slides: int
    dice: int
    rolled: int
    jokers: int


def cases(g: Agreed, s: Numbers) -> int:
    """How many equally likely cases the next roll has."""
    return int(6**s.dice)


def chance(g: Agreed, s: Numbers, case: int) -> None:
    """Let the dice show their case."""
    roll(g, s, g.rolled[s.dice][case])


def roll(g: Agreed, s: Numbers, rolled: int) -> None:
    """The dice lie there: they push, or the turn is over with nothing; in the jokers they earn some or lose all."""
    if s.phase == JOKER_ROLL:
        joker_roll(g, s, rolled)
    elif g.ways[rolled][s.slides] > 0:
        s.actor = s.seat
        s.phase = PUSH
        s.rolled = rolled
    else:
        end_turn(g, s, 0)


def joker_roll(g: Agreed, s: Numbers, rolled: int) -> None:
    """The last joker ends the turn; without dice left in play everything is lost."""
    s.dice = joker_dice(g, s.jokers, s.dice, rolled)
    s.jokers = earned(g, s.jokers, rolled)
    if s.jokers == g.jokers:
        end_turn(g, s, score(g, s.slides, s.jokers))
    elif s.dice == 0:
        end_turn(g, s, 0)
    else:
        s.actor = s.seat
        s.phase = JOKER_NEXT


def earned(g: Agreed, jokers: int, rolled: int) -> int:
    """The jokers one has after a joker roll: each 1 earns another, as long as there are some."""
    return min(jokers + g.shown[rolled][ONE], g.jokers)


def joker_dice(g: Agreed, jokers: int, dice: int, rolled: int) -> int:
    """The dice in play after a joker roll: all of them if one shows a 1, else the sixes if they help."""
    if g.shown[rolled][ONE] > 0:
        return dice
    return g.shown[rolled][SIX] if sixes_save(g, jokers) else 0


def sixes_save(g: Agreed, jokers: int) -> bool:
    """Whether sixes help in a joker roll made with so many jokers: always or, as agreed, not in the first one.

    Where the first roll needs a 1, whoever has no joker yet is about to make it.
    """
    return jokers > 0 or not g.needs_one


def score(g: Agreed, slides: int, jokers: int) -> int:
    """What stopping scores: the combination that stands, doubled by each joker."""
    return g.combinations[slides] << jokers if stands(g, slides) else 0


def stands(g: Agreed, slides: int) -> bool:
    """Whether a combination stands with these slides up."""
    return g.combinations[slides] >= 0


def moves(g: Agreed, s: Numbers, out: MutableSequence[int]) -> int:
    """Write the legal moves: ways to push; or to roll on, to stop and, with a combination, the jokers."""
    if s.phase == PUSH:
        found = g.ways[s.rolled][s.slides]
        for way in range(found):
            out[way] = way
        return found
    out[0] = ROLL_ON
    out[1] = STOP
    if s.phase == NEXT and stands(g, s.slides):
        out[2] = JOKERS
        return 3
    return 2


def most_moves(g: Agreed) -> int:
    """There are never more moves: four dice can be grouped, some of them left over, in so many ways."""
    return 52


def move(g: Agreed, s: Numbers, code: int) -> None:
    """Make a legal move."""
    if s.phase == PUSH:
        pushed, s.dice = g.pushed[s.rolled][s.slides][code], g.staying[s.rolled][s.slides][code]
        s.slides |= pushed
        s.rolled = 0
        s.phase = NEXT
    elif code == STOP:
        end_turn(g, s, score(g, s.slides, s.jokers))
    else:
        s.actor = CHANCE
        s.phase = JOKER_ROLL if code == JOKERS or s.phase == JOKER_NEXT else ROLL


def end_turn(g: Agreed, s: Numbers, scored: int) -> None:
    """The seat has its points; the next turn, or the end, follows."""
    s.totals[s.seat] += scored
    s.round = next_round(g, s.seat, s.round)
    s.seat = next_seat(g, s.seat)
    over = is_over(g, s.round)
    s.actor = OVER if over else CHANCE
    s.phase = ENDED if over else ROLL
    s.slides = 0
    s.dice = g.dice
    s.rolled = 0
    s.jokers = 0


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
def _dice_tables(dice: int) -> dict[str, Any]:
    """The tables of `Agreed` that follow from the number of dice alone."""

    def table(answer: Callable[[tuple[Grouping, ...]], Any]) -> Any:
        sizes = (FIRST_ROLL[dice + 1], ALL + 1)
        return lazy_table(sizes, lambda roll, slides: answer(pushes(ROLLS[roll], slides)))

    rolled = [[ROLL_NUMBERS[tuple(sorted(roll))] for roll in faces(fewer)] for fewer in range(dice + 1)]
    return {
        "rolled": tuple(map(tuple, rolled)),
        "first_roll": FIRST_ROLL,
        "cases": tuple(cases for fewer in range(dice + 1) for _, cases in rolls(fewer)),
        "shown": tuple(tuple(map(roll.count, range(7))) for roll in ROLLS),
        "ways": table(len),
        "pushed": table(lambda ways: tuple([grouping.slides for grouping in ways])),
        "staying": table(lambda ways: tuple([grouping.dice for grouping in ways])),
        "push_number": table(lambda ways: tuple([push_numbers(dice)[way.groups] for way in ways])),
        "next_number": lazy_table([len(NEXTS)], lambda code: len(push_numbers(dice)) + code),
    }


class Joker1(Game[Joker1Options, Joker1Components]):
    """A game of Würfel Joker 1 as agreed."""

    id = "joker1"
    title = "Würfel Joker 1"
    pitch = "Push slides into a combination, then double it in the jokers or lose everything."
    seats = range(1, 7)
    minutes = (10, 30)
    events = (Roll, Push, Next)
    Options = Joker1Options
    Components = Joker1Components
    chance_shapes = {Roll: DiceShape(1, ("dice",))}

    #: for every set of slides up, as a bit mask: the combination that stands, name and value
    combinations: tuple[tuple[str, int] | None, ...]

    def __init__(self, players: int, options: Joker1Options | None = None) -> None:
        super().__init__(players, options)
        box = self.components
        self.combinations = tuple(best_combination(box, slides) for slides in range(ALL + 1))
        self.agreed = Agreed(
            players=players,
            rounds=self.options.rounds,
            dice=box.dice,
            jokers=box.jokers,
            needs_one=self.options.first_six == "busts",
            combinations=tuple(standing[1] if standing else -1 for standing in self.combinations),
            standing=self._looked_at("standing"),
            one_more_roll=self._looked_at("one_more_roll"),
            **_dice_tables(box.dice),
        )

    def _looked_at(self, name: str) -> Any:
        """A table of what a function of the greedy player answers."""

        def answer(dice: int, slides: int) -> float:
            answered: float = getattr(find_part(self.id, "greedy"), name)(self.agreed, slides, dice)
            return answered

        return lazy_table((self.components.dice + 1, ALL + 1), answer)

    def start(self) -> Joker1State:
        return Joker1State(self, CHANCE, "roll", 0, 0, (0,) * self.players, 0, self.components.dice, (), 0)

    def score(self, slides: int, jokers: int) -> int:
        """What stopping scores: the combination that stands, doubled by each joker."""
        return score(self.agreed, slides, jokers)


@cache
def _roll_chance(seat: int, dice: int) -> EqualDice:
    return EqualDice(dice, lambda faces: Roll(seat, faces))


@cache
def _push_codes(seat: int, dice: Dice, slides: int) -> dict[Event, int]:
    """The number of each push among the ways to push."""
    return {Push(seat, grouping.groups): way for way, grouping in enumerate(pushes(dice, slides))}


@cache
def _next_codes(seat: int) -> dict[Event, int]:
    return {Next(seat, word): code for code, word in enumerate(NEXTS)}


class Joker1State(State, frozen=True):
    """One position. `phase` says what comes next; in the jokers it is a joker roll or a joker next."""

    game: Joker1
    phase: Literal["roll", "push", "next", "joker roll", "joker next", "over"]
    #: whose turn it is
    seat: int
    #: the round being played, from 0
    round: int
    totals: tuple[int, ...]
    #: the slides that are up, as a bit mask (slide n is bit n - 1)
    slides: int
    #: how many dice are in play
    dice: int
    #: the roll that is to push
    rolled: tuple[int, ...]
    #: the jokers earned
    jokers: int

    @property
    def combination(self) -> tuple[str, int] | None:
        """The combination that stands, name and value."""
        return self.game.combinations[self.slides]

    def numbers(self) -> Numbers:
        return Numbers(
            self.actor, _PHASE_NUMBERS[self.phase], self.seat, self.round, [*self.totals], self.slides,
            self.dice, ROLL_NUMBERS[self.rolled], self.jokers,
        )  # fmt: skip

    def after(self, s: Numbers) -> Joker1State:
        return Joker1State(
            self.game, s.actor, PHASES[s.phase], s.seat, s.round, tuple(s.totals), s.slides, s.dice,
            ROLLS[s.rolled], s.jokers,
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
        return _roll_chance(self.seat, self.dice)

    def scores(self) -> tuple[int, ...]:
        return self.totals

    def apply(self, event: Event) -> Joker1State:
        g, s = self.game.agreed, self.numbers()
        if type(event) is Roll and event.seat == self.seat and self.phase in ("roll", "joker roll"):
            if len(event.roll) != self.dice:
                raise IllegalOutcome(
                    "roll", "there are {dice} dice in play, not {got}", dice=self.dice, got=len(event.roll)
                )
            roll(g, s, ROLL_NUMBERS[event.roll])
        elif type(event) is (Push if self.phase == "push" else Next) and event.seat == self.actor >= 0:
            code = self._codes().get(event)
            if code is None or code not in self.codes(s):
                raise self._why_not(event)
            move(g, s, code)
        else:
            raise self.misplaced(event)
        return self.after(s)

    def _why_not(self, event: Push | Next) -> IllegalMove:
        if isinstance(event, Push):
            return self._why_no_push(event.push)
        if self.phase == "joker next":
            return IllegalMove("jokers", "you are in the jokers already: roll or stop")
        return IllegalMove("jokers", "you need a combination to go into the jokers")

    def _why_no_push(self, groups: Groups) -> IllegalMove:
        used = Counter(face for group in groups for face in group)
        for face in used - Counter(self.rolled):
            return IllegalMove("push", "there are not so many dice showing {face}", face=face)
        down = ALL & ~self.slides
        for group in groups:
            slide = sum(group)
            if slide not in SLIDES:
                return IllegalMove("push", "{sum} is too much, the slides go up to 6", sum=slide)
            bit = 1 << slide - 1
            if self.slides & bit:
                return IllegalMove("push", "slide {slide} is up already", slide=slide)
            if not down & bit:
                return IllegalMove("push", "slide {slide} can be pushed only once", slide=slide)
            down &= ~bit
        left = Counter(self.rolled) - used
        could = _pushable(tuple(face for face in left.elements() if face != SIX), down)
        return IllegalMove(
            "push", "the dice left over could still push slide {slide}, so they must", slide=could[0]
        )
