"""Several servers on one log: one at a time holds a table, and a server that lost it cannot write."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import asyncpg
import pytest
from tools.postgres import Database

from pasch.store import migrations
from pasch.store.base import Fenced, HeldElsewhere, LogEntry, NoTable, OutcomeUnknown, Store, StoreError
from pasch.store.locate import open_store
from pasch.store.postgres import PostgresStore
from pasch.store.sqlite import SqliteStore
from tests.store.contract import begun, entries
from tests.store.test_contract import in_schema, using

Two = Callable[[PostgresStore, PostgresStore], Awaitable[None]]


def with_two(postgres: Database, folder: Path, do: Two) -> None:
    """Two servers on one log, which stay alive only while they renew."""

    async def run() -> None:
        await one.open()
        await two.open()
        try:
            await do(one, two)
        finally:
            await one.close()
            await two.close()

    one, two = in_schema(postgres, folder), in_schema(postgres, folder)
    one.address, two.address = "one:1", "[::1]:2"
    asyncio.run(run())


async def end_lease(store: PostgresStore) -> None:
    """As if the server had been paused for longer than its lease, by the clock of the database."""
    await store._pool.execute(
        "UPDATE servers SET until = clock_timestamp() - interval '1 second' WHERE id = $1", store.id
    )


def test_the_server_that_created_or_claimed_a_table_holds_it(postgres: Database, tmp_path: Path) -> None:
    async def run(one: PostgresStore, two: PostgresStore) -> None:
        await begun(one, "t", "a")
        with pytest.raises(HeldElsewhere) as held:
            await two.claim("t")
        assert (held.value.server, held.value.address) == (one.id, "one:1")
        # every server may read
        assert list((await two.load("t")).entries) == entries("a")
        await one.release("t", 1)
        claimed = await two.claim("t")
        assert claimed.fence == 2 and list(claimed.entries) == entries("a")
        with pytest.raises(HeldElsewhere, match="another server"):
            await one.claim("t")
        with pytest.raises(NoTable):
            await one.claim("none")

    with_two(postgres, tmp_path, run)


def test_a_server_that_was_paused_cannot_write(postgres: Database, tmp_path: Path) -> None:
    async def run(one: PostgresStore, two: PostgresStore) -> None:
        await begun(one, "t", "a")
        await begun(one, "u", "a")
        await end_lease(one)
        assert (await two.claim("t")).fence == 2
        with pytest.raises(Fenced):
            await one.append("t", 1, entries("x"), False)
        assert await two.append("t", 1, entries("b"), False, fence=2) == 2
        # it notices when it renews, and keeps the tables that no server has taken
        assert (await one.renew()).late
        assert await one.held() == {"u": 1}
        assert await one.append("u", 1, entries("b"), False) == 2
        assert list((await one.load("t")).entries) == entries("a", "b")
        assert not (await one.renew()).late

    with_two(postgres, tmp_path, run)


def test_a_clock_that_is_set_back_keeps_nobodys_tables(postgres: Database, tmp_path: Path) -> None:
    async def run(one: PostgresStore, two: PostgresStore) -> None:
        await one.create("t", b"{}", b"k", entries("a"), True)
        # the database's clock is an hour back, and the lease ends in an hour and four seconds
        later = "UPDATE servers SET until = until + interval '1 hour' WHERE id = $1"
        await one._pool.execute(later, one.id)
        assert await two.due() == ("t",) and (await two.renew()).alive == {two.id}
        assert (await two.claim("t")).fence == 2
        with pytest.raises(Fenced):
            await one.append("t", 1, entries("x"), False)
        assert (await one.renew()).late and not (await one.renew()).late

    with_two(postgres, tmp_path, run)


def test_claiming_anew_fences_ones_own_older_writes(postgres: Database, tmp_path: Path) -> None:
    async def run(one: PostgresStore, two: PostgresStore) -> None:
        await begun(one, "t")
        again = await one.claim("t")
        with pytest.raises(Fenced):
            await one.append("t", 0, entries("x"), False, fence=1)
        assert await one.append("t", 0, entries("a"), False, again.fence) == 1
        # what was given up before it was claimed again stays claimed
        await one.release("t", 1)
        with pytest.raises(HeldElsewhere):
            await two.claim("t")

    with_two(postgres, tmp_path, run)


def test_of_two_servers_that_claim_at_once_one_succeeds(postgres: Database, tmp_path: Path) -> None:
    async def run(one: PostgresStore, two: PostgresStore) -> None:
        for table in "tuv":
            await begun(one, table)
            await one.release(table, 1)
            got = await asyncio.gather(one.claim(table), two.claim(table), return_exceptions=True)
            assert sorted(isinstance(answer, HeldElsewhere) for answer in got) == [False, True]

    with_two(postgres, tmp_path, run)


def test_tables_where_a_server_has_to_act_are_found_when_theirs_has_ended(
    postgres: Database, tmp_path: Path
) -> None:
    async def run(one: PostgresStore, two: PostgresStore) -> None:
        await one.create("t", b"{}", b"k", [], True)
        assert (await one.due(), await two.due()) == (("t",), ())
        await end_lease(one)
        assert await two.due() == ("t",)
        assert (await two.renew()).alive == {two.id}

    with_two(postgres, tmp_path, run)


def test_a_server_that_stops_gives_its_tables_up(postgres: Database, tmp_path: Path) -> None:
    async def run(one: Store) -> None:
        await begun(one, "t")
        await other.open()
        await begun(other, "u")
        with pytest.raises(HeldElsewhere):
            await one.claim("u")
        await other.close()
        assert (await one.claim("u")).fence == 2
        assert await one.servers() == 0

    other = in_schema(postgres, tmp_path)
    using(in_schema(postgres, tmp_path), run)


def test_text_that_postgresql_does_not_take_harms_nobody(postgres: Database, tmp_path: Path) -> None:
    async def run(store: Store) -> None:
        await begun(store, "t", "a\0b", "ü")
        assert list((await store.load("t")).entries) == entries("a\0b", "ü")
        for ask in (store.load("a\0b"), store.claim("a\0b"), store.append("a\0b", 0, [], False)):
            with pytest.raises(NoTable):
                await ask

    using(in_schema(postgres, tmp_path), run)


def test_a_password_is_not_told(tmp_path: Path) -> None:
    store = open_store("postgresql://pasch:secret@127.0.0.1:9/nothing?search_path=x")
    assert store.where == "postgresql://127.0.0.1:9/nothing"
    with pytest.raises(StoreError) as refused:
        using(store, begun)
    assert "secret" not in refused.value.reason
    with pytest.raises(StoreError, match="folder"):
        open_store("mysql://somewhere")
    assert isinstance(open_store(tmp_path), SqliteStore)


@pytest.mark.parametrize(("written", "lease"), [("", 4.0), ("1", 1.0), ("2.5", 2.5)])
def test_a_lease_can_be_chosen(written: str, lease: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PASCH_LEASE", written)
    assert open_store("postgresql://127.0.0.1:9/nothing").lease == lease


@pytest.mark.parametrize("written", ["0", "0.4", "31", "-1", "nan", "soon"])
def test_a_lease_is_a_number_of_seconds(written: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PASCH_LEASE", written)
    with pytest.raises(StoreError, match="PASCH_LEASE"):
        open_store("postgresql://127.0.0.1:9/nothing")


def test_a_database_of_a_newer_pasch_is_refused_and_an_older_one_upgraded(
    postgres: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def schema(store: Store) -> int:
        assert isinstance(store, PostgresStore)
        found: int = await store._pool.fetchval("SELECT schema FROM about")
        return found

    using(in_schema(postgres, tmp_path), begun)
    known = migrations.POSTGRES
    monkeypatch.setattr(migrations, "POSTGRES", (*known, "ALTER TABLE heads ADD COLUMN more INTEGER;"))
    assert using(in_schema(postgres, tmp_path), schema) == len(known) + 1
    assert using(in_schema(postgres, tmp_path), lambda store: store.tables()) == ("t",)
    monkeypatch.setattr(migrations, "POSTGRES", known)
    with pytest.raises(StoreError, match="newer Pasch"):
        using(in_schema(postgres, tmp_path), schema)


def test_the_tables_of_an_older_database_are_dated_from_the_upgrade_on(
    postgres: Database, tmp_path: Path
) -> None:
    async def make() -> None:
        connection = await asyncpg.connect(store._url)
        for statement in migrations.pending_statements(0, migrations.POSTGRES[:1]):
            await connection.execute(statement)
        await connection.execute("UPDATE about SET schema = 1")
        await connection.execute(
            "INSERT INTO tables (id, document, key) VALUES ('t', '{}', 'k'), ('u', '{}', 'k')"
        )
        await connection.execute("INSERT INTO heads VALUES (1, 2, false, NULL, 1), (2, 0, true, NULL, 1)")
        await connection.execute("INSERT INTO entries VALUES (1, 1, 'ab', 'c'), (1, 2, 'd', NULL)")
        await connection.close()

    async def look(store: Store) -> None:
        found = await store.summaries()
        right = [LogEntry(b"ab", "c"), LogEntry(b"d")]
        assert [s.bytes for s in found] == [
            store.stored_size(right, b"{}", b"k"),
            store.stored_size([], b"{}", b"k"),
        ]
        assert all(not s.phase and s.made == s.written > 10**9 for s in found)
        assert list((await store.load("t")).entries) == right

    store = in_schema(postgres, tmp_path)
    asyncio.run(make())
    using(store, look)


def test_what_another_server_holds_is_not_deleted(postgres: Database, tmp_path: Path) -> None:
    async def run(one: Store) -> None:
        await two.open()
        await begun(one, "t", "a")
        await begun(two, "u", "a")
        assert [s.id for s in await one.summaries()] == ["t"]
        assert [s.id for s in await two.summaries()] == ["u"]
        assert await two.delete(["t", "u"]) == ("u",)
        await two.close()
        assert await one.append("t", 1, entries("b"), False) == 2

    first, two = in_schema(postgres, tmp_path), in_schema(postgres, tmp_path)
    using(first, run)


def test_while_the_database_is_away_writes_wait_and_then_fail_without_a_lie(
    postgres: Database, tmp_path: Path
) -> None:
    async def run() -> None:
        await store.open()
        await patient.open()
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
        await store.close()
        await patient.close()

    store, patient = (in_schema(postgres, tmp_path, timeout=seconds) for seconds in (0.3, 60))
    try:
        asyncio.run(run())
    finally:
        postgres.start()
