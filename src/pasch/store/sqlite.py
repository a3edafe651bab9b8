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
from typing import Any, Final, NamedTuple, TypeVar

from pasch.store import migrations
from pasch.store.base import (
    Conflict,
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

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


#: heads of tables that the writer keeps in memory; others are read from the file when they are written to
MAX_HEADS: Final = 20_000
#: how long to wait for a process that is just ending, in seconds
LOCK_TIMEOUT_SECONDS: Final = 2.0

T = TypeVar("T")
#: what the writer does inside a transaction
Work = Callable[[sqlite3.Connection], T]


#: a write or a deletion
Job = Write | Work[int]


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
TABLE: Final = """
    SELECT document, key, due, version, last, phase, made, written
    FROM tables JOIN heads USING (number) WHERE id = ?
"""
ENTRIES: Final = f"{_CHAIN} SELECT body, command FROM chain JOIN entries USING (place) ORDER BY version"
DELETE_ENTRIES: Final = f"{_CHAIN} DELETE FROM entries WHERE place IN (SELECT place FROM chain)"


#: phases as JSON, a time before which the table was last written, a limit; null asks for all
SUMMARIES: Final = """
    SELECT id, phase, made, written, bytes FROM heads JOIN tables USING (number)
    WHERE (?1 IS NULL OR phase IN (SELECT value FROM json_each(?1))) AND (?2 IS NULL OR written < ?2)
    ORDER BY number LIMIT ?3
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
        #: the heads of tables written to, the one written to longest ago first, and rows to write; both belong to
        #: the writer thread
        self._heads: dict[str, Head] = {}
        self._rows: PendingRows | None = None
        #: the tables that the transaction changes; belongs to the writer thread
        self._changed: set[str] = set()

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

    async def delete(self, tables: Collection[str], before: int | None = None) -> tuple[str, ...]:
        deleted: list[str] = []

        def work(writer: sqlite3.Connection) -> int:
            for table in tables:
                try:
                    head = self._head(table)
                except NoTable:
                    continue
                query = "SELECT written FROM heads WHERE number = ?"
                (written,) = writer.execute(query, (head.number,)).fetchone()
                if before is not None and written >= before:
                    continue
                writer.execute(DELETE_ENTRIES, (head.last,))
                for name in ("tables", "heads"):
                    writer.execute(f"DELETE FROM {name} WHERE number = ?", (head.number,))
                del self._heads[table]
                self._changed.add(table)
                deleted.append(table)
            return len(deleted)

        await self._enqueue(work)
        return tuple(deleted)

    def _head(self, table: str) -> Head:
        head = self._heads.get(table)
        if head is None:
            head = self._stored_head(table)
            if head is None:
                raise NoTable(table)
            self._heads[table] = head
        return head

    def _stored_head(self, table: str) -> Head | None:
        query = "SELECT number, version, last, due FROM tables JOIN heads USING (number) WHERE id = ?"
        found = self._writer.execute(query, (table,)).fetchone()
        return None if found is None else Head(*found)

    def _pending_rows(self) -> PendingRows:
        if self._rows is None:
            (last,) = self._writer.execute("SELECT coalesce(max(place), 0) FROM entries").fetchone()
            self._rows = PendingRows(last)
        return self._rows

    async def _commit(self, jobs: list[Job]) -> list[int | StoreError]:
        return await self._loop.run_in_executor(self._writers, self._transact, jobs)

    def _transact(self, jobs: list[Job]) -> list[int | StoreError]:
        """In the writer thread: all jobs in one transaction."""
        answers: list[int | StoreError] = []
        self._changed.clear()
        committing = False
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            rows = self._pending_rows()
            for job in jobs:
                try:
                    if isinstance(job, Write):
                        answers.append(self._write_table(job, rows))
                    else:
                        rows.write(self._writer)  # this job may concern the same tables
                        answers.append(job(self._writer))
                except StoreError as refused:
                    # raised before anything was written, so the other jobs can continue
                    answers.append(refused)
            rows.write(self._writer)
            committing = True
            self._writer.execute("COMMIT")
        except BaseException as error:  # noqa: BLE001 - every error is answered
            if not self._recover(error, committing):
                return [not_written(error, self.refusal)] * len(jobs)
        # only now: what the transaction has changed is read from here until it is in the file
        while len(self._heads) > MAX_HEADS:
            del self._heads[next(iter(self._heads))]
        return answers

    def _recover(self, error: BaseException, committing: bool) -> bool:
        """After a failed transaction: whether it is in the file all the same; False also if in doubt."""
        expected = {table: self._heads.get(table) for table in self._changed}
        self._heads.clear()
        self._rows = None
        if not isinstance(error, sqlite3.Error):
            self._fail(error)
        try:
            if committing:
                self._reopen()
                # on a full disk the last part of a transaction, which makes it count, was not written
                if getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_FULL:
                    self._settle()
                return all(self._stored_head(table) == head for table, head in expected.items())
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

    def _write_table(self, write: Write, rows: PendingRows) -> int:
        """Add a new table, or entries to one; the new version."""
        now, (phase, made, written) = int(self._clock()), write.standing
        if write.made is None:
            head = self._head(write.table)
            if head.version != write.version:
                raise Conflict(
                    "table {table} is not at version {version}", table=write.table, version=write.version
                )
            noted = TableStatus(phase, written=now if write.entries else 0)
        else:
            insert = "INSERT OR IGNORE INTO tables (id, document, key) VALUES (?, ?, ?)"
            inserted = self._writer.execute(insert, (write.table, *write.made))
            if not inserted.rowcount:
                raise Conflict("there is a table {table} already", table=write.table)
            assert inserted.lastrowid is not None
            head = Head(inserted.lastrowid, 0, None, write.due)
            noted = TableStatus(phase, made or now, written or now)
        size = self.stored_size(write.entries, *(write.made or ()))
        self._heads.pop(write.table, None)  # so that the new head is the one used last
        self._heads[write.table] = head = rows.add(head, write.entries, write.due, noted, size)
        self._changed.add(write.table)
        return head.version

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
        self, phases: Collection[str] | None = None, before: int | None = None, limit: int | None = None
    ) -> tuple[TableSummary, ...]:
        wanted = None if phases is None else json.dumps(list(phases))
        values = (wanted, before, -1 if limit is None else limit)
        return await self._read(
            lambda reader: tuple([TableSummary(*row) for row in reader.execute(SUMMARIES, values)])
        )

    async def size(self) -> int:
        def read(reader: sqlite3.Connection) -> int:
            names = ("page_count", "freelist_count", "page_size")
            pages, free, size = (int(reader.execute(f"PRAGMA {name}").fetchone()[0]) for name in names)
            ahead = self.path.with_name(f"{self.path.name}-wal")
            return (pages - free) * size + (ahead.stat().st_size if ahead.is_file() else 0)

        return await self._read(read)

    async def compact(self) -> None:
        def work() -> None:
            # nothing else is written meanwhile, because this process has exclusive use of the store
            self._writer.execute("VACUUM")
            self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")

        try:
            await self._loop.run_in_executor(None, work)
        except sqlite3.Error as error:
            raise not_written(error) from None

    async def _ids(self, query: str) -> tuple[str, ...]:
        return await self._read(lambda reader: tuple(id for (id,) in reader.execute(query)))

    async def _read(self, read: Work[T]) -> T:
        try:
            return await self._loop.run_in_executor(self._readers, read, self._reader)
        except sqlite3.Error as error:
            raise not_read(error) from None
