"""The event log in one SQLite file.

One thread writes (group commit): everything that waits goes into one transaction, which is on the disk
before any of it is answered, so that a hundred tables wait hardly longer than one. Readers have a
connection of their own, which the writer never blocks. A lock keeps other processes out, so no fencing
tokens are needed and the writer can cache the version of every table.

Python releases its global lock at every statement and has to get it back, so the entries of many tables are
written with few statements.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from asyncio import Future
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final, NamedTuple, TypeVar

from pasch.store import migrations
from pasch.store.base import (
    FIRST_FENCE,
    Backlog,
    Conflict,
    LogEntry,
    NoTable,
    Store,
    StoredTable,
    StoreError,
)
from pasch.store.lock import FileLock, Locked

#: more than this in one transaction would let the first wait for the last
MOST_AT_ONCE: Final = 500

#: after so many in one transaction the next waits for more, so long (seconds): most of the work of a
#: transaction does not depend on how much is in it, and the threads of the writer and of the event loop get
#: in each other's way; with a quarter of this there were a fifth fewer moves (`python -m bench.server`)
BUSY: Final = 8
GATHER: Final = 0.008
#: rows that are written with one statement
ROWS: Final = (64, 16, 4, 1)

T = TypeVar("T")
#: what the writer does inside a transaction
Work = Callable[[sqlite3.Connection], T]


class Append(NamedTuple):
    """Entries for a table that is at `version`."""

    table: str
    version: int
    entries: Sequence[LogEntry]
    due: bool


#: a write, and the future for its answer
Job = tuple[Append | Work[int], "Future[int]"]
#: answers with their futures
Answers = list[tuple["Future[int]", int | StoreError]]


class Head(NamedTuple):
    """A table's number in the log, its version, and the place of its last entry."""

    number: int
    version: int
    last: int | None


class PendingRows:
    """The rows that a transaction adds, written together; the last place used before is `last`."""

    def __init__(self, last: int) -> None:
        self._last = last
        self._heads: dict[int, tuple[int, int, bool, int | None]] = {}
        self._entries: list[tuple[int, int, int, int | None, bytes, str | None]] = []

    def add(self, head: Head, entries: Sequence[LogEntry], due: bool) -> Head:
        """Add the entries of a table, and return its new head."""
        number, version, before = head
        place = self._last
        for body, command in entries:
            version += 1
            place += 1
            self._entries.append((place, number, version, before, body, command))
            before = place
        self._last = place
        self._heads[number] = (number, version, due, before)
        return Head(number, version, before)

    def write(self, writer: sqlite3.Connection) -> None:
        _write_rows(writer, _HEADS, list(self._heads.values()))
        _write_rows(writer, _ENTRIES, self._entries)
        self._heads, self._entries = {}, []


def _statements(before: str, row: str, after: str = "") -> dict[int, str]:
    """The same statement for each number of rows in ROWS."""
    return {rows: f"{before} VALUES {', '.join([row] * rows)} {after}" for rows in ROWS}


_ENTRIES: Final = _statements("INSERT INTO entries", "(?, ?, ?, ?, ?, ?)")
_HEADS: Final = _statements(
    "INSERT INTO heads",
    "(?, ?, ?, ?)",
    "ON CONFLICT (number) DO UPDATE "
    "SET version = excluded.version, due = excluded.due, last = excluded.last",
)
#: the places of a table's entries, from the last back to the first
_CHAIN: Final = """
    WITH RECURSIVE chain (place, before) AS (
        SELECT place, before FROM entries WHERE place = ?
        UNION ALL
        SELECT entries.place, entries.before FROM chain JOIN entries ON entries.place = chain.before
    )
"""
_DELETE: Final = f"{_CHAIN} DELETE FROM entries WHERE place IN (SELECT place FROM chain)"
#: the queries for a table's head and for its entries: with chained entries, and before that migration
_TABLE: Final = "SELECT document, key, due, version, {} FROM tables JOIN heads USING (number) WHERE id = ?"
_CHAINED: Final = (
    _TABLE.format("last"),
    f"{_CHAIN} SELECT body, command FROM chain JOIN entries USING (place) ORDER BY version",
)
_UNCHAINED: Final = (
    _TABLE.format("number"),
    "SELECT body, command FROM entries WHERE number = ? ORDER BY version",
)


def _write_rows(
    writer: sqlite3.Connection, statements: dict[int, str], rows: Sequence[tuple[Any, ...]]
) -> None:
    at = 0
    for size, statement in statements.items():
        while len(rows) - at >= size:
            writer.execute(statement, tuple(chain.from_iterable(rows[at : at + size])))
            at += size


def _connect(path: Path, reading: bool = False) -> sqlite3.Connection:
    address = path.absolute().as_uri() + ("?mode=ro" if reading else "")
    connection = sqlite3.connect(
        address, isolation_level=None, check_same_thread=False, timeout=10, uri=True
    )
    if not reading:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
    return connection


class SqliteStore(Store):
    """The log in the file `path`, which is created if necessary.

    With `reading` nothing is written, and another process may have the log.
    """

    def __init__(self, path: Path, reading: bool = False) -> None:
        self.path = path
        self._reading = reading
        self._history = _CHAINED
        self._lock: FileLock | None = None
        self._jobs: SimpleQueue[list[Job] | None] = SimpleQueue()
        #: jobs of this turn of the event loop, passed to the writer together: waking it is costly
        self._gathered: list[Job] = []
        #: the heads of tables written to, and rows to write; both belong to the writer thread
        self._heads: dict[str, Head] = {}
        self._rows: PendingRows | None = None
        #: writes not answered yet, and since when they have waited
        self._unanswered = 0
        self._since = 0.0

    @property
    def where(self) -> str:
        return str(self.path)

    async def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        try:
            self._writer, self._reader = await self._loop.run_in_executor(None, self._open)
        except Locked:
            raise StoreError(
                "{path}: another Pasch has this log; stop that one first", path=str(self.path)
            ) from None
        except (sqlite3.Error, OSError, StoreError) as error:
            self._release_lock()
            if isinstance(error, StoreError):
                raise
            raise StoreError("{path}: {problem}", path=str(self.path), problem=str(error)) from None
        self._readers = ThreadPoolExecutor(1, thread_name_prefix="pasch-read")
        self._thread = threading.Thread(target=self._write, name="pasch-write", daemon=True)
        self._thread.start()

    def _open(self) -> tuple[sqlite3.Connection, sqlite3.Connection]:
        if self._reading:
            if not self.path.is_file():
                raise StoreError("{path}: there is no log", path=str(self.path))
        else:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = FileLock(self.path.with_name(self.path.name + ".lock"))
        writer = _connect(self.path, self._reading)
        try:
            if not self._reading:
                # whoever may read this file may read every key in it
                self.path.chmod(0o600)
            self._migrate(writer)
            return writer, _connect(self.path, self._reading)
        except BaseException:
            writer.close()
            raise

    def _migrate(self, writer: sqlite3.Connection) -> None:
        writer.execute("BEGIN" if self._reading else "BEGIN EXCLUSIVE")
        version = 0
        if writer.execute("SELECT 1 FROM sqlite_schema WHERE name = 'about'").fetchone():
            (version,) = writer.execute("SELECT schema FROM about").fetchone()
        migrations.check_version(version, migrations.SQLITE, str(self.path))
        if not self._reading:
            for statement in migrations.pending_statements(version, migrations.SQLITE):
                writer.execute(statement)
            writer.execute("UPDATE about SET schema = ?", (len(migrations.SQLITE),))
        elif not version:
            raise StoreError("{path}: this is no log of Pasch", path=str(self.path))
        elif version < migrations.CHAINED:
            self._history = _UNCHAINED
        writer.execute("COMMIT")

    async def close(self) -> None:
        self._pass_on()
        self._jobs.put(None)
        await self._loop.run_in_executor(None, self._thread.join)
        self._readers.shutdown()
        self._reader.close()
        self._writer.close()
        self._release_lock()

    def _release_lock(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    # --- writing ---------------------------------------------------------------------------------

    def create(
        self, table: str, document: bytes, key: bytes, entries: Sequence[LogEntry], due: bool
    ) -> Future[int]:
        def work(writer: sqlite3.Connection) -> int:
            made = writer.execute(
                "INSERT OR IGNORE INTO tables (id, document, key) VALUES (?, ?, ?)", (table, document, key)
            )
            if not made.rowcount:
                raise Conflict("there is a table {table} already", table=table)
            number = made.lastrowid
            assert number is not None
            self._heads[table] = self._pending_rows().add(Head(number, 0, None), entries, due)
            return len(entries)

        return self._submit(work)

    def append(
        self,
        table: str,
        version: int,
        entries: Sequence[LogEntry],
        due: bool,
        fence: int = FIRST_FENCE,
    ) -> Future[int]:
        return self._submit(Append(table, version, entries, due))

    async def delete(self, table: str) -> None:
        def work(writer: sqlite3.Connection) -> int:
            head = self._head(table)
            writer.execute(_DELETE, (head.last,))
            for name in ("tables", "heads"):
                writer.execute(f"DELETE FROM {name} WHERE number = ?", (head.number,))
            del self._heads[table]
            return 0

        await self._submit(work)

    def _head(self, table: str) -> Head:
        head = self._heads.get(table)
        if head is None:
            query = "SELECT number, version, last FROM tables JOIN heads USING (number) WHERE id = ?"
            found = self._writer.execute(query, (table,)).fetchone()
            if found is None:
                raise NoTable("there is no table {table}", table=table)
            head = self._heads[table] = Head(*found)
        return head

    def _pending_rows(self) -> PendingRows:
        if self._rows is None:
            (last,) = self._writer.execute("SELECT coalesce(max(place), 0) FROM entries").fetchone()
            self._rows = PendingRows(last)
        return self._rows

    def _submit(self, work: Append | Work[int]) -> Future[int]:
        answer: Future[int] = self._loop.create_future()
        if not self._gathered:
            self._loop.call_soon(self._pass_on)
        self._gathered.append((work, answer))
        if not self._unanswered:
            self._since = self._loop.time()
        self._unanswered += 1
        return answer

    @property
    def backlog(self) -> Backlog:
        waiting = self._unanswered
        return Backlog(waiting, self._loop.time() - self._since if waiting else 0.0)

    def _pass_on(self) -> None:
        if self._gathered:
            self._jobs.put(self._gathered)
            self._gathered = []

    def _write(self) -> None:
        """The writer thread: commit everything that waits in one transaction, then answer."""
        handed = self._jobs.get()
        jobs: list[Job] = []
        while handed is not None:
            if len(jobs) >= BUSY:
                time.sleep(GATHER)
            jobs = list(handed)
            handed = []
            try:
                while handed is not None and len(jobs) < MOST_AT_ONCE:
                    handed = self._jobs.get_nowait()
                    jobs += handed or []
            except Empty:
                pass
            self._loop.call_soon_threadsafe(self._answer, self._commit(jobs))
            if handed is not None:
                handed = self._jobs.get()

    def _commit(self, jobs: list[Job]) -> Answers:
        answers: Answers = []
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            rows = self._pending_rows()
            for work, answer in jobs:
                try:
                    if isinstance(work, Append):
                        answers.append((answer, self._append(work, rows)))
                    else:
                        rows.write(self._writer)  # this job may concern the same tables
                        answers.append((answer, work(self._writer)))
                except StoreError as refused:
                    # raised before anything was written, so the other jobs can go on
                    answers.append((answer, refused))
            rows.write(self._writer)
            self._writer.execute("COMMIT")
        except sqlite3.Error as error:
            self._heads.clear()
            self._rows = None
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
            failed = StoreError("the log could not be written: {problem}", problem=str(error))
            return [(answer, failed) for _, answer in jobs]
        return answers

    def _append(self, job: Append, rows: PendingRows) -> int:
        table, version, entries, due = job
        head = self._head(table)
        if head.version != version:
            raise Conflict("table {table} is not at version {version}", table=table, version=version)
        self._heads[table] = head = rows.add(head, entries, due)
        return head.version

    def _answer(self, answers: Answers) -> None:
        self._unanswered -= len(answers)
        self._since = self._loop.time()
        for future, answer in answers:
            if future.done():  # cancelled
                continue
            if isinstance(answer, StoreError):
                future.set_exception(answer)
            else:
                future.set_result(answer)

    # --- reading ---------------------------------------------------------------------------------

    async def load(self, table: str) -> StoredTable:
        def read(reader: sqlite3.Connection) -> StoredTable:
            reader.execute("BEGIN")
            try:
                head, history = self._history
                found = reader.execute(head, (table,)).fetchone()
                if found is None:
                    raise NoTable("there is no table {table}", table=table)
                document, key, due, version, which = found
                entries = tuple([LogEntry(*row) for row in reader.execute(history, (which,))])
                if len(entries) != version:
                    raise StoreError(
                        "table {table} is damaged: {found} of its {version} entries are there",
                        table=table, found=len(entries), version=version,
                    )  # fmt: skip
                return StoredTable(table, document, key, entries, bool(due))
            finally:
                reader.execute("COMMIT")

        return await self._read(read)

    async def due(self) -> tuple[str, ...]:
        return await self._ids("SELECT id FROM tables JOIN heads USING (number) WHERE due ORDER BY number")

    async def tables(self) -> tuple[str, ...]:
        return await self._ids("SELECT id FROM tables ORDER BY number")

    async def _ids(self, query: str) -> tuple[str, ...]:
        return await self._read(lambda reader: tuple(id for (id,) in reader.execute(query)))

    async def _read(self, read: Work[T]) -> T:
        try:
            return await self._loop.run_in_executor(self._readers, read, self._reader)
        except sqlite3.Error as error:
            raise StoreError("the log could not be read: {problem}", problem=str(error)) from None
