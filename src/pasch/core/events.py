"""Events: the small frozen values of which a game's record consists.

A move is an event that a seat chooses, an outcome one that chance brings. Each class of events has
a set of JSON keys of its own, by which the reader recognises it.
"""

from __future__ import annotations

from typing import Any, Self

import msgspec

from pasch.core import drawing
from pasch.core.errors import EventError


def plain(thing: Any) -> Any:
    """Structs and tuples as the plain objects and lists that JSON knows."""
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

    def __str__(self) -> str:
        """This event in words, as in `Player 1: roll 4`."""
        return drawing.find_drawer().text(self)

    def _repr_svg_(self) -> str:
        """The words as a picture, for notebooks."""
        return drawing.find_drawer().svg(self)


def unreadable_event(error: Exception) -> EventError:
    """What to say of something that was to be an event and has another shape."""
    return EventError("this is not written as a move, a roll or a card", detail=str(error))


class SeatEvent(Event, frozen=True):
    """An event that belongs to one seat."""

    seat: int


def arrange(event: Event, **fields: Any) -> None:
    """Set fields in `__post_init__`, where an event may still put its items in order."""
    for name, value in fields.items():
        msgspec.structs.force_setattr(event, name, value)


def event_reader(classes: tuple[type[Event], ...]) -> dict[frozenset[str], type[Event]]:
    """The classes of a game's events by their JSON keys."""
    by_keys = {cls.keys(): cls for cls in classes}
    if len(by_keys) != len(classes):
        raise TypeError("two classes of events have the same keys")
    return by_keys
