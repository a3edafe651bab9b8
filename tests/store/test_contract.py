"""What every event log promises, for every kind of it."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

import asyncpg
import pytest
from tools.postgres import Database

from pasch.store.base import Store
from pasch.store.browser import BrowserStore
from pasch.store.postgres import PostgresStore
from pasch.store.sqlite import SqliteStore
from tests.store.contract import PROMISES
from tests.store.rows import MemoryDatabase, Rows

T = TypeVar("T")
Opener = Callable[[Path], Store]


def in_schema(database: Database, folder: Path, **settings: Any) -> PostgresStore:
    """A log of its own for each folder, in one database."""
    return PostgresStore(_schema_url(database, str(folder)), port=1, **settings)


@cache
def _schema_url(database: Database, folder: str) -> str:
    schema = "s" + hashlib.sha256(folder.encode()).hexdigest()[:16]

    async def make() -> None:
        connection = await asyncpg.connect(database.url)
        await connection.execute(f"CREATE SCHEMA {schema}")
        await connection.close()

    asyncio.run(make())
    return f"{database.url}?search_path={schema}"


@pytest.fixture(params=["sqlite", "browser", pytest.param("postgres", marks=pytest.mark.slow)])
def make(request: pytest.FixtureRequest) -> Opener:
    """Opens a log of each kind; the same folder is the same log."""
    if request.param == "sqlite":
        return lambda folder: SqliteStore(folder / "log.sqlite")
    if request.param == "browser":
        # the real one is tried in tests/e2e/test_site_log.py
        rows = Rows()
        return lambda folder: BrowserStore(MemoryDatabase(rows))
    database = request.getfixturevalue("postgres")
    # promises open logs while a loop runs, so the schema is made before
    _schema_url(database, str(request.getfixturevalue("tmp_path")))
    return partial(in_schema, database)


def using(store: Store, do: Callable[[Store], Awaitable[T]]) -> T:
    """Open the store, do something, close it."""

    async def run() -> T:
        await store.open()
        try:
            return await do(store)
        finally:
            await store.close()

    return asyncio.run(run())


@pytest.mark.parametrize("promise", PROMISES)
def test_every_log_keeps(promise: str, make: Opener, tmp_path: Path) -> None:
    asyncio.run(PROMISES[promise](lambda: make(tmp_path)))
