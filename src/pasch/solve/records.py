"""States and configs in a form that numba accepts: records with nested arrays, tables as arrays.

A record has the fields of a game's `Numbers`, so that its rule functions find what they name in either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pasch.core.game import Game
from pasch.core.position import shapes
from pasch.core.state import State


class StateRecord(np.void):  # type: ignore[misc]
    """A state whose fields are attributes, as those of `Numbers` are, also where nothing is compiled."""

    def __getattribute__(self, name: str) -> Any:
        # a field comes before a method of numpy's that has the same name, such as `round`
        fields = super().__getattribute__("dtype").fields or {}
        return self[name] if name in fields else super().__getattribute__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


@cache
def record_type(game: Game[Any, Any]) -> np.dtype[Any]:
    """The type of a game's states. Fields by seat have the maximum number of players, so one compilation serves all."""
    known = shapes(game, game.seats[-1])
    kinds = [(field.name, np.int64, known.get(field.name, ())) for field in fields(game.Position.Numbers)]
    return np.dtype((StateRecord, kinds), align=True)


def records(game: Game[Any, Any], number: int) -> NDArray[Any]:
    """An array of states of a game, all of them its start."""
    return _records(game.start(), number)


def record_of(state: State) -> Any:
    """A state as a record."""
    return _records(state, 1)[0]


def _records(state: State, number: int) -> NDArray[Any]:
    made, numbers = np.zeros(number, record_type(state.game)), state.unpack()
    for field in fields(numbers):
        value = np.array(getattr(numbers, field.name), np.int64)
        made[field.name][(slice(None), *(slice(size) for size in value.shape))] = value
    return made


def arrays(tables: Any) -> Any:
    """A named tuple of numbers and sequences with arrays in place of the sequences.

    Rows of different length are filled up with -1.
    """
    return type(tables)(*map(_array, tables))


def _array(value: Any) -> Any:
    if isinstance(value, np.ndarray | memoryview):
        return fixed(np.asarray(value))
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return arrays(value)
    if isinstance(value, Sequence):
        return fixed(_filled(value))
    return value


def _filled(rows: Sequence[Any]) -> NDArray[Any]:
    if not len(rows) or not isinstance(rows[0], Sequence):
        plain = np.array(list(rows))
        return plain if plain.dtype == np.float64 and len(plain) else plain.astype(np.int64)
    parts = [_filled(row) for row in rows]
    shape: list[int] = [max(sizes) for sizes in zip(*(part.shape for part in parts), strict=True)]
    kind = np.float64 if any(part.dtype == np.float64 for part in parts) else np.int64
    found: NDArray[Any] = np.full((len(parts), *shape), -1, kind)
    for place, part in enumerate(parts):
        where: Any = (place, *(slice(size) for size in part.shape))
        found[where] = part
    return found


def fixed(array: NDArray[Any]) -> NDArray[Any]:
    """The same numbers, contiguous, as a plain array that cannot be written to.

    An array that may be written to is of another type to the compiler, and so is one that is mapped into memory.
    """
    plain = np.ascontiguousarray(array).view(np.ndarray)
    plain.flags.writeable = False
    return plain
