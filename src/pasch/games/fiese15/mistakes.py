"""Fiese 15: how beginners err. They set aside every valid die, and stop as soon as there is something to lose."""

from __future__ import annotations

from typing import Any

from pasch.games.fiese15.rules import NEXT, STOP, Config, valid_dice, worth


def appeal(g: Config, s: Any, code: int) -> float:
    """How much better a move looks than it is: a point for each die set aside; stopping, the more there is to lose."""
    if s.phase == NEXT:
        return worth(s.kept) / 8 if code == STOP else 0.0
    dice = 0
    for die in range(6):
        dice += code >> die & 1
    return float(dice)


def ideas(g: Config, s: Any, code: int) -> int:
    """What has to be thought of: that a valid die may be rolled again."""
    return 0 if s.phase == NEXT or code == valid_dice(s.rolled, s.targets) else 1
