"""Tables of values, kept in the user's cache directory.

One file per table: a magic line, a JSON header with a checksum, then the arrays, aligned so that they can
be memory-mapped. Its name contains the hash of everything the numbers follow from. Files are written
beside their place and renamed, so that a half-written one never has the right name; a damaged one is
noticed when opened and built again.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path

from pasch.solve.valuer import Report, silent

MAGIC = b"pasch table 1\n"
ALIGN = 64

Arrays = Mapping[str, NDArray[Any]]

#: told of a table that is opened: its file, and whether it had to be built
Watcher = Callable[[Path, bool], None]
_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


@contextmanager
def watching(watcher: Watcher) -> Iterator[None]:
    """Tell `watcher` of every table that is opened meanwhile."""
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


def cache_folder() -> Path:
    """Where tables are kept; PASCH_CACHE overrides the system's usual place."""
    chosen = os.environ.get("PASCH_CACHE")
    return Path(chosen) if chosen else user_cache_path("pasch")


def table_path(name: str, key: Any) -> Path:
    """The file of the table that follows from `key` (any JSON value)."""
    written = json.dumps([name, key], sort_keys=True, separators=(",", ":"))
    return cache_folder() / f"{name}-{hashlib.sha256(written.encode()).hexdigest()[:20]}.table"


def table(
    name: str, key: Any, build: Callable[[Report], Arrays], report: Report = silent
) -> dict[str, NDArray[Any]]:
    """The table's arrays, memory-mapped and read-only; built and kept if they are not there or damaged."""
    path = table_path(name, key)
    found = read_table(path)
    built = found is None
    if found is None:
        write_table(path, build(report))
        found = read_table(path)
        if found is None:
            raise OSError(f"{path} cannot be read back")
    if watcher := _watcher.get():
        watcher(path, built)
    return found


def read_table(path: Path) -> dict[str, NDArray[Any]] | None:
    """The arrays of a table file; None if it is missing, damaged or of another version."""
    try:
        with path.open("rb") as file:
            if file.readline() != MAGIC:
                return None
            header = json.loads(file.readline())
            start = -(-file.tell() // ALIGN) * ALIGN
        data = np.memmap(path, dtype=np.uint8, mode="r")
        if len(data) != start + header["bytes"] or zlib.crc32(data[start:].data) != header["crc"]:
            return None
        arrays = {}
        for entry in header["arrays"]:
            dtype = np.dtype(entry["dtype"])
            begin = start + entry["offset"]
            end = begin + dtype.itemsize * int(np.prod(entry["shape"], dtype=np.int64))
            arrays[entry["name"]] = data[begin:end].view(dtype).reshape(entry["shape"])
        return arrays
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_table(path: Path, arrays: Arrays) -> None:
    """Write a table file so that it is either whole or not there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    entries: list[dict[str, Any]] = []
    pieces: list[bytes | memoryview] = []
    offset = crc = 0
    for name, array in arrays.items():
        whole = np.ascontiguousarray(array)
        padding = b"\0" * (-offset % ALIGN)
        offset += len(padding)
        crc = zlib.crc32(padding, crc)
        crc = zlib.crc32(whole.reshape(-1).view(np.uint8).data, crc)
        entries.append(
            {"name": name, "dtype": whole.dtype.str, "shape": list(whole.shape), "offset": offset}
        )
        pieces += [padding, whole.reshape(-1).view(np.uint8).data]
        offset += whole.nbytes
    header = MAGIC + json.dumps({"bytes": offset, "crc": crc, "arrays": entries}).encode() + b"\n"
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(header + b"\0" * (-len(header) % ALIGN))
            for piece in pieces:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
