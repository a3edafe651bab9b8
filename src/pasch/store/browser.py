"""The event log in a browser's storage.

The storage is a sorted map from text to bytes (`Database`; in the browser IndexedDB, `static/offline/browser_log.js`),
in which several rows are written at once or not at all. One row per table holds its head, one its document and key, and
one each of its entries. All heads are in memory, because a device has few tables and only one worker at a time owns the
storage: the worker that opens it last owns it, and a former owner's writes are refused (Fenced).

Everything that waits goes into one write, and is answered when the browser says that it is durable.
"""

from __future__ import annotations

import asyncio
import time
from asyncio import Future
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple, Protocol

import msgspec

from pasch.store.base import (
    FIRST_FENCE,
    Backlog,
    Conflict,
    LogEntry,
    NoTable,
    Store,
    StoredTable,
    StoreError,
    TableStatus,
    TableSummary,
    Write,
    not_read,
    not_written,
    settle,
)

#: a key and its new value; None deletes it
Row = tuple[str, bytes | None]


class Database(Protocol):
    """A browser's storage; every failure raises StoreError."""

    async def open(self) -> None:
        """Become the owner."""

    async def read(self, prefix: str) -> list[tuple[str, bytes]]:
        """All rows whose keys have this prefix, ordered by key."""

    async def write(self, rows: Sequence[Row]) -> None:
        """Write all of these rows or none, durably; Fenced if another owner has opened it."""

    async def close(self) -> None:
        """Give it up."""


class _Head(msgspec.Struct, frozen=True, array_like=True):
    """What is kept of a table beside its entries."""

    id: str
    number: int
    version: int
    due: bool
    phase: str
    made: int
    written: int
    bytes: int


class _Document(msgspec.Struct, frozen=True, array_like=True):
    document: bytes
    key: bytes


class _Entry(msgspec.Struct, frozen=True, array_like=True):
    body: bytes
    command: str | None


_encode = msgspec.msgpack.Encoder().encode


def _head_key(number: int) -> str:
    return f"head/{number:010}"


def _document_key(number: int) -> str:
    return f"document/{number:010}"


def _entry_prefix(number: int) -> str:
    return f"entry/{number:010}/"


def _entry_key(number: int, version: int) -> str:
    return f"{_entry_prefix(number)}{version:010}"


class _Pending:
    """The rows and heads of a write that is being put together."""

    def __init__(self, heads: dict[str, _Head]) -> None:
        self._before = heads
        #: the heads that change; None: the table is deleted
        self.heads: dict[str, _Head | None] = {}
        self.rows: dict[str, bytes | None] = {}

    def head(self, table: str) -> _Head | None:
        return self.heads[table] if table in self.heads else self._before.get(table)

    def put(self, head: _Head, entries: Sequence[LogEntry]) -> None:
        """Change a head whose last entries are these."""
        self.heads[head.id] = head
        self.rows[_head_key(head.number)] = _encode(head)
        first = head.version - len(entries) + 1
        for version, (body, command) in enumerate(entries, first):
            self.rows[_entry_key(head.number, version)] = _encode(_Entry(body, command))

    def delete(self, head: _Head) -> None:
        self.heads[head.id] = None
        keys = [_head_key(head.number), _document_key(head.number)]
        keys += [_entry_key(head.number, version) for version in range(1, head.version + 1)]
        self.rows |= dict.fromkeys(keys)


#: what one job does to a write, and its answer
Work = Callable[[_Pending], int]


class _Job(NamedTuple):
    work: Work
    answer: Future[int]


class BrowserStore(Store):
    """The log in a browser's storage."""

    #: keys, heads, the browser's own
    table_overhead, entry_overhead = 160, 48

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock
        self._heads: dict[str, _Head] = {}
        self._last = 0
        self._jobs: list[_Job] = []
        self._writer: asyncio.Task[None] | None = None
        self._since = 0.0

    @property
    def where(self) -> str:
        return "this browser"

    async def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        await self._database.open()
        read = msgspec.msgpack.Decoder(_Head)
        heads = [read.decode(row) for _, row in await self._database.read("head/")]
        self._heads = {head.id: head for head in heads}
        self._last = max((head.number for head in heads), default=0)

    async def close(self) -> None:
        while self._writer is not None:
            await self._writer
        await self._database.close()

    # --- writing -------------------------------------------------------------------------------------

    def submit(self, write: Write) -> Future[int]:
        return self._submit(
            lambda pending: (self._append if write.made is None else self._create)(write, pending)
        )

    def _create(self, write: Write, pending: _Pending) -> int:
        assert write.made is not None
        if pending.head(write.table) is not None:
            raise Conflict("there is a table {table} already", table=write.table)
        self._last += 1
        now, size = int(self._clock()), self.stored_size(write.entries, *write.made)
        phase, made, written = write.standing
        head = _Head(
            write.table, self._last, write.after, write.due, phase, made or now, written or now, size
        )
        pending.put(head, write.entries)
        pending.rows[_document_key(head.number)] = _encode(_Document(*write.made))
        return head.version

    def _append(self, write: Write, pending: _Pending) -> int:
        table, version, entries, due, *_ = write
        head = _known(pending.head(table), table)
        if head.version != version:
            raise Conflict("table {table} is at version {version}", table=table, version=head.version)
        # the clock may be set back; what is only noted does not make a table younger
        written = max(head.written, int(self._clock())) if entries else head.written
        size, phase = head.bytes + self.stored_size(entries), write.standing.phase
        after = _Head(table, head.number, write.after, due, phase, head.made, written, size)
        pending.put(after, entries)
        return after.version

    async def delete(self, tables: Collection[str], before: int | None = None) -> tuple[str, ...]:
        deleted: list[str] = []

        def work(pending: _Pending) -> int:
            for table in tables:
                head = pending.head(table)
                if head is not None and (before is None or head.written < before):
                    pending.delete(head)
                    deleted.append(table)
            return len(deleted)

        await self._submit(work)
        return tuple(deleted)

    def _submit(self, work: Work) -> Future[int]:
        answer: Future[int] = self._loop.create_future()
        if not self._jobs and self._writer is None:
            self._since = self._loop.time()
        self._jobs.append(_Job(work, answer))
        if self._writer is None:
            self._writer = self._loop.create_task(self._write())
        return answer

    async def _write(self) -> None:
        """Write pending jobs until there are none."""
        while self._jobs:
            jobs, self._jobs = self._jobs, []
            await self._write_jobs(jobs)
            self._since = self._loop.time()
        self._writer = None

    async def _write_jobs(self, jobs: Sequence[_Job]) -> None:
        pending, last = _Pending(self._heads), self._last
        answers: list[tuple[Future[int], int]] = []
        for job in jobs:
            try:
                answers.append((job.answer, job.work(pending)))
            except StoreError as refused:
                # raised before anything was added, so the others can continue
                settle(job.answer, refused)
        try:
            if pending.rows:
                await self._database.write(list(pending.rows.items()))
        except Exception as error:  # noqa: BLE001 - nothing was written, and every waiting write needs an answer
            self._last = last
            problem = error if isinstance(error, StoreError) else not_written(error)
            for answer, _ in answers:
                settle(answer, problem)
            return
        for table, head in pending.heads.items():
            if head is None:
                del self._heads[table]
            else:
                self._heads[table] = head
        for answer, version in answers:
            settle(answer, version)

    @property
    def backlog(self) -> Backlog:
        waiting = len(self._jobs) + (self._writer is not None)
        return Backlog(waiting, self._loop.time() - self._since if waiting else 0.0)

    # --- reading -------------------------------------------------------------------------------------

    async def load(self, table: str) -> StoredTable:
        head = _known(self._heads.get(table), table)
        documents = await self._database.read(_document_key(head.number))
        rows = await self._database.read(_entry_prefix(head.number))
        if not documents or len(rows) < head.version:
            raise not_read("entries are missing")
        about = msgspec.msgpack.decode(documents[0][1], type=_Document)
        read = msgspec.msgpack.Decoder(_Entry)
        # further ones may have been written since
        found = [read.decode(row) for _, row in rows[: head.version]]
        entries = tuple([LogEntry(entry.body, entry.command) for entry in found])
        standing = TableStatus(head.phase, head.made, head.written)
        return StoredTable(table, about.document, about.key, entries, head.due, FIRST_FENCE, standing)

    async def due(self) -> tuple[str, ...]:
        return tuple([head.id for head in self._sorted() if head.due])

    async def tables(self) -> tuple[str, ...]:
        return tuple([head.id for head in self._sorted()])

    async def summaries(
        self, phases: Collection[str] | None = None, before: int | None = None, limit: int | None = None
    ) -> tuple[TableSummary, ...]:
        found = [
            TableSummary(head.id, head.phase, head.made, head.written, head.bytes)
            for head in self._sorted()
            if (phases is None or head.phase in phases) and (before is None or head.written < before)
        ]
        return tuple(found[:limit])

    async def size(self) -> int:
        return sum(head.bytes for head in self._heads.values())

    def _sorted(self) -> Iterable[_Head]:
        return sorted(self._heads.values(), key=lambda head: head.number)


def _known(head: _Head | None, table: str) -> _Head:
    if head is None:
        raise NoTable(table)
    return head
