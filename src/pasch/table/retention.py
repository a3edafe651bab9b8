"""Retention of tables: how long they are kept, their deletion, and parsing of ages and sizes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from pasch.core.errors import PaschError
from pasch.store.base import Store, TableSummary
from pasch.table.limits import Retention
from pasch.table.log import Phase

#: the phases of a table in each state that an operator names
STATES: Final[dict[str, tuple[Phase, ...]]] = {
    "waiting": ("waiting",),
    "unfinished": ("playing",),
    "finished": ("over", "adjudicated"),
}
#: tables that one transaction deletes, because moves wait for it
BATCH_TABLES: Final = 5
#: pause for other writes between two of them, in seconds
BATCH_DELAY_SECONDS: Final = 0.02

_SECONDS: Final = {"h": 3600, "d": 86_400, "w": 7 * 86_400, "y": 365 * 86_400}
_BYTES: Final = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}

#: takes ids of tables and returns those that may be deleted
Hold = Callable[[Sequence[str]], Sequence[str]]


def read_age(written: str) -> int:
    """The seconds of an age such as `12h`, `90d`, `2w` or `1y`; PaschError if it is none."""
    found = re.fullmatch(r"(\d{1,5})([hdwy])", written.strip(), re.ASCII)
    seconds = int(found[1]) * _SECONDS[found[2]] if found else 0
    if not seconds:
        raise PaschError(
            "{got!r} is not an age; write hours, days, weeks or years as in 12h, 90d, 2w, 1y", got=written
        )
    return seconds


def read_size(written: str) -> int:
    """The bytes of a size such as `500MB` or `1.5GB`; PaschError if it is none."""
    found = re.fullmatch(r"(\d{1,5}(?:\.\d{1,3})?) ?(KB|MB|GB|TB)", written.strip().upper(), re.ASCII)
    size = round(float(found[1]) * _BYTES[found[2]]) if found else 0
    if not size:
        raise PaschError("{got!r} is not a size; write as in 500MB, 10GB, 2TB", got=written)
    return size


def read_keep(written: str) -> Retention:
    """What `waiting=7d,unfinished=90d,finished=forever` means; unnamed states keep their defaults."""
    chosen: dict[str, int | None] = {}
    for part in written.split(","):
        state, equals, age = (word.strip() for word in part.partition("="))
        if not equals or state not in STATES:
            raise PaschError(
                "{got!r}: write how long to keep what, as in {example}",
                got=part.strip(), example="waiting=7d,unfinished=90d,finished=forever",
            )  # fmt: skip
        chosen[state] = None if age == "forever" else read_age(age)
    return Retention(**chosen)


class Forgotten(NamedTuple):
    """What was deleted."""

    tables: int
    bytes: int


async def delete(
    store: Store,
    tables: Sequence[TableSummary],
    before: int | None = None,
    hold: Hold = lambda tables: tables,
) -> Forgotten:
    """Delete these tables, a few at a time, unless they were written at `before` or later."""
    sizes, gone = {table.id: table.bytes for table in tables}, list[str]()
    for first in range(0, len(tables), BATCH_TABLES):
        free = hold([table.id for table in tables[first : first + BATCH_TABLES]])
        gone += await store.delete(free, before) if free else ()
        await asyncio.sleep(BATCH_DELAY_SECONDS)
    return Forgotten(len(gone), sum(sizes[table] for table in gone))
