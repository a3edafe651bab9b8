"""What a seat knows of a position, as a vector of fixed length.

The numbers are small whole numbers, not scaled; `layout` says what they mean and `bounds` between what they
lie. Only `State.view` decides what a seat may know.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pasch.core.game import Game
from pasch.core.state import State
from pasch.lab.encoders import Part, encoder

Vector = npt.NDArray[np.float32]

__all__ = ["Part", "Vector", "bounds", "layout", "observe"]


def layout(game: Game[Any, Any]) -> tuple[Part, ...]:
    """The parts of an observation, in order.

    What is told by seat begins with the seat that looks and goes on clockwise.
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
    return np.fromiter(encoder(state.game.id).encode(state.view(seat), seat), np.float32)
