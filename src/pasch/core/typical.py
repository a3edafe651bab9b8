"""How the result of a game for one compares with typical games: those of the computer player `medium`.

They are computed, not collected: `python -m tools.typical` plays them and writes a game's typical.toml.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

from pasch.core.game import Game
from pasch.core.registry import find_data


def percentiles(game: Game[Any, Any]) -> list[int]:
    """Percentiles 1 to 99 of the scores of typical games; [] where none were played: other options, boxes, players."""
    for case in find_data(game.id, "typical.toml").get("case", ()) if game.players == 1 else ():
        if game == type(game).agree(1, case["options"]):
            return list(case["percentiles"])
    return []


def share_below(game: Game[Any, Any], score: int) -> float | None:
    """The share of typical games that score less; None where none were played."""
    typical = percentiles(game)
    return bisect_left(typical, score) / 100 if typical else None
