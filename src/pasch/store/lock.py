"""An exclusive lock between processes; the system releases it when its process ends, however it ends."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

#: how long to wait for a process that is just ending, in seconds
LOCK_TIMEOUT_SECONDS = 2.0


class Locked(Exception):
    """Another process has the lock."""


class FileLock:
    """The lock on the file `path`, which is created if necessary and stays; Locked if another has it."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        until = time.monotonic() + LOCK_TIMEOUT_SECONDS
        while not self._try():
            if time.monotonic() >= until:
                os.close(self._file)
                raise Locked
            time.sleep(0.05)

    def _try(self) -> bool:
        try:
            if sys.platform == "win32":
                msvcrt.locking(self._file, msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            return False
        return True

    def release(self) -> None:
        os.close(self._file)
