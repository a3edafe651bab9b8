"""Observations: what a seat knows of a position, as a vector of fixed length.

The numbers are small whole numbers, not scaled; `layout` gives their meaning and `bounds` their range.
`State.view` decides what a seat may know.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pasch.core.errors import OptionError
from pasch.core.game import Game
from pasch.core.state import State
from pasch.lab import spaces
from pasch.lab.spaces import ObservationPart, observe_records, parts
from pasch.solve.records import record_of, record_type

Vector = npt.NDArray[np.float32]

__all__ = ["ObservationPart", "Vector", "bounds", "layout", "observe"]


def layout(game: Game[Any, Any]) -> tuple[ObservationPart, ...]:
    """The parts of an observation, in order.

    Values by seat begin with the observing seat and go on clockwise.
    """
    return tuple(part for part, _ in parts(game))


def bounds(game: Game[Any, Any]) -> tuple[Vector, Vector]:
    """The lowest and the highest value of each number."""
    low, high = spaces.bounds(game)
    return low.copy(), high.copy()


def observe(state: State, seat: int) -> Vector:
    """What `seat` knows of a position."""
    if not isinstance(seat, int | np.integer):
        raise OptionError("seat: expected a whole number, got {got!r}", got=seat)
    out = np.zeros(sum(part.size for part in layout(state.game)), np.float32)
    write_observation(state.view(seat), seat, out)
    return out


def write_observation(view: State, seat: int, out: npt.NDArray[np.float32]) -> None:
    """Write the observation of `seat`; `view` is what it may know."""
    out[:] = observe_records(view.game, np.array([record_of(view)], record_type(view.game)), seat)[0]
