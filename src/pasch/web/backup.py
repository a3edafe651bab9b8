"""The commands `pasch backup`, `restore`, `export` and `migrate-store`."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, NamedTuple, TypeVar

import click

from pasch.core.errors import PaschError
from pasch.core.folders import data_folder
from pasch.store import transfer
from pasch.store.base import Store, StoreError
from pasch.store.locate import FILE, is_database, log_file, open_store
from pasch.store.sqlite import SqliteStore
from pasch.table.lobby import read_table

T = TypeVar("T")


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
    # each table is consistent by itself, so they may be read one after the other while games go on
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
