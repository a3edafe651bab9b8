"""Tables as rows of the SQLite log: the statements, writing with few of them, and reading."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from itertools import chain
from typing import Any, Final, NamedTuple

from pasch.store import migrations
from pasch.store.base import LogEntry, NoTable, StoredTable, StoreError, TableStatus

#: rows that are written with one statement
ROWS: Final = (64, 16, 4, 1)


def _statements(before: str, row: str, after: str = "") -> dict[int, str]:
    """The same statement for each number of rows in ROWS."""
    return {rows: f"{before} VALUES {', '.join([row] * rows)} {after}" for rows in ROWS}


INSERT_ENTRIES: Final = _statements("INSERT INTO entries", "(?, ?, ?, ?, ?, ?)")
#: a time of writing of 0 leaves it as it is
INSERT_HEADS: Final = _statements(
    "INSERT INTO heads (number, version, due, last, phase, made, written, bytes)",
    "(?, ?, ?, ?, ?, ?, ?, ?)",
    "ON CONFLICT (number) DO UPDATE SET version = excluded.version, due = excluded.due, last = excluded.last, "
    "phase = excluded.phase, written = max(heads.written, excluded.written), "
    "bytes = heads.bytes + excluded.bytes",
)
#: the places of a table's entries, from the last back to the first
_CHAIN: Final = """
    WITH RECURSIVE chain (place, before) AS (
        SELECT place, before FROM entries WHERE place = ?
        UNION ALL
        SELECT entries.place, entries.before FROM chain JOIN entries ON entries.place = chain.before
    )
"""
DELETE_ENTRIES: Final = f"{_CHAIN} DELETE FROM entries WHERE place IN (SELECT place FROM chain)"
WRITTEN: Final = "SELECT written FROM heads WHERE number = ?"

_HISTORY: Final = f"{_CHAIN} SELECT body, command FROM chain JOIN entries USING (place) ORDER BY version"
_TABLE: Final = "SELECT document, key, due, version, {} FROM tables JOIN heads USING (number) WHERE id = ?"


def history(schema: int) -> tuple[str, str]:
    """The queries for a table's head and for its entries in a log of this schema version."""
    if schema < migrations.CHAINED:
        unchained = "SELECT body, command FROM entries WHERE number = ? ORDER BY version"
        return _TABLE.format("number, '', 0, 0"), unchained
    if schema < migrations.DATED:
        return _TABLE.format("last, '', 0, 0"), _HISTORY
    return _TABLE.format("last, phase, made, written"), _HISTORY


def summaries(phases: int | None, before: bool) -> str:
    """The query for summaries of tables, in one of this many phases and last written before a time."""
    asked = [] if phases is None else [f"phase IN ({', '.join('?' * phases)})"]
    asked += ["written < ?"] if before else []
    where = f"WHERE {' AND '.join(asked)}" if asked else ""
    return (
        "SELECT id, phase, made, written, bytes FROM heads JOIN tables USING (number) "
        f"{where} ORDER BY number LIMIT ?"
    )


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
        self, head: Head, entries: Sequence[LogEntry], due: bool, standing: TableStatus, size: int
    ) -> Head:
        """Add the entries of a table, which take `size` bytes, and return its new head."""
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
            standing = TableStatus(standing.phase, pending[5], max(pending[6], standing.written))
        self._heads[number] = (number, version, due, before, *standing, size)
        return Head(number, version, before, due)

    def write(self, writer: sqlite3.Connection) -> None:
        _write_rows(writer, INSERT_HEADS, list(self._heads.values()))
        _write_rows(writer, INSERT_ENTRIES, self._entries)
        self._heads, self._entries = {}, []


def _write_rows(
    writer: sqlite3.Connection, statements: dict[int, str], rows: Sequence[tuple[Any, ...]]
) -> None:
    at = 0
    for size, statement in statements.items():
        while len(rows) - at >= size:
            writer.execute(statement, tuple(chain.from_iterable(rows[at : at + size])))
            at += size


def read_table(reader: sqlite3.Connection, schema: int, table: str) -> StoredTable:
    """A table with all its entries, from a log of this schema version; NoTable if there is none."""
    head, entries_of = history(schema)
    found = reader.execute(head, (table,)).fetchone()
    if found is None:
        raise NoTable(table)
    document, key, due, version, which, *standing = found
    entries = tuple([LogEntry(*row) for row in reader.execute(entries_of, (which,))])
    if len(entries) != version:
        raise StoreError(
            "table {table} is damaged: {found} of its {version} entries are there",
            table=table, found=len(entries), version=version,
        )  # fmt: skip
    return StoredTable(table, document, key, entries, bool(due), standing=TableStatus(*standing))
