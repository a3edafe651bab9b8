"""Würfel Joker 1: every group of dice that pushes a slide is touched; then roll, stop or jokers."""

from __future__ import annotations

import re
from typing import cast

from pasch.core.errors import IllegalMove, PaschError
from pasch.core.events import Event
from pasch.core.state import State
from pasch.games.joker1 import Joker1State, Next, Push
from pasch.table.touch import not_this

_GROUP = re.compile(r"push:([1-6](?:\+[1-6])*)")


def tokens(move: Event) -> tuple[str, ...]:
    if isinstance(move, Push):
        return tuple(["push:" + "+".join(map(str, group)) for group in move.push])
    return (f"next:{cast(Next, move).next}",)


def why(state: State, tokens: tuple[str, ...]) -> PaschError:
    state = cast(Joker1State, state)
    if state.phase == "push":
        groups = [match for match in map(_GROUP.fullmatch, tokens) if match]
        pushed = tuple(tuple(map(int, match[1].split("+"))) for match in groups)
        if pushed and len(groups) == len(tokens):
            return not_this(state, Push(state.seat, pushed)) or _IMPOSSIBLE
    if tokens == ("next:jokers",):
        return not_this(state, Next(state.seat, "jokers")) or _IMPOSSIBLE
    return _IMPOSSIBLE


_IMPOSSIBLE = IllegalMove("push", "this cannot be pushed now")


def parts(state: State) -> tuple[str, ...]:
    return ("die",) * cast(Joker1State, state).dice


def goes_on(before: State, event: Event) -> bool:
    return isinstance(event, Next) and event.next != "stop"
