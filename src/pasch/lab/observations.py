"""Observations: what a seat knows of a position, as a vector of fixed length, derived from the declaration.

The numbers are small whole numbers, not scaled; `layout` gives their meaning and `bounds` their range. `State.view`
decides what a seat may know.

All fields of a record (`pasch.solve.records`) are whole numbers of 64 bits, so a batch of records is a matrix of them:
no game writes an encoding, and nothing is compiled. Values by seat begin with the observing seat and continue
clockwise, so that all seats see a position alike.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.core.errors import OptionError
from pasch.core.game import Game
from pasch.core.position import (
    UNBOUNDED,
    Bits,
    Field,
    Number,
    RollNumber,
    Row,
    Table,
    UpTo,
    position_fields,
    size_in,
)
from pasch.core.rolls import ROLLS
from pasch.core.state import OVER, State
from pasch.solve.records import record_of, record_type

Ints = NDArray[np.int64]
Vector = NDArray[np.float32]
#: writes the numbers of a part: from the matrix of records and the seat that looks
Write = Callable[[Ints, int], Any]

#: by number of a roll: how many dice show 1, 2 … 6
_FACES: Final = np.array([[roll.count(face) for face in range(1, 7)] for roll in ROLLS])


class ObservationPart(NamedTuple):
    """Some neighbouring numbers of an observation, all of one kind."""

    name: str
    size: int
    low: int
    high: int
    meaning: str


@cache
def parts(game: Game[Any, Any]) -> tuple[tuple[ObservationPart, Write], ...]:
    """The parts of an observation, in the order of the declaration, each with what writes it."""
    every = (part for field in position_fields(game.Position) for part in _field_parts(game, field))
    return tuple((ObservationPart(*described), write) for *described, write in every)


def observe_records(game: Game[Any, Any], records: NDArray[Any], seat: int) -> NDArray[np.float32]:
    """What a seat sees in each of the positions, one row each; records hold what it may know."""
    flat = np.ascontiguousarray(records).view(np.int64).reshape(len(records), -1)
    seen = np.concatenate([write(flat, seat) for _, write in parts(game)], axis=1, dtype=np.float32)
    # clip unbounded counts
    return np.clip(seen, *bounds(game), out=seen)


@cache
def bounds(game: Game[Any, Any]) -> tuple[Vector, Vector]:
    """The lowest and the highest value of each number of an observation."""
    every = layout(game)
    sizes = [part.size for part in every]
    low = np.repeat(np.array([part.low for part in every], np.float32), sizes)
    high = np.repeat(np.array([part.high for part in every], np.float32), sizes)
    low.flags.writeable = high.flags.writeable = False
    return low, high


def layout(game: Game[Any, Any]) -> tuple[ObservationPart, ...]:
    """The parts of an observation, in order.

    Values by seat begin with the observing seat and continue clockwise.
    """
    return tuple(part for part, _ in parts(game))


def observe(state: State, seat: int) -> Vector:
    """What `seat` knows of a position."""
    if not isinstance(seat, int | np.integer):
        raise OptionError("seat: expected a whole number, got {got!r}", got=seat)
    return observe_view(state.view(seat), seat)


def observe_view(view: State, seat: int) -> Vector:
    """The observation of `seat`; `view` is what it may know."""
    record = np.array([record_of(view)], record_type(view.game))
    return observe_records(view.game, record, seat).reshape(-1)


def score_range(game: Game[Any, Any]) -> tuple[int, int]:
    """Numbers between which every score lies, as far as the declaration says."""
    for field in game.Position.fields:
        if field.name == type(game).scores:
            return _bounds(game, field.mark)
    return -UNBOUNDED, UNBOUNDED


def _field_parts(game: Game[Any, Any], field: Field) -> list[Any]:
    """The parts of a field: name, size, bounds, meaning, and what writes it."""
    name, mark, columns = field.name, field.mark, _columns(game, field.name)
    if name == "seat":
        return [_turn(game, columns)]
    if field.words:
        size, said = len(field.words), f"one of: {', '.join(field.words)}"
        return [(name, size, 0, 1, said, lambda flat, seat: flat[:, columns] == np.arange(size))]
    if isinstance(mark, RollNumber):
        said = "how many dice on the table show 1, 2 … 6"
        return [(name, 6, 0, 6, said, lambda flat, seat: _FACES[flat[:, columns][:, 0]])]
    if isinstance(mark, UpTo):
        return _up_to(game, name, mark, columns)
    if isinstance(mark, Bits):
        size, said = size_in(game.config, mark.size), "a set: whether each is in it"
        return [(name, size, 0, 1, said, lambda flat, seat: _bits(flat[:, columns], size))]
    if isinstance(mark, Number):
        said = "a number" if not field.truth else "whether it is so"
        return [(name, 1, *_bounds(game, mark), said, lambda flat, seat: flat[:, columns])]
    return [_rows(game, field, mark, columns)]


def _turn(game: Game[Any, Any], columns: slice) -> Any:
    actor = _columns(game, "actor")

    def write(flat: Ints, seat: int) -> Any:
        turn = (flat[:, columns] - seat) % game.players == np.arange(game.players)
        return turn & (flat[:, actor] != OVER)

    return "seat", game.players, 0, 1, "by seat: whose turn it is", write


def _up_to(game: Game[Any, Any], name: str, mark: UpTo, columns: slice) -> list[Any]:
    size, kinds = size_in(game.config, mark.size), size_in(game.config, mark.kinds)
    number, seats = _columns(game, mark.count), mark.kinds == "players"
    said = f"how many entries {name} has"
    count = mark.count, 1, 0, size, said, lambda flat, seat: flat[:, number]
    if not kinds:
        low, high = _bounds(game, mark)
        said = "in their order, then zeros"
        return [count, (name, size, low, high, said, lambda flat, seat: flat[:, columns][:, :size])]

    def write(flat: Ints, seat: int) -> Any:
        things, there = flat[:, columns][:, :size], np.arange(size) < flat[:, number]
        found = np.zeros((len(flat), kinds + 1))
        np.put_along_axis(found, np.where(there, things, kinds), 1, axis=1)
        # entries that name seats begin with the observing seat
        return np.roll(found[:, :kinds], -seat, axis=1) if seats else found[:, :kinds]

    return [
        count,
        (name, kinds, 0, 1, f"by {'seat' if seats else 'thing'}: whether it is among them", write),
    ]


def _rows(game: Game[Any, Any], field: Field, mark: Row | Table, columns: slice) -> Any:
    """Rows and tables; those by seat begin with the observing seat."""
    shape = field.shape(game)
    stored = field.shape(game, game.seats[-1])
    bits = size_in(game.config, mark.bits) if isinstance(mark, Row) else 0
    said = "by seat" if field.by_seat else "in their order"

    def write(flat: Ints, seat: int) -> Any:
        held = flat[:, columns].reshape(len(flat), *stored)[:, : shape[0]]
        if field.by_seat:
            held = np.roll(held, -seat, axis=1)
        return _bits(held, bits) if bits else held.reshape(len(flat), -1)

    size = int(np.prod(shape))
    if bits:
        return field.name, size * bits, 0, 1, f"{said}: whether each is in the set", write
    return field.name, size, *_bounds(game, mark), said, write


def _bits(numbers: Ints, size: int) -> Ints:
    """Sets as ones and zeros, the lowest bit first."""
    return (numbers[..., None] >> np.arange(size) & 1).reshape(len(numbers), -1)


def _bounds(game: Game[Any, Any], mark: Any) -> tuple[int, int]:
    return size_in(game.config, mark.low), size_in(game.config, mark.high)


def _columns(game: Game[Any, Any], name: str) -> slice:
    """Where a field stands among the numbers of a record."""
    fields = record_type(game).fields
    assert fields is not None
    kind, start = fields[name][:2]
    return slice(start // 8, (start + kind.itemsize) // 8)
