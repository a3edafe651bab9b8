"""Fiese 15: what the turn would score."""

from __future__ import annotations

from typing import Any, cast

from pasch.core.state import State
from pasch.games.fiese15 import Fiese15State, consolation, worth


def marks(view: State) -> dict[str, Any]:
    """`worth`: what stopping now would score; `missed`: what a roll with nothing valid would score."""
    state = cast(Fiese15State, view)
    return {
        "worth": worth(state.kept),
        "missed": consolation(state.targets, state.kept, state.game.options.gambler),
    }
