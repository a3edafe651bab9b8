"""`pasch forget` deletes what its options select, prints how much that was, and leaves the tables of servers alone."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from click.testing import Result

from pasch.store.base import LogEntry, Store, TableStatus
from pasch.store.locate import log_file
from pasch.store.sqlite import SqliteStore
from tests.store.conftest import Shared
from tests.store.test_backup import pasch
from tests.store.test_contract import using

OLD = 1_000_000_000


async def fill(store: Store) -> None:
    """An old table in each phase, and a new one."""
    for phase in ("waiting", "playing", "over", "adjudicated", "unreadable"):
        await store.create(
            phase, b"{}", b"key", [LogEntry(bytes(20_000))], False, TableStatus(phase, OLD, OLD)
        )
    await store.create("new", b"{}", b"key", [], False, TableStatus("waiting"))


def tables(store: Store) -> tuple[str, ...]:
    return using(store, lambda log: log.tables())


@pytest.mark.parametrize(
    ("words", "gone"),
    [
        (["--older-than", "90d", "--state", "waiting"], {"waiting"}),
        (["--older-than", "2w", "--state", "unfinished"], {"playing"}),
        (["--older-than", "1y", "--state", "finished"], {"over", "adjudicated"}),
        (["--older-than", "12h", "--state", "all"],
         {"waiting", "playing", "over", "adjudicated", "unreadable"}),
        (["--older-than", "99y", "--state", "all"], set()),
        (["--table", "new", "--table", "unreadable"], {"new", "unreadable"}),
    ],
)  # fmt: skip
def test_what_is_named_is_deleted_and_counted(words: list[str], gone: set[str], tmp_path: Path) -> None:
    using(SqliteStore(log_file(tmp_path)), fill)
    everything = set(tables(SqliteStore(log_file(tmp_path))))
    would = pasch("forget", *words, "--dry-run", "--data", tmp_path)
    assert set(tables(SqliteStore(log_file(tmp_path)))) == everything
    done = pasch("forget", *words, "--data", tmp_path)
    assert done.exit_code == would.exit_code == 0, done.output
    assert set(tables(SqliteStore(log_file(tmp_path)))) == everything - gone
    counted = f"{len(gone)} table{'s' if len(gone) != 1 else ''}, "
    assert done.output.startswith(counted) and done.output.endswith(": deleted\n")
    assert would.output == done.output.replace("deleted", "would be deleted")
    assert bool(gone) == (", 0.00 MB" not in done.output)


def test_a_log_in_use_is_only_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pasch.store.sqlite.LOCK_TIMEOUT_SECONDS", 0.0)
    words = ("forget", "--older-than", "90d", "--state", "all", "--data", tmp_path)

    async def run(store: Store) -> tuple[Result, Result]:
        await fill(store)
        would = await asyncio.to_thread(pasch, *words, "--dry-run")
        return would, await asyncio.to_thread(pasch, *words)

    would, refused = using(SqliteStore(log_file(tmp_path)), run)
    assert would.exit_code == 0 and would.output.startswith("5 tables")
    assert refused.exit_code == 1 and "another Pasch has this log" in refused.output
    assert len(tables(SqliteStore(log_file(tmp_path)))) == 6


def test_what_a_server_has_stays_in_a_database(shared: Shared) -> None:
    database, other = shared(), shared()
    words = ("forget", "--older-than", "90d", "--state", "all", "--store", database._url)

    async def run(store: Store) -> None:
        await fill(store)
        done = await asyncio.to_thread(pasch, *words)
        assert done.exit_code == 0 and done.output.startswith("0 tables"), done.output
        named = await asyncio.to_thread(pasch, "forget", "--table", "over", "--store", database._url)
        assert named.exit_code == 1 and "a server has it" in named.output
        await store.release("playing", 1)
        done = await asyncio.to_thread(pasch, *words)
        assert done.exit_code == 0 and done.output.startswith("1 table,"), done.output

    using(database, run)
    assert set(tables(other)) == {"waiting", "over", "adjudicated", "unreadable", "new"}
    assert pasch(*words).output.startswith("4 tables")
    assert tables(other) == ("new",)
