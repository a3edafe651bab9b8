"""Files that are written completely or not at all, and the folder of the user's own data."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO


@contextmanager
def atomic_path(path: Path, *, private: bool = False) -> Iterator[Path]:
    """A temporary path of the same suffix, which is renamed to `path`, durably, when the block ends well.

    With `private` only the owner may read the file, from the first moment on.
    """
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}{path.suffix}")
    try:
        temporary.touch(0o600 if private else 0o666, exist_ok=False)
        yield temporary
        with temporary.open("rb+") as written:
            os.fsync(written.fileno())
        temporary.replace(path)
        if os.name == "posix":  # there the folder has to be written, too, and can be
            folder = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def atomic_text(path: Path) -> Iterator[TextIO]:
    """A text file to write to, which takes the name `path` when the block ends well."""
    if path.exists() and not path.is_file():
        with path.open("w", encoding="utf-8", newline="\n") as file:
            yield file  # a device or a pipe cannot be replaced
        return
    with atomic_path(path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
        yield file


def data_folder(chosen: Path | None = None) -> Path:
    """Where logs, saved games and records are kept: as chosen, else PASCH_DATA, else the system's place."""
    if chosen is not None:
        return chosen
    if own := os.environ.get("PASCH_DATA"):
        return Path(own)
    import platformdirs  # not in a browser

    return platformdirs.user_data_path("pasch", appauthor=False)
