"""Fiese 15: the dice to read off the table are those not set aside. Marked is what the turn would score."""

from __future__ import annotations

from typing import Any

from pasch.games.fiese15.rules import COLOURS, Position, consolation, worth


def parts(state: Position) -> tuple[str, ...]:
    if state.phase == "strip":
        return ("strip",)
    return tuple([colour for colour, face in zip(COLOURS, state.kept, strict=True) if not face])


def marks(state: Position) -> dict[str, Any]:
    """`worth`: what stopping now would score; `missed`: what a roll with nothing valid would score."""
    return {
        "worth": worth(state.kept),
        "missed": consolation(state.game.config, state.targets, state.kept),
    }
