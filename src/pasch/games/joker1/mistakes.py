"""Würfel Joker 1: how beginners err. They push as many slides as they can, miss sums, and take what stands."""

from __future__ import annotations

from typing import Any

from pasch.games.joker1.rules import JOKERS, PUSH, STOP, Config, score, staying


def appeal(g: Config, s: Any, code: int) -> float:
    """How much better a move looks than it is: a point for each slide pushed; stopping, the more there is to lose."""
    if s.phase == PUSH:
        return float(slides(g.pushed[code]))
    return score(g, s.slides, s.jokers) / 5 if code == STOP else 0.0


def ideas(g: Config, s: Any, code: int) -> int:
    """What has to be thought of: adding dice up, leaving a six alone, and the jokers."""
    if s.phase == PUSH:
        return 1 if staying(g, s.rolled, code) > slides(g.pushed[code]) else 0
    return 1 if code == JOKERS else 0


def slides(pushed: int) -> int:
    """How many slides these are."""
    found = 0
    while pushed:
        pushed &= pushed - 1
        found += 1
    return found
