"""The command `pasch forget`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import click

from pasch.core.folders import data_folder
from pasch.store.base import Store, StoreError, TableSummary
from pasch.store.locate import is_database, open_store
from pasch.table.retention import STATES, Forgotten, classify, delete, forget, write_size
from pasch.web.backup import existing_log, in_words, opened

#: finds or deletes tables of a log
Work = Callable[[Store], Awaitable[Forgotten]]


def forget_old(
    state: str, age: int, dry_run: bool, compact: bool, data: Path | None, store: str | None
) -> None:
    """Delete the tables in this state (or `all`) whose last entry is so many seconds old."""
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
