"""Crowns: how beginners err. They take crowns at once, and miss what several dice do together."""

from __future__ import annotations

from typing import Any

from pasch.games.crowns.greedy import size
from pasch.games.crowns.rules import Config, score


def appeal(g: Config, s: Any, code: int) -> float:
    """How much better a move looks than it is: a point for each crown that it scores at once."""
    board = s.boards[s.seat]
    return float(score(g, board | g.masks[code]) - score(g, board))


def ideas(g: Config, s: Any, code: int) -> int:
    """What has to be thought of: each further field that is covered."""
    return max(0, size(g.masks[code]) - 1)
