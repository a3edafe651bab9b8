"""Würfel Joker 2: what stopping would score."""

from __future__ import annotations

from typing import Any, cast

from pasch.core.state import State
from pasch.games.joker2 import Joker2, Joker2State


def marks(view: State) -> dict[str, Any]:
    """`worth`: what the turn would score if it ended with these slides up."""
    state, game = cast(Joker2State, view), cast(Joker2, view.game)
    return {"worth": game.score(state.slides, state.fivefold)}
