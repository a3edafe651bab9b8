"""The commands `pasch backup`, `restore`, `export`, `migrate-store` and `forget`."""

from __future__ import annotations

import asyncio
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

import click

from pasch.core.errors import PaschError
from pasch.core.files import data_folder
from pasch.store import transfer
from pasch.store.base import Store, StoreError, TableSummary
from pasch.store.locate import FILE, is_database, log_file, open_store
from pasch.store.sqlite import SqliteStore
from pasch.table.lobby import read_table
from pasch.table.retention import STATES, Forgotten, delete, read_age


def back_up(file: Path, data: Path | None, store: str | None) -> None:
    """Write all tables to one file, which is a log itself."""
    where = existing_log(store or data_folder(data))
    if isinstance(where, Path):
        transfer.snapshot(where, file)
    else:
        _back_up_database(where, file)
    written = asyncio.run(_summarize(SqliteStore(file, reading=True)))
    click.echo(f"{file}: {in_words(written.tables, 'table')} with {written.entries} entries")
    click.echo(f"sha256 {written.hash}")


def _back_up_database(where: str, file: Path) -> None:
    if file.exists():
        raise StoreError("{path}: this file exists already", path=str(file))
    # each table is consistent on its own, so tables can be read one after the other while the server is running
    with TemporaryDirectory(dir=file.parent, prefix=f"{file.name}.") as folder:
        gathered = Path(folder, FILE)
        asyncio.run(_copy(open_store(where, reading=True), SqliteStore(gathered)))
        transfer.snapshot(gathered, file)


def restore(file: Path, data: Path | None, store: str | None) -> None:
    """Copy all tables of a backup to a log."""
    target = open_store(store or data_folder(data))
    # before anything is written: half of the tables would be worse than none
    transfer.check_integrity(_existing(file))
    _print_copied(asyncio.run(_copy(SqliteStore(file, reading=True), target)), target.where)


def migrate(source: str, target: str) -> None:
    """Copy all tables from one log to another while no server uses either."""
    if source == target or _identity(source) == _identity(target):
        raise StoreError("FROM and TO are the same")
    where = existing_log(source)
    if isinstance(where, Path):
        transfer.check_integrity(where)
    # a file is opened for writing, which locks it
    begin, end = open_store(where, reading=isinstance(where, str)), open_store(target)
    _print_copied(asyncio.run(_copy(begin, end, alone=True)), end.where)


async def _copy(source: Store, target: Store, alone: bool = False) -> transfer.Summary:
    """Copy all tables; `alone` only if no server uses the source."""
    async with source, target:
        if alone and await source.servers():
            raise StoreError("{path}: a server uses this log; stop it first", path=source.where)
        return await transfer.copy(source, target)


async def _summarize(store: Store) -> transfer.Summary:
    async with store:
        return await transfer.summarize(store)


def export_records(file: Path, data: Path | None, store: str | None) -> None:
    """Write the records of all finished games, one per line."""
    source = open_store(store or data_folder(data), reading=True)
    if str(file) == "-":
        counts = asyncio.run(_export(source, sys.stdout))
    else:
        with (
            transfer.new_file(file) as temporary,
            temporary.open("w", encoding="utf-8", newline="\n") as out,
        ):
            counts = asyncio.run(_export(source, out))
    others = counts["others"] + counts["damaged"]
    click.echo(f"{in_words(counts['finished'], 'finished game')}; {others} others are left out", err=True)
    if counts["damaged"]:
        raise StoreError("{number} tables cannot be read", number=counts["damaged"])


async def _export(store: Store, out: IO[str]) -> Counter[str]:
    """Write the records; return the numbers of finished, damaged and other tables."""
    counts: Counter[str] = Counter()
    async with store:
        for name in await store.tables():
            try:
                live = read_table(await store.load(name))
            except PaschError as error:
                click.echo(f"table {name}: {error.reason}", err=True)
                counts["damaged"] += 1
                continue
            if live.current.phase == "over":
                out.write(live.record().to_json() + "\n")
            counts["finished" if live.current.phase == "over" else "others"] += 1
    return counts


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


def forget_tables(
    tables: Sequence[str],
    state: str | None,
    age: str | None,
    dry_run: bool,
    data: Path | None,
    store: str | None,
) -> None:
    """Delete these tables or, if none is named, those in a state (or `all`) that are at least as old as `age`."""
    before = int(time.time()) - read_age(age) if age else None
    where = existing_log(store or data_folder(data))

    async def run() -> Forgotten:
        # what only looks may do so while a server is running
        async with open_store(where, reading=dry_run) as log:
            if state is None:
                chosen = await _named(log, tables)
            else:
                chosen = await log.summaries(None if state == "all" else STATES[state], before)
            if dry_run:
                return Forgotten(len(chosen), sum(table.bytes for table in chosen))
            return await delete(log, chosen, before)

    forgotten = asyncio.run(run())
    done = "would be deleted" if dry_run else "deleted"
    click.echo(f"{in_words(forgotten.tables, 'table')}, {forgotten.bytes / 1e6:.2f} MB: {done}")


async def _named(log: Store, tables: Sequence[str]) -> Sequence[TableSummary]:
    """These tables; StoreError names one that is not there or that a server has."""
    found = {summary.id: summary for summary in await log.summaries()}
    for table in tables:
        if table not in found:
            raise StoreError("there is no table {table}, or a server has it", table=table)
    return [found[table] for table in dict.fromkeys(tables)]
