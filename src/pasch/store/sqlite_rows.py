"""The rows that a transaction of the SQLite log adds, written with few statements."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

from pasch.store import sqlite_sql as sql
from pasch.store.base import LogEntry, Standing


class Head(NamedTuple):
    """A table's number in the log, its version, the place of its last entry, and whether it is due."""

    number: int
    version: int
    last: int | None
    due: bool


class PendingRows:
    """The rows that a transaction adds, written together; the last place used before is `last`."""

    def __init__(self, last: int) -> None:
        self._last = last
        self._heads: dict[int, tuple[int, int, bool, int | None, str, int, int, int]] = {}
        self._entries: list[tuple[int, int, int, int | None, bytes, str | None]] = []

    def add(
        self, head: Head, entries: Sequence[LogEntry], due: bool, standing: Standing, size: int
    ) -> Head:
        """Add the entries of a table, which take so many bytes, and return its new head."""
        number, version, before, _ = head
        place = self._last
        for body, command in entries:
            version += 1
            place += 1
            self._entries.append((place, number, version, before, body, command))
            before = place
        self._last = place
        if pending := self._heads.get(number):
            size += pending[-1]
            standing = Standing(standing.phase, pending[5], max(pending[6], standing.written))
        self._heads[number] = (number, version, due, before, *standing, size)
        return Head(number, version, before, due)

    def write(self, writer: sqlite3.Connection) -> None:
        _write_rows(writer, sql.INSERT_HEADS, list(self._heads.values()))
        _write_rows(writer, sql.INSERT_ENTRIES, self._entries)
        self._heads, self._entries = {}, []


def _write_rows(
    writer: sqlite3.Connection, statements: dict[int, str], rows: Sequence[tuple[Any, ...]]
) -> None:
    at = 0
    for size, statement in statements.items():
        while len(rows) - at >= size:
            writer.execute(statement, tuple(chain.from_iterable(rows[at : at + size])))
            at += size
