"""Backups, restoring, exporting, moving to another store, and migrations of older logs."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pasch.cli import main
from pasch.core.record import Record
from pasch.store import migrations
from pasch.store.base import LogEntry, Store, StoredTable, StoreError, TableStatus
from pasch.store.locate import log_file
from pasch.store.sqlite import SqliteStore
from pasch.store.transfer import copy, digest
from tests.store.conftest import Shared
from tests.store.contract import begun, entries
from tests.store.test_contract import using
from tests.web.asgi import server


def pasch(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def fill(folder: Path) -> None:
    """Make a log with some tables, of which one is old."""

    async def write(store: Store) -> None:
        await store.create(
            "old", b"{}", b"key", [], False, TableStatus("over", 1_000_000_000, 1_000_000_000)
        )
        for number in range(5):
            await begun(store, f"t{number}", *"abc"[: number % 4])
        await store.append("t0", 0, [LogEntry(b"\x00\xff", None), LogEntry(b"", "0:\0ü")], True)

    using(SqliteStore(log_file(folder)), write)


def files(folder: Path) -> dict[Path, bytes]:
    """All files but those that SQLite keeps beside a log."""
    found = [path for path in folder.rglob("*") if path.is_file()]
    return {path: path.read_bytes() for path in found if not path.name.endswith(("-shm", "-wal"))}


def everything(store: Store) -> dict[str, tuple[bytes, TableStatus]]:
    """All that is in a log, and how old each table is."""

    async def read(log: Store) -> dict[str, tuple[bytes, TableStatus]]:
        tables = [await log.load(name) for name in await log.tables()]
        return {table.id: (digest(table), table.standing) for table in tables}

    return using(store, read)


async def test_a_backup_is_taken_while_the_log_is_being_written(tmp_path: Path) -> None:
    file, written = tmp_path / "games.backup", 0
    async with SqliteStore(log_file(tmp_path)) as store:
        await begun(store, "t")
        backing = asyncio.create_task(asyncio.to_thread(pasch, "backup", file, "--data", tmp_path))
        while not backing.done():
            written = await store.append("t", written, entries(str(written)), False)
        assert (await backing).exit_code == 0, (await backing).output
    async with SqliteStore(file, reading=True) as store:
        saved = await store.load("t")
    assert saved.version <= written and list(saved.entries) == entries(*map(str, range(saved.version)))
    assert file.stat().st_mode & 0o077 == 0
    assert sorted(path.name for path in tmp_path.glob("games*")) == ["games.backup"]


def test_a_backup_brings_everything_back_and_overwrites_nothing(tmp_path: Path) -> None:
    fill(tmp_path / "old")
    file = tmp_path / "games.backup"
    saved = pasch("backup", file, "--data", tmp_path / "old").output.splitlines()
    assert "6 tables with 8 entries" in saved[0]
    for there in ("6 tables with 8 entries", "6 of them were there already"):
        done = pasch("restore", file, "--data", tmp_path / "new")
        assert done.exit_code == 0 and there in done.output, done.output
        # the same hash as the backup's, over everything that is in it
        assert done.output.splitlines()[1] == saved[1]
    right = everything(SqliteStore(log_file(tmp_path / "old")))
    assert everything(SqliteStore(log_file(tmp_path / "new"))) == right

    using(SqliteStore(log_file(tmp_path / "new")), lambda store: store.append("t1", 1, entries("z"), False))
    refused = pasch("restore", file, "--data", tmp_path / "new")
    assert refused.exit_code == 1 and "table t1" in refused.output
    assert pasch("restore", tmp_path / "none", "--data", tmp_path / "new").exit_code == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["backup", "FOLDER/there", "--data", "FOLDER/old"], "exists already"),
        (["backup", "FOLDER/no/such", "--data", "FOLDER/old"], "no/such: No such file"),
        (["backup", "FOLDER/new", "--data", "FOLDER/none"], "there is no log"),
        (["backup", "FOLDER/new", "--store", "mysql://me:secret@there/log"], "mysql://there/log: a log is"),
        (["backup", "FOLDER/new", "--store", "postgresql://me:secret@there:door/log"], "door"),
        (["backup", "FOLDER/new", "--store", "postgresql://me:secret@127.0.0.1:9/log"], "127.0.0.1:9/log:"),
        (["backup", "FOLDER/no/such", "--store", "postgresql://127.0.0.1:9/log"], "No such file or directory"),
        (["export", "FOLDER/there", "--data", "FOLDER/old"], "exists already"),
        (["restore", "FOLDER/none", "--data", "FOLDER/new"], "there is no log"),
        (["restore", "FOLDER/there", "--data", "FOLDER/new"], "not a database"),
        (["restore", "FOLDER/torn", "--data", "FOLDER/new"], "damaged"),
        (["migrate-store", "FOLDER/old", "FOLDER/there/../old"], "the same"),
        (["migrate-store", "postgresql://there/log", "postgresql://there/log"], "the same"),
        (["forget", "--data", "FOLDER/old"], "say which"),
        (["forget", "--older-than", "90d", "--state", "all", "--table", "t0", "--data", "FOLDER/old"], "say which"),
        (["forget", "--older-than", "soon", "--state", "all", "--data", "FOLDER/old"], "'soon' is not an age"),
        (["forget", "--table", "t0", "--table", "none", "--data", "FOLDER/old"], "there is no table none"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said_and_leaves_nothing_behind(
    words: list[str], said: str, tmp_path: Path
) -> None:
    fill(tmp_path / "old")
    (tmp_path / "there").write_text("mine")
    pasch("backup", tmp_path / "torn", "--data", tmp_path / "old")
    whole = (tmp_path / "torn").read_bytes()
    (tmp_path / "torn").write_bytes(whole[: len(whole) // 2])
    before = files(tmp_path)
    argv = [word.replace("FOLDER", str(tmp_path)) for word in words]
    refused = pasch(*argv)
    assert isinstance(refused.exception, SystemExit) and "secret" not in refused.output
    (problem,) = refused.output.splitlines()
    assert said in problem and refused.exit_code == (2 if "--help" in problem else 1)
    assert files(tmp_path) == before


def test_an_export_tells_of_tables_that_cannot_be_read(tmp_path: Path) -> None:
    fill(tmp_path)
    done = pasch("export", tmp_path / "all.jsonl", "--data", tmp_path)
    assert done.exit_code == 1 and "6 tables cannot be read" in done.output
    assert (tmp_path / "all.jsonl").read_text() == ""


def test_all_tables_move_to_postgresql_and_back(shared: Shared, tmp_path: Path) -> None:
    fill(tmp_path / "old")
    database = shared()._url
    there = pasch("migrate-store", tmp_path / "old", database)
    assert there.exit_code == 0 and "6 tables with 8 entries" in there.output, there.output
    back = pasch("migrate-store", database, tmp_path / "new")
    assert back.exit_code == 0, back.output
    # the hash over everything is the same
    assert there.output.splitlines()[1] == back.output.splitlines()[1]
    right = everything(SqliteStore(log_file(tmp_path / "old")))
    assert right == everything(shared()) == everything(SqliteStore(log_file(tmp_path / "new")))
    # a backup of the database is the same kind of file
    file = tmp_path / "games.backup"
    assert pasch("backup", file, "--store", database).exit_code == 0
    assert everything(SqliteStore(file, reading=True)) == right
    assert sorted(path.name for path in tmp_path.glob("games*")) == ["games.backup"]


def test_nothing_moves_while_a_server_uses_it(shared: Shared, tmp_path: Path) -> None:
    database = shared()
    refused = using(
        database, lambda _: asyncio.to_thread(pasch, "migrate-store", database._url, tmp_path / "new")
    )
    assert refused.exit_code == 1 and "stop it first" in refused.output


async def test_what_did_not_arrive_is_noticed(tmp_path: Path) -> None:
    class Forgetful(SqliteStore):
        async def load(self, table: str) -> StoredTable:
            return (await super().load(table))._replace(entries=())

    async with SqliteStore(tmp_path / "old.sqlite") as source, Forgetful(tmp_path / "new.sqlite") as target:
        await begun(source, "t", "a")
        with pytest.raises(StoreError, match="did not arrive"):
            await copy(source, target)


async def test_the_records_of_all_finished_games_are_exported(tmp_path: Path) -> None:
    async with server(tmp_path) as browser:
        for rounds in (1, 2):
            await browser.watch(
                await browser.make("joker1", "greedy", "random", options={"rounds": rounds})
            )
        await browser.make("joker1", "here", "here")
        # while the server is running
        done = await asyncio.to_thread(pasch, "export", tmp_path / "all.jsonl", "--data", tmp_path)
        assert done.exit_code == 0 and "2 finished games; 1 others" in done.output
    lines = (tmp_path / "all.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["options"]["rounds"] for line in lines] == [1, 2]
    assert [Record.from_json(line).to_json() for line in lines] == lines
    assert pasch("verify", tmp_path / "all.jsonl").exit_code == 0


@pytest.mark.parametrize("schema", range(1, len(migrations.SQLITE)))
async def test_a_log_with_an_older_schema_is_upgraded_with_all_that_is_in_it(
    schema: int, tmp_path: Path
) -> None:
    path = log_file(tmp_path)
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        for statement in (
            *migrations.pending_statements(0, migrations.SQLITE[:1]),
            "INSERT INTO tables VALUES (1, 't', x'7b7d', x'00'), (2, 'u', x'7b7d', x'01'), (3, 'v', x'7b7d', x'02')",
            "INSERT INTO heads VALUES (1, 1, 1), (2, 2, 0), (3, 0, 0)",
            "INSERT INTO entries VALUES (2, 1, x'63', '0:c'), (1, 1, x'61', '0:a'), (2, 2, x'64', null)",
            *migrations.pending_statements(1, migrations.SQLITE[:schema]),
            f"UPDATE about SET schema = {schema}",
        ):
            old.execute(statement)
    before = path.read_bytes()
    # it can be read, and stays as it is
    for reading in (True, False):
        assert path.read_bytes() == before
        async with SqliteStore(path, reading) as store:
            assert await store.due() == ("t",)
            tables = [await store.load(table) for table in await store.tables()]
            assert [(table.id, table.entries) for table in tables] == [
                ("t", (LogEntry(b"a", "0:a"),)),
                ("u", (LogEntry(b"c", "0:c"), LogEntry(b"d"))),
                ("v", ()),
            ]
            found = await store.summaries()
            sizes = [store.stored_size(t.entries, t.document, t.key) for t in tables]
            assert [s.bytes for s in found] == sizes
            # as if they had just been written, so that nothing goes sooner than it was promised
            assert all(not s.phase and s.made == s.written > 10**9 for s in found)
    async with SqliteStore(path) as store:
        assert await store.append("t", 1, entries("b"), True) == 2
        assert await store.append("v", 0, entries("e"), True) == 1
        assert list((await store.load("t")).entries) == [LogEntry(b"a", "0:a"), *entries("b")]


def test_an_upgrade_that_fails_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path)
    right = everything(SqliteStore(log_file(tmp_path)))
    known = migrations.SQLITE
    broken = (*known, "CREATE TABLE more (x) STRICT;\nnonsense;")
    monkeypatch.setattr(migrations, "SQLITE", broken)
    with pytest.raises(StoreError):
        using(SqliteStore(log_file(tmp_path)), begun)
    monkeypatch.setattr(migrations, "SQLITE", known)
    assert everything(SqliteStore(log_file(tmp_path))) == right
