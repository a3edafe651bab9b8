"""`pasch backup`, `restore`, `export` and `migrate-store`: games from one place to another."""

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
from pasch.store import copying
from pasch.store.base import Store, StoreError
from pasch.store.places import FILE, is_database, log_file, open_store
from pasch.store.sqlite import SqliteStore
from pasch.table.hall import read_course
from pasch.web.serve import data_folder

T = TypeVar("T")


@asynccontextmanager
async def opened(store: Store) -> AsyncIterator[Store]:
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def _both(source: Store, target: Store, do: Callable[[Store, Store], Awaitable[T]]) -> T:
    async def run() -> T:
        async with opened(source) as one, opened(target) as other:
            return await do(one, other)

    return asyncio.run(run())


def back_up(file: Path, data: Path | None, store: str | None) -> None:
    """Write all tables to one file: a log of its own, wherever they come from."""
    where = store or data_folder(data)
    if isinstance(where, str) and is_database(where):
        _from_database(where, file)
    else:
        copying.snapshot(_existing(log_file(where)), file)
    written = asyncio.run(_summed(SqliteStore(file, reading=True)))
    click.echo(f"{file}: {_counted(written.tables, 'table')} with {written.entries} entries")
    click.echo(f"sha256 {written.hash}")


def _existing(log: Path) -> Path:
    if not log.is_file():
        raise StoreError("{path}: there is no log", path=str(log))
    return log


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


async def _summed(store: Store) -> copying.Copied:
    async with opened(store) as log:
        return await copying.summed(log)


def _from_database(where: str, file: Path) -> None:
    # each table is whole by itself, so that they may be read one after the other while games go on
    with TemporaryDirectory(dir=_folder(file), prefix=f"{file.name}.") as folder:
        gathered = Path(folder, FILE)
        _both(open_store(where, reading=True), SqliteStore(gathered), copying.copy)
        copying.snapshot(gathered, file)


def _folder(file: Path) -> Path:
    """The folder in which a file can be made."""
    if not file.parent.is_dir():
        raise StoreError("{path}: there is no such folder", path=str(file.parent))
    if file.exists():
        raise StoreError("{path}: this file is there already", path=str(file))
    return file.parent


def bring_back(file: Path, data: Path | None, store: str | None) -> None:
    """Bring all tables of a backup back."""
    target = open_store(store or data_folder(data))
    # before anything is written: half of the tables would be worse than none
    copying.check_whole(_existing(file))
    _tell(_both(SqliteStore(file, reading=True), target, copying.copy), target.where)


def migrate(source: str, target: str) -> None:
    """Copy all tables from one log to another that nobody uses meanwhile."""
    if source == target or _place(source) == _place(target):
        raise StoreError("FROM and TO are the same")
    if not is_database(source):
        copying.check_whole(_existing(log_file(source)))
    # a file is opened for writing, so that it is ours alone meanwhile
    begin, end = open_store(source, reading=is_database(source)), open_store(target)

    async def copy(one: Store, other: Store) -> copying.Copied:
        if await one.servers():
            raise StoreError("{path}: a server uses this log; stop it first", path=one.where)
        return await copying.copy(one, other)

    _tell(_both(begin, end, copy), end.where)


def _place(where: str) -> str | Path:
    return where if is_database(where) else log_file(where).resolve()


def _tell(copied: copying.Copied, where: str) -> None:
    there = f" ({copied.there} of them were there already)" if copied.there else ""
    tables, entries = _counted(copied.tables, "table"), f"{copied.entries} entries"
    click.echo(f"{where}: {tables} with {entries}{there}, read again and alike")
    click.echo(f"sha256 {copied.hash}")


def export_records(file: Path, data: Path | None, store: str | None) -> None:
    """Write the records of all finished games, one per line."""
    source = open_store(store or data_folder(data), reading=True)
    if str(file) == "-":
        told = asyncio.run(_export(source, sys.stdout))
    else:
        with copying.beside(file) as part, part.open("w", encoding="utf-8", newline="\n") as out:
            told = asyncio.run(_export(source, out))
    click.echo(f"{_counted(told.finished, 'finished game')}; {told.others} others are left out", err=True)
    if told.damaged:
        raise StoreError("{number} tables cannot be read", number=told.damaged)


class Exported(NamedTuple):
    """How many tables there were of each kind."""

    finished: int
    others: int
    #: of the others, those whose log is not understood
    damaged: int


async def _export(store: Store, out: IO[str]) -> Exported:
    finished = others = damaged = 0
    async with opened(store) as log:
        for name in await log.tables():
            try:
                course = read_course(await log.load(name))
            except PaschError as error:
                click.echo(f"table {name}: {error.reason}", err=True)
                damaged += 1
                continue
            if course.standing.phase == "over":
                out.write(course.record().to_json() + "\n")
                finished += 1
            else:
                others += 1
    return Exported(finished, others + damaged, damaged)
