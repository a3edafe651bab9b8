"""The event log in one SQLite file.

One thread writes (group commit): everything that waits goes into one transaction, which is on the disk
before any of it is answered, so that a hundred tables wait hardly longer than one. Readers have a
connection of their own, which the writer never blocks. A lock keeps other processes out, so no fencing
tokens are needed and the writer can cache the version of every table.

A failed COMMIT says nothing about what is in the file: when only the disk's last answer was bad, the
transaction may come to light when the file is opened again. So the writer reopens the file, makes durable
what it then sees, and answers by that. Where it cannot, and after anything that is no error of SQLite, it
ends (`Store.failed`), and the process has to be started again.

Python releases its global lock at every statement and has to get it back, so the entries of many tables are
written with few statements.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from itertools import chain
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from pasch.store import migrations
from pasch.store.base import (
    Deletion,
    LogEntry,
    NoTable,
    OutcomeUnknown,
    Store,
    StoredTable,
    StoreError,
    TableStatus,
    TableSummary,
    Write,
    not_read,
    not_written,
)
from pasch.store.batch import Batch

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


#: heads of tables that the writer keeps in memory; others are read from the file when they are written to
MAX_HEADS: Final = 20_000
#: how long to wait for a process that is just ending, in seconds
LOCK_TIMEOUT_SECONDS: Final = 2.0

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]

#: rows that are written with one statement
ROWS: Final = (64, 16, 4, 1)


def _statements(before: str, row: str) -> dict[int, str]:
    """The same statement for each number of rows in ROWS."""
    return {rows: f"{before} VALUES {', '.join([row] * rows)}" for rows in ROWS}


INSERT_TABLES: Final = _statements("INSERT INTO tables (number, id, document, key)", "(?, ?, ?, ?)")
INSERT_HEADS: Final = _statements(
    "INSERT OR REPLACE INTO heads (number, version, due, phase, made, written, bytes, last)",
    "(?, ?, ?, ?, ?, ?, ?, ?)",
)
INSERT_ENTRIES: Final = _statements("INSERT INTO entries", "(?, ?, ?, ?, ?, ?)")
#: the heads of tables, whose ids are given as JSON, as one row: Python would wait for its lock at every row
HEADS: Final = """
    SELECT json_group_array(json_array(id, number, version, due, phase, made, written, bytes, last))
    FROM tables JOIN heads USING (number) WHERE id IN (SELECT value FROM json_each(?))
"""
#: the last number that a table has got, and the last place of an entry
LAST: Final = """
    SELECT (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'tables'),
        (SELECT coalesce(max(place), 0) FROM entries)
"""
#: the places of a table's entries, from the last back to the first
_CHAIN: Final = """
    WITH RECURSIVE chain (place, before) AS (
        SELECT place, before FROM entries WHERE place = ?
        UNION ALL
        SELECT entries.place, entries.before FROM chain JOIN entries ON entries.place = chain.before
    )
"""
TABLE: Final = """
    SELECT document, key, due, version, last, phase, made, written
    FROM tables JOIN heads USING (number) WHERE id = ?
"""
ENTRIES: Final = f"{_CHAIN} SELECT body, command FROM chain JOIN entries USING (place) ORDER BY version"
DELETE_ENTRIES: Final = f"{_CHAIN} DELETE FROM entries WHERE place IN (SELECT place FROM chain)"


#: phases as JSON, a time before which the table was last written, a limit; null asks for all
SUMMARIES: Final = """
    SELECT id, number, version, due, phase, made, written, bytes FROM heads JOIN tables USING (number)
    WHERE (?1 IS NULL OR phase IN (SELECT value FROM json_each(?1))) AND (?2 IS NULL OR written < ?2)
    ORDER BY number
"""


def _connect(path: Path, reading: bool = False) -> sqlite3.Connection:
    address = path.absolute().as_uri() + ("?mode=ro" if reading else "")
    connection = sqlite3.connect(
        address, isolation_level=None, check_same_thread=False, timeout=10, uri=True
    )
    if not reading:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
    return connection


def _version(connection: sqlite3.Connection, path: Path) -> int:
    """The schema version of a log, 0 if it is none yet; StoreError if this Pasch does not know it."""
    version = 0
    if connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'about'").fetchone():
        (version,) = connection.execute("SELECT schema FROM about").fetchone()
    migrations.check_version(version, migrations.SQLITE, str(path))
    return version


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Bring a log to the latest schema version, in one transaction."""
    connection.execute("BEGIN EXCLUSIVE")
    for statement in migrations.pending_statements(_version(connection, path), migrations.SQLITE):
        connection.execute(statement)
    connection.execute("UPDATE about SET schema = ?", (len(migrations.SQLITE),))
    connection.execute("COMMIT")


def connect_reading(path: Path) -> sqlite3.Connection:
    """A connection that reads a log; StoreError if there is none. A log of an older Pasch is copied and migrated."""
    if not path.is_file():
        raise StoreError("{path}: there is no log", path=str(path))
    connection = _connect(path, reading=True)
    try:
        version = _version(connection, path)
        if not version:
            raise StoreError("{path}: this is not a Pasch log", path=str(path))
        if version < len(migrations.SQLITE):
            # SQLite keeps it in a temporary file
            copy = sqlite3.connect("", isolation_level=None, check_same_thread=False)
            connection.backup(copy)
            connection.close()
            connection = copy
            migrate(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def write_batch(writer: sqlite3.Connection, batch: Batch, place: int) -> int:
    """Write what a batch changes; `place` is that of the last entry of all, before and after."""
    for head in batch.deleted:
        writer.execute(DELETE_ENTRIES, (head.last,))
        for name in ("tables", "heads"):
            writer.execute(f"DELETE FROM {name} WHERE number = ?", (head.number,))
    entries: list[tuple[Any, ...]] = []
    for table, added in batch.entries.items():
        head = batch.heads[table]
        before = head.last
        for version, (body, command) in enumerate(added, head.version - len(added) + 1):
            place += 1
            entries.append((place, head.number, version, before, body, command))
            before = place
        batch.heads[table] = head._replace(last=before)
    tables = [(batch.heads[table].number, table, *made) for table, made in batch.made.items()]
    _write_rows(writer, INSERT_TABLES, tables)
    _write_rows(writer, INSERT_HEADS, [batch.heads[table][1:] for table in batch.entries])
    _write_rows(writer, INSERT_ENTRIES, entries)
    return place


def _write_rows(
    writer: sqlite3.Connection, statements: dict[int, str], rows: Sequence[tuple[Any, ...]]
) -> None:
    at = 0
    for size, statement in statements.items():
        while len(rows) - at >= size:
            writer.execute(statement, tuple(chain.from_iterable(rows[at : at + size])))
            at += size


def read_table(reader: sqlite3.Connection, table: str) -> StoredTable:
    """A table with all its entries; NoTable if there is none."""
    found = reader.execute(TABLE, (table,)).fetchone()
    if found is None:
        raise NoTable(table)
    document, key, due, version, last, *standing = found
    entries = tuple([LogEntry(*row) for row in reader.execute(ENTRIES, (last,))])
    if len(entries) != version:
        raise StoreError(
            "table {table} is damaged: {found} of its {version} entries are there",
            table=table, found=len(entries), version=version,
        )  # fmt: skip
    return StoredTable(table, document, key, entries, bool(due), standing=TableStatus(*standing))


def _lock(path: Path) -> int:
    """A locked file beside a log, which is created if necessary; StoreError if another process has locked it.

    Closing it releases the lock, and so does the system when the process ends, however it ends.
    """
    file = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
    until = time.monotonic() + LOCK_TIMEOUT_SECONDS
    while True:
        try:
            if sys.platform == "win32":
                msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return file
        except (BlockingIOError, PermissionError):
            if time.monotonic() >= until:
                os.close(file)
                raise StoreError(
                    "{path}: another Pasch has this log; stop that one first", path=str(path)
                ) from None
        time.sleep(0.05)


class SqliteStore(Store):
    """The log in the file `path`, which is created if necessary.

    With `reading` nothing is written, and another process may have the log, also an older Pasch.
    """

    #: in the file, as measured
    table_overhead, entry_overhead = 96, 24
    #: most of the work of a transaction does not depend on how much is in it, and the threads of the writer and of the
    #: event loop get in each other's way; with a quarter of this there were a fifth fewer moves (`bench.server`)
    gather_seconds = 0.008

    def __init__(self, path: Path, reading: bool = False, clock: Callable[[], float] = time.time) -> None:
        super().__init__()
        self.path = path
        self._reading = reading
        self._clock = clock
        #: the lock that keeps other processes out, while this one has the file
        self._locked = ExitStack()
        #: the heads of tables written to, and the last number and place; both belong to the writer thread
        self._heads: dict[str, TableSummary] = {}
        self._last: tuple[int, int] | None = None

    @property
    def where(self) -> str:
        return str(self.path)

    async def open(self) -> None:
        await super().open()
        try:
            self._writer, self._reader = await self._loop.run_in_executor(None, self._open)
        except (sqlite3.Error, OSError, StoreError) as error:
            self._locked.close()
            if isinstance(error, StoreError):
                raise
            raise StoreError("{path}: {problem}", path=str(self.path), problem=str(error)) from None
        self._readers = ThreadPoolExecutor(1, "pasch-read")
        self._writers = ThreadPoolExecutor(1, "pasch-write")

    def _open(self) -> tuple[sqlite3.Connection, sqlite3.Connection]:
        """Connections for writing and for reading."""
        if self._reading:
            reader = connect_reading(self.path)
            return reader, reader
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._locked.callback(os.close, _lock(self.path))
        writer = _connect(self.path)
        try:
            # anybody who may read this file may read every key in it
            self.path.chmod(0o600)
            migrate(writer, self.path)
            return writer, _connect(self.path)
        except BaseException:
            writer.close()
            raise

    async def close(self) -> None:
        await super().close()
        for executor in (self._readers, self._writers):
            executor.shutdown()
        for connection in (self._reader, self._writer):
            with suppress(sqlite3.Error):  # after a failure there is nothing left to be lost
                connection.close()
        self._locked.close()

    # --- writing ---------------------------------------------------------------------------------

    def _stored_heads(self, tables: Collection[str]) -> dict[str, TableSummary]:
        (found,) = self._writer.execute(HEADS, (json.dumps(list(tables)),)).fetchone()
        heads = msgspec.json.decode(found, type=list[TableSummary], strict=False)
        return {head.id: head for head in heads}

    async def _commit(self, jobs: list[Write | Deletion]) -> Sequence[Any]:
        return await self._loop.run_in_executor(self._writers, self._transact, jobs)

    def _transact(self, jobs: list[Write | Deletion]) -> Sequence[Any]:
        """In the writer thread: all jobs in one transaction."""
        tables = {table for job in jobs for table in job.tables}
        committing = False
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            number, place = self._last or self._writer.execute(LAST).fetchone()
            if len(self._heads) > MAX_HEADS:
                self._heads.clear()
            if unknown := tables - self._heads.keys():
                self._heads |= self._stored_heads(unknown)
            batch = Batch(self._heads, number, self._clock(), self.stored_size)
            answers = [batch.answer(job) for job in jobs]
            self._last = batch.number, write_batch(self._writer, batch, place)
            committing = True
            self._writer.execute("COMMIT")
        except BaseException as error:  # noqa: BLE001 - every error is answered
            if not self._recover(error, committing, tables):
                return [not_written(error, self.refusal)] * len(jobs)
        return answers

    def _recover(self, error: BaseException, committing: bool, tables: Collection[str]) -> bool:
        """After a failed transaction: whether it is in the file all the same; False also if in doubt."""
        expected = {table: head for table, head in self._heads.items() if table in tables}
        self._heads, self._last = {}, None
        if not isinstance(error, sqlite3.Error):
            self._fail(error)
        try:
            if committing:
                self._reopen()
                # on a full disk the last part of a transaction, which makes it count, was not written
                if getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_FULL:
                    self._settle()
                return self._stored_heads(tables) == expected
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
        except BaseException as again:  # noqa: BLE001 - the outcome is unknown
            self.refusal = OutcomeUnknown if committing else StoreError
            self._fail(again, trace=not isinstance(again, sqlite3.Error))
        return False

    def _reopen(self) -> None:
        with suppress(sqlite3.Error):
            self._writer.close()
        self._writer = _connect(self.path)

    def _settle(self) -> None:
        """Make durable what the file shows, and what it does not show impossible.

        A COMMIT whose last step failed can leave its pages in SQLite's write-ahead log, where only the
        process that opens the file after a crash would find them. The next transaction is written over them.
        """
        busy, *_ = self._writer.execute("PRAGMA wal_checkpoint(FULL)").fetchone()
        if busy:
            raise sqlite3.OperationalError("the file could not be made durable")
        # the number itself is unused; an UPDATE to the same value would not be written
        self._writer.execute("PRAGMA user_version = 1")

    # --- reading ---------------------------------------------------------------------------------

    async def load(self, table: str) -> StoredTable:
        def read(reader: sqlite3.Connection) -> StoredTable:
            reader.execute("BEGIN")
            try:
                return read_table(reader, table)
            finally:
                reader.execute("COMMIT")

        return await self._read(read)

    async def due(self) -> tuple[str, ...]:
        return await self._ids("SELECT id FROM tables JOIN heads USING (number) WHERE due ORDER BY number")

    async def tables(self) -> tuple[str, ...]:
        return await self._ids("SELECT id FROM tables ORDER BY number")

    async def summaries(
        self, phases: Collection[str] | None = None, before: int | None = None
    ) -> tuple[TableSummary, ...]:
        wanted = None if phases is None else json.dumps(list(phases))
        rows = await self._read(lambda reader: reader.execute(SUMMARIES, (wanted, before)).fetchall())
        return msgspec.convert(rows, tuple[TableSummary, ...], strict=False)

    async def size(self) -> int:
        def read(reader: sqlite3.Connection) -> int:
            names = ("page_count", "freelist_count", "page_size")
            pages, free, size = (int(reader.execute(f"PRAGMA {name}").fetchone()[0]) for name in names)
            ahead = self.path.with_name(f"{self.path.name}-wal")
            return (pages - free) * size + (ahead.stat().st_size if ahead.is_file() else 0)

        return await self._read(read)

    async def _ids(self, query: str) -> tuple[str, ...]:
        return await self._read(lambda reader: tuple(id for (id,) in reader.execute(query)))

    async def _read(self, read: Work[T]) -> T:
        try:
            return await self._loop.run_in_executor(self._readers, read, self._reader)
        except sqlite3.Error as error:
            raise not_read(error) from None
