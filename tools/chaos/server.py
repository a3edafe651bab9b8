"""`pasch serve` that breaks on demand; run as `python -m tools.chaos.server serve …`.

SIGUSR1 turns the clock of the wall forwards or back, as a time server or a client may do. SIGUSR2 lets the
steady clock jump ahead, as it does when a machine was asleep; back it never goes anywhere.

The next transaction of a log in SQLite fails as a word in the file named by the variable CHAOS_FAULT says:
`lost` and `kept` let its COMMIT fail without or with the transaction in the file, `fsync` lets every fsync of
the process fail from then on, `writer` is a failure of the program itself.
"""

from __future__ import annotations

import itertools
import os
import signal
import sqlite3
import sys
import time
from pathlib import Path
from types import FrameType
from typing import Any

#: in seconds: an hour back, a day on, three years back …
JUMPS = itertools.cycle((-3600.0, 86_400.0, -94_608_000.0, 5.0, 94_608_000.0, -7.0))
#: how long the machine was asleep
SLEEP_SECONDS = 600.0
#: stands in every error that is caused here
INJECTED = "injected"

_wall, _steady = time.time, time.monotonic
_offset = {"wall": 0.0, "steady": 0.0}


def _jump(sign: int, frame: FrameType | None) -> None:
    if sign == signal.SIGUSR1:
        _offset["wall"] += next(JUMPS)
    else:
        _offset["steady"] += SLEEP_SECONDS


class _FaultyConnection:
    """A connection to the log whose COMMIT fails when there is a word in the file."""

    def __init__(self, real: sqlite3.Connection, words: Path) -> None:
        self._real, self._words = real, words
        self._writes = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def execute(self, statement: str, *values: Any) -> Any:
        self._writes = self._writes or statement == "BEGIN IMMEDIATE"
        if statement == "COMMIT" and self._writes and self._words.exists():
            word = self._words.read_text()
            self._words.unlink()
            if word == "fsync":
                from tools.chaos.fsync import fail_fsync

                fail_fsync()
            elif word == "writer":
                raise MemoryError(INJECTED)
            else:
                self._real.execute("COMMIT" if word == "kept" else "ROLLBACK")
                raise sqlite3.OperationalError(f"disk I/O error ({INJECTED})")
        return self._real.execute(statement, *values)


def _let_transactions_fail(words: Path) -> None:
    from pasch.store import sqlite

    connect = sqlite._connect

    def faulty(path: Path, reading: bool = False) -> Any:
        return _FaultyConnection(connect(path, reading), words)

    sqlite._connect = faulty


def main() -> None:
    # before anything else is imported, so that no module keeps the real ones
    time.time = lambda: _wall() + _offset["wall"]
    time.monotonic = lambda: _steady() + _offset["steady"]
    signal.signal(signal.SIGUSR1, _jump)
    signal.signal(signal.SIGUSR2, _jump)
    if "CHAOS_FAULT" in os.environ:
        _let_transactions_fail(Path(os.environ["CHAOS_FAULT"]))
    from pasch.cli import main as pasch

    pasch(sys.argv[1:])


if __name__ == "__main__":
    main()
