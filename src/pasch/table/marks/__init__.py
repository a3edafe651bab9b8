"""What a drawing marks because of the rules: one module per game, found by the game's id.

A browser draws a position but knows no rules. Which lines are complete, what stopping would score, whose
card is the lowest: a game's `marks(view)` answers with plain JSON values, and the position carries them to
the drawing beside the state's own fields.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, Protocol, cast

from pasch.core.state import State


class Marks(Protocol):
    """What a game's module answers."""

    def marks(self, view: State) -> dict[str, Any]: ...


@cache
def _module(game: str) -> Marks:
    return cast(Marks, import_module(f"pasch.table.marks.{game}"))


def marks(view: State) -> dict[str, Any]:
    """What to mark in this view; each game's module says what there is."""
    return _module(view.game.id).marks(view)
