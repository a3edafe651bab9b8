"""A browser's storage in memory, which fails when a test wants it: for the log of `pasch.store.browser`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from pasch.store.base import Fenced, StorageFull
from pasch.store.browser import BrowserStore, Row


class Rows:
    """What is on the disk; the last to open it is the owner."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}
        self.owner = 0
        #: the largest write in bytes that succeeds
        self.capacity = 10**9


class MemoryDatabase:
    """One owner's side of the storage."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._me = 0

    async def open(self) -> None:
        self._rows.owner += 1
        self._me = self._rows.owner

    async def read(self, prefix: str) -> list[tuple[str, bytes]]:
        await asyncio.sleep(0)
        return sorted((key, value) for key, value in self._rows.kept.items() if key.startswith(prefix))

    async def write(self, rows: Sequence[Row]) -> None:
        await asyncio.sleep(0)
        if self._me != self._rows.owner:
            raise Fenced("another tab has this log now")
        changed = {**self._rows.kept, **{key: value for key, value in rows if value is not None}}
        for key, value in rows:
            if value is None:
                changed.pop(key, None)
        if sum(map(len, changed.values())) > self._rows.capacity:
            raise StorageFull("there is no room left on this device; nothing has changed")
        self._rows.kept = changed

    async def close(self) -> None:
        return


class MemoryStore(BrowserStore):
    """A log in memory."""

    def __init__(self) -> None:
        super().__init__(MemoryDatabase(Rows()))
