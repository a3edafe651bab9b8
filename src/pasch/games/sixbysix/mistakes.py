"""6mal6: how beginners err. They lay their highest card on the dearest field, and forget the cheap ones."""

from __future__ import annotations

from typing import Any

from pasch.games.sixbysix.rules import Config
from pasch.games.sixbysix.settling import FIELDS


def appeal(g: Config, s: Any, code: int) -> float:
    """How much better a move looks than it is: a high card, on a dear field."""
    card, place = code // FIELDS + 1, code % FIELDS
    return card * (place + 1) / 54


def ideas(g: Config, s: Any, code: int) -> int:
    """What has to be thought of: that a low card can lie on a field where little is lost."""
    return 1 if code % FIELDS < FIELDS // 2 else 0
