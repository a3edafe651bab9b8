"""A log's file written and read at once, without the threads of the SQLite store: games that are taken elsewhere.

What is written here is a backup: `pasch restore` reads it. Beside the tables it may hold a note, such as what a device
knows of them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from pasch.store import migrations
from pasch.store import sqlite_sql as sql
from pasch.store.base import LogEntry, Standing, StoredTable, StoreError
from pasch.store.sqlite import ENTRY_OVERHEAD, TABLE_OVERHEAD
from pasch.store.sqlite_rows import Head, PendingRows


class LogFile(NamedTuple):
    """What a file holds."""

    tables: tuple[StoredTable, ...]
    note: str = ""


def write_log(path: Path, tables: Iterable[StoredTable], note: str = "") -> None:
    """Write tables, and a note, to a new file."""
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN")
        for statement in migrations.pending_statements(0, migrations.SQLITE):
            writer.execute(statement)
        writer.execute("UPDATE about SET schema = ?", (len(migrations.SQLITE),))
        rows = PendingRows(0)
        for table in tables:
            insert = "INSERT INTO tables (id, document, key) VALUES (?, ?, ?)"
            number = writer.execute(insert, (table.id, table.document, table.key)).lastrowid
            assert number is not None
            rows.add(
                Head(number, 0, None, table.due), table.entries, table.due, table.standing, _size(table)
            )
        rows.write(writer)
        writer.execute("CREATE TABLE note (text TEXT NOT NULL) STRICT")
        writer.execute("INSERT INTO note VALUES (?)", (note,))
        writer.execute("COMMIT")


def _size(table: StoredTable) -> int:
    entries = sum(
        len(body) + len((command or "").encode()) + ENTRY_OVERHEAD for body, command in table.entries
    )
    return len(table.document) + len(table.key) + TABLE_OVERHEAD + entries


def read_log(path: Path) -> LogFile:
    """What a log's file holds, also one of an older Pasch; StoreError if it is none."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as reader:
            (schema,) = reader.execute("SELECT schema FROM about").fetchone()
            migrations.check_version(schema, migrations.SQLITE, path.name)
            head, history = sql.history(schema)
            tables = []
            for (id_,) in reader.execute("SELECT id FROM tables ORDER BY number").fetchall():
                document, key, due, version, which, *standing = reader.execute(head, (id_,)).fetchone()
                entries = tuple([LogEntry(*row) for row in reader.execute(history, (which,))])
                if len(entries) != version:
                    raise StoreError("table {table} is damaged", table=id_)
                noted = Standing(*standing)
                tables.append(StoredTable(id_, document, key, entries, bool(due), standing=noted))
            noted_there = reader.execute("SELECT 1 FROM sqlite_schema WHERE name = 'note'").fetchone()
            note = reader.execute("SELECT text FROM note").fetchone()[0] if noted_there else ""
    except (sqlite3.Error, TypeError, ValueError) as error:
        raise StoreError("{path}: this is no log of Pasch", path=path.name, problem=str(error)) from None
    return LogFile(tuple(tables), note)
