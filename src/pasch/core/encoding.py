"""Games as numbers, for the research interfaces: what a game's `encoding.py` answers, and what it is written with.

A module answers `moves(game)` (every move that can ever occur, as seat 0 would make it), `action(g, s, code)` (the
number of a move in that list), `layout(game)` and `write(g, s, seat, out)` (what a seat sees, as numbers),
`score_range(game)` and `most_moves(game)`. `g`, `s` and codes are those of `pasch.core.rules`; `action` and `write` are
run as they stand and compiled.

Whatever is told of each seat begins with the seat that looks and goes on clockwise, so that all seats see a
position alike.

Without a module of its own a game has the encoding that `Derived` makes: every field of the state in its
order, and the moves as their types or some random games tell them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from random import Random
from types import NoneType, UnionType
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeVar, Union, cast, get_args, get_origin
from typing import get_type_hints as hints_of

import msgspec

from pasch.core.errors import EventError, PaschError
from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.registry import find_part
from pasch.core.state import CHANCE, OVER, State


class ObservationPart(NamedTuple):
    """Some neighbouring numbers of an observation, all of one kind."""

    name: str
    size: int
    low: int
    high: int
    meaning: str


class Encoder(Protocol):
    """What a game's `encoding.py` answers."""

    def moves(self, game: Any) -> Iterator[Event]:
        """Every move that can ever occur in the game, with seat 0, each once."""

    def layout(self, game: Any) -> tuple[ObservationPart, ...]:
        """The parts of an observation, in order."""

    def action(self, g: Any, s: Any, code: int) -> int:
        """The number of a move, given as a code, in the order of `moves`."""

    def write(self, g: Any, s: Any, seat: int, out: Any) -> None:
        """Write the numbers of an observation; `s` is what `seat` may know."""

    def score_range(self, game: Any) -> tuple[int, int]:
        """Numbers between which every score lies, at any time."""

    def most_moves(self, game: Any) -> int | None:
        """The most moves that a game can have; None if there is no limit."""


@cache
def encoder(game: str) -> Encoder:
    """The encoder of a game, its own or one derived from its states; only its own module is imported."""
    return cast(Encoder, find_part(game, "encoding") or Derived())


def write_view(view: State, seat: int, out: Any) -> None:
    """Write the observation of `seat`; `view` is what it may know."""
    found = encoder(view.game.id)
    if isinstance(found, Derived):
        out[:] = found.encode(view, seat)
    else:
        found.write(view.game.agreed, view.numbers(), seat, out)


def one_hot(out: Any, at: int, chosen: int, size: int) -> int:
    """Write `size` numbers from `at` on: a one at the chosen place, zeros elsewhere. Where the next ones begin."""
    for place in range(size):
        out[at + place] = 1 if place == chosen else 0
    return at + size


def by_seat(out: Any, at: int, numbers: Any, seat: int, players: int) -> int:
    """Write a number for each seat, beginning with `seat`; where the next ones begin."""
    for step in range(players):
        out[at + step] = numbers[(seat + step) % players]
    return at + players


def turn(out: Any, at: int, actor: int, now: int, seat: int, players: int) -> int:
    """Write a one for the seat whose turn it is, dice or cards included; none when the game is over."""
    return one_hot(out, at, -1 if actor == OVER else (now - seat) % players, players)


def bits(out: Any, at: int, mask: int, size: int) -> int:
    """Write a bit mask as ones and zeros, the lowest bit first; where the next ones begin."""
    for bit in range(size):
        out[at + bit] = mask >> bit & 1
    return at + size


def counts(out: Any, at: int, faces: Any, dice: int) -> int:
    """Write how many of the first `dice` faces are 1, 2 ... 6 (0 is no face); where the next ones begin."""
    for face in range(6):
        out[at + face] = 0
    for die in range(dice):
        if faces[die] > 0:
            out[at + faces[die] - 1] += 1
    return at + 6


def phase_part(phases: Sequence[str]) -> ObservationPart:
    """One number for each phase."""
    return ObservationPart("phase", len(phases), 0, 1, f"what comes next, one of: {', '.join(phases)}")


def turn_part(game: Game[Any, Any]) -> ObservationPart:
    """One number for each seat."""
    return ObservationPart("turn", game.players, 0, 1, "by seat: whose turn it is")


DICE_PART: Final = "how many dice on the table show 1, 2 … 6"


class Recall(Protocol):
    """What the module of a game with secrets may offer as well: a seat's whole history as a tensor."""

    def recall_shapes(self, game: Any) -> dict[str, tuple[int, ...]]:
        """The parts of the tensor, in order, with their shapes."""

    def recall(self, events: Iterable[Event], seat: int) -> Iterator[tuple[str, tuple[int, ...], int]]:
        """The numbers that are not zero: (part, index, number); `events` are those that `seat` saw."""


def recaller(game: str) -> Recall | None:
    """The encoder of a game that offers a tensor with perfect recall; None for other games."""
    return cast(Recall | None, find_part(game, "recall"))


# --- the encoding of a game that has none of its own ----------------------------------------------

#: what is not known to be smaller: the whole numbers that a 32-bit float holds exactly
FAR: Final = 2**24
#: so many positions of random games are looked at
POSITIONS: Final = 20_000


class NoEncoding(PaschError):
    """A game has no encoding of its own, and none can be derived from its fields."""


class Derived:
    """Numbers for any game whose state consists of numbers, switches, named choices and tuples of these."""

    def moves(self, game: Game[Any, Any]) -> Iterator[Event]:
        yield from _explored(game).moves

    def layout(self, game: Game[Any, Any]) -> tuple[ObservationPart, ...]:
        return (
            ObservationPart(
                "actor", game.players + 2, 0, 1, "by seat: it chooses; chance comes; the game is over"
            ),
            *(
                ObservationPart(
                    name, shape.size, -FAR if shape.wide else 0, FAR if shape.wide else 1, shape.meaning
                )
                for name, shape in _explored(game).shapes.items()
                if shape.size
            ),
        )

    def encode(self, view: State, seat: int) -> list[int]:
        players = view.game.players
        numbers = [
            *_turned(_one_hot(view.actor, range(players)), seat),
            int(view.actor == CHANCE),
            int(view.actor == OVER),
        ]
        for name, shape in _explored(view.game).shapes.items():
            value = getattr(view, name)
            if name == "seat":
                numbers += _turned(_one_hot(value, range(players)), seat)
                continue
            if isinstance(value, tuple) and len(value) == players:
                value = _turned(value, seat)
            encoded = shape.encode(value)
            if len(encoded) != shape.size:
                raise NoEncoding(
                    "{title}: the field {name} has more entries than were seen in random games;"
                    " the game needs an encoding.py of its own",
                    title=view.game.title,
                    name=name,
                )
            numbers += encoded
        return numbers

    def score_range(self, game: Game[Any, Any]) -> tuple[int, int]:
        return -FAR, FAR

    def most_moves(self, game: Game[Any, Any]) -> int | None:
        return None


T = TypeVar("T")


def _turned(things: Sequence[T], seat: int) -> Sequence[T]:
    """What is told by seat, beginning with `seat`."""
    return (*things[seat:], *things[:seat])


def _one_hot(chosen: object, choices: Iterable[object]) -> list[int]:
    """A one where the chosen thing stands."""
    return [int(choice == chosen) for choice in choices]


class _Shape(NamedTuple):
    """How a field, or an entry of a tuple, becomes numbers."""

    kind: Literal["number", "choice", "tuple", "struct", "seat"]
    #: how many numbers
    size: int
    #: whether some of them are whole numbers without known bounds
    wide: bool
    meaning: str
    choices: tuple[object, ...] = ()
    #: whether it may be unknown: then a one says first that it is known
    optional: bool = False
    #: of the entries of a tuple, or the fields of a struct
    inner: tuple[_Shape, ...] = ()
    #: of a tuple whose length changes: its length is told too
    counted: bool = False

    def encode(self, value: Any) -> list[int]:
        if self.optional:
            known = self._replace(optional=False, size=self.size - 1)
            return [0] * self.size if value is None else [1, *known.encode(value)]
        if self.kind == "number":
            return [int(value)]
        if self.kind == "choice":
            return _one_hot(value, self.choices)
        if self.kind == "struct":
            value = msgspec.structs.astuple(value)
        numbers = [len(value)] if self.counted else []
        for place, item in enumerate(value):
            numbers += self.inner[place if self.kind == "struct" else 0].encode(item)
        return numbers + [0] * (self.size - len(numbers))


def _shape(hint: Any, seen: Sequence[Any], name: str, title: str) -> _Shape:
    """The shape of a field of this type, of which these values were seen."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType) and NoneType in arguments and len(arguments) == 2:
        known = next(argument for argument in arguments if argument is not NoneType)
        shape = _shape(known, [value for value in seen if value is not None], name, title)
        meaning = f"whether it is known; {shape.meaning}"
        return shape._replace(optional=True, size=shape.size + 1, meaning=meaning)
    if hint is bool:
        return _Shape("number", 1, False, "0 or 1")
    if hint is int:
        return _Shape("number", 1, True, "a number")
    if origin is Literal:
        return _Shape(
            "choice", len(arguments), False, f"one of: {', '.join(map(str, arguments))}", arguments
        )
    if origin is tuple and (Ellipsis in arguments or len(set(arguments)) == 1):
        items = [item for value in seen for item in value]
        lengths = {len(value) for value in seen} or {0}
        inner = _shape(arguments[0], items, name, title)
        counted = len(lengths) > 1
        size = max(lengths) * inner.size + counted
        meaning = f"{'how many; then ' if counted else ''}of each: {inner.meaning}"
        return _Shape("tuple", size, inner.wide or counted, meaning, inner=(inner,), counted=counted)
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        inside = tuple(
            _shape(kind, [getattr(value, field) for value in seen], f"{name}.{field}", title)
            for field, kind in hints_of(hint).items()
        )
        meaning = ", ".join(hints_of(hint))
        size, wide = sum(shape.size for shape in inside), any(shape.wide for shape in inside)
        return _Shape("struct", size, wide, meaning, inner=inside)
    raise NoEncoding(
        "{title}: nobody can tell how many numbers the field {name} needs ({kind});"
        " the game needs an encoding.py of its own",
        title=title,
        name=name,
        kind=getattr(hint, "__name__", str(hint)),
    )


class _Explored(NamedTuple):
    """What is known of a game as agreed."""

    moves: tuple[Event, ...]
    #: of the state's fields, by name
    shapes: dict[str, _Shape]


@cache
def _explored(game: Game[Any, Any]) -> _Explored:
    states, first, moves = _look_round(game)
    if type(states[0]).view is not State.view:
        states += [state.view(0) for state in states]
    hints = hints_of(type(states[0]))
    del hints["game"], hints["actor"]
    shapes = {
        name: _shape(hint, [getattr(state, name) for state in states], name, game.title)
        for name, hint in hints.items()
        if name != "seat"
    }
    if "seat" in hints:
        shapes["seat"] = _Shape("seat", game.players, False, "by seat: whose turn it is")
    return _Explored(tuple(_every_move(game, first, moves)), shapes)


def _look_round(game: Game[Any, Any]) -> tuple[list[State], dict[Event, None], dict[Event, None]]:
    """The positions of random games, the moves of their first half and those of all, by seat 0."""
    random, states, moves = Random(0), [game.start()], dict[Event, None]()
    first: dict[Event, None] = {}
    while len(states) < POSITIONS:
        state = states[-1]
        if state.over:
            states.append(game.start())
        elif state.actor == CHANCE:
            states.append(state.apply(state.chance().sample(random)))
        else:
            legal = state.moves()
            moves.update((msgspec.structs.replace(move, seat=0), None) for move in legal)
            states.append(state.apply(random.choice(legal)))
        if len(states) == POSITIONS // 2:
            first = moves.copy()
    return states, first, moves


def _every_move(
    game: Game[Any, Any], first: dict[Event, None], moves: dict[Event, None]
) -> Iterator[Event]:
    for kind in game.events:
        own = [move for move in moves if type(move) is kind]
        hints = {name: hint for name, hint in hints_of(kind, include_extras=True).items() if name != "seat"}
        choices = [_choices(hint) for hint in hints.values()]
        if own and None not in choices:
            yield from _made(kind, list(hints), cast(list[tuple[Any, ...]], choices))
        elif all(move in first for move in own):
            yield from sorted(own, key=lambda move: str(move.json()))
        else:
            raise NoEncoding(
                "{title}: the moves {keys} are too many to be found in random games;"
                " the game needs an encoding.py of its own",
                title=game.title,
                keys=" and ".join(hints),
            )


def _choices(hint: Any) -> tuple[Any, ...] | None:
    """All values of a type; None if there is no end of them."""
    if hint is bool:
        return (False, True)
    if hint is NoneType:
        return (None,)
    return get_args(hint) if get_origin(hint) is Literal else None


def _made(kind: type[Event], names: list[str], choices: list[tuple[Any, ...]]) -> Iterator[Event]:
    for values in product(*choices):
        try:
            yield kind.from_json({"seat": 0, **dict(zip(names, values, strict=True))})
        except EventError:
            continue  # the kind itself allows only some of them together
