"""Würfel Joker 2: how beginners err. They add and subtract, push the dearest slide, and fear the minus."""

from __future__ import annotations

from typing import Any

from pasch.games.joker2.rules import FORGO, NEXT, STOP, Config


def appeal(g: Config, s: Any, code: int) -> float:
    """How much better a move looks than it is: a high slide pushed; stopping, the more slides are up."""
    if s.phase == NEXT:
        up = 0
        for slide in range(9):
            up += s.slides >> slide & 1
        return float(up) if code == STOP else 0.0
    return 0.0 if code == FORGO else float(g.pushed[code])


def ideas(g: Config, s: Any, code: int) -> int:
    """What has to be thought of: multiplying and dividing, the five, and forgoing a double."""
    if s.phase == NEXT:
        return 0
    if code == FORGO:
        return 1
    one, other = g.faces[s.rolled][0], g.faces[s.rolled][1]
    plain = g.pushed[code] == one + other or g.pushed[code] == abs(one - other)
    return 2 if g.with_five[code] else 0 if plain else 1
