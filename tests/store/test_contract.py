"""What every event log promises, for every kind of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from pasch.store.base import Deletion, NoTable, Store
from pasch.store.browser import BrowserStore
from pasch.store.sqlite import SqliteStore
from tests.store.contract import PROMISES, Make, begun, entries
from tests.store.rows import MemoryDatabase, Rows

T = TypeVar("T")


@pytest.fixture(params=["sqlite", "browser", pytest.param("postgres", marks=pytest.mark.slow)])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Make:
    """Makes stores of one log, of each kind."""
    if request.param == "sqlite":
        return lambda: SqliteStore(tmp_path / "log.sqlite")
    if request.param == "browser":
        # the real one is tried in tests/e2e/test_site_play.py
        rows = Rows()
        return lambda: BrowserStore(MemoryDatabase(rows))
    shared: Make = request.getfixturevalue("shared")
    return shared


def using(store: Store, do: Callable[[Store], Awaitable[T]]) -> T:
    """Open the store, do something, close it."""

    async def run() -> T:
        async with store:
            return await do(store)

    return asyncio.run(run())


@pytest.mark.parametrize("promise", PROMISES)
def test_every_log_keeps(promise: str, make: Make) -> None:
    asyncio.run(PROMISES[promise](make))


@pytest.mark.parametrize("make", ["sqlite", "browser"], indirect=True)
async def test_a_table_may_be_written_to_deleted_and_made_again_in_one_batch(make: Make) -> None:
    async with make() as store:
        await begun(store, "t", "a")
        await begun(store, "u", "a")
        answers = await asyncio.gather(
            store.append("t", 1, entries("b"), True),
            store._enqueue(Deletion(("t", "none"), None)),
            store.append("t", 2, entries("c"), False),
            store.create("t", b"{}", b"new key", entries("d"), False),
            store.append("t", 1, entries("e"), False),
            store.create("v", b"{}", b"key", entries("f"), False),
            store._enqueue(Deletion(("u", "v"), 0)),
            store._enqueue(Deletion(("v",), None)),
            return_exceptions=True,
        )
        assert isinstance(answers.pop(2), NoTable)
        assert answers == [2, ("t",), 1, 2, 1, (), ("v",)]
    async with make() as store:
        assert (await store.tables(), await store.due()) == (("u", "t"), ())
        assert ((await store.load("t")).key, list((await store.load("u")).entries)) == (
            b"new key",
            entries("a"),
        )
        assert list((await store.load("t")).entries) == entries("d", "e")
