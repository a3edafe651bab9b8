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
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from datetime import timedelta
from typing import Any, Final, TypeVar

import asyncpg

from pasch.store import migrations
from pasch.store.base import (
    MAX_AT_ONCE,
    Conflict,
    Fenced,
    HeldElsewhere,
    LogEntry,
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
    without_password,
)

logger = logging.getLogger("pasch.store")

#: connections for reading and claiming
READERS: Final = 4
#: timeout of the database, in seconds
TIMEOUT_SECONDS: Final = 10.0
#: delay before reconnecting, in seconds
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
#: a write, and the future for its answer
Job = tuple[Write, "Future[int]"]

# --- statements ---------------------------------------------------------------------------------------

#: held until the transaction ends, by the server that applies migrations
ONE_AT_A_TIME: Final = "SELECT pg_advisory_xact_lock(hashtext('pasch'), hashtext(current_schema()))"
IS_THERE: Final = "SELECT to_regclass(quote_ident(current_schema()) || '.about') IS NOT NULL"

_NOW: Final = "extract(epoch FROM clock_timestamp())::bigint"

#: numbers of jobs, tables, documents and keys (null: the table is there), versions before and after, due, fences,
#: phases, bytes, when each table was made and last written (0: now); then entries with their jobs' numbers; this server
WRITE: Final = f"""
WITH asked AS (
    SELECT * FROM unnest(
        $1::int[], $2::text[], $3::bytea[], $4::bytea[], $5::int[], $6::int[], $7::bool[], $8::bigint[],
        $9::text[], $10::bigint[], $11::bigint[], $12::bigint[]
    ) AS asked (nr, id, document, key, version, after, due, fence, phase, bytes, made, written)
), created AS (
    INSERT INTO tables (id, document, key)
    SELECT id, document, key FROM asked WHERE document IS NOT NULL ORDER BY nr
    ON CONFLICT (id) DO NOTHING RETURNING number, id
), headed AS (
    INSERT INTO heads (number, version, due, server, fence, phase, bytes, made, written)
    SELECT number, after, due, $17, fence, phase, bytes,
        coalesce(nullif(made, 0), {_NOW}), coalesce(nullif(written, 0), {_NOW})
    FROM created JOIN asked USING (id)
), moved AS (
    UPDATE heads SET version = asked.after, due = asked.due, phase = asked.phase,
        bytes = heads.bytes + asked.bytes,
        written = CASE WHEN asked.after > asked.version THEN {_NOW} ELSE heads.written END
    FROM asked JOIN tables USING (id)
    WHERE asked.document IS NULL AND heads.number = tables.number
        AND heads.version = asked.version AND heads.fence = asked.fence
    RETURNING asked.nr, heads.number
), done AS (
    SELECT nr, number FROM moved UNION ALL SELECT nr, number FROM created JOIN asked USING (id)
), entered AS (
    INSERT INTO entries (number, version, body, command)
    SELECT done.number, entry.version, entry.body, entry.command
    FROM done JOIN unnest($13::int[], $14::int[], $15::bytea[], $16::bytea[])
        AS entry (nr, version, body, command) USING (nr)
)
SELECT nr FROM done
"""

HEAD: Final = """
SELECT number, document, key, version, due, server, fence, phase, made, written
FROM tables JOIN heads USING (number) WHERE id = $1
"""
#: a table's number, and the version after which its entries are read
ENTRIES: Final = "SELECT body, command FROM entries WHERE number = $1 AND version > $2 ORDER BY version"

#: whether a server is alive. A lease that ends far in the future is from before the database's clock was
#: set back, and would keep the tables of a dead server for as long
_ALIVE: Final = "(until > clock_timestamp() AND until < clock_timestamp() + interval '1 minute')"

#: whether no server that is alive holds a table, except for this one
_FREE: Final = f"""
NOT EXISTS (SELECT FROM servers WHERE servers.id = heads.server AND servers.id <> $1 AND {_ALIVE})
"""
#: the tables at which a server has to act, except those of other live servers
DUE: Final = f"""
SELECT tables.id FROM heads JOIN tables USING (number) WHERE due AND {_FREE} ORDER BY number
"""
#: this server, phases, a time before which the table was last written; null asks for all
SUMMARIES: Final = f"""
SELECT tables.id, number, version, due, phase, made, written, bytes FROM heads JOIN tables USING (number)
WHERE {_FREE} AND ($2::text[] IS NULL OR phase = ANY($2)) AND ($3::bigint IS NULL OR written < $3)
ORDER BY number
"""
#: locks the tables, so that no server can claim them before they are deleted
LOCK: Final = """
SELECT heads.number FROM heads JOIN tables USING (number) WHERE id = ANY($1) ORDER BY number FOR UPDATE OF heads
"""
#: this server, numbers of tables, and as above
DELETE: Final = f"""
WITH gone AS (
    DELETE FROM heads WHERE number = ANY($2) AND {_FREE} AND ($3::bigint IS NULL OR written < $3) RETURNING number
), emptied AS (
    DELETE FROM entries USING gone WHERE entries.number = gone.number
)
DELETE FROM tables USING gone WHERE tables.number = gone.number RETURNING id
"""
#: not the size of the relations: the space of deleted rows is used again but never given back
SIZE: Final = "SELECT coalesce(sum(bytes), 0)::bigint FROM heads"

#: locks the holder's row, so that it cannot renew its lease while a table is being taken from it
HOLDER: Final = f"SELECT address, {_ALIVE} AS alive FROM servers WHERE id = $1 FOR SHARE"
CLAIM: Final = "UPDATE heads SET server = $2, fence = fence + 1 WHERE number = $1"
RELEASE: Final = """
UPDATE heads SET server = NULL FROM tables
WHERE heads.number = tables.number AND tables.id = $1 AND heads.server = $2 AND heads.fence = $3
"""
RELEASE_ALL: Final = "UPDATE heads SET server = NULL WHERE server = $1"
MINE: Final = "SELECT tables.id, fence FROM heads JOIN tables USING (number) WHERE server = $1"

IN_TIME: Final = f"SELECT {_ALIVE} FROM servers WHERE id = $1 FOR UPDATE"
RENEW: Final = """
INSERT INTO servers (id, address, until) VALUES ($1, $2, clock_timestamp() + $3)
ON CONFLICT (id) DO UPDATE SET until = excluded.until
"""
#: servers that ended without deregistering
CLEAN: Final = "DELETE FROM servers WHERE until < clock_timestamp() - interval '1 day'"
ALIVE: Final = f"SELECT id FROM servers WHERE {_ALIVE}"


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
        super().__init__()
        self.id = secrets.token_hex(8)
        self.address = address or ""
        self.lease = lease
        self._url = url
        self._port = port
        self._timeout = timeout
        self._reading = reading
        #: the statement that writes has been sent, and perhaps carried out
        self._sent = False
        self._writer: Any = None
        self._renewer: Any = None
        self._pool: Any = None

    @property
    def where(self) -> str:
        return without_password(self._url)

    async def open(self) -> None:
        await super().open()
        try:
            self._writer = await self._connect()
            await self._migrate()
            self._pool = await asyncpg.create_pool(
                self._url, min_size=0, max_size=READERS, command_timeout=self._timeout,
                server_settings=_SETTINGS,
            )  # fmt: skip
            if not self._reading:
                await self._register()
        except (*TRANSIENT, asyncpg.PostgresError, ValueError, StoreError) as error:
            self._terminate()
            if isinstance(error, StoreError):
                raise
            raise StoreError("{path}: {problem}", path=self.where, problem=message(error)) from None

    async def _register(self) -> None:
        """Register as a server of this log."""
        if not self.address:
            seen = await self._writer.fetchval("SELECT host(inet_client_addr())")
            self.address = f"{seen or '127.0.0.1'}:{self._port}"
        await self._writer.execute(CLEAN)
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
            await self._writer.execute(ONE_AT_A_TIME)
            version = 0
            if await self._writer.fetchval(IS_THERE):
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
        await super().close()
        with suppress(*TRANSIENT, asyncpg.PostgresError):
            if not self._reading:
                await self._pool.execute(RELEASE_ALL, self.id)
                await self._pool.execute("DELETE FROM servers WHERE id = $1", self.id)
        self._terminate()

    # --- writing ---------------------------------------------------------------------------------

    def _next_batch(self) -> list[Job]:
        """The jobs of the next statement: of each table only the first."""
        taken: list[Job] = []
        left: list[Job] = []
        seen: set[str] = set()
        for job in self._queue:
            table = job[0].table
            (left if table in seen or len(taken) == MAX_AT_ONCE else taken).append(job)
            seen.add(table)
        self._queue = left
        return taken

    async def _commit(self, jobs: list[Write]) -> list[int | StoreError]:
        return await self._commit_until(self._loop.time() + self._timeout, jobs)

    async def _commit_until(
        self, until: float, jobs: list[Write], tried: bool = False
    ) -> list[int | StoreError]:
        """Write, with retries until then. `tried`: an earlier try may have succeeded."""
        problem: BaseException = TimeoutError()
        while self._loop.time() < until:
            self._sent = False
            try:
                if self._writer is None or self._writer.is_closed():
                    self._writer = await self._connect()
                return await self._send(jobs, tried)
            except Exception as error:  # the writer survives any error of a connection
                problem, tried = error, tried or self._sent
                standby = isinstance(error, asyncpg.ReadOnlySQLTransactionError)
                if is_refused(error) and not self._sent and not standby:
                    if len(jobs) > 1:
                        # one bad job must not harm the others
                        return [(await self._commit_until(until, [job], tried))[0] for job in jobs]
                    break
                if not isinstance(error, (*TRANSIENT, asyncpg.PostgresError)):
                    logger.exception("log connection failed")
                if self._writer is not None:
                    self._writer.terminate()
                await asyncio.sleep(RECONNECT_DELAY_SECONDS)
        return [not_written(problem, OutcomeUnknown if tried else StoreError)] * len(jobs)

    async def _send(self, writes: list[Write], again: bool) -> list[int | StoreError]:
        entries = [
            (number, write.version + n, body, None if command is None else command.encode())
            for number, write in enumerate(writes)
            for n, (body, command) in enumerate(write.entries, 1)
        ]
        columns = [*zip(*entries, strict=True)] or [(), (), (), ()]
        tables, versions, _, dues, fences, standings, made = zip(*writes, strict=True)
        documents, keys = zip(*[one or (None, None) for one in made], strict=True)
        phases, times_made, times_written = zip(*standings, strict=True)
        after = [write.after for write in writes]
        sizes = [self.stored_size(write.entries, *(write.made or ())) for write in writes]
        asked = (range(len(writes)), tables, documents, keys, versions, after, dues, fences, phases, sizes)
        self._sent = True
        try:
            rows = await self._writer.fetch(WRITE, *asked, times_made, times_written, *columns, self.id)
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
        head = await self._writer.fetchrow(HEAD, write.table)
        if head is None:
            return NoTable(write.table)
        if write.made is not None:
            if again and head["key"] == write.made[1]:
                return write.after
            return Conflict("there is a table {table} already", table=write.table)
        if again and write.entries:
            rows = await self._writer.fetch(ENTRIES, head["number"], write.version)
            if [_entry(row) for row in rows[: len(write.entries)]] == list(write.entries):
                return write.after
        if head["fence"] != write.fence:
            return Fenced("another server has taken table {table} over", table=write.table)
        return Conflict(
            "table {table} is not at version {version}", table=write.table, version=write.version
        )

    async def delete(self, tables: Collection[str], before: int | None = None) -> tuple[str, ...]:
        async def work(connection: Any) -> tuple[str, ...]:
            async with connection.transaction():
                numbers = [row["number"] for row in await connection.fetch(LOCK, list(tables))]
                rows = await connection.fetch(DELETE, self.id, numbers, before)
            # not those that an earlier try has deleted, whose answer was lost
            gone = {row["id"] for row in rows}
            return tuple(table for table in tables if table in gone)

        return await self._run(work)

    # --- reading ---------------------------------------------------------------------------------

    async def load(self, table: str) -> StoredTable:
        async def work(connection: Any) -> StoredTable:
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                head = await connection.fetchrow(HEAD, table)
                return await _loaded(connection, table, head)

        return await self._run(work)

    async def due(self) -> tuple[str, ...]:
        return await self._ids(DUE, self.id)

    async def tables(self) -> tuple[str, ...]:
        return await self._ids("SELECT id FROM tables ORDER BY number")

    async def summaries(
        self, phases: Collection[str] | None = None, before: int | None = None
    ) -> tuple[TableSummary, ...]:
        wanted = None if phases is None else list(phases)
        rows = await self._fetch(SUMMARIES, self.id, wanted, before)
        return tuple(TableSummary(*row) for row in rows)

    async def size(self) -> int:
        ((size,),) = await self._fetch(SIZE)
        return int(size)

    async def _ids(self, query: str, *values: Any) -> tuple[str, ...]:
        return tuple(row["id"] for row in await self._fetch(query, *values))

    async def _fetch(self, query: str, *values: Any) -> list[Any]:
        async def work(connection: Any) -> list[Any]:
            return list(await connection.fetch(query, *values))

        return await self._run(work)

    async def _run(self, work: Callable[[Any], Awaitable[T]]) -> T:
        """Run `work` with a connection, with retries on transient errors."""
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
                head = await connection.fetchrow(f"{HEAD} FOR UPDATE OF heads", table)
                if head is not None:
                    if head["server"] not in (None, self.id):
                        other = await connection.fetchrow(HOLDER, head["server"])
                        if other is not None and other["alive"]:
                            raise HeldElsewhere(table, other["address"])
                    # even if it was ours: a write of ours that is still under way must fail
                    await connection.execute(CLAIM, head["number"], self.id)
                loaded = await _loaded(connection, table, head)
                return loaded._replace(fence=loaded.fence + 1)

        return await self._run(work)

    async def release(self, table: str, fence: int) -> None:
        await self._fetch(RELEASE, table, self.id, fence)

    async def renew(self) -> bool:
        span = timedelta(seconds=self.lease or 0)
        try:
            # a connection of its own, so that it never has to wait for readers
            if self._renewer is None or self._renewer.is_closed():
                self._renewer = await self._connect()
            async with self._renewer.transaction():
                in_time: bool | None = await self._renewer.fetchval(IN_TIME, self.id)
                await self._renewer.execute(RENEW, self.id, self.address, span)
        except BaseException as error:
            # also after a time limit: a transaction that was only half begun would be left open
            if self._renewer is not None:
                self._renewer.terminate()
            if isinstance(error, (*TRANSIENT, asyncpg.PostgresError)):
                raise not_written(error) from None
            raise
        return bool(in_time)

    async def held(self) -> dict[str, int]:
        return {row["id"]: row["fence"] for row in await self._fetch(MINE, self.id)}

    async def servers(self) -> int:
        return len({*await self._ids(ALIVE)} - {self.id})


def _entry(row: Any) -> LogEntry:
    command = row["command"]
    return LogEntry(row["body"], None if command is None else command.decode())


async def _loaded(connection: Any, table: str, head: Any) -> StoredTable:
    if head is None:
        raise NoTable(table)
    rows = await connection.fetch(ENTRIES, head["number"], 0)
    entries = tuple(_entry(row) for row in rows)
    standing = TableStatus(head["phase"], head["made"], head["written"])
    return StoredTable(table, head["document"], head["key"], entries, head["due"], head["fence"], standing)


def is_refused(error: BaseException) -> bool:
    """Whether the database confirmed that it did not carry out a statement.

    A session that ended over it (FATAL) and a database that did (PANIC) may have done so before.
    """
    return (
        isinstance(error, asyncpg.PostgresError)
        and not isinstance(error, (*TRANSIENT, asyncpg.StatementCompletionUnknownError))
        and getattr(error, "severity_en", None) not in ("FATAL", "PANIC")
    )
