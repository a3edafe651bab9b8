"""A table at which nobody sits, for positions that are only drawn: of rules, lessons and puzzles."""

from __future__ import annotations

from typing import Any, Final

from pasch.core.game import Game
from pasch.table.log import Agreement, Chair, LiveTable

#: who plays in examples
NAMES: Final = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fee")


def example_table(name: str, game: Game[Any, Any], you: int | None = None) -> LiveTable:
    """A table before its first event.

    The seat `you` is the reader's and the others are computers; without it people sit everywhere.
    """
    chairs = tuple(
        Chair(kind="here", name="" if seat == you else named)
        if you is None or seat == you
        else Chair(kind="computer", name=named, level="greedy")
        for seat, named in enumerate(NAMES[: game.players])
    )
    agreement = Agreement(
        game=game.id,
        options=game.options.json(),
        chairs=chairs,
        coach="off",
        dice="real",
        made=0,
        watch="",
        maker="",
    )
    return LiveTable(name, agreement, game)
