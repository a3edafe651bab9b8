"""Arrays as the batch kernels take them: whole numbers or doubles, contiguous, only to be read.

An array that may be written to is of another type to the compiler, and so is a table that is mapped into
memory; if all are alike, a kernel is compiled once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

IntTable = NDArray[np.int64]
FloatTable = NDArray[np.float64]
#: one row for each of some states
Observations = NDArray[np.float32]


def ints(numbers: ArrayLike | Sequence[Any]) -> IntTable:
    """A table of whole numbers."""
    table: IntTable = fixed(np.array(numbers, np.int64))
    return table


def floats(numbers: ArrayLike | Sequence[Any]) -> FloatTable:
    """A table of doubles; not copied if it is one already."""
    table: FloatTable = fixed(np.asarray(numbers, np.float64))
    return table


def fixed(array: NDArray[Any]) -> Any:
    """The same numbers, contiguous, as a plain array that cannot be written to."""
    plain = np.ascontiguousarray(array).view(np.ndarray)
    plain.flags.writeable = False
    return plain
