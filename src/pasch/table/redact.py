"""The one place where it is decided what a client is told of a table.

Everything that shows a game goes through `Telling.told`: what was missed, and the position. A client with
one seat sees as that seat. A client with several (people round one screen) sees as the one to act and, of
what was dealt or drawn, only what everybody may know, because another may be looking.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any, Literal, NamedTuple, cast

import msgspec

from pasch.core.events import Event
from pasch.core.state import CHANCE, State
from pasch.table.log import Course, Line, Standing, event_json
from pasch.table.marks import marks
from pasch.table.schema import Choice, DiceMode, Entry, Judgement, Position
from pasch.table.touch import ask, touch

_encoder = msgspec.json.Encoder()


class Eyes(NamedTuple):
    """Who looks: the seats whose tokens a client has shown, and whether it made the table."""

    seats: tuple[int, ...] = ()
    maker: bool = False

    @property
    def alone(self) -> int | None:
        """The seat, if it is just one."""
        return self.seats[0] if len(self.seats) == 1 else None


class _Drawn(NamedTuple):
    """What is drawn of a view."""

    view: State
    snapshot: msgspec.Raw
    marks: msgspec.Raw
    scores: tuple[int, ...]


class Telling:
    """What can be told of a table as it is now. What several clients may know alike is made once."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._standing = standing = course.standing
        self._version = course.version
        self._actor = actor = standing.state.actor
        self._roller = standing.roller
        self._winners = standing.winners
        playing = standing.phase == "playing"
        #: the person who is to choose, and whether dice or cards come
        self._chooser = actor if playing and actor >= 0 and standing.chairs[actor].person else None
        self._dice_come = playing and actor == CHANCE
        self._drawn: dict[int | None, _Drawn] = {}
        self._entries: dict[tuple[int | None, int], tuple[Entry, ...]] = {}

    def told(self, eyes: Eyes, since: int) -> tuple[tuple[Entry, ...], Position]:
        """The entries after the first `since` ones, and the position, as these eyes may see them."""
        seats, roller = eyes.seats, self._roller
        alone = seats[0] if len(seats) == 1 else None
        as_seat = alone
        if len(seats) > 1:
            acting = self._actor if roller is None else roller
            as_seat = acting if acting in seats else None
        drawn = self._draw(as_seat)
        moves: Any = ()
        if self._chooser is not None and self._chooser in seats:
            moves = choices(self._course.game.id, drawn.view.moves())
        awaits = what_awaits(self._standing, self._standing.dice, eyes, roller) if self._dice_come else None
        position = Position(
            self._version,
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
        )
        return self._lines(alone, since), position

    def _lines(self, seat: int | None, since: int) -> tuple[Entry, ...]:
        if not self._course.secret:
            seat = None
        lines = self._entries.get((seat, since))
        if lines is None:
            course = self._course
            lines = tuple([_entry(course, number, seat) for number in range(since, self._version)])
            self._entries[seat, since] = lines
        return lines

    def _draw(self, seat: int | None) -> _Drawn:
        if not self._course.secret:
            seat = None
        drawn = self._drawn.get(seat)
        if drawn is None:
            state = self._standing.state
            view = state.view(seat) if self._course.secret else state
            names, values = _fields(type(view))
            fields = dict(zip(names, values(view), strict=True))
            drawn = self._drawn[seat] = _Drawn(view, _raw(fields), _raw(marks(view)), view.scores())
        return drawn


@cache
def _fields(kind: type[State]) -> tuple[tuple[str, ...], Callable[[State], tuple[Any, ...]]]:
    """The names of a state's fields, less the game itself, and what reads them off."""
    names = tuple(name for name in kind.__struct_fields__ if name != "game")
    return names, attrgetter(*names)


def told_judgements(course: Course, eyes: Eyes, judgements: list[Judgement]) -> tuple[Judgement, ...]:
    """What the coach said, less what would give a hand away: that is for its own seat until the end."""
    open_to_all = not course.secret or course.standing.phase in ("over", "adjudicated")
    return tuple([j for j in judgements if open_to_all or j.seat == eyes.alone])


def _entry(course: Course, number: int, seat: int | None) -> Entry:
    line, event = course.lines[number]
    if event is None:
        body: Any = _without_tokens(line)
    else:
        body = event_json(event.view(seat)) if course.secret else line.body
    return Entry(number + 1, line.kind, body)


def _without_tokens(line: Line) -> dict[str, Any]:
    return {name: value for name, value in line.fields().items() if name != "token"}


def what_awaits(
    standing: Standing, dice: DiceMode, eyes: Eyes, roller: int | None
) -> Literal["roll", "read"] | None:
    """What a client has to do about the dice or cards that come next.

    Real ones are read by whose they are; a computer's, and what is nobody's, by the people at the table.
    """
    if standing.state.actor != CHANCE or standing.phase != "playing":
        return None
    if roller is not None and standing.chairs[roller].person:
        if roller not in eyes.seats:
            return None
        return "roll" if dice == "pasch" else "read"
    if dice == "pasch":
        return None
    here = eyes.maker or any(standing.chairs[seat].kind == "here" for seat in eyes.seats)
    return "read" if here else None


def _raw(data: Any) -> msgspec.Raw:
    return msgspec.Raw(_encoder.encode(data))


@lru_cache(maxsize=1024)
def choices(game: str, moves: tuple[Event, ...]) -> msgspec.Raw:
    """The legal moves with their tokens, encoded; of moves with the same tokens the first."""
    tokens = touch(game).tokens
    listed: dict[tuple[str, ...], Event] = {}
    for move in moves:
        listed.setdefault(tokens(move), move)
    return _raw([Choice(cast(Any, event_json(move)), names) for names, move in listed.items()])
