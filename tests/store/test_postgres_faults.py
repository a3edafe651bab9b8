"""What the log in PostgreSQL says when a write fails is true, whatever fails and when."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest
from tools.postgres import Database

from pasch.store.base import Conflict, OutcomeUnknown, StoreError
from pasch.store.postgres import PostgresStore
from tests.store.conftest import Shared
from tests.store.contract import begun, entries
from tests.store.faults import answer_of, is_true

#: how long a log tries again in these tests
TIMEOUT_SECONDS = 0.6


@asynccontextmanager
async def opened(shared: Shared, timeout: float = TIMEOUT_SECONDS) -> AsyncIterator[PostgresStore]:
    """A log with one table."""
    async with shared(timeout=timeout) as store:
        await begun(store, "t", "a")
        yield store


class FaultyConnection:
    """A connection whose next statements that write, or that look, fail before or after they are sent."""

    def __init__(self, real: Any, faults: list[tuple[str, str, Exception]]) -> None:
        self._real = real
        #: which method fails, when, and how; one after the other
        self._faults = faults

    def __getattr__(self, name: str) -> Any:
        real = getattr(self._real, name)
        if not self._faults or self._faults[0][0] != name:
            return real
        _, when, error = self._faults.pop(0)

        async def fail(*asked: Any) -> Any:
            if when == "after":
                await real(*asked)
            raise error

        return fail


def plan_faults(store: PostgresStore, *faults: tuple[str, str, Exception]) -> None:
    """Let the statements of the writer fail like this, on whichever connection."""
    planned, connect = list(faults), type(store)._connect

    async def faulty() -> Any:
        return FaultyConnection(await connect(store), planned)

    store._connect = faulty  # type: ignore[method-assign]
    store._writer = FaultyConnection(store._writer, planned)


BROKEN = ConnectionResetError("the connection broke")
READ_ONLY = asyncpg.ReadOnlySQLTransactionError("cannot execute UPDATE in a read-only transaction")
FULL = asyncpg.DiskFullError("could not extend file: No space left on device")


def panic() -> Exception:
    """The last words of a database that could not write its own log."""
    error: Exception = asyncpg.DiskFullError("could not write to file: No space left on device")
    vars(error)["severity_en"] = "PANIC"
    return error


@pytest.mark.parametrize(
    ("faults", "expected"),
    [
        # refused by the database itself: nothing is written
        ([("fetch", "before", FULL)], StoreError),
        # broken, and the next try succeeds or finds what is there
        ([("fetch", "before", BROKEN)], int),
        ([("fetch", "after", BROKEN)], int),
        ([("fetch", "after", panic())], int),
        ([("fetch", "after", ZeroDivisionError())], int),
        ([("fetch", "before", asyncpg.StatementCompletionUnknownError("?"))], int),
        # broken, and then refused: the outcome of the first try is unknown
        ([("fetch", "after", BROKEN), ("fetch", "before", FULL)], OutcomeUnknown),
        ([("fetch", "after", panic()), ("fetch", "before", FULL)], OutcomeUnknown),
        ([("fetch", "after", BROKEN), *[("fetch", "before", READ_ONLY)] * 99], OutcomeUnknown),
        # a standby alone has written nothing; if it becomes the primary in time, the store continues
        ([("fetch", "before", READ_ONLY)] * 99, StoreError),
        ([("fetch", "before", READ_ONLY)], int),
        # the look at what is there fails
        ([("fetch", "after", BROKEN), ("fetchrow", "before", BROKEN)], int),
        ([("fetch", "after", BROKEN), ("fetchrow", "before", FULL)], int),
        ([("fetch", "after", BROKEN), *[("fetchrow", "after", FULL), ("fetchrow", "after", BROKEN)] * 99],
         OutcomeUnknown),
    ],
)  # fmt: skip
@pytest.mark.parametrize("new", [False, True])
async def test_what_is_answered_is_true(
    faults: list[tuple[str, str, Exception]], expected: type, new: bool, shared: Shared
) -> None:
    # where all tries fail they should end soon
    async with opened(shared, 20 if expected is int else TIMEOUT_SECONDS) as store:
        plan_faults(store, *faults)
        if new:
            answer = await answer_of(store.create("u", b"{}", b"key of u", entries("b"), False))
        else:
            answer = await answer_of(store.append("t", 1, entries("b"), False))
        there = "u" in await store.tables() if new else (await store.load("t")).version == 2
        assert type(answer) is expected and is_true(answer, there), (answer, there)
        assert store.failed is None


async def test_of_several_in_doubt_each_is_looked_at(shared: Shared) -> None:
    async with opened(shared) as store:
        await begun(store, "u", "a")
        plan_faults(store, ("fetch", "after", BROKEN), ("fetch", "before", FULL), ("fetch", "before", FULL))
        both = [store.append("t", 1, entries("b"), False), store.append("u", 7, entries("b"), False)]
        first, second = await asyncio.gather(*both, return_exceptions=True)
        # both together broke and were then refused; alone the first is refused again, the second looked at
        assert type(first) is OutcomeUnknown and type(second) is Conflict
        assert ((await store.load("t")).version, (await store.load("u")).version) == (2, 1)


async def test_a_look_that_fails_is_no_reason_to_deny_what_was_written(shared: Shared) -> None:
    async with opened(shared) as store:
        plan_faults(store, ("fetchrow", "before", FULL))
        # the first is written by the statement after which the other one is looked into
        both = [store.append("t", 1, entries("b"), False), store.append("none", 0, entries("c"), False)]
        first, second = await asyncio.gather(*both, return_exceptions=True)
        assert first == 2 and isinstance(second, StoreError)


async def test_a_failover_to_a_standby_is_no_lie(shared: Shared, postgres: Database) -> None:
    async with opened(shared) as store:
        async with postgres.standby():
            # the old connection breaks while it writes, and the new one meets a standby
            plan_faults(store, ("fetch", "before", BROKEN))
            answer = await answer_of(store.append("t", 1, entries("b"), False))
            assert type(answer) is OutcomeUnknown
            # a client that saw no broken connection knows the outcome
            assert type(await answer_of(store.append("t", 1, entries("b"), False))) is StoreError
            assert type(await answer_of(store.claim("t"))) is StoreError
        assert (await store.claim("t")).fence == 2
        assert await store.append("t", 1, entries("b"), False, fence=2) == 2


async def test_what_a_paused_database_writes_later_was_in_doubt(shared: Shared, postgres: Database) -> None:
    async with opened(shared) as store:
        with postgres.paused():
            # it is in the database's hands, which may carry it out at any time
            assert type(await answer_of(store.append("t", 1, entries("b"), False))) is OutcomeUnknown
            # for this one there was not even a connection
            assert type(await answer_of(store.append("t", 1, entries("c"), False))) is StoreError
            assert isinstance(await answer_of(store.load("t")), StoreError)
        claimed = await store.claim("t")
        assert list(claimed.entries) in (entries("a"), entries("a", "b"))
        # from now on what comes late is refused
        version = claimed.version
        assert await store.append("t", version, entries("d"), False, claimed.fence) == version + 1


async def test_a_lease_whose_renewal_took_too_long_is_renewed_on_a_new_connection(
    shared: Shared, postgres: Database
) -> None:
    async with opened(shared, 20) as store:
        with postgres.paused(), pytest.raises(TimeoutError):
            await asyncio.wait_for(store.renew(), 0.3)
        before = await store._pool.fetchval("SELECT until FROM servers")
        await store.renew()
        # others see it: no transaction that was half begun meanwhile has been left open
        assert await store._pool.fetchval("SELECT until FROM servers FOR UPDATE NOWAIT") > before


async def test_a_deletion_whose_answer_was_lost_is_tried_again(
    shared: Shared, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(shared) as store:
        run, failures = store._run, iter([BROKEN])

        async def lose_answer(work: Callable[[Any], Awaitable[Any]]) -> Any:
            async def broken(connection: Any) -> Any:
                done = await work(connection)
                for failure in failures:
                    raise failure
                return done

            return await run(broken)

        monkeypatch.setattr(store, "_run", lose_answer)
        await store.delete(["t"])
        assert await store.tables() == ()
