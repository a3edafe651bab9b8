"""A position declared once: its fields, and what follows from them.

A game's `rules.py` declares what there is to know of a position:

    class Position(State, frozen=True):
        phase: Literal["strip", "roll", "keep", "next", "over"]
        seat: int
        totals: BySeat
        strips: Annotated[tuple[int, ...], UpTo("rounds", count="round", kinds="targets")]
        kept: Annotated[tuple[int, ...], Row(6, high=6)]

`phase` and `seat` come first: what comes next (`Game.phases`; the last word means that the game is over), and the seat
whose turn it is. Each other field is one of

| declared as | in the position | in `s`, which the rule functions read and write |
|---|---|---|
| `int`, `Annotated[int, Number(…)]`, `Annotated[int, Bits(…)]`, `bool` | a number | the same |
| `Literal["a", "b"]` | a word | its number, from 0 |
| `BySeat`, `Annotated[tuple[int, ...], Row(…)]` | a tuple of fixed length | a row of the same length |
| `Annotated[tuple[int, ...], UpTo(…)]` | a tuple that grows | a row of maximum length, and the number of entries |
| `Annotated[tuple[tuple[int, ...], ...], Table(…)]` | rows of fixed length | the same |
| `Rolled` | the faces of dice, ascending; none: `()` | the number of the roll (`pasch.core.rolls.ROLLS`) |

Sizes are numbers, or the name of a number or of a table in the game's config; `"players"` means one for each seat, and
only such fields are by seat. Bounds may be functions of the config, too: `Row("players", high=max_points)`. The class
of `s` has the fields of the position, after them `actor`, and before an event zeros in `s.scored` where the game
declares parts of its score. The same fields make up the record of compiled code and the observations of `pasch.lab`.

A game whose position has another shape (hidden hands) declares the class `Numbers` itself, a dataclass with the same
marks, and writes `unpack` and `pack`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, make_dataclass
from dataclasses import field as dataclass_field
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Literal,
    NamedTuple,
    TypeAlias,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec

from pasch.core.errors import PositionError
from pasch.core.rolls import ROLL_NUMBERS, ROLLS
from pasch.core.state import OVER, State

#: bound of a number that declares none: the whole numbers that a 32-bit float holds exactly
UNBOUNDED: Final = 2**24

#: a number, or the name of a number or a table in the config (then its length); bounds may be a function of the config
Size = int | str
Bound = int | str | Callable[[Any], int]


@dataclass(frozen=True)
class Number:
    """A whole number within bounds."""

    kind: ClassVar = "number"
    low: Bound = 0
    high: Bound = UNBOUNDED


@dataclass(frozen=True)
class Bits:
    """A set of things as a bit mask."""

    kind: ClassVar = "set"
    size: Size


@dataclass(frozen=True)
class Row:
    """A fixed number of whole numbers; `"players"` of them are by seat.

    `bits`: each is a set of this many things, which pictures draw from the bottom to the top if `upwards`. `blank`:
    where all are 0 the position has an empty tuple.
    """

    kind: ClassVar = "row"
    size: Size
    low: Bound = 0
    high: Bound = UNBOUNDED
    bits: Size = 0
    blank: bool = False
    upwards: bool = False


@dataclass(frozen=True)
class UpTo:
    """At most this many whole numbers; `s` has their number under the name `count`. Rules leave zeros after the last.

    `kinds`: they are different things, counted from 0, of which there are this many.
    """

    kind: ClassVar = "list"
    size: Size
    count: str
    low: Bound = 0
    high: Bound = UNBOUNDED
    kinds: Size = 0


@dataclass(frozen=True)
class Table:
    """A fixed number of rows of fixed length; `"players"` rows are by seat."""

    kind: ClassVar = "table"
    rows: Size
    columns: Size
    low: Bound = 0
    high: Bound = UNBOUNDED


@dataclass(frozen=True)
class RollNumber:
    """Equal dice on the table, ascending or `descending`."""

    kind: ClassVar = "dice"
    descending: bool = False


#: one number for each seat
BySeat: TypeAlias = Annotated[tuple[int, ...], Row("players")]
#: the faces of equal dice, ascending; in `s` the number of the roll, 0 if no dice lie there. With the mark
#: `RollNumber(descending=True)` the position has the highest face first
Rolled: TypeAlias = Annotated[tuple[int, ...], RollNumber()]

Mark = Number | Bits | Row | UpTo | Table | RollNumber


class Field(NamedTuple):
    """A field of a declared position."""

    name: str
    mark: Mark
    #: of a field of words
    words: tuple[str, ...] = ()
    #: whether its numbers are truth values
    truth: bool = False

    @property
    def by_seat(self) -> bool:
        """Whether it has an entry for each seat."""
        size = self.mark.size if isinstance(self.mark, Row) else getattr(self.mark, "rows", None)
        return size == "players"

    def first(self, game: Any) -> Any:
        """The value of this field before the first event: 0, a row of zeros or the first word."""
        if self.words:
            return self.words[0]
        if isinstance(self.mark, RollNumber | UpTo) or (isinstance(self.mark, Row) and self.mark.blank):
            return ()
        zeros: Any = False if self.truth else 0
        for size in reversed(self.shape(game)):
            zeros = (zeros,) * size
        return zeros

    def shape(self, game: Any, players: int | None = None) -> tuple[int, ...]:
        """The shape of this field in `s`; with `players`, for this number of seats."""
        sizes: tuple[Size, ...] = ()
        if isinstance(self.mark, Row | UpTo):
            sizes = (self.mark.size,)
        elif isinstance(self.mark, Table):
            sizes = (self.mark.rows, self.mark.columns)
        return tuple([players if players and s == "players" else size_in(game.config, s) for s in sizes])


def shapes(game: Any, players: int) -> dict[str, tuple[int, ...]]:
    """The shapes of rows and tables in `s` for this number of seats."""
    found = {field.name: field.shape(game, players) for field in game.Position.fields}
    return found | {"scored": (len(game.parts),)}


def size_in(config: Any, size: Bound) -> int:
    """A declared size or bound as a number."""
    if isinstance(size, int):
        return size
    if not isinstance(size, str):
        return size(config)
    found = getattr(config, size)
    return found if isinstance(found, int) else len(found)


def set_size(field: Field, game: Any) -> int:
    """The size of the set that a field, or each of its numbers, is a subset of; 0 if it is no set."""
    mark = field.mark
    return size_in(game.config, mark.size if isinstance(mark, Bits) else getattr(mark, "bits", 0))


def check_position(state: State) -> None:
    """Raise PositionError unless the numbers of a position are within their bounds and its rows have their length."""
    game = state.game
    if state.actor not in range(OVER, game.players):
        said = "actor: expected {low} to {high}, got {got}"
        raise PositionError(said, low=OVER, high=game.players - 1, got=state.actor)
    for field in state.fields if state.derived else ():
        name, value, mark = field.name, getattr(state, field.name), field.mark
        if isinstance(mark, Row | Table | UpTo):
            size, blank = field.shape(game)[0], isinstance(mark, Row) and mark.blank and value == ()
            if len(value) > size or (len(value) < size and not blank and not isinstance(mark, UpTo)):
                said = "{field}: expected {size} numbers, got {got}"
                raise PositionError(said, field=name, size=size, got=len(value))
        if isinstance(mark, RollNumber):
            ordered = tuple(sorted(value, reverse=mark.descending))
            if value != ordered or tuple(sorted(value)) not in ROLL_NUMBERS:
                raise PositionError("{field}: {got} is no roll", field=name, got=str(list(value)))
        elif not field.words:
            low, high = (0, game.players - 1) if name == "seat" else _range(field, game)
            _check_numbers(name, value, low, high)


def _range(field: Field, game: Any) -> tuple[int, int]:
    """The lowest and the highest number that a field can hold."""
    mark: Any = field.mark
    if size := set_size(field, game):
        return 0, (1 << size) - 1
    if kinds := getattr(mark, "kinds", 0):
        return 0, size_in(game.config, kinds) - 1
    return size_in(game.config, mark.low), size_in(game.config, mark.high)


def _check_numbers(name: str, value: Any, low: int, high: int) -> None:
    """Raise PositionError unless a field's number, or each of its rows, is within bounds."""
    if isinstance(value, tuple):
        for item in value:
            _check_numbers(name, item, low, high)
    elif not low <= value <= high:
        said = "{field}: expected {low} to {high}, got {got}"
        raise PositionError(said, field=name, low=low, high=high, got=value)


class FieldKind(msgspec.Struct, frozen=True):
    """What a game's rules declare of a field of the position, for drawing it.

    "set": each number is a bit mask of `size` things; "row", "table": of fixed length; "list": things that come and go.
    `high` is the highest number that can occur, 0 if none is declared.
    """

    name: str
    kind: Literal["number", "word", "set", "row", "list", "table", "dice"]
    by_seat: bool
    size: int
    high: int


def field_kinds(game: Any) -> tuple[FieldKind, ...]:
    """What is declared of each field of a game's position."""
    found = []
    for field in position_fields(game.Position):
        size, high = set_size(field, game), getattr(field.mark, "high", UNBOUNDED)
        kind: Any = "word" if field.words else "set" if size else field.mark.kind
        most = 0 if size or field.words or high == UNBOUNDED else size_in(game.config, high)
        found.append(FieldKind(field.name, kind, field.by_seat, size, most))
    return tuple(found)


def position_fields(kind: type[State]) -> tuple[Field, ...]:
    """The fields that a position and `s` have in common: what there is to know."""
    return tuple(field for field in kind.fields if field.name in kind.__struct_fields__)


# --- what follows from a declaration -----------------------------------------------------------------


def declare(kind: type[State], parts: int) -> None:
    """Give a game's position its `fields`, the class of `s` and the conversions; generated, as dataclasses are."""
    if "fields" in vars(kind):
        return
    hints = get_type_hints(kind, include_extras=True)
    owner, names = kind.__qualname__, kind.__struct_fields__[2:]
    if names[:2] != ("phase", "seat"):
        raise TypeError(f"{owner} declares {', '.join(names[:2])} first instead of phase and seat")
    if taken := sorted({*names} & {*dir(State)}):
        raise TypeError(f"{owner} declares {', '.join(taken)}, which every position has already")
    if "Numbers" in vars(kind):
        # words are declared in the position
        words = {name: hint for name, hint in hints.items() if get_origin(hint) is Literal}
        hints = get_type_hints(kind.Numbers, include_extras=True) | words
        names = tuple(name for name in hints if name != "actor")
    kind.fields = tuple(_field(name, hints[name], kind) for name in names)
    if "Numbers" in vars(kind):
        return
    # the fields of `s`, what `unpack` sets them to and `pack` calls the class with, and the names that they use
    made: list[Any] = [("actor", int)]
    to, back = ["self.actor"], ["self.game", "s.actor"]
    used: dict[str, Any] = {"NUMBERS": ROLL_NUMBERS, "Position": kind}
    for field in kind.fields:
        name, mark = field.name, field.mark
        truth = "map(bool, {})" if field.truth else "{}"
        if field.words:
            used[f"words_{name}"] = field.words
            used[f"of_{name}"] = {word: number for number, word in enumerate(field.words)}
            to.append(f"of_{name}[self.{name}]")
            back.append(f"words_{name}[s.{name}]")
        elif isinstance(mark, UpTo):
            made.append((mark.count, int))
            to += [f"len(self.{name})", f"[*self.{name}, *self.game.zeros['{name}'][len(self.{name}):]]"]
            back.append(f"tuple({truth.format(f's.{name}[:s.{mark.count}]')})")
        elif isinstance(mark, Row):
            row = f"tuple({truth.format(f's.{name}')})"
            to.append(f"[*(self.{name} or self.game.zeros['{name}'])]" if mark.blank else f"[*self.{name}]")
            back.append(f"{row} if any(s.{name}) else ()" if mark.blank else row)
        elif isinstance(mark, Table):
            to.append(f"[[*row] for row in self.{name}]")
            back.append(f"tuple(map(tuple, s.{name}))")
        elif isinstance(mark, RollNumber):
            to.append(f"NUMBERS[self.{name}{'[::-1]' if mark.descending else ''}]")
            back.append(f"rolls_{name}[s.{name}]")
            used[f"rolls_{name}"] = tuple(roll[::-1] for roll in ROLLS) if mark.descending else ROLLS
        else:
            to.append(f"self.{name}")
            back.append(f"bool(s.{name})" if field.truth else f"s.{name}")
        made.append((name, int))
    if parts:
        made.append(("scored", list, dataclass_field(compare=False)))
        to.append(f"[0] * {parts}")
    kind.Numbers = used["Numbers"] = make_dataclass("Numbers", made, slots=True)
    # without the call of `__init__`
    lines = [f"s.{name} = {value}" for (name, *_), value in zip(made, to, strict=True)]
    exec("\n    ".join(["def unpack(self):", "s = object.__new__(Numbers)", *lines, "return s"]), used)
    exec(f"def pack(self, s): return Position({', '.join(back)})", used)
    kind.unpack, kind.pack = used["unpack"], used["pack"]  # type: ignore[method-assign]
    kind.derived = True


def _field(name: str, hint: Any, kind: type) -> Field:
    mark = get_args(hint)[1] if get_origin(hint) is Annotated else None
    held = get_args(hint)[0] if mark is not None else hint
    if get_origin(held) is Literal:
        return Field(name, Number(0, len(get_args(held)) - 1), get_args(held))
    if held in (int, bool) and (mark is None or isinstance(mark, Number | Bits)):
        usual = Number(0, 1) if held is bool else Number(-UNBOUNDED)
        return Field(name, mark or usual, truth=held is bool)
    if isinstance(mark, Row | UpTo | Table | RollNumber):
        return Field(name, mark, truth=get_args(held)[:1] == (bool,))
    raise TypeError(
        f"{kind.__qualname__}.{name} is declared as {hint}; a field is a number, words (Literal), or a tuple"
        " annotated with Row, UpTo or Table (see pasch.core.position)"
    )
