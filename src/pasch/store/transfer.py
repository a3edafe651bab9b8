"""Copies tables between logs, with a hash to compare them by, and writes, reads and snapshots a log's file.

A file that is written here is a backup: `pasch restore` reads it. Beside the tables it may hold a note, such as what a
device knows of them.
"""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from pasch.core.files import atomic_path
from pasch.store import sqlite
from pasch.store.base import Store, StoredTable, StoreError, Write
from pasch.store.batch import Batch


class Summary(NamedTuple):
    """How much a log holds, or how much was copied to it."""

    tables: int
    entries: int
    #: the number of these tables that were in the target already, with the same contents
    existing: int
    #: over all tables and entries, in order
    hash: str


def digest(table: StoredTable) -> bytes:
    """The SHA-256 hash over everything that a log holds of a table."""
    parts: list[bytes] = [table.id.encode(), table.document, table.key, b"due" if table.due else b""]
    for body, command in table.entries:
        parts += [body, b"-" if command is None else b"+" + command.encode()]
    found = hashlib.sha256()
    for part in parts:
        # length-prefixed, so that no two tables are hashed alike
        found.update(len(part).to_bytes(8, "big"))
        found.update(part)
    return found.digest()


async def copy(source: Store, target: Store) -> Summary:
    """Copy all tables and compare each with its copy, read back.

    A table that the target has already must have the same contents; StoreError names the first that has
    not, before anything is written.
    """
    names = await source.tables()
    existing = set(await target.tables())
    for name in names:
        if name in existing and digest(await source.load(name)) != digest(await target.load(name)):
            raise StoreError(
                "table {table} is in {where} already, with a different history",
                table=name,
                where=target.where,
            )
    for name in names:
        if name not in existing:
            await add(target, await source.load(name))
    copied = await summarize(target, names)
    return copied._replace(existing=len(existing.intersection(names)))


async def add(target: Store, table: StoredTable) -> None:
    """Write a table to a log that does not have it, and compare it with its copy, read back."""
    await target.create(table.id, table.document, table.key, table.entries, table.due, table.standing)
    if digest(await target.load(table.id)) != digest(table):
        raise StoreError("table {table} did not arrive intact", table=table.id)


async def summarize(log: Store, names: Sequence[str] | None = None) -> Summary:
    """The summary of a log, or of these tables in it; its hash is that of a copy of them."""
    names = await log.tables() if names is None else names
    total, entries = hashlib.sha256(), 0
    for name in names:
        table = await log.load(name)
        total.update(digest(table))
        entries += table.version
    return Summary(len(names), entries, len(names), total.hexdigest())


def snapshot(source: Path, target: Path) -> None:
    """Copy the file of a log consistently, while another process may be writing to it."""
    with new_file(target) as temporary:
        try:
            with (
                closing(sqlite._connect(source, reading=True)) as reader,
                closing(sqlite3.connect(temporary)) as writer,
            ):
                reader.backup(writer)
                # one file that stands alone
                writer.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.Error as error:
            raise StoreError("{path}: {problem}", path=str(source), problem=str(error)) from None
        check_integrity(temporary, source)


def check_integrity(path: Path, name: Path | None = None) -> None:
    """StoreError, in which the file is called `name`, if the file of a log is damaged."""
    try:
        with closing(sqlite._connect(path, reading=True)) as reader:
            (verdict,) = reader.execute("PRAGMA integrity_check").fetchone()
    except sqlite3.Error as error:
        verdict = str(error)
    if verdict != "ok":
        raise StoreError("{path}: the log is damaged: {problem}", path=str(name or path), problem=verdict)


@contextmanager
def new_file(target: Path) -> Iterator[Path]:
    """A path to write to, which atomically becomes the new file `target`; StoreError if that exists.

    Only the owner may read it: it may hold the keys of tables.
    """
    if target.exists():
        raise StoreError("{path}: this file exists already", path=str(target))
    try:
        with atomic_path(target, private=True) as temporary:
            yield temporary
    except OSError as error:
        problem = error.strerror or str(error)
        raise StoreError("{path}: {problem}", path=str(target), problem=problem) from None


# --- a whole file ------------------------------------------------------------------------------------


def write_log(path: Path, tables: Iterable[StoredTable], note: str = "") -> None:
    """Write tables, and a note, to a new file."""
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        sqlite.migrate(writer, path)
        batch = Batch({}, 0, time.time(), sqlite.SqliteStore.stored_size)
        for table in tables:
            made, standing = (table.document, table.key), table.standing
            batch.write(Write(table.id, 0, table.entries, table.due, standing=standing, made=made))
        writer.execute("BEGIN")
        sqlite.write_batch(writer, batch, 0)
        writer.execute("CREATE TABLE note (text TEXT NOT NULL) STRICT")
        writer.execute("INSERT INTO note VALUES (?)", (note,))
        writer.execute("COMMIT")


def read_log(path: Path) -> tuple[list[StoredTable], str]:
    """The tables in a log's file, also in one of an older Pasch, and the note; StoreError if it is no log."""
    try:
        with closing(sqlite.connect_reading(path)) as reader:
            names = reader.execute("SELECT id FROM tables ORDER BY number").fetchall()
            tables = [sqlite.read_table(reader, name) for (name,) in names]
            noted_there = reader.execute("SELECT 1 FROM sqlite_schema WHERE name = 'note'").fetchone()
            note = reader.execute("SELECT text FROM note").fetchone()[0] if noted_there else ""
    except (sqlite3.Error, TypeError, ValueError) as error:
        raise StoreError("{path}: this is not a Pasch log", path=path.name, problem=str(error)) from None
    return tables, note
