"""Retention of tables: how long they are kept, their deletion, and parsing of ages and sizes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Final, NamedTuple

import msgspec

from pasch.core.errors import PaschError
from pasch.store.base import Store, StoredTable, StoreError, TableSummary
from pasch.table.limits import Retention
from pasch.table.log import LiveTable, Phase

#: the phases of a table in each state that an operator names
STATES: Final[dict[str, tuple[Phase, ...]]] = {
    "waiting": ("waiting",),
    "unfinished": ("playing",),
    "finished": ("over", "adjudicated"),
}
#: the phase of a table with invalid entries; it is deleted only by name
UNREADABLE: Final = "unreadable"
#: tables per query
MAX_FOUND: Final = 1_000
#: tables that one transaction deletes, because moves wait for it
BATCH_TABLES: Final = 5
#: pause for other writes between two of them, in seconds
BATCH_DELAY_SECONDS: Final = 0.02

_SECONDS: Final = {"h": 3600, "d": 86_400, "w": 7 * 86_400, "y": 365 * 86_400}
_BYTES: Final = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
#: a hundred years, and a thousand terabytes: more is a mistake
_MAX_SECONDS: Final = 100 * _SECONDS["y"]
_MAX_BYTES: Final = 10**15

#: takes ids of tables, and allows to delete those that it gives for as long as the block lasts
Hold = Callable[[Sequence[str]], AbstractContextManager[Sequence[str]]]


class AmountError(PaschError):
    """This is no age or size, or does not say how long tables are kept."""


def read_age(written: str) -> int:
    """The seconds of an age such as `12h`, `90d`, `2w` or `1y`; AmountError if it is none."""
    found = re.fullmatch(r"(\d{1,9})([hdwy])", written.strip(), re.ASCII)
    seconds = int(found[1]) * _SECONDS[found[2]] if found else 0
    if not 0 < seconds <= _MAX_SECONDS:
        raise AmountError(
            "{got!r} is not an age; write hours, days, weeks or years as in 12h, 90d, 2w, 1y", got=written
        )
    return seconds


def read_size(written: str) -> int:
    """The bytes of a size such as `500MB` or `1.5GB`; AmountError if it is none."""
    found = re.fullmatch(r"(\d{1,9}(?:\.\d{1,3})?) ?(KB|MB|GB|TB)", written.strip().upper(), re.ASCII)
    size = round(float(found[1]) * _BYTES[found[2]]) if found else 0
    if not 0 < size <= _MAX_BYTES:
        raise AmountError("{got!r} is not a size; write as in 500MB, 10GB, 2TB", got=written)
    return size


def write_size(size: int) -> str:
    """A number of bytes in the unit that suits it: `41.6 KB`."""
    for unit, factor in reversed(_BYTES.items()):
        if size >= factor:
            return f"{size / factor:.1f} {unit}"
    return f"{size} bytes"


def read_keep(written: str) -> Retention:
    """What `waiting=7d,unfinished=90d,finished=forever` means; unnamed states keep their defaults."""
    chosen: dict[str, int | None] = {}
    for part in written.split(","):
        state, equals, age = (word.strip() for word in part.partition("="))
        if not equals or state not in STATES:
            raise AmountError(
                "{got!r}: write how long to keep what, as in {example}",
                got=part.strip(), example="waiting=7d,unfinished=90d,finished=forever",
            )  # fmt: skip
        if state in chosen:
            raise AmountError("{name} is given twice", name=state)
        chosen[state] = None if age == "forever" else read_age(age)
    return Retention(**chosen)


class Forgotten(NamedTuple):
    """What was deleted."""

    tables: int
    bytes: int


async def forget(
    store: Store, phases: Collection[str] | None, before: int, hold: Hold = nullcontext
) -> Forgotten:
    """Delete the tables in these phases that were last written before this time, a few at a time."""
    tables = size = 0
    while True:
        found = await store.summaries(phases, before, MAX_FOUND)
        now = await delete(store, found, before, hold)
        tables, size = tables + now.tables, size + now.bytes
        # if none could be deleted now, the same ones would be found again
        if len(found) < MAX_FOUND or not now.tables:
            return Forgotten(tables, size)


async def delete(
    store: Store, tables: Sequence[TableSummary], before: int | None = None, hold: Hold = nullcontext
) -> Forgotten:
    """Delete these tables, a few at a time, unless they were written at `before` or later."""
    sizes, gone = {table.id: table.bytes for table in tables}, list[str]()
    for first in range(0, len(tables), BATCH_TABLES):
        batch = [table.id for table in tables[first : first + BATCH_TABLES]]
        with hold(batch) as free:
            gone += await store.delete(free, before) if free else ()
        await asyncio.sleep(BATCH_DELAY_SECONDS)
    return Forgotten(len(gone), sum(sizes[table] for table in gone))


async def classify(
    store: Store, limit: int | None = None, busy: Callable[[str], bool] = lambda table: False
) -> None:
    """Record the phases of at most `limit` tables of an older log, except `busy` ones."""
    for table in await store.summaries([""], limit=limit):
        if not busy(table.id):
            with suppress(StoreError):  # deleted, damaged, or taken by another server
                stored = await store.load(table.id)
                due, phase = await asyncio.to_thread(_standing_of, stored)
                await store.append(table.id, stored.version, [], due, stored.fence, phase)


def _standing_of(stored: StoredTable) -> tuple[bool, str]:
    try:
        current = LiveTable.load(stored).current
    except (PaschError, msgspec.DecodeError):
        return False, UNREADABLE
    return current.server_must_act, current.phase
