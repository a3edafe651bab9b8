"""What is particular to the log in a SQLite file."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pasch.store.base import StoreError
from pasch.store.sqlite import SqliteStore
from tests.store.contract import begun, entries
from tests.store.test_contract import using


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.sqlite"


def change(path: Path, statement: str) -> None:
    """Change a log behind its back."""
    with closing(sqlite3.connect(path)) as log, log:
        log.execute(statement)


def test_a_database_that_is_no_log_is_refused(path: Path) -> None:
    path.write_bytes(b"")
    with pytest.raises(StoreError, match="not a Pasch log"):
        using(SqliteStore(path, reading=True), begun)


async def test_it_is_written_through_to_the_disk_and_only_its_owner_reads_it(path: Path) -> None:
    async with SqliteStore(path) as store:
        for name, right in (("journal_mode", "wal"), ("synchronous", 2)):
            assert store._writer.execute(f"PRAGMA {name}").fetchone() == (right,)
    assert path.stat().st_mode & 0o077 == 0


async def test_one_process_at_a_time_has_a_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pasch.store.sqlite.LOCK_TIMEOUT_SECONDS", 0.0)
    async with SqliteStore(path):
        with pytest.raises(StoreError, match="another Pasch has this log"):
            await SqliteStore(path).open()
    async with SqliteStore(path) as store:
        await begun(store)


async def test_what_waits_is_committed_together(path: Path) -> None:
    async with SqliteStore(path) as store:
        await begun(store)
        commits: list[str] = []
        store._writer.set_trace_callback(lambda sql: commits.append(sql) if sql == "COMMIT" else None)
        await asyncio.gather(*[store.append("t", n, entries("a"), False) for n in range(100)])
        # the first may have gone off alone, and the rest in a few
        assert len(commits) < 50


def test_a_table_with_an_entry_missing_or_of_a_newer_pasch_is_refused(path: Path) -> None:
    using(SqliteStore(path), lambda store: begun(store, "t", "a", "b", "c"))
    change(path, "DELETE FROM entries WHERE version = 2")
    with pytest.raises(StoreError, match="1 of its 3 entries"):
        using(SqliteStore(path), lambda store: store.load("t"))
    change(path, "UPDATE about SET schema = 99")
    with pytest.raises(StoreError, match="newer Pasch"):
        using(SqliteStore(path), begun)


async def test_the_heads_in_memory_are_bounded(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pasch.store.sqlite.MAX_HEADS", 3)
    async with SqliteStore(path) as store:
        for number in range(10):
            await begun(store, f"t{number}", "a")
            assert len(store._heads) <= 4
        # one that was dropped is read from the file again
        assert "t0" not in store._heads and await store.append("t0", 1, entries("b"), False) == 2
        assert (await store.load("t0")).version == 2
