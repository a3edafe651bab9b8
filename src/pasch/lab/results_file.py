"""A file with one row per simulated game: Parquet (with the extra `pasch[data]`) or CSV.

A row holds the game's number, every seat's score and its share of the win. Rows are written in groups while
games are played, so that memory does not grow with their number.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from pasch.core.atomic_file import atomic_path
from pasch.core.errors import PaschError

#: rows in a row group of a Parquet file
ROW_GROUP: Final = 1 << 16


class DataError(PaschError):
    """The results cannot be written in this format."""


class ResultsWriter(Protocol):
    """Writes rows to an open results file."""

    def write(self, first: int, scores: NDArray[Any], winners: NDArray[Any]) -> None:
        """Append games from number `first` on: [game, seat] the scores, and the number of winners or 0."""


@contextmanager
def results_file(path: Path, seats: int) -> Iterator[ResultsWriter]:
    """Open a results file, written atomically; its suffix chooses the format."""
    formats = {".csv": _csv, ".parquet": _parquet}
    if path.suffix not in formats:
        raise DataError("{name}: the file's name has to end in .parquet or .csv", name=path.name)
    with atomic_path(path) as temporary, formats[path.suffix](temporary, seats) as writer:
        yield writer


def column_names(seats: int) -> list[str]:
    """The names of the columns."""
    return ["game", *(f"{what}_{seat}" for what in ("score", "win") for seat in range(seats))]


def _columns(first: int, scores: NDArray[Any], winners: NDArray[Any]) -> list[NDArray[Any]]:
    shares = np.divide(1.0, winners, out=np.zeros(winners.shape), where=winners > 0)
    games = np.arange(first, first + len(scores))
    return [games, *scores.T, *shares.T]


@contextmanager
def _csv(path: Path, seats: int) -> Iterator[ResultsWriter]:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(column_names(seats))

        class CsvWriter:
            def write(self, first: int, scores: NDArray[Any], winners: NDArray[Any]) -> None:
                columns = [column.tolist() for column in _columns(first, scores, winners)]
                writer.writerows(zip(*columns, strict=True))

        yield CsvWriter()


@contextmanager
def _parquet(path: Path, seats: int) -> Iterator[ResultsWriter]:
    try:
        import pyarrow
        from pyarrow.parquet import ParquetWriter
    except ImportError:
        raise DataError("Parquet needs an extra: pip install pasch[data]; .csv works without") from None
    types = [pyarrow.int64(), *[pyarrow.int32()] * seats, *[pyarrow.float64()] * seats]
    schema = pyarrow.schema(list(zip(column_names(seats), types, strict=True)))

    class ParquetGroups:
        """Collects rows until a row group is full."""

        def __init__(self, writer: Any) -> None:
            self._writer = writer
            self._pending: list[list[NDArray[Any]]] = []

        def write(self, first: int, scores: NDArray[Any], winners: NDArray[Any]) -> None:
            self._pending.append(_columns(first, scores, winners))
            if sum(len(columns[0]) for columns in self._pending) >= ROW_GROUP:
                self.flush()

        def flush(self) -> None:
            if not self._pending:
                return
            columns = [np.concatenate(pieces) for pieces in zip(*self._pending, strict=True)]
            arrays = [pyarrow.array(column, kind) for column, kind in zip(columns, types, strict=True)]
            self._writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))
            self._pending = []

    with ParquetWriter(path, schema) as writer:
        groups = ParquetGroups(writer)
        yield groups
        groups.flush()
