"""The event log in a PostgreSQL database, which several servers may share.

One connection writes (group commit): everything that waits goes to the database as one statement, which is
one transaction. It checks the version and the fencing token of every table, writes the entries of those
that match and returns which these were. After a broken connection the write is tried again on a new one;
the entries themselves show whether the first try had succeeded. If they cannot be looked at, because the
database stays away or is a standby that takes no writes, the answer is OutcomeUnknown.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from asyncio import Future
from collections import deque
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from datetime import timedelta
from typing import Any, Final, NamedTuple, TypeVar
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from pasch.store import migrations
from pasch.store import postgres_sql as sql
from pasch.store.base import (
    Backlog,
    Conflict,
    Fenced,
    HeldElsewhere,
    LogEntry,
    NoTable,
    OutcomeUnknown,
    Renewal,
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

logger = logging.getLogger("pasch.store")

#: writes per transaction; with more, the first waits too long for the last
MAX_AT_ONCE: Final = 500
#: connections for reading and claiming
READERS: Final = 4
#: how long to wait for a database that does not answer, in seconds
TIMEOUT_SECONDS: Final = 10.0
#: how long to wait before connecting again, in seconds
RECONNECT_DELAY_SECONDS: Final = 0.2

_SETTINGS: Final = {
    "application_name": "pasch",
    # acknowledged writes are on disk, whatever the database's default
    "synchronous_commit": "on",
    # a server that was paused in the middle of a claim must not hold up the others
    "idle_in_transaction_session_timeout": "5000",
}
#: errors after which a new connection may succeed
TRANSIENT: Final = (
    OSError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.TooManyConnectionsError,
    asyncpg.IdleInTransactionSessionTimeoutError,
)
T = TypeVar("T")


class Job(NamedTuple):
    """A write, and the future for its answer."""

    write: Write
    answer: Future[int]


class PostgresStore(Store):
    """The log in the database at `url`. Other servers reach this one at `address`, as host:port.

    Without an address it is the one from which the database sees this server, with `port`. With `reading`
    this is no server: it holds no tables and writes nothing.
    """

    #: indexes included, as measured
    table_overhead, entry_overhead = 500, 96

    def __init__(
        self,
        url: str,
        address: str | None = None,
        port: int = 0,
        lease: float = 4.0,
        timeout: float = TIMEOUT_SECONDS,
        reading: bool = False,
    ) -> None:
        self.id = secrets.token_hex(8)
        self.address = address or ""
        self.lease = lease
        self._url = url
        self._port = port
        self._timeout = timeout
        self._reading = reading
        self._queue: deque[Job] = deque()
        self._busy: list[Job] = []
        #: the statement that writes has been sent, and perhaps carried out
        self._sent = False
        self._since = 0.0
        self._wake: Future[None] | None = None
        self._writer: Any = None
        self._renewer: Any = None
        self._pool: Any = None

    @property
    def where(self) -> str:
        parts = urlsplit(self._url)
        host = parts.netloc.rpartition("@")[2]
        return urlunsplit((parts.scheme, host, parts.path, "", ""))

    async def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        try:
            self._writer = await self._connect()
            await self._migrate()
            self._pool = await asyncpg.create_pool(
                self._url, min_size=0, max_size=READERS, command_timeout=self._timeout,
                server_settings=_SETTINGS,
            )  # fmt: skip
            if not self._reading:
                await self._register()
        except (*TRANSIENT, asyncpg.PostgresError, ValueError) as error:
            self._terminate()
            raise StoreError("{path}: {problem}", path=self.where, problem=message(error)) from None
        except StoreError:
            self._terminate()
            raise
        self._task = self._loop.create_task(self._write())

    async def _register(self) -> None:
        """Register as a server of this log."""
        if not self.address:
            seen = await self._writer.fetchval("SELECT host(inet_client_addr())")
            self.address = f"{seen or '127.0.0.1'}:{self._port}"
        await self._writer.execute(sql.CLEAN)
        await self.renew()

    def _terminate(self) -> None:
        for connection in (self._writer, self._renewer, self._pool):
            if connection is not None:
                connection.terminate()

    async def _connect(self) -> Any:
        return await asyncpg.connect(
            self._url, timeout=self._timeout, command_timeout=self._timeout, server_settings=_SETTINGS
        )

    async def _migrate(self) -> None:
        async with self._writer.transaction():
            # one server at a time, if several start at once
            await self._writer.execute(sql.ONE_AT_A_TIME)
            version = 0
            if await self._writer.fetchval(sql.IS_THERE):
                version = await self._writer.fetchval("SELECT schema FROM about")
            migrations.check_version(version, migrations.POSTGRES, self.where)
            if self._reading and not version:
                raise StoreError("{path}: there is no log", path=self.where)
            if version < len(migrations.POSTGRES):
                for statement in migrations.pending_statements(version, migrations.POSTGRES):
                    await self._writer.execute(statement)
                await self._writer.execute("UPDATE about SET schema = $1", len(migrations.POSTGRES))
            self.secret = await self._writer.fetchval("SELECT secret FROM about")

    async def close(self) -> None:
        while self._queue or self._busy:
            await asyncio.wait([job.answer for job in (*self._busy, *self._queue)])
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        with suppress(*TRANSIENT, asyncpg.PostgresError):
            if not self._reading:
                await self._pool.execute(sql.RELEASE_ALL, self.id)
                await self._pool.execute("DELETE FROM servers WHERE id = $1", self.id)
        self._terminate()

    # --- writing ---------------------------------------------------------------------------------

    def submit(self, write: Write) -> Future[int]:
        answer: Future[int] = self._loop.create_future()
        if self.failed is not None:
            answer.set_exception(not_written(self.failed))
            return answer
        if "\0" in write.table:  # not allowed in a text of PostgreSQL
            answer.set_exception(NoTable(write.table))
            return answer
        if not self._queue and not self._busy:
            self._since = self._loop.time()
        self._queue.append(Job(write, answer))
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)
        return answer

    @property
    def backlog(self) -> Backlog:
        waiting = len(self._queue) + len(self._busy)
        return Backlog(waiting, self._loop.time() - self._since if waiting else 0.0)

    async def _write(self) -> None:
        """The writer task: write all pending jobs in one statement, then answer."""
        try:
            while True:
                if not self._queue:
                    self._wake = self._loop.create_future()
                    await self._wake
                self._busy = self._next_batch()
                await self._commit(self._busy, self._loop.time() + self._timeout)
                self._busy = []
                self._since = self._loop.time()
        except asyncio.CancelledError:
            raise  # by `close`, when no job is pending
        except BaseException as error:  # every waiting job needs an answer
            self._give_up(message(error))
            logger.exception("log failed")

    def _give_up(self, problem: str) -> None:
        """Answer all jobs that still wait for a writer that has ended."""
        self.failed = problem
        for jobs, kind in ((self._busy, OutcomeUnknown), (self._queue, StoreError)):
            for job in jobs:
                settle(job.answer, not_written(problem, kind))
        self._busy, self._queue = [], deque()

    def _next_batch(self) -> list[Job]:
        """The jobs of the next statement: new tables or entries, of each table only the first."""
        new = self._queue[0].write.made is not None
        taken: list[Job] = []
        left: deque[Job] = deque()
        seen: set[str] = set()
        for job in self._queue:
            same = (job.write.made is not None) == new
            fits = same and job.write.table not in seen and len(taken) < MAX_AT_ONCE
            (taken if fits else left).append(job)
            seen.add(job.write.table)
        self._queue = left
        return taken

    async def _commit(self, jobs: list[Job], until: float, tried: bool = False) -> None:
        """Write, with retries until then, and answer. `tried`: an earlier try may have succeeded."""
        problem: BaseException = TimeoutError()
        answers: list[int | StoreError] | None = None
        while answers is None and self._loop.time() < until:
            self._sent = False
            try:
                if self._writer is None or self._writer.is_closed():
                    self._writer = await self._connect()
                answers = await self._send([job.write for job in jobs], tried)
            except Exception as error:  # whatever a broken connection raises, the writer continues
                problem, tried = error, tried or self._sent
                standby = isinstance(error, asyncpg.ReadOnlySQLTransactionError)
                if is_refused(error) and not self._sent and not standby:
                    if len(jobs) > 1:
                        # one bad job must not harm the others
                        for job in jobs:
                            await self._commit([job], until, tried)
                        return
                    break
                if not isinstance(error, (*TRANSIENT, asyncpg.PostgresError)):
                    logger.exception("log connection failed")
                if self._writer is not None:
                    self._writer.terminate()
                await asyncio.sleep(RECONNECT_DELAY_SECONDS)
        if answers is None:
            answers = [not_written(problem, OutcomeUnknown if tried else StoreError)] * len(jobs)
        for job, answer in zip(jobs, answers, strict=True):
            settle(job.answer, answer)

    async def _send(self, writes: list[Write], again: bool) -> list[int | StoreError]:
        entries = [
            (number, write.version + n, body, None if command is None else command.encode())
            for number, write in enumerate(writes)
            for n, (body, command) in enumerate(write.entries, 1)
        ]
        columns = [*zip(*entries, strict=True)] or [(), (), (), ()]
        numbers = range(len(writes))
        tables, versions, _, dues, fences, standings, made = zip(*writes, strict=True)
        phases, times_made, times_written = zip(*standings, strict=True)
        after = [write.after for write in writes]
        sizes = [self.stored_size(write.entries, *(write.made or ())) for write in writes]
        if made[0] is None:
            values = (sql.APPEND, numbers, tables, versions, after, dues, fences, *columns, phases, sizes)
        else:
            documents, keys = zip(*made, strict=True)
            new = (numbers, tables, documents, keys, after, dues, self.id, *columns)
            values = (sql.CREATE, *new, phases, sizes, times_made, times_written)
        self._sent = True
        try:
            rows = await self._writer.fetch(*values)
        except asyncpg.PostgresError as error:
            self._sent = not is_refused(error)
            raise
        done = {row["nr"] for row in rows}
        return [
            write.after if number in done else await self._diagnose(write, again)
            for number, write in enumerate(writes)
        ]

    async def _diagnose(self, write: Write, again: bool) -> int | StoreError:
        """Why a statement did not write this; the new version if an earlier try had."""
        head = await self._writer.fetchrow(sql.HEAD, write.table)
        if head is None:
            return NoTable(write.table)
        if write.made is not None:
            if again and head["key"] == write.made[1]:
                return write.after
            return Conflict("there is a table {table} already", table=write.table)
        if again and write.entries:
            rows = await self._writer.fetch(sql.SOME_ENTRIES, head["number"], write.version, write.after)
            if [_entry(row) for row in rows] == list(write.entries):
                return write.after
        if head["fence"] != write.fence:
            return Fenced("another server has taken table {table} over", table=write.table)
        return Conflict(
            "table {table} is not at version {version}", table=write.table, version=write.version
        )

    async def delete(self, tables: Collection[str], before: int | None = None) -> tuple[str, ...]:
        asked = [table for table in tables if "\0" not in table]
        found: set[str] = set()

        async def work(connection: Any) -> tuple[str, ...]:
            async with connection.transaction():
                numbers = [row["number"] for row in await connection.fetch(sql.LOCK, asked)]
                rows = await connection.fetch(sql.DELETE_HEADS, self.id, numbers, before)
                numbers = [row["number"] for row in rows]
                await connection.execute(sql.DELETE_ENTRIES, numbers)
                rows = await connection.fetch(sql.DELETE_TABLES, numbers)
                # also those that an earlier try has deleted, whose answer was lost
                found.update(row["id"] for row in rows)
            return tuple(table for table in asked if table in found)

        try:
            return await self._run(work)
        except StoreError as error:
            if found:
                raise OutcomeUnknown(error.template, **error.details) from None
            raise

    # --- reading ---------------------------------------------------------------------------------

    async def load(self, table: str) -> StoredTable:
        async def work(connection: Any) -> StoredTable:
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                head = await connection.fetchrow(sql.HEAD, table)
                return await _loaded(connection, table, head)

        return await self._run(work, table)

    async def due(self) -> tuple[str, ...]:
        return await self._ids(sql.DUE, self.id)

    async def tables(self) -> tuple[str, ...]:
        return await self._ids("SELECT id FROM tables ORDER BY number")

    async def summaries(
        self, phases: Collection[str] | None = None, before: int | None = None, limit: int | None = None
    ) -> tuple[TableSummary, ...]:
        wanted = None if phases is None else list(phases)
        rows = await self._fetch(sql.SUMMARIES, self.id, wanted, before, limit)
        return tuple(TableSummary(*row) for row in rows)

    async def size(self) -> int:
        ((size,),) = await self._fetch(sql.SIZE)
        return int(size)

    async def _ids(self, query: str, *values: Any) -> tuple[str, ...]:
        return tuple(row["id"] for row in await self._fetch(query, *values))

    async def _fetch(self, query: str, *values: Any) -> list[Any]:
        async def work(connection: Any) -> list[Any]:
            return list(await connection.fetch(query, *values))

        return await self._run(work)

    async def _run(self, work: Callable[[Any], Awaitable[T]], table: str = "") -> T:
        """Run `work` with a connection, with retries on transient errors."""
        if "\0" in table:
            raise NoTable(table)
        until = self._loop.time() + self._timeout
        while True:
            try:
                async with self._pool.acquire(timeout=self._timeout) as connection:
                    return await work(connection)
            except (*TRANSIENT, asyncpg.ReadOnlySQLTransactionError) as error:
                if self._loop.time() >= until:
                    raise not_read(error) from None
                if isinstance(error, asyncpg.ReadOnlySQLTransactionError):
                    # a standby; at the same address there may be another database by now
                    await self._pool.expire_connections()
                await asyncio.sleep(RECONNECT_DELAY_SECONDS)
            except asyncpg.PostgresError as error:
                raise not_read(error) from None

    # --- several servers -------------------------------------------------------------------------

    async def claim(self, table: str) -> StoredTable:
        async def work(connection: Any) -> StoredTable:
            async with connection.transaction():
                head = await connection.fetchrow(f"{sql.HEAD} FOR UPDATE OF heads", table)
                if head is not None:
                    if head["server"] not in (None, self.id):
                        other = await connection.fetchrow(sql.HOLDER, head["server"])
                        if other is not None and other["alive"]:
                            raise HeldElsewhere(table, head["server"], other["address"])
                    # even if it was ours: a write of ours that is still under way must fail
                    await connection.execute(sql.CLAIM, head["number"], self.id)
                loaded = await _loaded(connection, table, head)
                return loaded._replace(fence=loaded.fence + 1)

        return await self._run(work, table)

    async def release(self, table: str, fence: int) -> None:
        async def work(connection: Any) -> None:
            await connection.execute(sql.RELEASE, table, self.id, fence)

        await self._run(work, table)

    async def renew(self) -> Renewal:
        span = timedelta(seconds=self.lease or 0)
        try:
            # a connection of its own, so that it never has to wait for readers
            if self._renewer is None or self._renewer.is_closed():
                self._renewer = await self._connect()
            async with self._renewer.transaction():
                in_time = await self._renewer.fetchval(sql.IN_TIME, self.id)
                await self._renewer.execute(sql.RENEW, self.id, self.address, span)
            alive = await self._renewer.fetch(sql.ALIVE)
        except BaseException as error:
            # also after a time limit: a transaction that was only half begun would be left open
            if self._renewer is not None:
                self._renewer.terminate()
            if isinstance(error, (*TRANSIENT, asyncpg.PostgresError)):
                raise not_written(error) from None
            raise
        return Renewal(not in_time, frozenset(row["id"] for row in alive))

    async def held(self) -> dict[str, int]:
        return {row["id"]: row["fence"] for row in await self._fetch(sql.MINE, self.id)}

    async def servers(self) -> int:
        return len({*await self._ids(sql.ALIVE)} - {self.id})


def _entry(row: Any) -> LogEntry:
    command = row["command"]
    return LogEntry(row["body"], None if command is None else command.decode())


async def _loaded(connection: Any, table: str, head: Any) -> StoredTable:
    if head is None:
        raise NoTable(table)
    rows = await connection.fetch(sql.ENTRIES, head["number"])
    entries = tuple(_entry(row) for row in rows)
    standing = TableStatus(head["phase"], head["made"], head["written"])
    return StoredTable(table, head["document"], head["key"], entries, head["due"], head["fence"], standing)


def is_refused(error: BaseException) -> bool:
    """Whether the database has said that it did not carry a statement out.

    A session that ended over it (FATAL) and a database that did (PANIC) may have done so before.
    """
    return (
        isinstance(error, asyncpg.PostgresError)
        and not isinstance(error, (*TRANSIENT, asyncpg.StatementCompletionUnknownError))
        and getattr(error, "severity_en", None) not in ("FATAL", "PANIC")
    )
