"""Redaction: the one place that decides what a client sees of a table.

Everything that shows a game goes through a `Redactor`: its `position`, the `step` that led there, and a `page` of
entries that a client has missed or asks for. A client with one seat sees what that seat
knows. A client with several (people round one screen) sees what the one to act knows and, of what was dealt or
drawn, only what everybody may know, because another may be looking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any, Final, Literal, NamedTuple, cast

import msgspec

from pasch.core.events import Event
from pasch.core.state import CHANCE, OVER, State
from pasch.table.log import LiveTable, TableState, event_json
from pasch.table.schema import MAX_ENTRIES, Choice, Entry, Judgement, Position, Step
from pasch.table.show import ask, marks, show

_encoder = msgspec.json.Encoder()

#: bytes of entries in one page
MAX_PAGE_BYTES: Final = 64 * 1024


class Viewer(NamedTuple):
    """A client's rights: the seats whose tokens it has shown, and whether it made the table."""

    seats: tuple[int, ...] = ()
    maker: bool = False

    @property
    def only_seat(self) -> int | None:
        """The seat, if it is just one."""
        return self.seats[0] if len(self.seats) == 1 else None


class Page(NamedTuple):
    """Entries of the log in a row."""

    #: the version of the first, or the next one if there is none
    first: int
    entries: tuple[Entry, ...]


class _Drawn(NamedTuple):
    """What is drawn of a seat's view."""

    view: State
    snapshot: msgspec.Raw
    marks: msgspec.Raw
    scores: tuple[int, ...]


class Redactor:
    """What each viewer may know of a table as it is now; what several may know is encoded once."""

    def __init__(self, live: LiveTable, follows: bool = False) -> None:
        """With `follows` more lines of the same change come after this one."""
        self._live = live
        self._current = current = live.current
        self._version, self._events = live.version, len(live.events)
        # a game that was ended early is over, though by the rules it would continue
        self._actor = actor = OVER if current.ended else current.state.actor
        self._roller = None if current.ended else current.roller
        self._winners = current.winners
        self._undo = current.last_mover if self._events > live.agreement.given else None
        playing = current.phase == "playing"
        #: the person who is to choose
        self._chooser = actor if playing and actor >= 0 and current.chairs[actor].person else None
        self._held = self._undo is not None and not follows and current.chance_is_automatic
        self._drawn: dict[int | None, _Drawn] = {}
        self._entries: dict[int | None, Entry] = {}

    def step(self, viewer: Viewer) -> Step:
        """The last entry, and the position after it."""
        seat = viewer.only_seat if self._live.has_secrets else None
        entry = self._entries.get(seat)
        if entry is None:
            entry = self._entries[seat] = _entry(self._live, self._version - 1, seat)
        return Step(entry, self.position(viewer))

    def position(self, viewer: Viewer) -> Position:
        """The position, as this viewer may see it."""
        seats, roller = viewer.seats, self._roller
        as_seat = viewer.only_seat
        if len(seats) > 1:
            acting = self._actor if roller is None else roller
            as_seat = acting if acting in seats else None
        drawn = self._draw(as_seat)
        moves: Any = ()
        if self._chooser is not None and self._chooser in seats:
            moves = choices(drawn.view)
        awaits = awaited(self._current, viewer)
        return Position(
            self._version,
            self._events,
            self._actor,
            as_seat,
            cast(Any, drawn.snapshot),
            cast(Any, drawn.marks),
            drawn.scores,
            self._winners,
            moves,
            awaits,
            roller,
            ask(drawn.view) if awaits == "read" else None,
            self._undo,
            self._held and self._undo in seats,
        )

    def page(
        self, viewer: Viewer, since: int = 0, before: int | None = None, limit: int = MAX_ENTRIES
    ) -> Page:
        """The last entries above the version `since` and below `before`, at most one message full."""
        live, seat = self._live, viewer.only_seat if self._live.has_secrets else None
        last = self._version if before is None else max(0, min(before - 1, self._version))
        kept: list[Entry] = []
        size = 0
        for number in range(last, max(since, last - limit), -1):
            entry = _entry(live, number - 1, seat)
            size += len(bytes(cast(msgspec.Raw, entry.body)))
            if size > MAX_PAGE_BYTES and kept:
                break
            kept.append(entry)
        return Page(last - len(kept) + 1, tuple(reversed(kept)))

    def _draw(self, seat: int | None) -> _Drawn:
        if not self._live.has_secrets:
            seat = None
        drawn = self._drawn.get(seat)
        if drawn is None:
            view = self._current.state.view(seat)
            names, values = _fields(type(view))
            fields = dict(zip(names, values(view), strict=True))
            drawn = self._drawn[seat] = _Drawn(view, _raw(fields), _raw(marks(view)), view.scores())
        return drawn


@cache
def _fields(kind: type[State]) -> tuple[tuple[str, ...], Callable[[State], tuple[Any, ...]]]:
    """The names of a state's fields without the game itself, and a function that reads them."""
    names = tuple(name for name in kind.__struct_fields__ if name != "game")
    return names, attrgetter(*names)


def visible_judgements(
    live: LiveTable, viewer: Viewer, judgements: Iterable[Judgement]
) -> tuple[Judgement, ...]:
    """The judgements that a viewer may see; what could reveal a hand, only its own seat until the end."""
    open_to_all = not live.has_secrets or live.current.ended
    return tuple([j for j in judgements if open_to_all or j.seat == viewer.only_seat])


def _entry(live: LiveTable, number: int, seat: int | None) -> Entry:
    line = live.lines[number]
    body: Any
    if line.event is None:
        body = _raw({name: value for name, value in line.fields().items() if name != "token"})
    else:
        body = event_json(line.event.view(seat)) if live.has_secrets else line.body
    return Entry(number + 1, line.kind, body, number + 1 in live.stood_in, live.event_counts[number])


def awaited(current: TableState, viewer: Viewer) -> Literal["roll", "read"] | None:
    """What a client has to do for the next dice or cards.

    Real ones are read by their seat; a computer's, and what belongs to no seat, by the people at the table.
    """
    if current.state.actor != CHANCE or current.phase != "playing":
        return None
    roller = current.roller
    if roller is not None and current.chairs[roller].person:
        if roller not in viewer.seats:
            return None
        if current.dice == "real":
            return "read"
        return None if current.rolls_automatically else "roll"
    if current.dice == "pasch":
        return None
    here = viewer.maker or any(current.chairs[seat].kind == "here" for seat in viewer.seats)
    return "read" if here else None


def _raw(data: Any) -> msgspec.Raw:
    return msgspec.Raw(_encoder.encode(data))


def choices(view: State) -> msgspec.Raw:
    """The legal moves with their tokens, encoded; of moves with the same tokens the first."""
    moves, uses = view.moves(), show(view.game.id).uses
    return _choices(view.game.id, moves, None if uses is None else tuple([uses(view, m) for m in moves]))


@lru_cache(maxsize=1024)
def _choices(game: str, moves: tuple[Event, ...], uses: tuple[tuple[int, ...], ...] | None) -> msgspec.Raw:
    tokens = show(game).tokens
    listed: dict[tuple[str, ...], Choice] = {}
    for place, move in enumerate(moves):
        names = tokens(move)
        if names not in listed:
            listed[names] = Choice(cast(Any, event_json(move)), names, uses[place] if uses else None)
    return _raw(list(listed.values()))
