"""Values of positions: exact where a game can be solved, learned or searched otherwise.

`value(state)` and `values(state)` answer for every game and say which it is.
"""

from __future__ import annotations

from pasch.core.state import State
from pasch.solve.valuer import MoveWorth, Valuer, Worth, valuer

__all__ = ["MoveWorth", "Valuer", "Worth", "value", "valuer", "values"]


def value(state: State) -> Worth:
    """What the position is worth to every seat; tables are made on first need."""
    return valuer(state.game).worth(state)


def values(state: State) -> tuple[MoveWorth, ...]:
    """Each legal move with what it is worth to the seat that makes it, in the order of `moves()`."""
    return valuer(state.game).moves(state)
