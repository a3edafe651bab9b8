"""Files that are there completely in the end, or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO


@contextmanager
def whole_path(path: Path) -> Iterator[Path]:
    """A place to write to, of the same suffix, which becomes `path` when all is written."""
    half = path.with_name(f".{path.name}.{os.getpid()}{path.suffix}")
    try:
        yield half
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)


@contextmanager
def whole_file(path: Path) -> Iterator[TextIO]:
    """A text file to write to, which is on the disk before it takes its name."""
    if path.exists() and not path.is_file():
        with path.open("w", encoding="utf-8", newline="\n") as file:
            yield file  # a device or a pipe holds nothing that could be half there
        return
    with whole_path(path) as half, half.open("w", encoding="utf-8", newline="\n") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())
