"""What people touch: one module per game, found by the game's id.

The server sends the legal moves as sets of small tokens (a field, a die, a card). A person touches tokens;
the moves that contain all of them remain. A game's module answers:

- `tokens(move)`: the tokens of a move
- `why(state, tokens)`: why no legal move contains these tokens
- `parts(state)`: what has to be read off the real table, for the awaited dice or cards
- `goes_on(before, event)`: whether the roll that follows this event belongs to it, so that nobody has to
  press for it again
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Protocol, cast

from pasch.core.errors import IllegalOutcome, PaschError
from pasch.core.events import Event
from pasch.core.state import State
from pasch.table.schema import Ask


class Touch(Protocol):
    """What a game's module answers."""

    def tokens(self, move: Event) -> tuple[str, ...]: ...

    def why(self, state: State, tokens: tuple[str, ...]) -> PaschError: ...

    def parts(self, state: State) -> tuple[str, ...]: ...

    def goes_on(self, before: State, event: Event) -> bool: ...


@cache
def touch(game: str) -> Touch:
    """The module of a game; only its own is imported."""
    return cast(Touch, import_module(f"pasch.table.touch.{game}"))


def ask(view: State) -> Ask:
    """What to read off the real table, as somebody with this view may know it."""
    special = getattr(touch(view.game.id), "values", None)
    values = special(view) if special else tuple([value for value, _ in view.chance().step(())])
    return Ask(touch(view.game.id).parts(view), values)


def read(state: State, values: tuple[int, ...]) -> Event:
    """The outcome that the values read off the real table are, in the order of `ask(...).parts`."""
    parts = touch(state.game.id).parts(state)
    if len(values) != len(parts):
        raise IllegalOutcome(
            "read", "{expected} values are to be read, not {got}", expected=len(parts), got=len(values)
        )
    chance = state.chance()
    special = getattr(touch(state.game.id), "places", None)
    prefix: tuple[int, ...] = ()
    for value in special(state, values) if special else values:
        if value not in [possible for possible, _ in chance.step(prefix)]:
            raise IllegalOutcome("read", "{value} cannot lie there", value=value)
        prefix = (*prefix, value)
    return chance.finish(prefix)


def not_this(state: State, event: Event) -> PaschError | None:
    """What the rules say against an event; None if they allow it."""
    try:
        state.apply(event)
    except PaschError as error:
        return error
    return None
