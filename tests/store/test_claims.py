"""Several servers on one log: one at a time holds a table, and a server that lost it cannot write."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import pytest
from tools.postgres import Database

from pasch.core.errors import PaschError
from pasch.store import migrations
from pasch.store.base import Fenced, HeldElsewhere, LogEntry, NoTable, OutcomeUnknown, StoreError
from pasch.store.locate import open_store
from pasch.store.postgres import PostgresStore
from tests.store.conftest import Shared
from tests.store.contract import begun, entries


@asynccontextmanager
async def two_of(shared: Shared) -> AsyncIterator[tuple[PostgresStore, PostgresStore]]:
    """Two servers on one log, which stay alive only while they renew."""
    async with shared("one:1") as one, shared("[::1]:2") as two:
        yield one, two


async def end_lease(store: PostgresStore) -> None:
    """As if the server had been paused for longer than its lease, by the clock of the database."""
    await store._pool.execute(
        "UPDATE servers SET until = clock_timestamp() - interval '1 second' WHERE id = $1", store.id
    )


async def test_the_server_that_created_or_claimed_a_table_holds_it(shared: Shared) -> None:
    async with two_of(shared) as (one, two):
        await begun(one, "t", "a")
        with pytest.raises(HeldElsewhere) as held:
            await two.claim("t")
        assert held.value.address == "one:1"
        # every server may read
        assert list((await two.load("t")).entries) == entries("a")
        await one.release("t", 1)
        claimed = await two.claim("t")
        assert claimed.fence == 2 and list(claimed.entries) == entries("a")
        with pytest.raises(HeldElsewhere, match="another server"):
            await one.claim("t")
        with pytest.raises(NoTable):
            await one.claim("none")


async def test_a_server_that_was_paused_cannot_write(shared: Shared) -> None:
    async with two_of(shared) as (one, two):
        await begun(one, "t", "a")
        await begun(one, "u", "a")
        await end_lease(one)
        assert (await two.claim("t")).fence == 2
        with pytest.raises(Fenced):
            await one.append("t", 1, entries("x"), False)
        assert await two.append("t", 1, entries("b"), False, fence=2) == 2
        # it notices when it renews, and keeps the tables that no server has taken
        assert not await one.renew()
        assert await one.held() == {"u": 1}
        assert await one.append("u", 1, entries("b"), False) == 2
        assert list((await one.load("t")).entries) == entries("a", "b")
        assert await one.renew()


async def test_a_clock_that_is_set_back_keeps_nobodys_tables(shared: Shared) -> None:
    async with two_of(shared) as (one, two):
        await one.create("t", b"{}", b"k", entries("a"), True)
        assert (await one.due(), await two.due()) == (("t",), ())
        # the database's clock is an hour back, and the lease ends in an hour and four seconds
        later = "UPDATE servers SET until = until + interval '1 hour' WHERE id = $1"
        await one._pool.execute(later, one.id)
        assert await two.due() == ("t",) and await two.servers() == 0
        assert (await two.claim("t")).fence == 2
        with pytest.raises(Fenced):
            await one.append("t", 1, entries("x"), False)
        assert not await one.renew() and await one.renew()


async def test_claiming_anew_fences_ones_own_older_writes(shared: Shared) -> None:
    async with two_of(shared) as (one, two):
        await begun(one, "t")
        again = await one.claim("t")
        with pytest.raises(Fenced):
            await one.append("t", 0, entries("x"), False, fence=1)
        assert await one.append("t", 0, entries("a"), False, again.fence) == 1
        # what was given up before it was claimed again stays claimed
        await one.release("t", 1)
        with pytest.raises(HeldElsewhere):
            await two.claim("t")


async def test_of_two_servers_that_claim_at_once_one_succeeds(shared: Shared) -> None:
    async with two_of(shared) as (one, two):
        for table in "tuv":
            await begun(one, table)
            await one.release(table, 1)
            got = await asyncio.gather(one.claim(table), two.claim(table), return_exceptions=True)
            assert sorted(isinstance(answer, HeldElsewhere) for answer in got) == [False, True]


async def test_a_server_that_stops_gives_its_tables_up(shared: Shared) -> None:
    async with shared() as one:
        await begun(one, "t")
        async with shared() as other:
            await begun(other, "u")
            with pytest.raises(HeldElsewhere):
                await one.claim("u")
        assert (await one.claim("u")).fence == 2
        assert await one.servers() == 0


async def test_text_that_postgresql_does_not_take_harms_nobody(shared: Shared) -> None:
    async with shared() as store:
        await begun(store, "t", "a\0b", "ü")
        assert list((await store.load("t")).entries) == entries("a\0b", "ü")
        for ask in (store.load("a\0b"), store.claim("a\0b"), store.append("a\0b", 0, [], False)):
            with pytest.raises(StoreError):
                await ask


def test_a_lease_is_a_number_of_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    for written, lease in (("", 4.0), ("1", 1.0), ("2.5", 2.5)):
        monkeypatch.setenv("PASCH_LEASE", written)
        assert open_store("postgresql://127.0.0.1:9/nothing").lease == lease
    for written in ("0.4", "31", "-1", "nan", "soon"):
        monkeypatch.setenv("PASCH_LEASE", written)
        with pytest.raises(PaschError, match="PASCH_LEASE"):
            open_store("postgresql://127.0.0.1:9/nothing")


async def test_an_older_database_is_upgraded_and_a_newer_one_refused(shared: Shared) -> None:
    connection = await asyncpg.connect(shared()._url)
    for statement in (
        *migrations.pending_statements(0, migrations.POSTGRES[:1]),
        "UPDATE about SET schema = 1",
        "INSERT INTO tables (id, document, key) VALUES ('t', '{}', 'k'), ('u', '{}', 'k')",
        "INSERT INTO heads VALUES (1, 2, false, NULL, 1), (2, 0, true, NULL, 1)",
        "INSERT INTO entries VALUES (1, 1, 'ab', 'c'), (1, 2, 'd', NULL)",
    ):
        await connection.execute(statement)
    await connection.close()
    async with shared() as store:
        found = await store.summaries()
        right = [LogEntry(b"ab", "c"), LogEntry(b"d")]
        assert [s.bytes for s in found] == [
            store.stored_size(entries, b"{}", b"k") for entries in (right, [])
        ]
        assert all(not s.phase and s.made == s.written > 10**9 for s in found)
        assert list((await store.load("t")).entries) == right
        await store._pool.execute("UPDATE about SET schema = 99")
    with pytest.raises(StoreError, match="newer Pasch"):
        await shared().open()


async def test_while_the_database_is_away_writes_wait_and_then_fail_without_a_lie(
    shared: Shared, postgres: Database
) -> None:
    try:
        async with shared(timeout=0.3) as store, shared(timeout=60) as patient:
            await begun(store, "t")
            await begun(patient, "u")
            postgres.stop()
            waiting = patient.append("u", 0, entries("a"), False)
            reading = asyncio.create_task(patient.load("t"))
            with pytest.raises((StoreError, OutcomeUnknown)):
                await store.append("t", 0, entries("a"), False)
            with pytest.raises(StoreError, match="could not be read"):
                await store.load("t")
            with pytest.raises(StoreError):
                await store.renew()
            postgres.start()
            assert (await waiting, (await reading).id) == (1, "t")
            assert await store.append("t", 0, entries("b"), False) == 1
    finally:
        postgres.start()
