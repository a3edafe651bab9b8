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

import asyncio
import logging
import sqlite3
import threading
import time
from asyncio import Future
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final, TypeVar

from pasch.store import migrations, sqlite_rows
from pasch.store.base import (
    Backlog,
    Conflict,
    NoTable,
    OutcomeUnknown,
    Store,
    StoredTable,
    StoreError,
    TableStatus,
    TableSummary,
    Write,
    message,
    not_read,
    not_written,
    settle,
)
from pasch.store.lock import FileLock, Locked
from pasch.store.sqlite_rows import Head, PendingRows

logger = logging.getLogger("pasch.store")

#: writes per transaction; with more, the first waits too long for the last
MAX_AT_ONCE: Final = 500

#: after a transaction with this many writes the next waits this long for more: most of the work of a
#: transaction does not depend on how much is in it, and the threads of the writer and of the event loop get
#: in each other's way; with a quarter of this there were a fifth fewer moves (`python -m bench.server`)
BUSY_WRITES: Final = 8
GATHER_SECONDS: Final = 0.008
#: heads of tables that the writer keeps in memory; others are read from the file when they are written to
MAX_HEADS: Final = 20_000

T = TypeVar("T")
#: what the writer does inside a transaction
Work = Callable[[sqlite3.Connection], T]


#: a write or a deletion, and the future for its answer
Job = tuple[Write | Work[int], "Future[int]"]
#: answers with their futures
Answers = list[tuple["Future[int]", int | StoreError]]


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

    #: in the file, as measured
    table_overhead, entry_overhead = 96, 24

    def __init__(self, path: Path, reading: bool = False, clock: Callable[[], float] = time.time) -> None:
        self.path = path
        self._reading = reading
        self._clock = clock
        self._schema = len(migrations.SQLITE)
        self._lock: FileLock | None = None
        self._jobs: SimpleQueue[list[Job] | None] = SimpleQueue()
        #: jobs of this turn of the event loop, passed to the writer together: waking it is costly
        self._gathered: list[Job] = []
        #: the heads of tables written to, the one written to longest ago first, and rows to write; both belong to
        #: the writer thread
        self._heads: dict[str, Head] = {}
        self._rows: PendingRows | None = None
        #: the tables that the transaction changes; belongs to the writer thread
        self._changed: set[str] = set()
        #: a COMMIT has failed, and it is unknown whether the file contains its writes
        self._doubt = False
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
                # anybody who may read this file may read every key in it
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
        else:
            self._schema = version
        writer.execute("COMMIT")

    async def close(self) -> None:
        self._pass_on()
        self._jobs.put(None)
        await self._loop.run_in_executor(None, self._thread.join)
        self._readers.shutdown()
        for connection in (self._reader, self._writer):
            with suppress(sqlite3.Error):  # after a failure there is nothing left to be lost
                connection.close()
        self._release_lock()

    def _release_lock(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    # --- writing ---------------------------------------------------------------------------------

    def submit(self, write: Write) -> Future[int]:
        return self._submit(write)

    async def delete(self, tables: Collection[str], before: int | None = None) -> tuple[str, ...]:
        deleted: list[str] = []

        def work(writer: sqlite3.Connection) -> int:
            for table in tables:
                try:
                    head = self._head(table)
                except NoTable:
                    continue
                (written,) = writer.execute(sqlite_rows.WRITTEN, (head.number,)).fetchone()
                if before is not None and written >= before:
                    continue
                writer.execute(sqlite_rows.DELETE_ENTRIES, (head.last,))
                for name in ("tables", "heads"):
                    writer.execute(f"DELETE FROM {name} WHERE number = ?", (head.number,))
                del self._heads[table]
                self._changed.add(table)
                deleted.append(table)
            return len(deleted)

        await self._submit(work)
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

    def _submit(self, work: Write | Work[int]) -> Future[int]:
        answer: Future[int] = self._loop.create_future()
        if self.failed is not None:
            answer.set_exception(self._refusal(self.failed))
            return answer
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
        """The writer thread: commit all pending jobs in one transaction, then answer.

        Ends with `close`, or for good after a failure; then all waiting writes are answered.
        """
        jobs: list[Job] = []
        try:
            handed = self._jobs.get()
            while handed is not None:
                if len(jobs) >= BUSY_WRITES:
                    time.sleep(GATHER_SECONDS)
                jobs = list(handed)
                handed = []
                try:
                    while handed is not None and len(jobs) < MAX_AT_ONCE:
                        handed = self._jobs.get_nowait()
                        jobs += handed or []
                except Empty:
                    pass
                self._loop.call_soon_threadsafe(self._answer, self._commit(jobs))
                if self.failed is not None:
                    break
                if handed is not None:
                    handed = self._jobs.get()
        except BaseException as error:  # noqa: BLE001 - every waiting job needs an answer
            self._fail(error)
        if self.failed is not None:
            self._loop.call_soon_threadsafe(self._give_up, self.failed, jobs)

    def _commit(self, jobs: list[Job]) -> Answers:
        answers: Answers = []
        self._changed.clear()
        committing = False
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            rows = self._pending_rows()
            for work, answer in jobs:
                try:
                    if isinstance(work, Write) and work.made is None:
                        answers.append((answer, self._append(work, rows)))
                        continue
                    rows.write(self._writer)  # this job may concern the same tables
                    done = self._create(work, rows) if isinstance(work, Write) else work(self._writer)
                    answers.append((answer, done))
                except StoreError as refused:
                    # raised before anything was written, so the other jobs can continue
                    answers.append((answer, refused))
            rows.write(self._writer)
            committing = True
            self._writer.execute("COMMIT")
        except BaseException as error:  # noqa: BLE001 - every error is answered
            if not self._recover(error, committing):
                return [(answer, self._refusal(error)) for _, answer in jobs]
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
            self._doubt = committing
            self._fail(again)
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
        # nobody reads this number; but it is written, where an UPDATE to the same value is not
        self._writer.execute("PRAGMA user_version = 1")

    def _fail(self, error: BaseException) -> None:
        """Record that the writer cannot continue."""
        self.failed = self.failed or message(error)
        unexpected = None if isinstance(error, sqlite3.Error) else error
        fields = {"problem": message(error)}
        logger.error("log failed", exc_info=unexpected, extra={"fields": fields})

    def _refusal(self, problem: BaseException | str) -> StoreError:
        return not_written(problem, OutcomeUnknown if self._doubt else StoreError)

    def _give_up(self, problem: str, begun: list[Job]) -> None:
        """Answer all jobs that still wait for a writer that has ended. `begun`: its last jobs."""
        waiting = [*self._gathered]
        with suppress(Empty):
            while True:
                waiting += self._jobs.get_nowait() or []
        self._gathered, self._unanswered = [], 0
        uncertain = not_written(problem, OutcomeUnknown)
        for jobs, answer in ((begun, uncertain), (waiting, self._refusal(problem))):
            for _, future in jobs:
                settle(future, answer)

    def _create(self, write: Write, rows: PendingRows) -> int:
        assert write.made is not None
        insert = "INSERT OR IGNORE INTO tables (id, document, key) VALUES (?, ?, ?)"
        made = self._writer.execute(insert, (write.table, *write.made))
        if not made.rowcount:
            raise Conflict("there is a table {table} already", table=write.table)
        assert made.lastrowid is not None
        now, (phase, begun, written) = int(self._clock()), write.standing
        noted = TableStatus(phase, begun or now, written or now)
        return self._add(write, Head(made.lastrowid, 0, None, write.due), noted, rows)

    def _append(self, write: Write, rows: PendingRows) -> int:
        head = self._head(write.table)
        if head.version != write.version:
            raise Conflict(
                "table {table} is not at version {version}", table=write.table, version=write.version
            )
        noted = TableStatus(write.standing.phase, written=int(self._clock()) if write.entries else 0)
        return self._add(write, head, noted, rows)

    def _add(self, write: Write, head: Head, noted: TableStatus, rows: PendingRows) -> int:
        size = self.stored_size(write.entries, *(write.made or ()))
        self._heads.pop(write.table, None)  # so that the new head is the one used last
        self._heads[write.table] = head = rows.add(head, write.entries, write.due, noted, size)
        self._changed.add(write.table)
        return head.version

    def _answer(self, answers: Answers) -> None:
        self._unanswered -= len(answers)
        self._since = self._loop.time()
        for future, answer in answers:
            settle(future, answer)

    # --- reading ---------------------------------------------------------------------------------

    async def load(self, table: str) -> StoredTable:
        def read(reader: sqlite3.Connection) -> StoredTable:
            reader.execute("BEGIN")
            try:
                return sqlite_rows.read_table(reader, self._schema, table)
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
        if self._schema < migrations.DATED:
            raise StoreError(
                "{path}: this log is of an older Pasch; start a server with it once", path=str(self.path)
            )
        query = sqlite_rows.summaries(None if phases is None else len(phases), before is not None)
        values = (*(phases or ()), *(() if before is None else (before,)), -1 if limit is None else limit)
        return await self._read(
            lambda reader: tuple([TableSummary(*row) for row in reader.execute(query, values)])
        )

    async def size(self) -> int:
        def read(reader: sqlite3.Connection) -> int:
            names = ("page_count", "freelist_count", "page_size")
            pages, free, size = (int(reader.execute(f"PRAGMA {name}").fetchone()[0]) for name in names)
            ahead = self.path.with_name(f"{self.path.name}-wal")
            return (pages - free) * size + (ahead.stat().st_size if ahead.is_file() else 0)

        return await self._read(read)

    async def compact(self) -> bool:
        def work() -> None:
            # nothing else is written meanwhile, because this process has exclusive use of the store
            self._writer.execute("VACUUM")
            self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")

        try:
            await self._loop.run_in_executor(None, work)
            return True
        except sqlite3.Error as error:
            raise not_written(error) from None

    async def _ids(self, query: str) -> tuple[str, ...]:
        return await self._read(lambda reader: tuple(id for (id,) in reader.execute(query)))

    async def _read(self, read: Work[T]) -> T:
        try:
            return await self._loop.run_in_executor(self._readers, read, self._reader)
        except sqlite3.Error as error:
            raise not_read(error) from None
