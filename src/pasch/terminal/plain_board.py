"""The board of a game that has no drawing of its own: the state's fields as labelled values."""

from __future__ import annotations

import re
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from pasch.core import reading
from pasch.core.errors import EventError
from pasch.core.events import Event
from pasch.core.position import by_seat_fields
from pasch.core.state import State
from pasch.terminal.language import listed, t, tn, word
from pasch.terminal.screen import table
from pasch.terminal.words import seat_name


def draw(state: State) -> RenderableType:
    """What belongs to each seat side by side, and below it what belongs to all."""
    players, fields = state.game.players, state.snapshot()
    del fields["actor"]
    seat = fields.pop("seat", None)
    by_seat = {name: fields[name] for name in by_seat_fields(state.game.Position) if fields[name]}
    marked = () if state.over else (seat, state.mover)
    seats = table("", *(seat_name(one) + (" ◂" if one in marked else "") for one in range(players)))
    scores = list(state.scores())
    for name, values in (by_seat if scores in by_seat.values() else {"score": scores, **by_seat}).items():
        seats.add_row(_words(name), *map(_shown, values))
    common = [f"{_words(name)}: {_shown(value)}" for name, value in fields.items() if name not in by_seat]
    return Group(seats, *map(Text, common))


def tell(state: State, event: Event) -> str:
    """The event in words."""
    return event_words(event)


def event_words(event: Event) -> str:
    """Any event in words, without knowing the state: `Player 1: roll 4`."""
    seat = getattr(event, "seat", None)
    said = f"{heading(event)} {_values(event)}".strip() if len(_fields(event)) < 2 else _values(event)
    return said if seat is None else f"{seat_name(seat)}: {said}"


def heading(move: Event) -> str:
    """The names of what is chosen."""
    return listed(map(_words, _fields(move))) or word(type(move).__name__.lower())


def label(state: State, move: Event) -> str:
    """What is chosen."""
    return _values(move) or heading(move)


def prompt(state: State) -> str:
    """What to type for the dice or cards awaited."""
    chance = state.chance()
    parts, values = reading.parts(chance), reading.readable(chance)
    asked = tn(
        "type a number for the {what} ({values})",
        "type {n} numbers, for each {what} ({values})",
        len(parts),
        what=word(parts[0]),
        values=_range(values),
    )
    return asked if state.mover is None else t("{name}, {what}", name=seat_name(state.mover), what=asked)


def read_outcome(state: State, text: str) -> Event:
    """The dice or cards that were typed, with something between the numbers; digits need none."""
    chance = state.chance()
    values = re.findall("[0-9]" if max(reading.readable(chance)) < 10 else "[0-9]{1,9}", text)
    if not values or re.sub(r"[0-9\s,;/|.+]", "", text):
        raise EventError("expected numbers, got {got!r}", got=text.strip())
    return reading.outcome(chance, [int(value) for value in values])


def _fields(event: Event) -> dict[str, Any]:
    return {name: value for name, value in event.json().items() if name != "seat"}


def _values(event: Event) -> str:
    fields = _fields(event)
    if len(fields) == 1:
        return _shown(*fields.values())
    return ", ".join(f"{_words(name)} {_shown(value)}" for name, value in fields.items())


def _words(name: str) -> str:
    return word(name.replace("_", " "))


def _shown(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return t("yes") if value else t("no")
    if isinstance(value, list):
        inside = [f"({_shown(item)})" if isinstance(item, list) else _shown(item) for item in value]
        return " ".join(inside) or "–"
    if isinstance(value, dict):
        return ", ".join(f"{_words(name)} {_shown(item)}" for name, item in value.items())
    return str(value)


def _range(values: tuple[int, ...]) -> str:
    if values == tuple(range(values[0], values[-1] + 1)) and len(values) > 2:
        return t("{least} to {most}", least=values[0], most=values[-1])
    return ", ".join(map(str, values))
