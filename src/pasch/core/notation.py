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
from typing import Any, Final, get_args, get_origin, get_type_hints

import msgspec

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
    marks, actor = _marks(state), ACTORS.get(state.actor, str(state.actor))
    fields = [_write(getattr(state, name), marks.get(name), game) for name in _depths(type(state))]
    return " ".join([game.id, str(game.players), chosen, actor, *fields])


def read_position(text: str) -> State:
    """The position that a line describes; PositionError says what is wrong with it."""
    name, players, options, actor, *fields = [*text.split(), *[""] * (4 - len(text.split()))]
    kind, count = find_game(name), _number(players, "players")
    try:
        chosen = json.loads(options)
    except ValueError:
        chosen = None
    if not isinstance(chosen, dict):
        raise PositionError("options: expected JSON as in {{}}, got {got!r}", got=options)
    start = kind.agree(count, chosen).start()
    marks, depths = _marks(start), _depths(type(start))
    if len(fields) != len(depths):
        said = "a position of {game} has {expected} fields ({names}), not {got}"
        shown = ", ".join(depths)
        raise PositionError(said, game=name, expected=len(depths), names=shown, got=len(fields))
    who = {word: number for number, word in ACTORS.items()}
    snapshot: dict[str, Any] = {"actor": who[actor] if actor in who else _number(actor, "actor")}
    for word, (field, depth) in zip(fields, depths.items(), strict=True):
        snapshot[field] = _read(word, depth, marks.get(field), start.game)
    found = start.game.read_state(snapshot, strict=False)
    if write_position(found) != " ".join(text.split()):
        raise PositionError("expected {expected!r}", expected=write_position(found))
    return found


def write_event(event: Event) -> str:
    """A move or an outcome as words that `read_event` understands."""
    words = [f"{name}:{_write(getattr(event, name), None, None)}" for name in _depths(type(event))]
    return " ".join(words) or NOTHING


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
    for kind in (*now, *type(game).events):
        depths = _depths(kind)
        if {*depths} == {*written}:
            values = {name: _read(written[name], depth, None, None) for name, depth in depths.items()}
            seat = {"seat": state.mover} if issubclass(kind, SeatEvent) else {}
            try:
                return game.read_event(msgspec.convert(seat | values, kind, strict=False).json())
            except (msgspec.ValidationError, ValueError) as error:
                raise unreadable_event(error) from None
    known = ", ".join(":… ".join(_depths(kind)) for kind in game.events)
    raise EventError("{got!r} is no move of this game; they are written {known}:…", got=text, known=known)


# --- values ---------------------------------------------------------------------------------------------------


def _marks(state: State) -> dict[str, Field]:
    """The declared fields that are written in a way of their own: sets and rolls."""
    return {field.name: field for field in state.fields} if state.derived else {}


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
    return str(int(value))


def _read(word: str, depth: int, field: Field | None, game: Any) -> Any:
    """A value, or rows of this depth, as JSON has it; its numbers are strings still."""
    if depth and word == NOTHING:
        return ()
    if field is not None and isinstance(field.mark, RollNumber):
        return tuple(word)
    if depth:
        return tuple(_read(part, depth - 1, field, game) for part in word.split(",/"[depth > 1]))
    if word == UNKNOWN:
        return None
    if size := field and set_size(field, game):
        if len(word) != size or {*word} - {"0", "1"}:
            said = "{field}: expected {size} times 0 or 1, got {got!r}"
            raise PositionError(said, field=field.name, size=size, got=word)
        return int(word[::-1], 2)
    return word.replace("_", " ")


def _number(word: str, name: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise PositionError("{field}: expected a number, got {got!r}", field=name, got=word) from None


@cache
def _depths(kind: type[msgspec.Struct]) -> dict[str, int]:
    """The fields that are written, each with the number of rows that lie in each other there."""
    hints = get_type_hints(kind, include_extras=True)
    names = [name for name in kind.__struct_fields__ if name not in ("game", "actor")]
    return {name: _depth(hints[name]) for name in names if name != "seat" or issubclass(kind, State)}


def _depth(hint: Any) -> int:
    return (get_origin(hint) is tuple) + max(map(_depth, get_args(hint)), default=0)
