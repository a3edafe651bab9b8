"""What people touch, read off the real table and see marked: a game's `show.py`, or what is said here.

The server sends the legal moves as sets of small tokens (a field, a die, a card). A person touches tokens;
the moves that contain all of them remain. The browser draws a position but knows no rules: what a drawing
marks because of them (complete lines, what stopping would score) comes with the position as plain JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

import msgspec

from pasch.core.errors import IllegalMove, PaschError
from pasch.core.events import Event
from pasch.core.registry import find_part
from pasch.core.state import State
from pasch.core.typical import share_below
from pasch.table.schema import Ask


def _tokens(move: Event) -> tuple[str, ...]:
    """`next:hold` for {"next": "hold"}, `keep:red` and `keep:blue` for {"keep": ["red", "blue"]}."""
    found: list[str] = []
    for name, value in move.json().items():
        if name != "seat":
            items = value if isinstance(value, list) and value else [value]
            found += [f"{name}:{_word(item)}" for item in items]
    # the second of two equal things has its own token
    numbered = [f"{token}#{found[:place].count(token) + 1}" for place, token in enumerate(found)]
    return tuple(token.removesuffix("#1") for token in numbered) or (type(move).__name__.lower(),)


def _word(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _candidate_moves(state: State, tokens: tuple[str, ...]) -> Iterator[Event]:
    """The legal moves, changed so that they contain the tokens."""
    touched: dict[str, list[Any]] = {}
    for token in tokens:
        name, _, word = token.partition(":")
        touched.setdefault(name, []).append(_value(word.partition("#")[0]))
    for move in state.moves():
        written = move.json()
        if written.keys() >= touched.keys() and "seat" not in touched:
            changes = {n: v if isinstance(written[n], list) else v[0] for n, v in touched.items()}
            yield state.game.read_event({**written, **changes})


def _value(word: str) -> Any:
    try:
        return msgspec.json.decode(word)
    except msgspec.DecodeError:
        return word


def _rolls_automatically(before: State, event: Event) -> bool:
    """After the seat's own choice to roll."""
    return before.actor >= 0 and before.apply(event).mover == before.actor


class Show(NamedTuple):
    """What a game's `show.py` may offer; what it leaves out is as here."""

    #: the tokens of a move
    tokens: Callable[[Event], tuple[str, ...]] = _tokens
    #: candidate moves for the touched tokens, so that the rules can say what forbids them; it may also raise an
    #: error of its own for what is no move at all
    candidate_moves: Callable[[State, tuple[str, ...]], Iterable[Event]] = _candidate_moves
    #: what has to be read off the real table for the dice or cards awaited, one word for each value
    parts: Callable[[State], tuple[str, ...]] = lambda state: state.chance().parts()
    #: the values that can be read, as far as this view may know them
    values: Callable[[State], tuple[int, ...]] = lambda view: view.chance().readable()
    #: whether the roll that follows this event belongs to it, so that it needs no further press
    rolls_automatically: Callable[[State, Event], bool] = _rolls_automatically
    #: for each die on the table the face that a move uses it as, 0: not used
    uses: Callable[[State, Event], tuple[int, ...]] | None = None
    #: what a drawing marks because of the rules
    marks: Callable[[State], dict[str, Any]] = lambda view: {}


@cache
def show(game: str) -> Show:
    """How the game with this id is touched, read and marked; only its own module is imported."""
    part = find_part(game, "show")
    return Show(**{name: getattr(part, name) for name in Show._fields if hasattr(part, name)})


def why(state: State, tokens: tuple[str, ...]) -> PaschError:
    """Why no legal move contains these tokens: the rules' objection to the first candidate move."""
    try:
        for move in show(state.game.id).candidate_moves(state, tokens):
            refused = state.refusal(move)
            if refused is not None:
                return refused
    except PaschError as error:
        return error
    return IllegalMove("touch", "this is not possible now")


def ask(view: State) -> Ask:
    """What to read off the real table, as far as this view may know it."""
    shown = show(view.game.id)
    return Ask(shown.parts(view), shown.values(view))


def marks(view: State) -> dict[str, Any]:
    """What to mark in this view; once a game for one is over `below`, the share of typical games that score less."""
    found = show(view.game.id).marks(view)
    below = share_below(view.game, view.scores()[0]) if view.over else None
    return found if below is None else {**found, "below": below}
