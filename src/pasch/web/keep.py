"""`pasch backup`, `restore`, `export` and `migrate-store`: games from one place to another."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO, TypeVar

import click

from pasch.core.errors import PaschError
from pasch.store import copying
from pasch.store.base import Store, StoreError
from pasch.store.places import is_database, log_file, open_store
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
    if file.exists():
        raise StoreError("{path}: this file is there already", path=str(file))
    where = store or data_folder(data)
    if isinstance(where, str) and is_database(where):
        _from_database(where, file)
    else:
        source = log_file(where)
        if not source.is_file():
            raise StoreError("{path}: there is no log", path=str(source))
        copying.snapshot(source, file)
    tables = asyncio.run(_count(SqliteStore(file, reading=True)))
    click.echo(f"{file}: {tables} tables")


async def _count(store: Store) -> int:
    async with opened(store) as log:
        return len(await log.tables())


def _from_database(where: str, file: Path) -> None:
    # each table is whole by itself, so that they may be read one after the other while games go on
    part = file.with_name(file.name + ".sqlite")
    try:
        _both(open_store(where, reading=True), SqliteStore(part), copying.copy)
        copying.snapshot(part, file)
    finally:
        for ending in ("", "-wal", "-shm", ".lock"):
            part.with_name(part.name + ending).unlink(missing_ok=True)


def bring_back(file: Path, data: Path | None, store: str | None) -> None:
    """Bring all tables of a backup back."""
    target = open_store(store or data_folder(data))
    _tell(_both(SqliteStore(file, reading=True), target, copying.copy), target.where)


def migrate(source: str, target: str) -> None:
    """Copy all tables from one log to another that nobody uses meanwhile."""
    if log_file(source) == log_file(target) and not is_database(source):
        raise StoreError("FROM and TO are the same")
    if not is_database(source) and not log_file(source).is_file():
        raise StoreError("{path}: there is no log", path=str(log_file(source)))
    # a file is opened for writing, so that it is ours alone meanwhile
    begin, end = open_store(source, reading=is_database(source)), open_store(target)

    async def copy(one: Store, other: Store) -> copying.Copied:
        if await one.servers():
            raise StoreError("{path}: a server uses this log; stop it first", path=one.where)
        return await copying.copy(one, other)

    _tell(_both(begin, end, copy), end.where)


def _tell(copied: copying.Copied, where: str) -> None:
    there = f" ({copied.there} of them were there already)" if copied.there else ""
    click.echo(
        f"{where}: {copied.tables} tables with {copied.entries} entries{there}, read again and alike"
    )
    click.echo(f"sha256 {copied.hash}")


def export_records(file: Path, data: Path | None, store: str | None) -> None:
    """Write the records of all finished games, one per line."""
    source = open_store(store or data_folder(data), reading=True)
    if str(file) == "-":
        finished, others = asyncio.run(_export(source, sys.stdout))
    else:
        with file.open("w", encoding="utf-8", newline="\n") as out:
            finished, others = asyncio.run(_export(source, out))
    click.echo(f"{finished} finished games; {others} others are left out", err=True)


async def _export(store: Store, out: IO[str]) -> tuple[int, int]:
    finished = others = 0
    async with opened(store) as log:
        for name in await log.tables():
            try:
                course = read_course(await log.load(name))
            except PaschError as error:
                click.echo(f"table {name}: {error.reason}", err=True)
                others += 1
                continue
            if course.standing.phase == "over":
                out.write(course.record().to_json() + "\n")
                finished += 1
            else:
                others += 1
    return finished, others
