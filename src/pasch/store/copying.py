"""Tables from one log to another: moved, backed up, brought back."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from pasch.store.base import Store, StoredTable, StoreError


class Copied(NamedTuple):
    """What was copied."""

    tables: int
    entries: int
    #: of these tables, those that were there already, just the same
    there: int
    #: over all tables and entries, in order
    hash: str


def digest(table: StoredTable) -> bytes:
    """A hash over everything that a log holds of a table."""
    parts: list[bytes] = [table.id.encode(), table.document, table.key, b"due" if table.due else b""]
    for body, command in table.entries:
        parts += [body, b"-" if command is None else b"+" + command.encode()]
    found = hashlib.sha256()
    for part in parts:
        # with their lengths, so that nothing can pass from one part to the next unnoticed
        found.update(len(part).to_bytes(8, "big"))
        found.update(part)
    return found.digest()


async def copy(source: Store, target: Store) -> Copied:
    """Copy all tables, then read each again and compare.

    A table that is there already must be the same; if one is not, StoreError names it before anything
    is written.
    """
    names = await source.tables()
    there = set(await target.tables())
    for name in names:
        if name in there and digest(await source.load(name)) != digest(await target.load(name)):
            raise StoreError(
                "table {table} is in {where} already, and other things have happened there",
                table=name,
                where=target.where,
            )
    total, entries = hashlib.sha256(), 0
    for name in names:
        table = await source.load(name)
        if name not in there:
            await target.create(name, table.document, table.key, table.entries, table.due)
        right = digest(table)
        if digest(await target.load(name)) != right:
            raise StoreError("table {table} did not arrive as it was", table=name)
        total.update(right)
        entries += table.version
    return Copied(len(names), entries, len(there.intersection(names)), total.hexdigest())


async def summed(log: Store) -> Copied:
    """What is in a log, as `copy` would tell of a copy of all of it."""
    names = await log.tables()
    total, entries = hashlib.sha256(), 0
    for name in names:
        table = await log.load(name)
        total.update(digest(table))
        entries += table.version
    return Copied(len(names), entries, len(names), total.hexdigest())


def snapshot(source: Path, target: Path) -> None:
    """Copy a log's file as it is at this moment, while another process may go on writing to it."""
    with beside(target) as part:
        try:
            with (
                closing(sqlite3.connect(source.absolute().as_uri() + "?mode=ro", uri=True)) as reader,
                closing(sqlite3.connect(part)) as writer,
            ):
                reader.backup(writer)
                # one file that stands alone
                writer.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.Error as error:
            raise StoreError("{path}: {problem}", path=str(source), problem=str(error)) from None
        check_whole(part, source)


def check_whole(path: Path, name: Path | None = None) -> None:
    """Refuse a log's file, called `name`, in which something is damaged."""
    try:
        with closing(sqlite3.connect(path.absolute().as_uri() + "?mode=ro", uri=True)) as reader:
            (verdict,) = reader.execute("PRAGMA integrity_check").fetchone()
    except sqlite3.Error as error:
        verdict = str(error)
    if verdict != "ok":
        raise StoreError("{path}: the log is damaged: {problem}", path=str(name or path), problem=verdict)


@contextmanager
def beside(target: Path) -> Iterator[Path]:
    """An empty file that is given the name `target` when all is well, and is gone otherwise.

    Only its owner may read it, from the first moment on.
    """
    if target.exists():
        raise StoreError("{path}: this file is there already", path=str(target))
    part = target.with_name(target.name + ".part")
    try:
        part.touch(0o600)
        yield part
        _in_place(part, target)
    except OSError as error:
        problem = error.strerror or str(error)
        raise StoreError("{path}: {problem}", path=str(target), problem=problem) from None
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _in_place(part: Path, target: Path) -> None:
    """Give a complete file its name, durably."""
    with part.open("rb+") as written:
        os.fsync(written.fileno())
    part.replace(target)
    if os.name == "posix":
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
