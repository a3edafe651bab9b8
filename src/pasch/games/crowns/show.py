"""Crowns: every field that gets a chip is touched, touching none passes; complete lines are marked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, cast

from pasch.core.events import Event
from pasch.core.state import State
from pasch.games.crowns.box import FIELDS, LINES
from pasch.games.crowns.rules import CrownsState, Discard, Place, title

_FIELD = re.compile(r"field:([1-6]):([1-6])")


def tokens(move: Event) -> tuple[str, ...]:
    if isinstance(move, Place):
        return tuple([f"field:{value}:{count}" for value, count in move.place])
    return ("discard",)


def meant(state: State, tokens: tuple[str, ...]) -> Iterator[Event]:
    if "discard" in tokens:
        yield Discard(state.actor)
    fields = [match for match in map(_FIELD.fullmatch, tokens) if match]
    if fields and len(fields) == len(tokens):
        yield Place(state.actor, tuple((int(match[1]), int(match[2])) for match in fields))


def goes_on(before: State, event: Event) -> bool:
    return False


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
