"""What is particular to the log in a SQLite file."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from pasch.store.base import LogEntry, Store, StoreError
from pasch.store.sqlite import SqliteStore
from tests.store.contract import begun, entries
from tests.store.test_contract import using


def test_a_log_of_a_newer_pasch_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    using(SqliteStore(path), begun)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE about SET schema = 99")
    connection.close()
    with pytest.raises(StoreError, match="newer Pasch"):
        using(SqliteStore(path), begun)


def test_a_file_that_is_no_log_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    path.write_bytes(b"no database at all " * 100)
    with pytest.raises(StoreError, match="not a database"):
        using(SqliteStore(path), begun)


def test_it_is_written_through_to_the_disk(tmp_path: Path) -> None:
    async def settings(store: Store) -> None:
        assert isinstance(store, SqliteStore)
        for name, right in (("journal_mode", "wal"), ("synchronous", 2)):
            assert store._writer.execute(f"PRAGMA {name}").fetchone() == (right,)

    using(SqliteStore(tmp_path / "log.sqlite"), settings)


def test_only_its_owner_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    using(SqliteStore(path), begun)
    assert path.stat().st_mode & 0o077 == 0


def test_what_waits_is_committed_together(tmp_path: Path) -> None:
    async def run(store: Store) -> None:
        assert isinstance(store, SqliteStore)
        await begun(store)
        commits: list[str] = []
        store._writer.set_trace_callback(lambda sql: commits.append(sql) if sql == "COMMIT" else None)
        await asyncio.gather(*[store.append("t", n, entries("a"), False) for n in range(100)])
        # the first may have gone off alone, and the rest in a few
        assert len(commits) < 50

    using(SqliteStore(tmp_path / "log.sqlite"), run)


def test_a_disk_that_is_full_loses_nothing_and_recovers(tmp_path: Path) -> None:
    async def run(store: Store) -> None:
        assert isinstance(store, SqliteStore)
        await begun(store, "t", "a")
        (pages,) = store._writer.execute("PRAGMA page_count").fetchone()
        store._writer.execute(f"PRAGMA max_page_count = {pages + 1}")
        with pytest.raises(StoreError, match="full"):
            await store.append("t", 1, [LogEntry(b"x" * 100_000)], False)
        assert list((await store.load("t")).entries) == entries("a")
        store._writer.execute("PRAGMA max_page_count = 100000")
        assert await store.append("t", 1, entries("b"), False) == 2

    using(SqliteStore(tmp_path / "log.sqlite"), run)


def test_tables_that_are_written_in_turns_keep_their_own_entries(tmp_path: Path) -> None:
    async def run(store: Store) -> None:
        names = ("t", "u", "v")
        for table in names:
            await begun(store, table, f"{table}0")
        for version in range(1, 20):
            writes = [store.append(table, version, entries(f"{table}{version}"), False) for table in names]
            await asyncio.gather(*writes)
        await store.delete(["u"])
        assert await store.append("t", 20, entries("t20", "t21"), False) == 22
        for table, upto in (("t", 22), ("v", 20)):
            stored = await store.load(table)
            assert list(stored.entries) == entries(*[f"{table}{version}" for version in range(upto)])
        await begun(store, "u", "new")  # nothing is left of the one that had this name
        assert list((await store.load("u")).entries) == entries("new")

    path = tmp_path / "log.sqlite"
    using(SqliteStore(path), run)
    with sqlite3.connect(path) as log:
        assert log.execute("SELECT count(*) FROM entries").fetchone() == (22 + 20 + 1,)
    log.close()


def test_a_table_with_an_entry_missing_is_not_taken_for_whole(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    using(SqliteStore(path), lambda store: begun(store, "t", "a", "b", "c"))
    with sqlite3.connect(path) as log:
        log.execute("DELETE FROM entries WHERE version = 2")
    log.close()
    with pytest.raises(StoreError, match="1 of its 3 entries"):
        using(SqliteStore(path), lambda store: store.load("t"))


WRITES_ON = """
import asyncio, sys
from pathlib import Path
from pasch.store.base import LogEntry
from pasch.store.sqlite import SqliteStore

async def run():
    store = SqliteStore(Path(sys.argv[1]))
    await store.open()
    await store.create("t", b"{}", b"key", [], False)
    version = 0
    while True:
        version = await store.append("t", version, [LogEntry(b"%d" % version, f"0:{version}")], False)
        print(version, flush=True)

asyncio.run(run())
"""


def test_a_killed_writer_has_lost_nothing_that_it_answered(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    with subprocess.Popen([sys.executable, "-c", WRITES_ON, str(path)], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        acknowledged = [int(writer.stdout.readline()) for _ in range(30)]
        os.kill(writer.pid, signal.SIGKILL)
        acknowledged += [int(line) for line in writer.stdout]

    async def read(store: Store) -> tuple[LogEntry, ...]:
        return (await store.load("t")).entries

    written = using(SqliteStore(path), read)
    assert acknowledged == list(range(1, len(acknowledged) + 1)) and len(written) >= len(acknowledged)
    assert list(written) == [LogEntry(b"%d" % n, f"0:{n}") for n in range(len(written))]


def test_the_heads_in_memory_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pasch.store.sqlite.MAX_HEADS", 3)

    async def many(store: Store) -> None:
        assert isinstance(store, SqliteStore)
        for number in range(10):
            await begun(store, f"t{number}", "a")
        assert list(store._heads) == ["t7", "t8", "t9"]
        # the one written to is kept, and one that was dropped is read from the file again
        await store.append("t7", 1, entries("b"), False)
        await store.append("t0", 1, entries("b"), False)
        assert list(store._heads) == ["t9", "t7", "t0"]
        assert (await store.load("t0")).version == 2

    using(SqliteStore(tmp_path / "log.sqlite"), many)
