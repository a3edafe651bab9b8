"""The event log in a browser's storage.

The storage is a sorted map from text to bytes (`Database`; in the browser IndexedDB, `static/offline/browser_log.js`),
in which several rows are written at once or not at all. One row per table holds its head, one its document and key, and
one each of its entries. All heads are in memory, because a device has few tables and only one worker at a time owns the
storage: the worker that opens it last owns it, and a former owner's writes are refused (Fenced).

Everything that waits goes into one write, and is answered when the browser says that it is durable.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Protocol

import msgspec

from pasch.store.base import (
    FIRST_FENCE,
    Deletion,
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
from pasch.store.batch import Batch

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


_encode = msgspec.msgpack.Encoder().encode


def _key(kind: str, *numbers: int) -> str:
    """The key of a row, such as `entry/0000000007/0000000001`: rows are sorted by their numbers."""
    return "/".join([kind, *(f"{number:010}" for number in numbers)])


class BrowserStore(Store):
    """The log in a browser's storage."""

    #: keys, heads, the browser's own
    table_overhead, entry_overhead = 160, 48

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        super().__init__()
        self._database = database
        self._clock = clock
        #: in the order of their numbers
        self._heads: dict[str, TableSummary] = {}

    @property
    def where(self) -> str:
        return "this browser"

    async def open(self) -> None:
        await super().open()
        await self._database.open()
        read = msgspec.msgpack.Decoder(TableSummary)
        heads = [read.decode(row) for _, row in await self._database.read("head/")]
        self._heads = {head.id: head for head in heads}

    async def close(self) -> None:
        await super().close()
        await self._database.close()

    # --- writing -------------------------------------------------------------------------------------

    async def _commit(self, jobs: list[Write | Deletion]) -> Sequence[Any]:
        # the number of a table whose rows are deleted may be used again
        last = max((head.number for head in self._heads.values()), default=0)
        batch = Batch(dict(self._heads), last, self._clock(), self.stored_size)
        answers = [batch.answer(job) for job in jobs]
        try:
            if rows := [*_rows(batch)]:
                await self._database.write(rows)
        except Exception as error:  # noqa: BLE001 - nothing was written, and every waiting write needs an answer
            problem = error if isinstance(error, StoreError) else not_written(error)
            return [answer if isinstance(answer, StoreError) else problem for answer in answers]
        self._heads = batch.heads
        return answers

    # --- reading -------------------------------------------------------------------------------------

    async def load(self, table: str) -> StoredTable:
        head = self._heads.get(table)
        if head is None:
            raise NoTable(table)
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
        return tuple([head.id for head in self._heads.values() if head.due])

    async def tables(self) -> tuple[str, ...]:
        return tuple([head.id for head in self._heads.values()])

    async def summaries(
        self, phases: Collection[str] | None = None, before: int | None = None
    ) -> tuple[TableSummary, ...]:
        return tuple(
            head
            for head in self._heads.values()
            if (phases is None or head.phase in phases) and (before is None or head.written < before)
        )

    async def size(self) -> int:
        return sum(head.bytes for head in self._heads.values())


def _rows(batch: Batch) -> Iterator[Row]:
    """The rows that a batch changes."""
    for head in batch.deleted:
        yield _key("head", head.number), None
        yield _key("document", head.number), None
        for version in range(1, head.version + 1):
            yield _key("entry", head.number, version), None
    for table, made in batch.made.items():
        yield _key("document", batch.heads[table].number), _encode(made)
    for table, entries in batch.entries.items():
        head = batch.heads[table]
        yield _key("head", head.number), _encode(head[:-1])
        for version, entry in enumerate(entries, head.version - len(entries) + 1):
            yield _key("entry", head.number, version), _encode(entry)
