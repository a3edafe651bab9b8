"""Crowns: how beginners err. They take crowns at once, and miss what several dice do together."""

from __future__ import annotations

from pasch.games.crowns.greedy import size
from pasch.games.crowns.rules import Agreed, Numbers, score


def appeal(g: Agreed, s: Numbers, code: int) -> float:
    """How much better a move looks than it is: a point for each crown that it scores at once."""
    board = s.boards[s.seat]
    return float(score(g, board | g.masks[s.roll][code]) - score(g, board))


def ideas(g: Agreed, s: Numbers, code: int) -> int:
    """What has to be thought of: each further field that is covered."""
    return max(0, size(g.masks[s.roll][code]) - 1)
