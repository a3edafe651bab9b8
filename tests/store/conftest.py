"""The PostgreSQL that the tests of the log share."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterator
from functools import partial

import asyncpg
import pytest
from tools.postgres import Database, database

from pasch.store.postgres import PostgresStore

#: makes stores of one log
Shared = Callable[..., PostgresStore]


@pytest.fixture(scope="session")
def postgres() -> Iterator[Database]:
    with database() as running:
        yield running


@pytest.fixture
def shared(postgres: Database) -> Shared:
    """Makes stores of one log, in a schema that only this test has."""
    schema = f"s{secrets.token_hex(8)}"

    async def make() -> None:
        connection = await asyncpg.connect(postgres.url)
        await connection.execute(f"CREATE SCHEMA {schema}")
        await connection.close()

    asyncio.run(make())
    return partial(PostgresStore, f"{postgres.url}?search_path={schema}", port=1)
