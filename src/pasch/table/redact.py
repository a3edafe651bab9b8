"""The one place where it is decided what a client is told of a table.

Everything that shows a game goes through `Telling.told`: what was missed, and the position. A client with
one seat sees as that seat. A client with several (people round one screen) sees as the one to act and, of
what was dealt or drawn, only what everybody may know, because another may be looking.
"""

from __future__ import annotations

from functools import lru_cache
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
        standing = course.standing
        self._standing = standing
        self._phase = standing.phase
        self._roller = standing.roller
        self._winners = standing.winners
        self._drawn: dict[int | None, _Drawn] = {}

    def told(self, eyes: Eyes, since: int) -> tuple[tuple[Entry, ...], Position]:
        """The entries after the first `since` ones, and the position, as these eyes may see them."""
        course = self._course
        entries = tuple([_entry(course, number, eyes.alone) for number in range(since, course.version)])
        return entries, self._position(eyes)

    def _position(self, eyes: Eyes) -> Position:
        course, standing, state = self._course, self._standing, self._course.state
        acting = state.actor if self._roller is None else self._roller
        as_seat = eyes.alone if len(eyes.seats) <= 1 else acting if acting in eyes.seats else None
        drawn = self._draw(as_seat)
        awaits = what_awaits(standing, course.agreement.dice, eyes, self._roller)
        choosing = state.actor in eyes.seats and standing.chairs[state.actor].person
        offered = choosing and self._phase == "playing"
        return Position(
            version=course.version,
            actor=state.actor,
            as_seat=as_seat,
            snapshot=cast(Any, drawn.snapshot),
            marks=cast(Any, drawn.marks),
            scores=drawn.scores,
            winners=self._winners,
            moves=cast(Any, choices(course.game.id, drawn.view.moves())) if offered else (),
            awaits=awaits,
            roller=self._roller,
            ask=ask(drawn.view) if awaits == "read" else None,
        )

    def _draw(self, seat: int | None) -> _Drawn:
        if not self._course.secret:
            seat = None
        drawn = self._drawn.get(seat)
        if drawn is None:
            state = self._course.state
            view = state.view(seat) if self._course.secret else state
            fields = {name: getattr(view, name) for name in view.__struct_fields__ if name != "game"}
            drawn = self._drawn[seat] = _Drawn(view, _raw(fields), _raw(marks(view)), view.scores())
        return drawn


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
