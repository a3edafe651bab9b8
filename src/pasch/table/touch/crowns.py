"""Crowns: every field that gets a chip is touched; touching none passes."""

from __future__ import annotations

import re
from typing import cast

from pasch.core.errors import IllegalMove, PaschError
from pasch.core.events import Event
from pasch.core.state import State
from pasch.games.crowns import DICE, CrownsState, Place
from pasch.table.touch import not_this

_FIELD = re.compile(r"field:([1-6]):([1-6])")


def tokens(move: Event) -> tuple[str, ...]:
    if isinstance(move, Place):
        return tuple([f"field:{value}:{count}" for value, count in move.place])
    return ("discard",)


def why(state: State, tokens: tuple[str, ...]) -> PaschError:
    state = cast(CrownsState, state)
    if "discard" in tokens:
        return IllegalMove("discard", "a chip is given back only when a roll cannot place any")
    fields = [match for match in map(_FIELD.fullmatch, tokens) if match]
    pairs = tuple((int(value), int(count)) for value, count in (match.groups() for match in fields))
    if pairs and len(fields) == len(tokens):
        refused = not_this(state, Place(state.seat, pairs))
        if refused:
            return refused
    return IllegalMove("place", "this cannot be placed now")


def parts(state: State) -> tuple[str, ...]:
    return ("die",) * DICE


def goes_on(before: State, event: Event) -> bool:
    return False
