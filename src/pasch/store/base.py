"""The interface of every event log.

A table is a document written once, when it was made, and an append-only list of entries. Entry number
`version` (from 1) is durable as soon as `append` has answered. The log does not interpret documents or
entries.

Where several servers share a log, one at a time holds a table (`claim`). Each claim increments the table's
fencing token (`fence`), and writes with an older one are refused: a server that was paused while another
took over cannot disturb it. A server that does not `renew` within `lease` seconds, by the clock of the log,
may lose its tables to any server that claims them.
"""

from __future__ import annotations

import logging
import os
from abc import ABC, abstractmethod
from asyncio import Future, Task, get_running_loop, sleep
from collections.abc import Collection, Mapping, Sequence
from math import nan
from typing import Any, Final, NamedTuple, Self

from pasch.core.errors import PaschError

logger = logging.getLogger("pasch.store")


class StoreError(PaschError):
    """The log could not be read or written; nothing has changed."""


class Conflict(StoreError):
    """The table is at another version than expected, or its id is taken."""


class Fenced(Conflict):
    """Another server has claimed the table meanwhile."""


class NoTable(StoreError):
    """There is no table with this id."""

    def __init__(self, table: str) -> None:
        super().__init__("there is no table {table}", table=table)


class StorageFull(StoreError):
    """The storage is full; nothing has changed. The client receives this error."""


class OutcomeUnknown(StoreError):
    """The log failed during a write and cannot be read: the entries may have been written or not."""


class HeldElsewhere(StoreError):
    """Another server holds the table."""

    def __init__(self, table: str, address: str) -> None:
        #: where other servers reach it, as host:port
        self.address = address
        super().__init__("another server has table {table}", table=table)


#: a log that leaves writes unanswered for longer than this many seconds counts as failed
LATE_SECONDS: Final = 5.0
#: jobs written at once; with more, the first waits too long for the last
MAX_AT_ONCE: Final = 500
#: jobs of a large batch
BUSY_JOBS: Final = 8
#: the fencing token of a table that has not been claimed since it was made
FIRST_FENCE: Final = 1


class LogEntry(NamedTuple):
    """One entry of a table's log."""

    body: bytes
    #: the idempotency key: who gave the command that caused it, and the command's id
    command: str | None = None


class TableStatus(NamedTuple):
    """Metadata of a table beside its entries, used to find old tables."""

    #: the phase of the game, as the writer names it; empty: unknown, in a log of an older Pasch
    phase: str = ""
    #: when the table was made and when its last entry was written, in seconds since 1970; 0: now
    made: int = 0
    written: int = 0


#: the status of a table that is made now
NEW: Final = TableStatus()


class Write(NamedTuple):
    """Entries for a table that is at `version`, or a new table with its first ones."""

    table: str
    version: int
    entries: Sequence[LogEntry]
    due: bool
    fence: int = FIRST_FENCE
    standing: TableStatus = NEW
    #: the document and key of a new table
    made: tuple[bytes, bytes] | None = None

    @property
    def tables(self) -> tuple[str, ...]:
        return (self.table,)

    @property
    def after(self) -> int:
        """The table's version when this is written."""
        return self.version + len(self.entries)


class Deletion(NamedTuple):
    """Those of these tables that exist and were last written before a time, if there is one."""

    tables: Collection[str]
    before: int | None


class TableSummary(NamedTuple):
    """What a log keeps of a table beside its document, its key and its entries."""

    id: str
    #: tables are numbered in the order in which they were made
    number: int
    version: int
    due: bool
    phase: str
    made: int
    written: int
    #: its size on disk in bytes, see `Store.stored_size`
    bytes: int
    #: where SQLite keeps the table's last entry
    last: int | None = None


class StoredTable(NamedTuple):
    """One table as stored in the log."""

    id: str
    #: the table's agreement, written when it was made
    document: bytes
    #: the table's secrets
    key: bytes
    entries: tuple[LogEntry, ...]
    #: whether the server itself has to act next
    due: bool = False
    fence: int = FIRST_FENCE
    standing: TableStatus = NEW

    @property
    def version(self) -> int:
        return len(self.entries)


class Store(ABC):
    """The event log of all tables. Belongs to the event loop in which it was opened.

    Writes wait in a queue and are written many at a time.
    """

    #: seconds that a server holds its tables without renewing; None: only one server uses this log
    lease: float | None = None
    #: shared by the servers of one log
    secret: bytes = b""
    #: why writing fails until a new process opens the log; None: writing works
    failed: str | None = None
    #: how writes are refused after that; OutcomeUnknown while it is unknown what the log holds
    refusal: type[StoreError] = StoreError
    #: overhead of a table and of an entry on disk, in bytes
    table_overhead: int = 0
    entry_overhead: int = 0
    #: delay after a large batch of writes, in seconds, so that the next one is large, too
    gather_seconds: float = 0.0

    def __init__(self) -> None:
        #: the writes and other jobs that wait, each with the future for its answer, and the task that writes them
        self._queue: list[tuple[Any, Future[Any]]] = []
        self._writing: Task[None] | None = None
        #: the number of writes that are not durable yet, and since when there are any
        self.unanswered = 0
        self._since = 0.0

    @property
    @abstractmethod
    def where(self) -> str:
        """Where the log is, for messages to the operator; without a password."""

    async def open(self) -> None:
        """Connect and apply migrations; StoreError if the log cannot be used."""
        self._loop = get_running_loop()

    async def close(self) -> None:
        """Finish pending writes and disconnect."""
        while self._writing is not None:
            await self._writing

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    def create(
        self,
        table: str,
        document: bytes,
        key: bytes,
        entries: Sequence[LogEntry],
        due: bool,
        standing: TableStatus = NEW,
    ) -> Future[int]:
        """Make a table with its first entries; Conflict if the id is taken. See `append`."""
        return self._enqueue(Write(table, 0, entries, due, FIRST_FENCE, standing, (document, key)))

    def append(
        self,
        table: str,
        version: int,
        entries: Sequence[LogEntry],
        due: bool,
        fence: int = FIRST_FENCE,
        phase: str = "",
    ) -> Future[int]:
        """Append all entries or none: Conflict unless the table is at `version`.

        The future gives the new version when the entries are durable. `due` notes whether the server
        itself has to act next, for `due`, and `phase` how far the table is, for `summaries`; both can be
        noted without entries. `fence` comes from `claim`; the server that made a table holds it with the first one.
        """
        return self._enqueue(Write(table, version, entries, due, fence, TableStatus(phase)))

    @classmethod
    def stored_size(cls, entries: Sequence[LogEntry], document: bytes = b"", key: bytes = b"") -> int:
        """The bytes that these entries take on disk; with a document, those of the table too."""
        own = sum([len(body) + (len(command.encode()) if command else 0) for body, command in entries])
        table = len(document) + len(key) + cls.table_overhead if document else 0
        return own + cls.entry_overhead * len(entries) + table

    @abstractmethod
    async def load(self, table: str) -> StoredTable:
        """A table with all its entries; NoTable if there is none."""

    @abstractmethod
    async def due(self) -> tuple[str, ...]:
        """The tables at which the server must act next, except those that another server holds."""

    @abstractmethod
    async def tables(self) -> tuple[str, ...]:
        """The ids of all tables, in the order in which they were made."""

    @abstractmethod
    async def summaries(
        self, phases: Collection[str] | None = None, before: int | None = None
    ) -> tuple[TableSummary, ...]:
        """The tables in one of these phases that were last written before this time.

        Those that another server holds are left out.
        """

    async def delete(self, tables: Collection[str], before: int | None = None) -> tuple[str, ...]:
        """Delete those of these tables that exist and return their ids; their space is used again.

        One that another server holds stays, and so does one that was written at `before` or later.
        """
        deleted: tuple[str, ...] = await self._enqueue(Deletion(tables, before))
        return deleted

    @abstractmethod
    async def size(self) -> int:
        """The bytes in use on disk, without the free space that deleted tables left."""

    @property
    def lag_seconds(self) -> float:
        """How long the log has not answered while writes wait."""
        return self._loop.time() - self._since if self.unanswered else 0.0

    @property
    def trouble(self) -> str | None:
        """Why writing fails now, without details that a client must not see; None if it works."""
        if self.failed is not None:
            return "the log has failed; the server is about to be started again"
        return "the log does not answer" if self.lag_seconds > LATE_SECONDS else None

    # --- several servers -------------------------------------------------------------------------

    async def claim(self, table: str) -> StoredTable:
        """Load a table and become the only server that may write to it; HeldElsewhere if another one is."""
        return await self.load(table)

    async def release(self, table: str, fence: int) -> None:
        """Give up a claim, so that any server can claim the table at once."""
        return

    async def renew(self) -> bool:
        """Renew the lease on all tables of this server; False if it had expired, so that others may have taken some."""
        return True

    async def held(self) -> Mapping[str, int]:
        """The tables that this server holds, each with its fencing token."""
        return {}

    async def servers(self) -> int:
        """The number of other servers that use this log."""
        return 0

    # --- the queue -------------------------------------------------------------------------------

    @abstractmethod
    async def _commit(self, jobs: list[Any]) -> Sequence[Any]:
        """Write all of these jobs that can be written, durably, and return the answer to each."""

    def _enqueue(self, job: Any) -> Future[Any]:
        """Have a job written after all jobs before it."""
        answer: Future[Any] = self._loop.create_future()
        if self.failed is not None:
            answer.set_exception(not_written(self.failed, self.refusal))
            return answer
        if not self.unanswered:
            self._since = self._loop.time()
        self.unanswered += 1
        self._queue.append((job, answer))
        if self._writing is None:
            # a task, so that all jobs of this turn of the event loop are written together
            self._writing = self._loop.create_task(self._write())
        return answer

    async def _write(self) -> None:
        """Write and answer pending jobs, many at a time, until there are none or writing has failed for good."""
        while self._queue and self.failed is None:
            batch = self._next_batch()
            try:
                answers: Sequence[Any] = await self._commit([job for job, _ in batch])
            except Exception as error:  # noqa: BLE001 - every job needs an answer
                self._fail(error)
                answers = [not_written(error, OutcomeUnknown)] * len(batch)
            self._answer(batch, answers)
            if len(batch) >= BUSY_JOBS:
                await sleep(self.gather_seconds)
        if self.failed is not None:
            waiting, self._queue = self._queue, []
            self._answer(waiting, [not_written(self.failed, self.refusal)] * len(waiting))
        self._writing = None

    def _next_batch(self) -> list[tuple[Any, Future[Any]]]:
        """Take the jobs that are written together off the queue."""
        taken, self._queue = self._queue[:MAX_AT_ONCE], self._queue[MAX_AT_ONCE:]
        return taken

    def _answer(self, jobs: list[tuple[Any, Future[Any]]], answers: Sequence[Any]) -> None:
        """Answer jobs, unless they were cancelled."""
        for (_, future), answer in zip(jobs, answers, strict=True):
            self.unanswered -= 1
            if future.done():
                continue
            if isinstance(answer, StoreError):
                future.set_exception(answer)
            else:
                future.set_result(answer)
        self._since = self._loop.time()

    def _fail(self, error: BaseException, trace: bool = True) -> None:
        """Record that nothing can be written until a new process opens the log."""
        self.failed = self.failed or message(error)
        fields = {"problem": message(error)}
        logger.error("log failed", exc_info=error if trace else None, extra={"fields": fields})


def not_written(problem: BaseException | str, kind: type[StoreError] = StoreError) -> StoreError:
    error = StoreError("the log could not be written: {problem}", problem=message(problem))
    return kind(error.template, **error.details)


def not_read(problem: BaseException | str) -> StoreError:
    return StoreError("the log could not be read: {problem}", problem=message(problem))


def message(problem: BaseException | str) -> str:
    return str(problem) or repr(problem)


def setting(name: str, usual: float, least: float, most: float) -> float:
    """The number in an environment variable, `usual` without one; PaschError unless it is from `least` to `most`."""
    written = os.environ.get(name) or str(usual)
    try:
        number = float(written)
    except ValueError:
        number = nan
    if not least <= number <= most:
        said = "{name}: {got!r} is not a number from {least} to {most}"
        raise PaschError(said, name=name, got=written, least=least, most=most)
    return number


def without_password(url: str) -> str:
    """The address of a database without its user, password and settings, for messages."""
    scheme, _, rest = url.partition("?")[0].partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}"
