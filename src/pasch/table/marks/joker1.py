"""Würfel Joker 1: the combination that stands, those out of reach, and what stopping would score."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, cast

from pasch.core.state import State
from pasch.games.joker1 import Joker1, Joker1State, mask_of


def marks(view: State) -> dict[str, Any]:
    """`stands`: the name; `lost`: the names out of reach; `worth`: what stopping now would score."""
    state, game = cast(Joker1State, view), cast(Joker1, view.game)
    return {
        "stands": state.combination[0] if state.combination else None,
        "lost": _lost(game, state.slides),
        "worth": game.score(state.slides, state.jokers),
    }


@lru_cache(maxsize=1024)
def _lost(game: Joker1, slides: int) -> tuple[str, ...]:
    """Slides never come down again, so an exact combination may be spoilt."""
    return tuple(c.name for c in game.components.combinations if c.exact and slides & ~mask_of(c.slides))
