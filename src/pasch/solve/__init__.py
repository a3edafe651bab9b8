"""Values of positions: exact where a game can be solved, learned or searched otherwise.

`value(state)` and `values(state)` answer for every game and say which it is.
"""

from __future__ import annotations

from operator import sub

import msgspec

from pasch.core.events import Event
from pasch.core.state import State
from pasch.solve.solved import SolvedValues
from pasch.solve.valuer import MoveValue, Value, Valuer, use_for_others, valuer

__all__ = ["Explanation", "MoveValue", "Value", "Valuer", "explain", "value", "valuer", "values"]

use_for_others(SolvedValues)


def value(state: State) -> Value:
    """What the position is worth to every seat; tables are made on first need."""
    return valuer(state.game).worth(state)


class Explanation(msgspec.Struct, frozen=True):
    """Why a move is worth less than the best one."""

    best: Event
    #: what the move gives away, in points
    cost: float
    #: the same by part of the score; the parts add up to the cost. Empty where the parts are not known
    parts: dict[str, float]


def explain(state: State, move: Event) -> Explanation:
    """What a move gives away against the best one, by the parts of the score in which it does."""
    values, moves = valuer(state.game), state.moves()
    points, parts = values.move_points(state), values.move_parts(state)
    made, best = moves.index(move), points.index(max(points))
    split = (
        {}
        if parts is None
        else dict(zip(state.game.parts, map(sub, parts[best], parts[made]), strict=True))
    )
    return Explanation(moves[best], points[best] - points[made], split)


def values(state: State) -> tuple[MoveValue, ...]:
    """Each legal move with what it is worth to the seat that makes it, in the order of `moves()`."""
    return valuer(state.game).moves(state)
