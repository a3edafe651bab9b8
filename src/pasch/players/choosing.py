"""How a player with mistakes chooses among moves by their worth; run as it stands and compiled."""

from __future__ import annotations

from math import exp
from typing import Any, Final

#: values closer than this are equal
EQUAL: Final = 1e-9


def choose_by_worth(worth: Any, count: int, temperature: float, absurd: float, drawn: float) -> int:
    """The place of the move that is taken: `drawn` is uniform from 0 to below 1, and not used at temperature 0.

    A move that gives away c is taken with a probability in proportion to exp(-c / temperature), and never if it
    gives away more than `absurd`. At temperature 0 the first of the best is taken.
    """
    best = worth[0]
    for place in range(1, count):
        best = max(best, worth[place])
    total, likeliest = 0.0, 0
    for place in range(count):
        if temperature <= 0:
            if worth[place] >= best - EQUAL:
                return place
        else:
            total += weight(best - worth[place], temperature, absurd)
            if worth[place] > worth[likeliest]:
                likeliest = place
    left = drawn * total
    for place in range(count):
        left -= weight(best - worth[place], temperature, absurd)
        if left < 0:
            return place
    # tolerate floating-point error
    return likeliest


def weight(cost: float, temperature: float, absurd: float) -> float:
    """How likely a move is that gives so much away, in proportion to the best one."""
    return exp(-cost / temperature) if cost <= absurd else 0.0
