"""Tables of values, kept in the user's cache directory.

One file per table: a magic line, a JSON header with a checksum, then the arrays, aligned so that they can
be memory-mapped. Its name contains the hash of the inputs. Files are written atomically; a damaged
one is detected when opened and rebuilt. Tables that a server has built for custom boxes are marked in the header, and
the least recently used of them are removed (`limit_own_tables`).

Reading needs only the standard library: an array is a typed memory view of its shape, which is indexed as
`view[row, column]`; numpy takes it with `np.asarray(view)` for compiled code.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import ContextVar
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal

from pasch.core.errors import PaschError
from pasch.core.files import atomic_path
from pasch.core.game import Game
from pasch.core.options import OptionSpec, option_specs
from pasch.core.registry import AnyGame
from pasch.solve.valuer import Progress, no_progress, valuer

MAGIC = b"pasch table 1\n"
ALIGN = 64

#: limits for the tables of custom boxes on a server
MAX_OWN_FILES: Final = 200
MAX_OWN_BYTES: Final = 256 * 1024 * 1024

#: anything with a typed buffer: numpy's arrays, `array.array`, memory views
Arrays = Mapping[str, Any]

#: formats of memory views whose size depends on the machine, and the same with a size of their own
SIZED: Final = {"l": "q", "?": "B"}

#: called for each table that is opened: its file, and whether it was built
Watcher = Callable[[Path, bool], None]
_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


@contextmanager
def _set(variable: ContextVar[Any], value: Any) -> Iterator[None]:
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)


def watching(watcher: Watcher) -> AbstractContextManager[None]:
    """Call `watcher` for every table that is opened within the context."""
    return _set(_watcher, watcher)


class NotKept(PaschError):
    """A required table is missing and must not be built here."""


#: "keep": build what is missing; "own": the same, for a custom box; "never": raise NotKept instead
Building = Literal["keep", "own", "never"]
_building: ContextVar[Building] = ContextVar("building", default="keep")


def building(what: Building) -> AbstractContextManager[None]:
    """Set what happens to missing tables within the context."""
    return _set(_building, what)


def cache_folder() -> Path:
    """The folder of tables: PASCH_CACHE, or else the user's cache directory."""
    if chosen := os.environ.get("PASCH_CACHE"):
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("pasch")


def code_folder() -> Path:
    """The folder of compiled code; NUMBA_CACHE_DIR overrides it."""
    return Path(os.environ.get("NUMBA_CACHE_DIR") or cache_folder() / "code")


def table_path(name: str, key: Any) -> Path:
    """The file of the table with this `key` (any JSON value)."""
    written = json.dumps([name, key], sort_keys=True, separators=(",", ":"))
    return cache_folder() / f"{name}-{hashlib.sha256(written.encode()).hexdigest()[:20]}.table"


def table(
    name: str, key: Any, build: Callable[[Progress], Arrays], report: Progress = no_progress
) -> dict[str, memoryview[Any]]:
    """The table's arrays, memory-mapped and read-only; the table is built if it is missing or damaged.

    Raises NotKept if it must not be built (see `building`).
    """
    path = table_path(name, key)
    found = read_table(path)
    built = found is None
    if found is None:
        if _building.get() == "never":
            raise NotKept("these values have not been worked out yet")
        write_table(path, build(report), own=_building.get() == "own")
        found = read_table(path)
        if found is None:
            raise OSError(f"{path} cannot be read back")
    if watcher := _watcher.get():
        watcher(path, built)
    return found


#: called for tables that are missing in the folder; it may put them there
_source: Callable[[Path], object] | None = None


def fetch_from(source: Callable[[Path], object]) -> None:
    """Call `source` for each missing table; it may write the file."""
    global _source  # noqa: PLW0603 - there is one folder with one source
    _source = source


def read_table(path: Path) -> dict[str, memoryview[Any]] | None:
    """The arrays of a table file; None if it is missing, damaged or of another version."""
    if _source is not None and not path.exists():
        _source(path)
    try:
        with path.open("rb") as file:
            header = _header(file)
            if header.get("own"):
                with suppress(OSError):
                    os.utime(path)  # mark it as recently used
            start = -(-file.tell() // ALIGN) * ALIGN
            data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        if len(data) != start + header["bytes"] or zlib.crc32(data[start:]) != header["crc"]:
            return None
        arrays = {}
        for entry in header["arrays"]:
            kind: Any = entry["format"]
            shape = entry["shape"]
            begin, size = start + entry["offset"], prod(shape) * memoryview(b"").cast(kind).itemsize
            # an empty view cannot have a shape
            flat = data[begin : begin + size].cast(kind)
            arrays[entry["name"]] = flat.cast("B").cast(kind, shape) if size and len(shape) > 1 else flat
        return arrays
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _header(file: BinaryIO) -> dict[str, Any]:
    """The header of a table file that was just opened; ValueError if there is none."""
    if file.readline() != MAGIC:
        raise ValueError("this is no table")
    header: dict[str, Any] = json.loads(file.readline())
    return header


def write_table(path: Path, arrays: Arrays, *, own: bool = False) -> None:
    """Write a table file atomically; `own` marks one that `limit_own_tables` may remove."""
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
        kind = SIZED.get(view.format, view.format)
        entries.append({"name": name, "format": kind, "shape": list(view.shape or ()), "offset": offset})
        pieces += [padding, whole]
        offset += len(whole)
    described = {"bytes": offset, "crc": crc, "arrays": entries} | ({"own": True} if own else {})
    header = MAGIC + json.dumps(described).encode() + b"\n"
    with atomic_path(path) as temporary, temporary.open("wb") as file:
        file.write(header + b"\0" * (-len(header) % ALIGN))
        for piece in pieces:
            file.write(piece)


def limit_own_tables(max_files: int = MAX_OWN_FILES, max_bytes: int = MAX_OWN_BYTES) -> None:
    """Remove the least recently used tables of custom boxes beyond these limits."""
    files = size = 0
    for path, stat in sorted(own_tables().items(), key=lambda found: -found[1].st_mtime_ns):
        files, size = files + 1, size + stat.st_size
        if files > max_files or size > max_bytes:
            with suppress(OSError):  # some systems keep a file that is mapped
                path.unlink()


def own_tables() -> dict[Path, os.stat_result]:
    """The tables of custom boxes, with what the system knows of the files."""
    found: dict[Path, os.stat_result] = {}
    for path in cache_folder().glob("*.table"):
        # another process may have removed it, or it may be damaged
        with suppress(OSError, ValueError), path.open("rb") as file:
            if _header(file).get("own"):
                found[path] = path.stat()
    return found


def chances_kept(game: Game[Any, Any]) -> bool:
    """Whether the chances to win need no table to be built; if so, their tables are opened."""
    try:
        with building("never"):
            valuer(game).prepare()
    except NotKept:
        return False
    return True


def variants(game: AnyGame) -> Iterator[Game[Any, Any]]:
    """The game with every switch and choice, for one player, two players and the maximum number."""
    specs = [spec for spec in option_specs(game.Options) if spec.kind != "number"]
    for chosen in product(*map(settings, specs)):
        for players in sorted({1, 2, game.seats[-1]}):
            if players in game.seats:
                yield game.agree(players, dict(zip([spec.name for spec in specs], chosen, strict=True)))


def settings(spec: OptionSpec) -> list[Any]:
    """The values of a switch or a choice; for a list, the lists with one item."""
    if spec.kind == "switch":
        return [False, True]
    return [[choice] for choice in spec.choices] if spec.kind == "list" else list(spec.choices)
