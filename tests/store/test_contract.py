"""What every event log promises, for every kind of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from pasch.store.base import Store
from pasch.store.browser import BrowserStore
from pasch.store.sqlite import SqliteStore
from tests.store.contract import PROMISES, Make
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
