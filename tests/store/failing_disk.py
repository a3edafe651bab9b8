"""Writes to a log while the disk fails, says what was answered, and ends without a word.

`python -m tests.store.failing_disk FILE once|always|full WRITES`: one fsync of the log fails, every fsync does
from then on, or no file may grow.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import nullcontext
from pathlib import Path

from tools.chaos import disk, fsync

from pasch.store.base import LogEntry, StoreError
from pasch.store.sqlite import SqliteStore


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def number_of(path: Path) -> int:
    """The lowest number of this open file of the process: that of the writer, which opened it first."""
    return min(int(one.name) for one in Path("/proc/self/fd").iterdir() if _is(one, path))


def _is(one: Path, path: Path) -> bool:
    try:
        return one.readlink() == path
    except OSError:
        return False


async def write(store: SqliteStore, writes: int) -> None:
    version = 1
    for number in range(1, writes + 1):
        try:
            version = await store.append("t", version, [LogEntry(b"%d" % number)], False)
            say(number, "written")
        except StoreError as error:
            say(number, type(error).__name__)


async def run(path: Path, how: str, writes: int) -> None:
    # lower numbers, which the file gets when it is opened again
    spare = [os.open(os.devnull, os.O_RDONLY) for _ in range(8)]
    store = SqliteStore(path)
    await store.open()
    await store.create("t", b"{}", b"key", [LogEntry(b"0")], False)
    for one in spare:
        os.close(one)
    log = path.with_name(path.name + "-wal")
    if how != "full":
        fsync.fail_fsync(number_of(log) if how == "once" else None)
    with disk.full(os.getpid()) if how == "full" else nullcontext():
        await write(store, writes)
    say("failed" if store.failed is not None else "continues")
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    asyncio.run(run(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
