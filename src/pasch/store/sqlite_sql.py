"""The SQL statements of the SQLite store."""

from __future__ import annotations

from typing import Final

from pasch.store import migrations

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
    """The query for summaries, of tables in one of so many phases and last written before a time."""
    asked = [] if phases is None else [f"phase IN ({', '.join('?' * phases)})"]
    asked += ["written < ?"] if before else []
    where = f"WHERE {' AND '.join(asked)}" if asked else ""
    return (
        "SELECT id, phase, made, written, bytes FROM heads JOIN tables USING (number) "
        f"{where} ORDER BY number LIMIT ?"
    )
