"""Tables of values, kept in the user's cache directory.

One file per table: a magic line, a JSON header with a checksum, then the arrays, aligned so that they can
be memory-mapped. Its name contains the hash of everything the numbers follow from. Files are written
atomically; a damaged one is noticed when opened and built again.

Reading needs nothing but the standard library: an array is a typed memory view of its shape, which is indexed as
`view[row, column]`; numpy takes it with `np.asarray(view)` where compiled code is to read it.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from math import prod
from pathlib import Path
from typing import Any, Final

from pasch.core.atomic_file import atomic_path
from pasch.solve.valuer import Report, silent

MAGIC = b"pasch table 1\n"
ALIGN = 64

#: anything with a typed buffer: numpy's arrays, `array.array`, memory views
Arrays = Mapping[str, Any]

#: the types of numbers, as numpy writes them and as memory views do
FORMATS: Final = {
    "<f8": "d",
    "<f4": "f",
    "<i8": "q",
    "<i4": "i",
    "<i2": "h",
    "<u2": "H",
    "|u1": "B",
    "|i1": "b",
}
DTYPES: Final = {kind: written for written, kind in FORMATS.items()} | {"l": "<i8", "?": "|u1"}

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
    if chosen := os.environ.get("PASCH_CACHE"):
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("pasch")


def table_path(name: str, key: Any) -> Path:
    """The file of the table that follows from `key` (any JSON value)."""
    written = json.dumps([name, key], sort_keys=True, separators=(",", ":"))
    return cache_folder() / f"{name}-{hashlib.sha256(written.encode()).hexdigest()[:20]}.table"


def table(
    name: str, key: Any, build: Callable[[Report], Arrays], report: Report = silent
) -> dict[str, memoryview[Any]]:
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


def read_table(path: Path) -> dict[str, memoryview[Any]] | None:
    """The arrays of a table file; None if it is missing, damaged or of another version."""
    try:
        with path.open("rb") as file:
            if file.readline() != MAGIC:
                return None
            header = json.loads(file.readline())
            start = -(-file.tell() // ALIGN) * ALIGN
            data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        if len(data) != start + header["bytes"] or zlib.crc32(data[start:]) != header["crc"]:
            return None
        arrays = {}
        for entry in header["arrays"]:
            kind: Any = FORMATS[entry["dtype"]]
            shape = entry["shape"]
            begin, size = start + entry["offset"], prod(shape) * memoryview(b"").cast(kind).itemsize
            # a view of nothing cannot have a shape
            flat = data[begin : begin + size].cast(kind)
            arrays[entry["name"]] = flat.cast("B").cast(kind, shape) if size and len(shape) > 1 else flat
        return arrays
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_table(path: Path, arrays: Arrays) -> None:
    """Write a table file atomically."""
    path.parent.mkdir(parents=True, exist_ok=True)
    entries: list[dict[str, Any]] = []
    pieces: list[bytes | memoryview] = []
    offset = crc = 0
    for name, array in arrays.items():
        view = memoryview(array)
        whole = view.cast("B") if view.nbytes else memoryview(b"")
        padding = b"\0" * (-offset % ALIGN)
        offset += len(padding)
        crc = zlib.crc32(whole, zlib.crc32(padding, crc))
        entries.append(
            {"name": name, "dtype": DTYPES[view.format], "shape": list(view.shape or ()), "offset": offset}
        )
        pieces += [padding, whole]
        offset += len(whole)
    header = MAGIC + json.dumps({"bytes": offset, "crc": crc, "arrays": entries}).encode() + b"\n"
    with atomic_path(path) as temporary, temporary.open("wb") as file:
        file.write(header + b"\0" * (-len(header) % ALIGN))
        for piece in pieces:
            file.write(piece)
