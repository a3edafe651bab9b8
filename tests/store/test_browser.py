"""The log in a browser's storage: faults, and who owns it."""

from __future__ import annotations

import pytest

from pasch.store.base import Fenced, StoreError
from pasch.store.browser import BrowserStore
from tests.store.contract import begun, entries
from tests.store.rows import MemoryDatabase, Rows


async def test_a_full_storage_refuses_and_what_was_answered_stays() -> None:
    rows = Rows()
    async with BrowserStore(MemoryDatabase(rows)) as store:
        await begun(store, "t", "a")
        rows.capacity = 0
        both = [store.append("t", 1, entries("b"), False), store.append("t", 2, entries("c"), False)]
        for write in (*both, begun(store, "u")):
            with pytest.raises(StoreError, match="no room"):
                await write
        assert await store.tables() == ("t",)
        rows.capacity = 10**9
        assert await store.append("t", 1, entries("d"), False) == 2
        await begun(store, "u")
    async with BrowserStore(MemoryDatabase(rows)) as store:
        assert list((await store.load("t")).entries) == entries("a", "d")
        assert await store.tables() == ("t", "u")


async def test_a_former_owner_cannot_write() -> None:
    rows = Rows()
    first, second = BrowserStore(MemoryDatabase(rows)), BrowserStore(MemoryDatabase(rows))
    await first.open()
    await begun(first, "t", "a")
    await second.open()
    assert await second.append("t", 1, entries("b"), False) == 2
    with pytest.raises(Fenced):
        await first.append("t", 1, entries("x"), False)
    assert list((await second.load("t")).entries) == entries("a", "b")
