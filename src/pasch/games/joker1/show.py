"""Würfel Joker 1: every group of dice that pushes a slide is touched; then roll, stop or jokers.

Marked are the combination that stands, those out of reach, and what stopping would score.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from pasch.core.events import Event
from pasch.games.joker1.rules import Next, Position, Push, score


def tokens(move: Event) -> tuple[str, ...]:
    if isinstance(move, Push):
        return tuple(["push:" + "+".join(map(str, group)) for group in move.push])
    return (f"next:{cast(Next, move).next}",)


def candidate_moves(state: Position, tokens: tuple[str, ...]) -> Iterator[Event]:
    if tokens == ("next:jokers",):
        yield Next(state.actor, "jokers")
    groups = [token.removeprefix("push:").replace("+", ",") for token in tokens]
    yield state.read(f"push:{'/'.join(groups) or '-'}")


def rolls_automatically(before: Position, event: Event) -> bool:
    return isinstance(event, Next) and event.next != "stop"


def marks(state: Position) -> dict[str, Any]:
    """`stands`: the name; `lost`: the names out of reach; `worth`: what stopping now would score."""
    stands, lost = state.standing
    worth = score(state.game.config, state.slides, state.jokers)
    return {"stands": stands and stands[0], "lost": lost, "worth": worth}
