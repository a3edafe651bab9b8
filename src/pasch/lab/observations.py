"""Observations: what a seat knows of a position, as a vector of fixed length.

The numbers are small whole numbers, not scaled; `layout` gives their meaning and `bounds` their range.
`State.view` decides what a seat may know.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pasch.core.encoding import ObservationPart, encoder, write_view
from pasch.core.game import Game
from pasch.core.state import State

Vector = npt.NDArray[np.float32]

__all__ = ["ObservationPart", "Vector", "bounds", "layout", "observe"]


def layout(game: Game[Any, Any]) -> tuple[ObservationPart, ...]:
    """The parts of an observation, in order.

    Values by seat begin with the observing seat and go on clockwise.
    """
    return encoder(game.id).layout(game)


def bounds(game: Game[Any, Any]) -> tuple[Vector, Vector]:
    """The lowest and the highest value of each number."""
    parts = layout(game)
    sizes = [part.size for part in parts]
    low = np.repeat(np.array([part.low for part in parts], np.float32), sizes)
    high = np.repeat(np.array([part.high for part in parts], np.float32), sizes)
    return low, high


def observe(state: State, seat: int) -> Vector:
    """What `seat` knows of a position."""
    game = state.game
    out = np.zeros(sum(part.size for part in layout(game)), np.float32)
    write_view(state.view(seat), seat, out)
    return out
