"""What every event log promises, as tests that need nothing but Pasch: they also run in a browser's worker.

Each promise gets a function that opens a log: the same folder is the same log.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Final

from pasch.store.base import Conflict, LogEntry, NoTable, Store, TableStatus

#: makes the log of a test, not opened yet; each time it is the same log
Make = Callable[[], Store]
Promise = Callable[[Make], Coroutine[Any, Any, None]]

#: the promises, by what they are
PROMISES: Final[dict[str, Promise]] = {}


def promise(function: Promise) -> Promise:
    PROMISES[function.__name__] = function
    return function


@contextmanager
def raises(kind: type[Exception]) -> Iterator[None]:
    try:
        yield
    except kind:
        return
    raise AssertionError(f"no {kind.__name__}")


def entries(*names: str) -> list[LogEntry]:
    return [LogEntry(name.encode(), f"0:{name}") for name in names]


async def begun(store: Store, table: str = "t", *names: str) -> None:
    await store.create(table, b"{}", b"key of " + table.encode(), entries(*names), False)


@promise
async def what_was_written_is_there_after_opening_anew(make: Make) -> None:
    async with make() as store:
        await begun(store, "t", "a")
        assert await store.append("t", 1, entries("b", "c"), False) == 3
        # what was begun is finished before closing
        store.append("t", 3, entries("d"), False)
    async with make() as store:
        table = await store.load("t")
        assert (table.document, table.key, table.version) == (b"{}", b"key of t", 4)
        assert list(table.entries) == entries("a", "b", "c", "d")


@promise
async def one_refused_write_does_not_harm_those_committed_with_it(make: Make) -> None:
    async with make() as store:
        await begun(store, "t")
        await begun(store, "u")
        waiting = [
            store.append("t", 0, entries("a"), False),
            store.append("none", 0, entries("b"), False),
            store.append("u", 7, entries("c"), False),
            store.append("u", 0, entries("d"), False),
            store.append("t", 1, entries("e"), False),
            store.create("t", b"{}", b"other key", entries("f"), False),
            store.create("new", b"{}", b"key", entries("g", "h"), True),
            store.append("new", 2, entries("i"), False),
            store.append("new", 2, entries("j"), False),
        ]
        answers = await asyncio.gather(*waiting, return_exceptions=True)
        assert [answers[n] for n in (0, 3, 4, 6, 7)] == [1, 1, 2, 2, 3]
        assert isinstance(answers[1], NoTable)
        # of a later version, there already, and of an earlier one
        assert all(isinstance(answers[n], Conflict) for n in (2, 5, 8))
        for table, written in (("t", "ae"), ("u", "d"), ("new", "ghi")):
            assert list((await store.load(table)).entries) == entries(*written)


@promise
async def a_deleted_table_is_gone_and_others_stay(make: Make) -> None:
    async with make() as store:
        await begun(store, "t", "a")
        await begun(store, "u", "b")
        await begun(store, "v", "a")
        assert sorted(await store.delete(["t", "none", "v"])) == ["t", "v"]
        with raises(NoTable):
            await store.load("t")
        with raises(NoTable):
            await store.append("t", 1, entries("c"), False)
        assert await store.delete(["t"]) == ()
        assert await store.tables() == ("u",)
        await begun(store, "t")
        assert (await store.load("t")).version == 0


@promise
async def it_knows_how_far_and_how_old_each_table_is(make: Make) -> None:
    old = TableStatus("waiting", 100, 200)

    async with make() as store:
        await store.create("old", b"{}", b"key", entries("a"), False, old)
        await store.create("new", b"{}", b"key", entries("a"), False, TableStatus("playing"))
        assert (await store.load("old")).standing == old
        summaries = {summary.id: summary for summary in await store.summaries()}
        first = summaries["old"]
        assert (first.phase, first.made, first.written) == old
        assert first.bytes == store.stored_size(entries("a"), b"{}", b"key") > len("a0:a{}key")
        assert summaries["new"].made == summaries["new"].written > 10**9
        # both at once, as when they wait for one transaction
        await asyncio.gather(
            store.append("old", 1, entries("b"), False, phase="playing"),
            store.append("old", 2, entries("cc"), False, phase="over"),
        )
        phase, made, written = (await store.load("old")).standing
        assert (phase, made) == ("over", 100) and written > 10**9
        (summary,) = await store.summaries(["over"])
        assert summary.bytes == first.bytes + store.stored_size(entries("b", "cc"))


@promise
async def old_tables_are_found_and_deleted_unless_something_was_written(make: Make) -> None:
    async with make() as store:
        for number, phase in enumerate(["waiting", "playing", "over", "playing"]):
            standing = TableStatus(phase, 1, 100 + number)
            await store.create(f"t{number}", b"{}", b"key", entries("a"), False, standing)

        async def found(*asked: Any, **more: Any) -> list[str]:
            return [summary.id for summary in await store.summaries(*asked, **more)]

        assert await found() == ["t0", "t1", "t2", "t3"]
        assert await found(["waiting", "over"]) == ["t0", "t2"]
        assert await found(["playing"], 103) == ["t1"]
        assert await found(before=103) == ["t0", "t1", "t2"]
        assert await found([]) == []
        # how far it is can be noted without an entry, and that does not make it younger
        assert await store.append("t0", 1, [], False, phase="adjudicated") == 1
        assert await found(["adjudicated"], 101) == ["t0"]
        await store.append("t1", 1, entries("b"), False, phase="playing")
        assert await store.delete(["t0", "t1", "t3"], 103) == ("t0",)
        assert await found() == ["t1", "t2", "t3"]


@promise
async def its_size_grows_with_what_is_written_and_shrinks_with_what_is_deleted(make: Make) -> None:
    async with make() as store:
        empty = await store.size()
        for table in ("t", "u"):
            await store.create(table, b"{}", b"key", [LogEntry(bytes(100_000))] * 10, False)
        full = await store.size()
        assert full - empty > 2_000_000
        await store.delete(["t"])
        # less one, but for what the log has written ahead
        assert await store.size() < full + 100_000


@promise
async def it_knows_where_the_server_has_to_act(make: Make) -> None:
    async with make() as store:
        for table in "tuv":
            await begun(store, table)
        await store.append("u", 0, entries("a"), True)
        await store.append("v", 0, entries("a"), True)
        await store.append("v", 1, entries("b"), False)
        assert await store.due() == ("u",)
