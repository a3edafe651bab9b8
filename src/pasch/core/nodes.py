"""What comes next in a game: the kinds of phases, chance and choice.

`Game.phases` names for each phase what comes next there: dice (`Dice`, `NamedDice`), one thing of a pile (`Pile`), the
next thing of a list (`InTurn`), cards (`Cards`), or a seat's move (`Choice`). Where it depends on the options whether
chance or a seat decides, a phase has both, a pair. Each has the rule function that follows as `then`.

From a node follow the `Chance` of a state, the check of an event that a record or a person brings, its refusals, the
shape by which the browser checks dice, and the functions that compiled code calls (`pasch.core.templates`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

from msgspec.structs import replace

from pasch.core import templates
from pasch.core.chance import Chance, ColouredDice, EqualDice, OneOf
from pasch.core.errors import IllegalMove, IllegalOutcome
from pasch.core.events import Event, NamedRoll
from pasch.core.lazy import LazyTable
from pasch.core.position import size_in
from pasch.core.rolls import MAX_DICE, ROLL_NUMBERS
from pasch.core.shapes import DiceShape, PackShape, PileShape, Shape, TurnShape
from pasch.core.templates import Rule, bind

if TYPE_CHECKING:
    from pasch.core.game import Game
    from pasch.core.state import State

# --- a seat chooses ------------------------------------------------------------------------------------


class Choice:
    """A seat makes a move.

    `events`: the class of the moves, or several. `values`: what each move holds; a value's place is the move's *code*.
    Where they depend on options or box, a function that answers them for a game. A value is the one field of the event
    beside its seat, or the tuple of its fields, or a whole event of seat 0. Two phases with the same events and values
    share their action numbers.

    `then(g, s, code)` makes a move. `moves(g, s, out)` writes the codes of the legal ones, in the order in which they
    are offered, and returns their number; it only reads `s`. Without it every move is legal. A move is legal
    exactly if `moves` writes it; `why_not(state, event, code)` answers the sentence (`IllegalMove`) for another one,
    with None as `code` if the event is none of the values. `most`: the maximum number of legal moves, a number or
    a function of the config; where there are many values it saves time.
    """

    def __init__(
        self,
        events: type[Event] | tuple[type[Event], ...],
        values: Iterable[Any] | Callable[[Any], Iterable[Any]],
        then: Rule,
        moves: Rule | None = None,
        why_not: Callable[[Any, Any, Any], IllegalMove] | None = None,
        most: int | Callable[[Any], int] | None = None,
    ) -> None:
        self.events: tuple[type[Event], ...] = events if isinstance(events, tuple) else (events,)
        self.values = values if callable(values) else tuple(values)
        self.then, self.why_not, self.most = then, why_not, most
        #: whether every move is always legal
        self.free = moves is None
        if self.free and callable(self.values):
            raise TypeError("a choice whose values depend on the game needs `moves`")
        self.moves: Rule = moves or bind(templates.every_code, COUNT=len(self.values))  # type: ignore[arg-type]

    def __repr__(self) -> str:
        return f"Choice({', '.join(event.__name__ for event in self.events)})"

    def event(self, value: Any, seat: int) -> Event:
        """The move with this value as a seat makes it."""
        if isinstance(value, Event):
            return replace(value, seat=seat)
        kind = self.events[0]
        return kind(seat, *value) if len(kind.__struct_fields__) > 2 else kind(seat, value)


class Moves:
    """The moves of a choice in one configured game."""

    def __init__(self, node: Choice, game: Game[Any, Any]) -> None:
        self.node, self._game = node, game
        #: by seat: the move of each code, and the code of each move, as the seat makes it
        self.of_seat: Mapping[int, tuple[tuple[Event, ...], dict[Event, int]]] = LazyTable(
            game.players, lambda seat: _moves_of_seat(node, self.values, seat)
        )

    @cached_property
    def values(self) -> tuple[Any, ...]:
        """What each move holds, by its code."""
        values = self.node.values
        return tuple(values(self._game)) if callable(values) else values

    @cached_property
    def most(self) -> int:
        """The maximum number of legal moves at a time."""
        most = self.node.most
        return len(self.values) if most is None else size_in(self._game.config, most)


@lru_cache(maxsize=128)
def _moves_of_seat(
    node: Choice, values: tuple[Any, ...], seat: int
) -> tuple[tuple[Event, ...], dict[Event, int]]:
    """Games with the same values share their moves."""
    made = tuple(node.event(value, seat) for value in values)
    codes = {event: code for code, event in enumerate(made)}
    if len(codes) != len(made):
        raise TypeError(f"{node} has two codes for the same move")
    return made, codes


# --- chance ----------------------------------------------------------------------------------------------


class ChanceNode:
    """Base of what chance brings: one class of events.

    A custom kind implements `chance` and `apply` for states, and `rules` for compiled code.
    """

    event: type[Event]
    #: by which the browser checks this event; None if only `pasch verify` can
    shape: Shape | None = None

    def chance(self, state: Any) -> Chance:
        """What may come in this state, with exact probabilities."""
        raise NotImplementedError

    def apply(self, g: Any, s: Any, state: Any, event: Any) -> None:
        """Let `s` be what follows from an event of this class and seat; raise IllegalOutcome if it cannot come."""
        raise NotImplementedError

    def rules(self, position: type[State]) -> tuple[Rule, Rule]:
        """For compiled code: `cases(g, s)`, the number of cases, and `land(g, s, case)`."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.event.__name__})"


def number_rule(number: int | str | Rule) -> Rule:
    """A rule function `(g, s)` that returns a fixed number or the value of a field."""
    if isinstance(number, int):
        return bind(templates.fixed_number, COUNT=number)  # type: ignore[no-any-return]
    return bind(templates.field_number, {"field_number": number}) if isinstance(number, str) else number


class Dice(ChanceNode):
    """Equal dice are rolled.

    `dice`: their count, a number, the name of a field or a rule function `(g, s)`; `s` may be a position, so it reads
    numbers only, no words and no rolls. `then(g, s, roll)` follows; `roll` is the number of the roll in `ROLLS`, which
    a field declared as `Rolled` holds. `shape` is the number of dice that the browser may see; by default 1 to 6, or
    `dice`.

    The event's second field holds the faces, ascending or descending; of a single die it may be the face (`int`).
    """

    def __init__(
        self, event: type[Event], dice: int | str | Rule, then: Rule, shape: DiceShape | None = None
    ) -> None:
        self.event, self.then = event, then
        self._name = event.__struct_fields__[1]
        #: a rule function `(g, s)`: the number of dice
        self.rolled = number_rule(dice)
        self._alone = get_type_hints(event)[self._name] is int
        if isinstance(dice, int) and not 1 <= dice <= MAX_DICE:
            raise TypeError(f"{self} rolls {dice} dice; 1 to {MAX_DICE} are possible")
        if self._alone and dice != 1:
            raise TypeError(f"{self} holds one face; a roll of several dice is a tuple")
        if not self._alone:
            self.shape = shape or (DiceShape(dice) if isinstance(dice, int) else DiceShape(1, MAX_DICE))

    def chance(self, state: Any) -> Chance:
        return _equal_chance(self.event, state.seat, self.rolled(state.game.config, state), self._alone)

    def apply(self, g: Any, s: Any, state: Any, event: Any) -> None:
        dice, found = self.rolled(g, s), getattr(event, self._name)
        faces = (found,) if self._alone else found
        if len(faces) != dice:
            said = "there are {dice} dice in play, not {got}"
            raise IllegalOutcome("roll", said, dice=dice, got=len(faces))
        number = ROLL_NUMBERS.get(tuple(sorted(faces)))
        if number is None:
            wrong = next(face for face in faces if not 1 <= face <= 6)
            raise IllegalOutcome("roll", "a die shows 1 to 6, not {face}", face=wrong)
        self.then(g, s, number)

    def rules(self, position: type[State]) -> tuple[Rule, Rule]:
        land = bind(templates.dice_land, dice_rolled=self.rolled, then=self.then)
        return bind(templates.dice_cases, dice_rolled=self.rolled), land


@cache
def _equal_chance(event: Any, seat: int, dice: int, alone: bool) -> EqualDice:
    return EqualDice(dice, lambda faces: event(seat, faces[0] if alone else faces))


class NamedDice(ChanceNode):
    """Dice with names are rolled: those that are 0 in the row `aside`; their faces stand in the row `field`.

    Then `then(g, s)` follows. `keeps`: the key of the events by which a seat sets dice aside, for the browser.
    """

    event: type[NamedRoll]

    def __init__(
        self, event: type[NamedRoll], field: str, aside: str, then: Rule, keeps: str | None = None
    ) -> None:
        self.event, self._field, self._aside, self.then = event, field, aside, then
        self._names = event.names
        #: the fields that hold faces by die
        self.rows = field, aside
        self.shape = DiceShape(1, len(event.names), event.names, keeps)

    def chance(self, state: Any) -> Chance:
        aside = getattr(state, self._aside)
        rolled = tuple([die for die in range(len(self._names)) if not aside[die]])
        return _named_chance(self.event, state.seat, len(self._names), rolled)

    def apply(self, g: Any, s: Any, state: Any, event: Any) -> None:
        for name, face, kept in zip(self._names, event.roll, getattr(s, self._aside), strict=True):
            if face and kept:
                said = "the {colour} die has been set aside and is not rolled"
            elif not face and not kept:
                said = "the {colour} die has to be rolled too"
            elif not 0 <= face <= 6:
                said = "{colour} shows {face}, a die shows 1 to 6"
            else:
                continue
            raise IllegalOutcome("roll", said, colour=name, face=face)
        getattr(s, self._field)[:] = event.roll
        self.then(g, s)

    def rules(self, position: type[State]) -> tuple[Rule, Rule]:
        fields = {"field_rolled": self._field, "field_aside": self._aside}
        return bind(templates.named_cases, fields), bind(templates.named_land, fields, then=self.then)


@cache
def _named_chance(event: Any, seat: int, dice: int, rolled: tuple[int, ...]) -> ColouredDice:
    def make(faces: tuple[int, ...]) -> Event:
        roll = [0] * dice
        for die, face in zip(rolled, faces, strict=True):
            roll[die] = face
        made: Event = event(seat, tuple(roll))
        return made

    return ColouredDice(len(rolled), make)


class _OneThing(ChanceNode):
    """One of the things in the config's table `of`; its number is the event's first field.

    Then `then(g, s, thing)` follows.
    """

    def __init__(self, event: type[Event], of: str, then: Rule) -> None:
        self.event, self._of, self.then = event, of, then
        self._name = event.__struct_fields__[0]

    def _things(self, state: Any) -> Sequence[int]:
        """The things that may come, all equally likely."""
        raise NotImplementedError

    def chance(self, state: Any) -> Chance:
        make: Callable[[int], Event] = self.event
        return OneOf(map(make, self._things(state)))

    def apply(self, g: Any, s: Any, state: Any, event: Any) -> None:
        thing, things = getattr(event, self._name), self._things(state)
        if thing not in things:
            said = "{got} cannot come now, only {things}"
            raise IllegalOutcome(self._name, said, got=thing, things=things)
        self.then(g, s, thing)


class Pile(_OneThing):
    """One of the things in the config's table `of` is drawn, each at most once.

    `drawn` is the field, an `UpTo`, with the things drawn before; `then(g, s, thing)` adds it. The browser looks the
    things up in the list of the box that has the name of the field.
    """

    def __init__(self, event: type[Event], of: str, drawn: str, then: Rule) -> None:
        super().__init__(event, of, then)
        self._drawn, self.shape = drawn, PileShape(drawn)

    def _things(self, state: Any) -> Sequence[int]:
        gone = getattr(state, self._drawn)
        return [thing for thing in range(len(getattr(state.game.config, self._of))) if thing not in gone]

    def rules(self, position: type[State]) -> tuple[Rule, Rule]:
        counts = {field.name: getattr(field.mark, "count", "") for field in position.fields}
        fields = {"field_of": self._of, "field_drawn": self._drawn, "field_count": counts[self._drawn]}
        return bind(templates.pile_cases, fields), bind(templates.pile_land, fields, then=self.then)


class InTurn(_OneThing):
    """No chance at all: the things in the config's table `of` come one after the other, and from the first again.

    `count` is the field with the number of earlier ones, `option` the option that lists the things, for the browser.
    """

    def __init__(self, event: type[Event], of: str, count: str, then: Rule, option: str) -> None:
        super().__init__(event, of, then)
        self._count, self.shape = count, TurnShape(option)

    def _things(self, state: Any) -> Sequence[int]:
        things = getattr(state.game.config, self._of)
        return [things[getattr(state, self._count) % len(things)]]

    def rules(self, position: type[State]) -> tuple[Rule, Rule]:
        fields = {"field_of": self._of, "field_count": self._count}
        return bind(templates.fixed_number, COUNT=1), bind(templates.turn_land, fields, then=self.then)


class Cards(ChanceNode):
    """Cards come from a pack into hands; compiled code brings them one by one.

    The row `pack` holds the number of cards left of each kind, counted from 1; the number `given` in `s` counts the
    cards of this deal. `wanted`: the cards to deal, a number or a rule function `(g, s)`. `receiver`: the seat
    that gets the next one, the name of a field or a rule function.
    `give(g, s, seat, card)` gives it and takes it from the pack. When all have come, `then(g, s)` follows.

    For states `chance(state)` answers a `pasch.core.chance.Cards`, and `cards(state, event)` the pairs of seat and card
    in an event, in order; it raises IllegalOutcome if they cannot come.
    """

    def __init__(
        self,
        event: type[Event],
        *,
        pack: str,
        given: str,
        wanted: int | Rule,
        receiver: str | Rule,
        give: Rule,
        then: Rule,
        chance: Callable[[Any], Chance],
        cards: Callable[[Any, Any], Iterable[tuple[int, int]]],
        shape: PackShape | None = None,
    ) -> None:
        self.event, self.then, self.shape = event, then, shape
        self._fields = {"field_pack": pack, "field_given": given}
        self._rules = {"wanted": number_rule(wanted), "receiver": number_rule(receiver), "give": give}
        self._chance, self._cards = chance, cards

    def chance(self, state: Any) -> Chance:
        return self._chance(state)

    def apply(self, g: Any, s: Any, state: Any, event: Any) -> None:
        give = self._rules["give"]
        for seat, card in self._cards(state, event):
            give(g, s, seat, card)
        self.then(g, s)

    def rules(self, position: type[State]) -> tuple[Rule, Rule]:
        land = bind(templates.cards_land, self._fields, then=self.then, **self._rules)
        return bind(templates.cards_cases, self._fields), land


#: what a phase is declared as: chance, a choice, or both where the options decide which
Node = ChanceNode | Choice | tuple[ChanceNode, Choice]


Kind = TypeVar("Kind", ChanceNode, Choice)


def nodes_of(phases: Mapping[str, Node], kind: type[Kind]) -> dict[str, Kind]:
    """The nodes of a kind by phase."""
    return {
        phase: node
        for phase, described in phases.items()
        for node in (described if isinstance(described, tuple) else (described,))
        if isinstance(node, kind)
    }
