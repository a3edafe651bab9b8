"""Events: the small frozen values of which a game's record consists.

A move is an event that a seat chooses, an outcome one that chance brings. Each class of events has
a set of JSON keys of its own, by which the reader recognises it.
"""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar, Self

import msgspec

from pasch.core import drawing
from pasch.core.errors import EventError


def plain(thing: Any) -> Any:
    """Structs and tuples as plain dictionaries and lists."""
    return msgspec.json.decode(msgspec.json.encode(thing))


class Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that happens in a game.

    Fields are named as the record's keys. Where the order of a field's items has no meaning, the
    class brings them into one order in `__post_init__`, so that equal events are equal.
    """

    @property
    def seat(self) -> int | None:
        """The seat to which this event belongs; None if it concerns the whole table."""
        return None

    @classmethod
    def keys(cls) -> frozenset[str]:
        """The JSON keys by which this class is recognised."""
        return frozenset(cls.__struct_fields__)

    def json(self) -> dict[str, Any]:
        """This event as the record writes it."""
        built: dict[str, Any] = plain(self)
        return built

    def fields(self) -> dict[str, Any]:
        """As `json`, without the seat."""
        return {name: value for name, value in self.json().items() if name != "seat"}

    @classmethod
    def from_json(cls, written: Any) -> Self:
        """Read what `json` wrote; raise EventError for anything else."""
        try:
            return msgspec.convert(written, cls, strict=True)
        except (msgspec.ValidationError, ValueError) as error:
            raise unreadable_event(error) from None

    def view(self, seat: int | None) -> Event:
        """What `seat` (None: a spectator) may know of this event."""
        return self

    def notation(self) -> str:
        """This event as words that `State.read` reads: `keep:red,blue`; its seat follows from the position."""
        return str(drawing.find_writer().write_event(self))

    def __str__(self) -> str:
        """This event in words, as in `Player 1: roll 4`."""
        return str(drawing.find_drawer().text(self))

    def _repr_svg_(self) -> str:
        """The words as a picture, for notebooks."""
        return str(drawing.find_drawer().svg(self))


def unreadable_event(problem: object) -> EventError:
    """The error for data that does not have the shape of an event."""
    return EventError("this does not read as a move, a roll or a card", detail=str(problem))


class SeatEvent(Event, frozen=True):
    """An event that belongs to one seat."""

    seat: int


def arrange(event: Event, **fields: Any) -> None:
    """Set fields in `__post_init__`, where an event may still put its items in order."""
    for name, value in fields.items():
        msgspec.structs.force_setattr(event, name, value)


# --- events that several games have ------------------------------------------------------------------


class Roll(SeatEvent, frozen=True):
    """The faces of indistinguishable dice, ascending."""

    roll: tuple[int, ...]

    def __post_init__(self) -> None:
        arrange(self, roll=sorted_faces(self.roll))


def sorted_faces(faces: Any) -> tuple[int, ...]:
    """Faces in ascending order; EventError unless each is one that a die has."""
    for face in faces:
        if type(face) is not int or not 1 <= face <= 6:
            raise EventError("a die shows 1 to 6, not {face}", face=face)
    return tuple(sorted(faces))


class _WrittenRoll(SeatEvent, frozen=True):
    """A roll of named dice as the record writes it."""

    roll: dict[str, int]


class NamedRoll(SeatEvent, frozen=True):
    """The faces of dice that have names, in the order of the names; 0 where a die was not rolled.

    A game's subclass sets the names: `names: ClassVar = ("red", "blue")`.
    """

    names: ClassVar[tuple[str, ...]]
    roll: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.roll) != len(self.names):
            raise EventError("there has to be one face, or 0, for each of {colours}", colours=self.names)

    def json(self) -> dict[str, Any]:
        return {"seat": self.seat, "roll": {n: f for n, f in zip(self.names, self.roll, strict=True) if f}}

    @classmethod
    def from_json(cls, written: Any) -> Self:
        read = _WrittenRoll.from_json(written)
        if not read.roll:
            raise EventError("a roll names its faces by colour", detail=f'as in {{"{cls.names[0]}":3}}')
        for name, face in read.roll.items():
            if name not in cls.names:
                said = "there is no die called {colour!r}; the dice are {colours}"
                raise EventError(said, colour=name, colours=cls.names)
            if not 1 <= face <= 6:
                raise EventError("{colour} shows {face}, a die shows 1 to 6", colour=name, face=face)
        return cls(read.seat, tuple([read.roll.get(name, 0) for name in cls.names]))


@cache
def subsets(names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Every set of these names, by its bit mask: bit 0 is the first name."""
    return tuple(
        tuple(name for bit, name in enumerate(names) if mask >> bit & 1) for mask in range(1 << len(names))
    )


def arrange_names(event: Event, field: str, names: tuple[str, ...]) -> None:
    """In `__post_init__`: check that a field names some dice, each at most once, and put them in order."""
    given = getattr(event, field)
    for name in given:
        if name not in names:
            raise EventError("there is no die called {colour!r}", colour=name)
    if len(set(given)) != len(given):
        raise EventError("a die is named twice")
    arrange(event, **{field: tuple([name for name in names if name in given])})
