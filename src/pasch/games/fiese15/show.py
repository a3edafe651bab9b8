"""Fiese 15: every die set aside is touched; then roll or stop. Marked is what the turn would score."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from pasch.core.events import Event
from pasch.games.fiese15.rules import COLOURS, Keep, Next, Position, consolation, worth


def tokens(move: Event) -> tuple[str, ...]:
    if isinstance(move, Keep):
        return tuple([f"die:{colour}" for colour in move.keep])
    return (f"next:{cast(Next, move).next}",)


def candidate_moves(state: Position, tokens: tuple[str, ...]) -> Iterator[Event]:
    if all(token.startswith("die:") for token in tokens):
        yield Keep(state.actor, tuple(token.removeprefix("die:") for token in tokens))


def parts(state: Position) -> tuple[str, ...]:
    if state.phase == "strip":
        return ("strip",)
    return tuple([colour for colour, face in zip(COLOURS, state.kept, strict=True) if not face])


def rolls_automatically(before: Position, event: Event) -> bool:
    return isinstance(event, Next) and event.next == "roll"


def marks(state: Position) -> dict[str, Any]:
    """`worth`: what stopping now would score; `missed`: what a roll with nothing valid would score."""
    return {
        "worth": worth(state.kept),
        "missed": consolation(state.game.config, state.targets, state.kept),
    }
