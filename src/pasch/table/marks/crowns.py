"""Crowns: the complete lines, and the title that a game for one has earned."""

from __future__ import annotations

from functools import cache
from typing import Any, cast

from pasch.core.state import State
from pasch.games.crowns import FIELDS, LINES, CrownsState, title


def marks(view: State) -> dict[str, Any]:
    """`lines`: by seat the complete lines, each as its fields' numbers; `title`: of a solo game over."""
    state = cast(CrownsState, view)
    found: dict[str, Any] = {"lines": tuple(map(_complete, state.boards))}
    if state.over and state.game.players == 1:
        found["title"] = title(state.scores()[0])
    return found


@cache
def _fields(line: int) -> tuple[int, ...]:
    return tuple(number for number in range(FIELDS) if line >> number & 1)


def _complete(board: int) -> tuple[tuple[int, ...], ...]:
    return tuple(_fields(line) for line in LINES if line & ~board == 0)
