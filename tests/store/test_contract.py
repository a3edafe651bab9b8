"""What every event log promises, for every kind of it."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from functools import cache, partial
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import asyncpg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tools.postgres import Database

from pasch.store.base import Conflict, LogEntry, NoTable, Standing, Store
from pasch.store.postgres import PostgresStore
from pasch.store.sqlite import SqliteStore

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


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.xdist_group("postgres"))])
def make(request: pytest.FixtureRequest) -> Opener:
    """Opens a log of each kind; the same folder is the same log."""
    if request.param == "sqlite":
        return lambda folder: SqliteStore(folder / "log.sqlite")
    return partial(in_schema, request.getfixturevalue("postgres"))


def using(store: Store, do: Callable[[Store], Awaitable[T]]) -> T:
    """Open the store, do something, close it."""

    async def run() -> T:
        await store.open()
        try:
            return await do(store)
        finally:
            await store.close()

    return asyncio.run(run())


def entries(*names: str) -> list[LogEntry]:
    return [LogEntry(name.encode(), f"0:{name}") for name in names]


async def begun(store: Store, table: str = "t", *names: str) -> None:
    await store.create(table, b"{}", b"key of " + table.encode(), entries(*names), False)


def test_what_was_written_is_there_after_opening_anew(make: Opener, tmp_path: Path) -> None:
    async def write(store: Store) -> None:
        await begun(store, "t", "a")
        assert await store.append("t", 1, entries("b", "c"), False) == 3

    async def read(store: Store) -> None:
        table = await store.load("t")
        assert (table.document, table.key, table.version) == (b"{}", b"key of t", 3)
        assert list(table.entries) == entries("a", "b", "c")

    using(make(tmp_path), write)
    using(make(tmp_path), read)


def test_a_version_is_written_once_and_none_is_left_out(make: Opener, tmp_path: Path) -> None:
    async def run(store: Store) -> None:
        await begun(store, "t", "a", "b")
        for version in (0, 1, 3):
            with pytest.raises(Conflict):
                await store.append("t", version, entries("x", "y"), False)
        assert list((await store.load("t")).entries) == entries("a", "b")

    using(make(tmp_path), run)


def test_of_two_who_write_at_the_same_version_one_succeeds(make: Opener, tmp_path: Path) -> None:
    async def run(store: Store) -> None:
        await begun(store)
        both = [store.append("t", 0, entries(name, name), False) for name in "ab"]
        answers = await asyncio.gather(*both, return_exceptions=True)
        assert answers[0] == 2 and isinstance(answers[1], Conflict)
        assert list((await store.load("t")).entries) == entries("a", "a")

    using(make(tmp_path), run)


def test_one_refused_write_does_not_harm_those_committed_with_it(make: Opener, tmp_path: Path) -> None:
    async def run(store: Store) -> None:
        await begun(store, "t")
        await begun(store, "u")
        waiting = [
            store.append("t", 0, entries("a"), False),
            store.append("none", 0, entries("b"), False),
            store.append("u", 7, entries("c"), False),
            store.append("u", 0, entries("d"), False),
            store.append("t", 1, entries("e"), False),
        ]
        answers = await asyncio.gather(*waiting, return_exceptions=True)
        assert [answers[0], answers[3], answers[4]] == [1, 1, 2]
        assert isinstance(answers[1], NoTable) and isinstance(answers[2], Conflict)

    using(make(tmp_path), run)


def test_an_id_is_given_to_one_table_only(make: Opener, tmp_path: Path) -> None:
    async def run(store: Store) -> None:
        await begun(store, "t", "a")
        with pytest.raises(Conflict):
            await begun(store, "t", "b")
        assert list((await store.load("t")).entries) == entries("a")

    using(make(tmp_path), run)


def test_a_deleted_table_is_gone_and_others_stay(make: Opener, tmp_path: Path) -> None:
    async def run(store: Store) -> None:
        await begun(store, "t", "a")
        await begun(store, "u", "b")
        await begun(store, "v", "a")
        assert sorted(await store.delete(["t", "none", "v"])) == ["t", "v"]
        with pytest.raises(NoTable):
            await store.load("t")
        with pytest.raises(NoTable):
            await store.append("t", 1, entries("c"), False)
        assert await store.delete(["t"]) == ()
        assert await store.tables() == ("u",)
        await begun(store, "t")
        assert (await store.load("t")).version == 0

    using(make(tmp_path), run)


def test_it_knows_how_far_and_how_old_each_table_is(make: Opener, tmp_path: Path) -> None:
    old = Standing("waiting", 100, 200)

    async def run(store: Store) -> None:
        await store.create("old", b"{}", b"key", entries("a"), False, old)
        await store.create("new", b"{}", b"key", entries("a"), False, Standing("playing"))
        assert (await store.load("old")).standing == old
        summaries = {summary.id: summary for summary in await store.summaries()}
        first = summaries["old"]
        assert (first.phase, first.made, first.written) == old
        assert first.bytes == store.weigh(entries("a"), b"{}", b"key") > len("a0:a{}key")
        assert summaries["new"].made == summaries["new"].written > 10**9
        # both at once, as when they wait for one transaction
        await asyncio.gather(
            store.append("old", 1, entries("b"), False, phase="playing"),
            store.append("old", 2, entries("cc"), False, phase="over"),
        )
        phase, made, written = (await store.load("old")).standing
        assert (phase, made) == ("over", 100) and written > 10**9
        (summary,) = await store.summaries(["over"])
        assert summary.bytes == first.bytes + store.weigh(entries("b", "cc"))

    using(make(tmp_path), run)


def test_old_tables_are_found_and_deleted_unless_something_was_written(
    make: Opener, tmp_path: Path
) -> None:
    async def run(store: Store) -> None:
        for number, phase in enumerate(["waiting", "playing", "over", "playing"]):
            standing = Standing(phase, 1, 100 + number)
            await store.create(f"t{number}", b"{}", b"key", entries("a"), False, standing)

        async def found(*asked: Any, **more: Any) -> list[str]:
            return [summary.id for summary in await store.summaries(*asked, **more)]

        assert await found() == ["t0", "t1", "t2", "t3"]
        assert await found(["waiting", "over"]) == ["t0", "t2"]
        assert await found(["playing"], 103) == ["t1"]
        assert await found(before=103, most=2) == ["t0", "t1"]
        assert await found([]) == []
        # how far it is can be noted without an entry, and that does not make it younger
        assert await store.append("t0", 1, [], False, phase="adjudicated") == 1
        assert await found(["adjudicated"], 101) == ["t0"]
        await store.append("t1", 1, entries("b"), False, phase="playing")
        assert await store.delete(["t0", "t1", "t3"], 103) == ("t0",)
        assert await found() == ["t1", "t2", "t3"]

    using(make(tmp_path), run)


def test_its_size_grows_with_what_is_written_and_shrinks_with_what_is_deleted(
    make: Opener, tmp_path: Path
) -> None:
    async def run(store: Store) -> None:
        empty = await store.size()
        for table in ("t", "u"):
            await store.create(table, b"{}", b"key", [LogEntry(bytes(100_000))] * 10, False)
        full = await store.size()
        assert full - empty > 2_000_000
        await store.delete(["t"])
        # less one, but for what the log has written ahead
        assert await store.size() < full + 100_000
        await store.delete(["u"])
        await store.compact()
        assert await store.size() < empty + 100_000

    using(make(tmp_path), run)


def test_it_knows_where_the_server_has_to_act(make: Opener, tmp_path: Path) -> None:
    async def run(store: Store) -> None:
        for table in "tuv":
            await begun(store, table)
        await store.append("u", 0, entries("a"), True)
        await store.append("v", 0, entries("a"), True)
        await store.append("v", 1, entries("b"), False)
        assert await store.due() == ("u",)

    using(make(tmp_path), run)


def test_what_was_begun_is_finished_before_closing(make: Opener, tmp_path: Path) -> None:
    async def write(store: Store) -> None:
        await begun(store)
        store.append("t", 0, entries("a"), False)

    async def read(store: Store) -> int:
        return (await store.load("t")).version

    using(make(tmp_path), write)
    assert using(make(tmp_path), read) == 1


def test_a_log_grows_exactly_by_what_was_answered(make: Opener, tmp_path: Path) -> None:
    numbers = count()

    async def run(writes: list[tuple[str, int, bool]]) -> None:
        # tables of its own for each example, in one log
        names = {table: f"{table}{number}" for number in (next(numbers),) for table in "tuv"}
        expected: dict[str, list[LogEntry]] = {table: [] for table in names}
        for table in expected:
            await begun(store, names[table])
        waiting = []
        for number, (table, length, late) in enumerate(writes):
            added = [LogEntry(b"%d/%d" % (number, n)) for n in range(length)]
            version = len(expected[table]) + late
            waiting.append(store.append(names[table], version, added, False))
            if not late:
                expected[table] += added
        answers = await asyncio.gather(*waiting, return_exceptions=True)
        assert [isinstance(answer, Conflict) for answer in answers] == [late for _, _, late in writes]
        for table, right in expected.items():
            assert list((await store.load(names[table])).entries) == right

    @settings(max_examples=20, deadline=None)
    @given(st.lists(st.tuples(st.sampled_from("tuv"), st.integers(0, 3), st.booleans()), max_size=40))
    def check(writes: list[tuple[str, int, bool]]) -> None:
        runner.run(run(writes))

    store = make(tmp_path)
    with asyncio.Runner() as runner:
        runner.run(store.open())
        try:
            check()
        finally:
            runner.run(store.close())
