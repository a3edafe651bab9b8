"""The commands `pasch backup`, `restore`, `export`, `migrate-store` and `forget`."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, NamedTuple, TypeVar

import click

from pasch.core.errors import PaschError
from pasch.core.folders import data_folder
from pasch.store import transfer
from pasch.store.base import Store, StoreError, TableSummary
from pasch.store.locate import FILE, is_database, log_file, open_store
from pasch.store.sqlite import SqliteStore
from pasch.table.lobby import read_table
from pasch.table.retention import STATES, Forgotten, classify, delete, forget, write_size

T = TypeVar("T")
#: finds or deletes tables of a log
Work = Callable[[Store], Awaitable[Forgotten]]


@asynccontextmanager
async def opened(store: Store) -> AsyncIterator[Store]:
    """The store, open for as long as the block lasts."""
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def back_up(file: Path, data: Path | None, store: str | None) -> None:
    """Write all tables to one file, which is a log itself."""
    where = store or data_folder(data)
    if isinstance(where, str) and is_database(where):
        _back_up_database(where, file)
    else:
        transfer.snapshot(_existing(log_file(where)), file)
    written = asyncio.run(_summarize(SqliteStore(file, reading=True)))
    click.echo(f"{file}: {in_words(written.tables, 'table')} with {written.entries} entries")
    click.echo(f"sha256 {written.hash}")


def _back_up_database(where: str, file: Path) -> None:
    if not file.parent.is_dir():
        raise StoreError("{path}: there is no such folder", path=str(file.parent))
    if file.exists():
        raise StoreError("{path}: this file is there already", path=str(file))
    # each table is consistent on its own, so tables can be read one after the other while the server is running
    with TemporaryDirectory(dir=file.parent, prefix=f"{file.name}.") as folder:
        gathered = Path(folder, FILE)
        _with_both(open_store(where, reading=True), SqliteStore(gathered), transfer.copy)
        transfer.snapshot(gathered, file)


def restore(file: Path, data: Path | None, store: str | None) -> None:
    """Copy all tables of a backup to a log."""
    target = open_store(store or data_folder(data))
    # before anything is written: half of the tables would be worse than none
    transfer.check_integrity(_existing(file))
    _print_copied(_with_both(SqliteStore(file, reading=True), target, transfer.copy), target.where)


def migrate(source: str, target: str) -> None:
    """Copy all tables from one log to another while no server uses either."""
    if source == target or _identity(source) == _identity(target):
        raise StoreError("FROM and TO are the same")
    if not is_database(source):
        transfer.check_integrity(_existing(log_file(source)))
    # a file is opened for writing, which locks it
    begin, end = open_store(source, reading=is_database(source)), open_store(target)

    async def copy(one: Store, other: Store) -> transfer.Summary:
        if await one.servers():
            raise StoreError("{path}: a server uses this log; stop it first", path=one.where)
        return await transfer.copy(one, other)

    _print_copied(_with_both(begin, end, copy), end.where)


class Exported(NamedTuple):
    """How many tables of each kind an export has met."""

    finished: int
    others: int
    #: of the others, those whose log cannot be read
    damaged: int


def export_records(file: Path, data: Path | None, store: str | None) -> None:
    """Write the records of all finished games, one per line."""
    source = open_store(store or data_folder(data), reading=True)
    if str(file) == "-":
        exported = asyncio.run(_export(source, sys.stdout))
    else:
        with (
            transfer.new_file(file) as temporary,
            temporary.open("w", encoding="utf-8", newline="\n") as out,
        ):
            exported = asyncio.run(_export(source, out))
    finished = in_words(exported.finished, "finished game")
    click.echo(f"{finished}; {exported.others} others are left out", err=True)
    if exported.damaged:
        raise StoreError("{number} tables cannot be read", number=exported.damaged)


async def _export(store: Store, out: IO[str]) -> Exported:
    finished = others = damaged = 0
    async with opened(store) as log:
        for name in await log.tables():
            try:
                live = read_table(await log.load(name))
            except PaschError as error:
                click.echo(f"table {name}: {error.reason}", err=True)
                damaged += 1
                continue
            if live.current.phase == "over":
                out.write(live.record().to_json() + "\n")
                finished += 1
            else:
                others += 1
    return Exported(finished, others + damaged, damaged)


def _with_both(source: Store, target: Store, work: Callable[[Store, Store], Awaitable[T]]) -> T:
    async def run() -> T:
        async with opened(source) as one, opened(target) as other:
            return await work(one, other)

    return asyncio.run(run())


async def _summarize(store: Store) -> transfer.Summary:
    async with opened(store) as log:
        return await transfer.summarize(log)


def _existing(log: Path) -> Path:
    if not log.is_file():
        raise StoreError("{path}: there is no log", path=str(log))
    return log


def existing_log(where: str | Path) -> str | Path:
    """A database, or the file of a log; StoreError if there is no such file."""
    return where if isinstance(where, str) and is_database(where) else _existing(log_file(where))


def _identity(where: str) -> str | Path:
    return where if is_database(where) else log_file(where).resolve()


def in_words(number: int, thing: str) -> str:
    """`1 table`, `2 tables`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _print_copied(copied: transfer.Summary, where: str) -> None:
    existing = f" ({copied.existing} of them were there already)" if copied.existing else ""
    tables, entries = in_words(copied.tables, "table"), f"{copied.entries} entries"
    click.echo(f"{where}: {tables} with {entries}{existing}, read again and alike")
    click.echo(f"sha256 {copied.hash}")


def forget_old(
    state: str, age: int, dry_run: bool, compact: bool, data: Path | None, store: str | None
) -> None:
    """Delete the tables in this state (or `all`) whose last entry is at least `age` seconds old."""
    phases = None if state == "all" else STATES[state]
    before = int(time.time()) - age

    async def work(log: Store) -> Forgotten:
        if dry_run:
            unknown = () if phases is None else await log.summaries([""], before)
            if unknown:
                click.echo(
                    f"{in_words(len(unknown), 'table')} of an older Pasch would have to be looked through"
                )
            return _sum(await log.summaries(phases, before))
        await classify(log)
        return await forget(log, phases, before)

    _run(work, dry_run, compact, data, store)


def forget_tables(
    tables: Sequence[str], dry_run: bool, compact: bool, data: Path | None, store: str | None
) -> None:
    """Delete these tables; StoreError names one that is not there or that a server has, and none is deleted."""

    async def work(log: Store) -> Forgotten:
        found = {summary.id: summary for summary in await log.summaries()}
        for table in tables:
            if table not in found:
                raise StoreError("there is no table {table}, or a server has it", table=table)
        chosen = [found[table] for table in dict.fromkeys(tables)]
        return _sum(chosen) if dry_run else await delete(log, chosen)

    _run(work, dry_run, compact, data, store)


def _sum(tables: Sequence[TableSummary]) -> Forgotten:
    return Forgotten(len(tables), sum(table.bytes for table in tables))


def _run(work: Work, dry_run: bool, compact: bool, data: Path | None, store: str | None) -> None:
    where = existing_log(store or data_folder(data))
    if compact and is_database(str(where)):
        raise StoreError("a database uses such room again by itself; --compact is for files")

    async def run() -> Forgotten:
        # what only looks may do so while a server is running
        async with opened(open_store(where, reading=dry_run)) as log:
            forgotten = await work(log)
            if compact and not dry_run:
                await log.compact()
            return forgotten

    forgotten = asyncio.run(run())
    done = "would be deleted" if dry_run else "deleted"
    click.echo(f"{in_words(forgotten.tables, 'table')}, {write_size(forgotten.bytes)}: {done}")
