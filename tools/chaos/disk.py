"""Faults of the log's file: a full disk, and a last page that was only partly written."""

from __future__ import annotations

import os
import resource
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

HEADER, FRAME = 32, 24
#: a file may not grow beyond this while the disk is full
MAX_FILE_BYTES = 4096

CAN_BE_FULL = hasattr(resource, "prlimit")


@contextmanager
def full(process: int) -> Iterator[None]:
    """Let every write of this process that would make a file larger fail, as on a full disk."""
    before = resource.prlimit(process, resource.RLIMIT_FSIZE)
    resource.prlimit(process, resource.RLIMIT_FSIZE, (MAX_FILE_BYTES, before[1]))
    try:
        yield
    finally:
        with suppress(ProcessLookupError):  # it was killed meanwhile
            resource.prlimit(process, resource.RLIMIT_FSIZE, before)


def tear(database: Path, random: Random) -> bool:
    """Leave, behind the last transaction, part of a page as a power cut would; whether there was a log.

    What was committed before is not touched: that was on the disk when it was acknowledged. The page
    carries the log's own marks and claims to be the end of a transaction; only its checksum is wrong.
    """
    log = database.with_name(database.name + "-wal")
    if not log.exists() or log.stat().st_size < HEADER:
        return False
    data = log.read_bytes()
    page = int.from_bytes(data[8:12], "big")
    end = _committed(data, page)
    head = struct.pack(">II8s", random.randint(1, 9), random.randint(1, 99), data[16:24])
    torn = head + random.randbytes(8 + page)
    torn = torn[: random.randint(1, len(torn))]
    with log.open("r+b") as file:
        file.seek(end)
        file.write(torn)
        if random.random() < 0.5:
            file.truncate()
        file.flush()
        os.fsync(file.fileno())
    return True


def _committed(data: bytes, page: int) -> int:
    """Where the last transaction ends: after its last frame, which names the size of the database."""
    salts, end, at = data[16:24], HEADER, HEADER
    while at + FRAME + page <= len(data) and data[at + 8 : at + 16] == salts:
        at += FRAME + page
        if data[at - page - FRAME + 4 : at - page - FRAME + 8] != bytes(4):
            end = at
    return end
