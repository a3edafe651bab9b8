"""The event log in a browser's storage.

The storage is a sorted map from text to bytes (`Database`; in the browser IndexedDB, `static/offline/browser_log.js`),
in which several rows are written at once or not at all. One row per table holds its head, one its document and key, and
one each of its entries. All heads are in memory, because a device has few tables and only one worker at a time owns the
storage: the worker that opens it last owns it, and a former owner's writes are refused (Fenced).

Everything that waits goes into one write, and is answered when the browser says that it is durable.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Protocol

import msgspec

from pasch.store.base import (
    FIRST_FENCE,
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
        """Release ownership."""


class _Head(msgspec.Struct, frozen=True, array_like=True):
    """The metadata of a table."""

    id: str
    number: int
    version: int
    due: bool
    phase: str
    made: int
    written: int
    bytes: int


_encode = msgspec.msgpack.Encoder().encode


def _key(kind: str, *numbers: int) -> str:
    """The key of a row, such as `entry/0000000007/0000000001`: rows are sorted by their numbers."""
    return "/".join([kind, *(f"{number:010}" for number in numbers)])


class _Changes:
    """The heads as they are after a write that is being put together, and its rows."""

    def __init__(self, heads: Mapping[str, _Head]) -> None:
        self.heads = dict(heads)
        self.rows: dict[str, bytes | None] = {}

    def put(self, head: _Head, entries: Sequence[LogEntry]) -> None:
        """Change a head whose last entries are these."""
        self.heads[head.id] = head
        self.rows[_key("head", head.number)] = _encode(head)
        first = head.version - len(entries) + 1
        for version, entry in enumerate(entries, first):
            self.rows[_key("entry", head.number, version)] = _encode(entry)

    def delete(self, head: _Head) -> None:
        del self.heads[head.id]
        keys = [_key("head", head.number), _key("document", head.number)]
        keys += [_key("entry", head.number, version) for version in range(1, head.version + 1)]
        self.rows |= dict.fromkeys(keys)


#: what a job that is no write changes, and its answer
Work = Callable[[_Changes], int]


class BrowserStore(Store):
    """The log in a browser's storage."""

    #: keys, heads, the browser's own
    table_overhead, entry_overhead = 160, 48

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        super().__init__()
        self._database = database
        self._clock = clock
        self._heads: dict[str, _Head] = {}

    @property
    def where(self) -> str:
        return "this browser"

    async def open(self) -> None:
        await super().open()
        await self._database.open()
        read = msgspec.msgpack.Decoder(_Head)
        heads = [read.decode(row) for _, row in await self._database.read("head/")]
        self._heads = {head.id: head for head in heads}

    async def close(self) -> None:
        await super().close()
        await self._database.close()

    # --- writing -------------------------------------------------------------------------------------

    def _write_table(self, write: Write, changes: _Changes) -> int:
        """Add a new table, or entries to one; the new version."""
        table, entries, made = write.table, write.entries, write.made
        now, (phase, begun, written) = int(self._clock()), write.standing
        if made is None:
            head = _find(changes.heads, table)
            if head.version != write.version:
                raise Conflict("table {table} is at version {version}", table=table, version=head.version)
            # the clock may be set back; metadata alone does not make a table younger
            written = max(head.written, now) if entries else head.written
        else:
            if table in changes.heads:
                raise Conflict("there is a table {table} already", table=table)
            # the number of a table whose rows are deleted may be used again
            number = max((head.number for head in changes.heads.values()), default=0) + 1
            changes.rows[_key("document", number)] = _encode(made)
            written = written or now
            head = _Head(table, number, 0, False, phase, begun or now, written, 0)
        size = head.bytes + self.stored_size(entries, *(made or ()))
        changes.put(
            _Head(table, head.number, write.after, write.due, phase, head.made, written, size), entries
        )
        return write.after

    async def delete(self, tables: Collection[str], before: int | None = None) -> tuple[str, ...]:
        deleted: list[str] = []

        def work(changes: _Changes) -> int:
            for table in tables:
                head = changes.heads.get(table)
                if head is not None and (before is None or head.written < before):
                    changes.delete(head)
                    deleted.append(table)
            return len(deleted)

        await self._enqueue(work)
        return tuple(deleted)

    async def _commit(self, jobs: list[Write | Work]) -> list[int | StoreError]:
        changes = _Changes(self._heads)
        answers: list[int | StoreError] = []
        for job in jobs:
            try:
                answers.append(self._write_table(job, changes) if isinstance(job, Write) else job(changes))
            except StoreError as refused:
                # raised before anything was added, so the others can continue
                answers.append(refused)
        try:
            if changes.rows:
                await self._database.write(list(changes.rows.items()))
        except Exception as error:  # noqa: BLE001 - nothing was written, and every waiting write needs an answer
            problem = error if isinstance(error, StoreError) else not_written(error)
            return [answer if isinstance(answer, StoreError) else problem for answer in answers]
        self._heads = changes.heads
        return answers

    # --- reading -------------------------------------------------------------------------------------

    async def load(self, table: str) -> StoredTable:
        head = _find(self._heads, table)
        documents = await self._database.read(_key("document", head.number))
        rows = await self._database.read(_key("entry", head.number) + "/")
        if not documents or len(rows) < head.version:
            raise not_read("entries are missing")
        document, key = msgspec.msgpack.decode(documents[0][1], type=tuple[bytes, bytes])
        read = msgspec.msgpack.Decoder(LogEntry)
        # further ones may have been written since
        entries = tuple([read.decode(row) for _, row in rows[: head.version]])
        standing = TableStatus(head.phase, head.made, head.written)
        return StoredTable(table, document, key, entries, head.due, FIRST_FENCE, standing)

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


def _find(heads: Mapping[str, _Head], table: str) -> _Head:
    head = heads.get(table)
    if head is None:
        raise NoTable(table)
    return head
