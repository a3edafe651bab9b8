"""Results game by game, as a table in a file: Parquet (with the extra `pasch[data]`) or CSV.

A row is a game: its number, every seat's score, and its part of the win. Rows are written while the games
are played, in groups, so that memory does not grow with their number.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from pasch.core.errors import PaschError
from pasch.core.whole import whole_path

#: rows that are written to a Parquet file at a time
GROUP: Final = 1 << 16


class DataError(PaschError):
    """The table cannot be written as wished."""


class Rows(Protocol):
    """A table under way."""

    def write(self, first: int, scores: NDArray[Any], winners: NDArray[Any]) -> None:
        """Add games from number `first` on: [game, seat] scores, and among how many winners, or 0."""


@contextmanager
def table_file(path: Path, seats: int) -> Iterator[Rows]:
    """A table in a file that is there completely in the end, or not at all; its name says the format."""
    kinds = {".csv": _csv, ".parquet": _parquet}
    if path.suffix not in kinds:
        raise DataError("{name}: the file's name has to end in .parquet or .csv", name=path.name)
    with whole_path(path) as half, kinds[path.suffix](half, seats) as rows:
        yield rows


def names(seats: int) -> list[str]:
    """The names of the columns."""
    return ["game", *(f"{what}_{seat}" for what in ("score", "win") for seat in range(seats))]


def _columns(first: int, scores: NDArray[Any], winners: NDArray[Any]) -> list[NDArray[Any]]:
    shares = np.divide(1.0, winners, out=np.zeros(winners.shape), where=winners > 0)
    games = np.arange(first, first + len(scores))
    return [games, *scores.T, *shares.T]


@contextmanager
def _csv(path: Path, seats: int) -> Iterator[Rows]:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names(seats))

        class Lines:
            def write(self, first: int, scores: NDArray[Any], winners: NDArray[Any]) -> None:
                columns = [column.tolist() for column in _columns(first, scores, winners)]
                writer.writerows(zip(*columns, strict=True))

        yield Lines()


@contextmanager
def _parquet(path: Path, seats: int) -> Iterator[Rows]:
    try:
        import pyarrow
        from pyarrow.parquet import ParquetWriter
    except ImportError:
        raise DataError("Parquet needs an extra: pip install pasch[data]; .csv works without") from None
    types = [pyarrow.int64(), *[pyarrow.int32()] * seats, *[pyarrow.float64()] * seats]
    schema = pyarrow.schema(list(zip(names(seats), types, strict=True)))

    class Groups:
        """Small parts are put together, so that there are not too many groups."""

        def __init__(self, writer: Any) -> None:
            self._writer = writer
            self._waiting: list[list[NDArray[Any]]] = []

        def write(self, first: int, scores: NDArray[Any], winners: NDArray[Any]) -> None:
            self._waiting.append(_columns(first, scores, winners))
            if sum(len(columns[0]) for columns in self._waiting) >= GROUP:
                self.flush()

        def flush(self) -> None:
            if not self._waiting:
                return
            columns = [np.concatenate(pieces) for pieces in zip(*self._waiting, strict=True)]
            arrays = [pyarrow.array(column, kind) for column, kind in zip(columns, types, strict=True)]
            self._writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))
            self._waiting = []

    with ParquetWriter(path, schema) as writer:
        groups = Groups(writer)
        yield groups
        groups.flush()
