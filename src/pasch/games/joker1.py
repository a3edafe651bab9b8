"""Würfel Joker, game 1: push slides up to a combination, then double it in the jokers or lose it all.

Rules in short. A turn begins with three dice and the slides 1 to 6 down. After each roll the dice, alone
or added up, push slides up; every die that can push must. A die that pushed nothing leaves play, except a
6, which always stays and need not push. With no die left the turn scores nothing. After each roll: roll on,
stop and score the combination that stands, or take it into the jokers. There each 1 doubles it;
a roll with a 6 but no 1 lets you stop, or go on with the sixes; any other roll loses everything. The
third joker ends the turn. Highest total wins.

Sources: the printed rulebook; the table of combinations mostly reconstructed (see joker1.toml).

| option | default | meaning |
|---|---|---|
| rounds | 10 | how many turns each seat has |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations
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
SLIDES: Final = range(1, 7)
ALL: Final = 0b111111
#: a die showing this always stays in play
SIX: Final = 6

Dice = tuple[int, ...]
Groups = tuple[Dice, ...]


# --- events ---------------------------------------------------------------------------------------


def _sorted_faces(what: str, faces: Any) -> Dice:
    """The faces in ascending order; EventError unless each is one that a die has."""
    for face in faces:
        if type(face) is not int or not 1 <= face <= 6:
            raise EventError("{what}: a die shows 1 to 6, not {face!r}", what=what, face=face)
    return tuple(sorted(faces))


class Roll(SeatEvent, frozen=True):
    """The faces rolled."""

    roll: Dice

    def __post_init__(self) -> None:
        arrange(self, roll=_sorted_faces("roll", self.roll))


class Push(SeatEvent, frozen=True):
    """The groups of dice that push slides up, each with its sum."""

    push: Groups

    def __post_init__(self) -> None:
        if not all(self.push):
            raise EventError("push: a group has at least one die")
        arrange(self, push=tuple(sorted(_sorted_faces("push", group) for group in self.push)))


class Next(SeatEvent, frozen=True):
    """Roll on, stop, or go into the jokers."""

    next: Literal["roll", "stop", "jokers"]


# --- component data and options -------------------------------------------------------------------


class Combination(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of the score pad's table."""

    name: str
    slides: tuple[int, ...]
    value: int
    #: no further slide may be up
    exact: bool = True
    provenance: Provenance = "seen"
    name_provenance: Provenance = "seen"

    def fits(self, slides: int) -> bool:
        """Whether it stands when these slides are up."""
        named = mask_of(self.slides)
        return slides == named if self.exact else slides & named == named


class Joker1Components(Components, frozen=True, kw_only=True):
    """The dice, the jokers and the table of combinations."""

    dice: int
    jokers: int
    combinations: tuple[Combination, ...]

    def check(self, players: int) -> None:
        if not 1 <= self.dice <= 4:
            raise ComponentError("dice", "a turn begins with 1 to 4 dice, not {got}", got=self.dice)
        if not 1 <= self.jokers <= 6:
            raise ComponentError("jokers", "there are 1 to 6 jokers, not {got}", got=self.jokers)
        if not self.combinations:
            raise ComponentError("combinations", "there has to be at least one")
        names: set[str] = set()
        for number, combination in enumerate(self.combinations):
            place = f"combinations[{number}]"
            _check_combination(place, combination)
            if combination.name in names:
                raise ComponentError(f"{place}.name", "{name!r} stands here twice", name=combination.name)
            names.add(combination.name)

    def provenance(self) -> tuple[tuple[str, Provenance], ...]:
        entries: list[tuple[str, Provenance]] = [
            (f"{c.name} ({' '.join(map(str, c.slides))}: {c.value})", c.provenance)
            for c in self.combinations
        ]
        sources: tuple[Provenance, ...] = ("printed", "seen", "reconstructed")
        for source in sources:
            names = [c.name for c in self.combinations if c.name_provenance == source]
            if names:
                entries.append((f"the names {', '.join(names)}", source))
        return tuple(entries)


def _check_combination(place: str, combination: Combination) -> None:
    name = combination.name
    if not name.strip() or not name.isprintable() or len(name) > 40:
        raise ComponentError(f"{place}.name", "a name has 1 to 40 letters on one line")
    if not 0 <= combination.value <= 1000:
        raise ComponentError(f"{place}.value", "a value is 0 to 1000, not {got}", got=combination.value)
    if not combination.slides:
        raise ComponentError(f"{place}.slides", "a combination has at least one slide")
    for slide in combination.slides:
        if slide not in SLIDES:
            raise ComponentError(f"{place}.slides", "the slides are 1 to 6, not {got}", got=slide)
    if len(set(combination.slides)) != len(combination.slides):
        raise ComponentError(f"{place}.slides", "a slide is named twice")


class Joker1Options(Options, frozen=True, kw_only=True):
    """How long the game lasts."""

    rounds: Annotated[int, msgspec.Meta(ge=1, le=1000, description="How many turns each player has.")] = 10
    components: Joker1Components | None = None


# --- the rules' tables ----------------------------------------------------------------------------


def mask_of(slides: tuple[int, ...]) -> int:
    """Slides as a bit mask."""
    return sum(1 << slide - 1 for slide in slides)


def numbers(mask: int) -> tuple[int, ...]:
    """The slides of a bit mask, ascending."""
    return tuple(slide for slide in SLIDES if mask >> slide - 1 & 1)


def best_combination(components: Joker1Components, slides: int) -> tuple[str, int] | None:
    """Name and value of the best combination that stands with these slides up, if one does."""
    standing = [c for c in components.combinations if c.fits(slides)]
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


# --- the game -------------------------------------------------------------------------------------


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

    #: for every set of slides up, as a bit mask: the combination that stands, name and value
    combinations: tuple[tuple[str, int] | None, ...]

    def __init__(self, players: int, options: Joker1Options | None = None) -> None:
        super().__init__(players, options)
        self.combinations = tuple(best_combination(self.components, slides) for slides in range(ALL + 1))

    def start(self) -> Joker1State:
        return Joker1State(self, CHANCE, "roll", 0, 0, (0,) * self.players, 0, self.components.dice, (), 0)

    def score(self, slides: int, jokers: int) -> int:
        """What stopping scores: the combination that stands, doubled by each joker."""
        standing = self.combinations[slides]
        return standing[1] << jokers if standing else 0


@cache
def _roll_chance(seat: int, dice: int) -> EqualDice:
    return EqualDice(dice, lambda faces: Roll(seat, faces))


@cache
def _push_moves(seat: int, dice: Dice, slides: int) -> dict[Event, Grouping]:
    return {Push(seat, grouping.groups): grouping for grouping in pushes(dice, slides)}


@cache
def _nexts(seat: int, jokers: bool) -> tuple[Next, ...]:
    moves = (Next(seat, "roll"), Next(seat, "stop"))
    return (*moves, Next(seat, "jokers")) if jokers else moves


class Joker1State(State, frozen=True):
    """One position. `phase` says what comes next; in the jokers it is a joker roll or a joker next."""

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
    def _rules(self) -> Joker1:
        assert isinstance(self.game, Joker1)
        return self.game

    @property
    def combination(self) -> tuple[str, int] | None:
        """The combination that stands, name and value."""
        return self._rules.combinations[self.slides]

    def moves(self) -> tuple[Event, ...]:
        if self.phase == "push":
            return tuple(_push_moves(self.seat, self.rolled, self.slides))
        if self.phase == "next":
            return _nexts(self.seat, self.combination is not None)
        if self.phase == "joker next":
            return _nexts(self.seat, False)
        return ()

    def chance(self) -> Chance:
        return _roll_chance(self.seat, self.dice)

    def scores(self) -> tuple[int, ...]:
        return self.totals

    def apply(self, event: Event) -> Joker1State:
        if type(event) is Roll and event.seat == self.seat and self.phase in ("roll", "joker roll"):
            return self._roll(event.roll)
        if type(event) is Push and event.seat == self.seat and self.phase == "push":
            return self._push(event)
        if type(event) is Next and event.seat == self.seat and self.phase in ("next", "joker next"):
            return self._next(event)
        raise self.misplaced(event)

    def _to(
        self, phase: Any, actor: int, slides: int, dice: int, rolled: Dice = (), jokers: int = 0
    ) -> Joker1State:
        return Joker1State(
            self.game, actor, phase, self.seat, self.round, self.totals, slides, dice, rolled, jokers
        )

    def _roll(self, roll: Dice) -> Joker1State:
        if len(roll) != self.dice:
            raise IllegalOutcome(
                "roll", "the dice in play number {dice}, not {got}", dice=self.dice, got=len(roll)
            )
        if self.phase == "joker roll":
            return self._joker_roll(roll)
        if pushes(roll, self.slides):
            return self._to("push", self.seat, self.slides, self.dice, roll)
        return self._end_turn(0)

    def _joker_roll(self, roll: Dice) -> Joker1State:
        jokers = min(self.jokers + roll.count(1), self._rules.components.jokers)
        if jokers == self._rules.components.jokers:
            return self._end_turn(self._rules.score(self.slides, jokers))
        dice = len(roll) if jokers > self.jokers else roll.count(SIX)
        if not dice:
            return self._end_turn(0)
        return self._to("joker next", self.seat, self.slides, dice, jokers=jokers)

    def _push(self, event: Push) -> Joker1State:
        grouping = _push_moves(self.seat, self.rolled, self.slides).get(event)
        if grouping is None:
            raise self._why_not(event.push)
        return self._to("next", self.seat, self.slides | grouping.slides, grouping.dice)

    def _why_not(self, groups: Groups) -> IllegalMove:
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

    def _next(self, event: Next) -> Joker1State:
        in_jokers = self.phase == "joker next"
        if event.next == "stop":
            return self._end_turn(self._rules.score(self.slides, self.jokers))
        if event.next == "roll":
            phase = "joker roll" if in_jokers else "roll"
            return self._to(phase, CHANCE, self.slides, self.dice, jokers=self.jokers)
        if in_jokers:
            raise IllegalMove("jokers", "you are in the jokers already: roll or stop")
        if self.combination is None:
            raise IllegalMove("jokers", "only with a combination can you go into the jokers")
        return self._to("joker roll", CHANCE, self.slides, self.dice)

    def _end_turn(self, points: int) -> Joker1State:
        totals = list(self.totals)
        totals[self.seat] += points
        seat, played = self.seat + 1, self.round
        if seat == self.game.players:
            seat, played = 0, played + 1
        over = played == self.game.options.rounds
        return Joker1State(
            self.game,
            OVER if over else CHANCE,
            "over" if over else "roll",
            seat,
            played,
            tuple(totals),
            0,
            self._rules.components.dice,
            (),
            0,
        )
