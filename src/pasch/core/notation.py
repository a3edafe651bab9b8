"""Positions and events as strings of one line, as FEN does it for chess: derived from the declaration.

A position has words with a space between them: the game's id, the number of players, the options that are not as usual
(JSON, `{}` if all are), who acts (a seat, `chance` or `over`), then each field in the order of the declaration:

    fiese15 2 {"gambler":true} 0 keep 0 12,7 3,5 - 4,4,5,3,3,2 0,0,0,0,0,0 1,2,6,4,4,1

| field | written as |
|---|---|
| a number, a word | `12`, `keep`; spaces in a word are `_`; true and false are `1` and `0` |
| a set | a `1` or `0` for each thing, the first one first: `110010` |
| a roll of equal dice | its faces: `136` |
| several of these | with commas: `12,7`; rows of them with `/` |
| nothing, not known | `-`, `?` |

An event is written as its fields without its seat, which follows from the position: `keep:red,blue`, `push:1/2,4`.
"""

from __future__ import annotations

import json
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import astuple

from pasch.core.errors import EventError, PositionError
from pasch.core.events import Event, SeatEvent, unreadable_event
from pasch.core.position import Field, RollNumber, set_size
from pasch.core.registry import find_game
from pasch.core.state import CHANCE, OVER, State

ACTORS: Final = {CHANCE: "chance", OVER: "over"}
NOTHING, UNKNOWN = "-", "?"


def write_position(state: State) -> str:
    """A position, or a view of it, as one line."""
    game, usual = state.game, type(state.game).Options().json()
    options = {name: value for name, value in game.options.json().items() if value != usual.get(name)}
    # outside of strings there is no space in this
    chosen = json.dumps(options, separators=(",", ":")).replace(" ", "\\u0020")
    marks = _marks(type(state))
    # the first two are the game and who acts
    fields = [_write(getattr(state, name), marks.get(name), game) for name in state.__struct_fields__[2:]]
    actor = ACTORS.get(state.actor, str(state.actor))
    return " ".join([game.id, str(game.players), chosen, actor, *fields])


def read_position(text: str) -> State:
    """The position that a line describes; PositionError if it is not valid."""
    name, players, options, actor, *fields = [*text.split(), *[""] * (4 - len(text.split()))]
    kind = find_game(name)
    try:
        count, chosen = int(players), json.loads(options)
    except ValueError:
        count, chosen = 0, None
    if not isinstance(chosen, dict):
        said = "expected a number of players and options as in 2 {{}}, got {got!r}"
        raise PositionError(said, got=f"{players} {options}")
    game = kind.agree(count, chosen)
    names = kind.Position.__struct_fields__[2:]
    if len(fields) != len(names):
        said = "a position of {game} has {expected} fields ({names}), not {got}"
        shown = ", ".join(names)
        raise PositionError(said, game=name, expected=len(names), names=shown, got=len(fields))
    who = {word: number for number, word in ACTORS.items()}
    marks, hints = _marks(kind.Position), _hints(kind.Position)
    pairs = zip(names, fields, strict=True)
    snapshot = {name: _read(word, hints[name], marks.get(name), game) for name, word in pairs}
    found = game.read_state(snapshot | {"actor": who.get(actor, actor)}, strict=False)
    if write_position(found) != " ".join(text.split()):
        raise PositionError("expected {expected!r}", expected=write_position(found))
    return found


def write_event(event: Event) -> str:
    """A move or an outcome as words that `read_event` understands."""
    names = [name for name in event.__struct_fields__ if name != "seat"]
    return " ".join(f"{name}:{_write(getattr(event, name), None, None)}" for name in names) or "-"


def read_event(state: State, text: str) -> Event:
    """The event that was typed, by the seat whose turn it is; EventError if it is none of the game's.

    Whether the rules allow it is not checked here.
    """
    words = [] if text.strip() == NOTHING else [word.partition(":") for word in text.split()]
    written = {name: value for name, _, value in words}
    game, now = state.game, tuple[type[Event], ...]()
    if not state.over:
        chooses = state.actor >= 0
        now = game.choices[state.phase].node.events if chooses else (game.chances[state.phase].event,)
    for kind in (*now, *game.events):
        if kind.keys() - {"seat"} == {*written}:
            hints = _hints(kind)
            fields = {name: _read(word, hints[name], None, None) for name, word in written.items()}
            if issubclass(kind, SeatEvent):
                fields["seat"] = state.mover
            try:
                event = msgspec.convert(fields, kind, strict=False)
            except msgspec.ValidationError as error:
                raise unreadable_event(error) from None
            return game.read_event(event.json())
    known = ", ".join(":… ".join(sorted(kind.keys() - {"seat"})) for kind in game.events)
    raise EventError("{got!r} is no move of this game; they are written {known}:…", got=text, known=known)


# --- values ---------------------------------------------------------------------------------------------------


def _marks(kind: type[State]) -> dict[str, Field]:
    """The declared fields, of which sets and rolls have their own notation."""
    return {field.name: field for field in kind.fields} if kind.derived else {}


def _write(value: Any, field: Field | None, game: Any) -> str:
    if value is None:
        return UNKNOWN
    if isinstance(value, tuple):
        if field is not None and isinstance(field.mark, RollNumber):
            return "".join(map(str, value)) or NOTHING
        rows = any(isinstance(item, tuple) for item in value)
        return ("/" if rows else ",").join([_write(item, field, game) for item in value]) or NOTHING
    if isinstance(value, str):
        return value.replace(" ", "_")
    if size := field and set_size(field, game):
        return "".join(str(value >> thing & 1) for thing in range(size))
    return str(int(value)) if isinstance(value, int) else " ".join(map(str, astuple(value)))


def _read(word: str, hint: Any, field: Field | None, game: Any) -> Any:
    """A value of this type as JSON has it, but with its numbers as words: `msgspec` converts these."""
    if hint is NoneType or (word == UNKNOWN and NoneType in get_args(hint)):
        return None
    hint = _bare(hint)
    if get_origin(hint) is tuple:
        if word == NOTHING:
            return []
        if field is not None and isinstance(field.mark, RollNumber):
            return list(word)
        inner = get_args(hint)[0]
        parts = word.split("/" if get_origin(_bare(inner)) is tuple else ",")
        return [_read(part, inner, field, game) for part in parts]
    if get_origin(hint) is Literal:
        return next((choice for choice in get_args(hint) if str(choice).replace(" ", "_") == word), word)
    if size := hint is int and field and set_size(field, game):
        if len(word) != size or {*word} - {"0", "1"}:
            said = "{field}: expected {size} times 0 or 1, got {got!r}"
            raise PositionError(said, field=field.name, size=size, got=word)
        return int(word[::-1], 2)
    return word


def _bare(hint: Any) -> Any:
    """A type without its marks; of a union the first one."""
    while get_origin(hint) in (Annotated, Union, UnionType):
        hint = get_args(hint)[0]
    return hint


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)
