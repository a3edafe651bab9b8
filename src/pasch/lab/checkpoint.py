"""Checkpoints: the finished units of a long run in a file, so that an interrupted run can resume.

The file is a database of SQLite: the parameters of the run, and each unit's number and result as it arrives.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from pasch.core import VERSION
from pasch.core.errors import PaschError

_TABLES: Final = """
pragma synchronous = off;
create table if not exists run (name text primary key, value text);
create table if not exists units (number integer primary key, result text);
"""
#: the packages that results depend on
_PACKAGES: Final = ("core", "games", "solve", "players", "coach", "lab")


class Checkpoint:
    """The finished units of one run.

    `run` holds, in JSON values, everything that results depend on; a file of another run is refused. `kind`
    is the type of a result: anything that msgspec writes as JSON and reads back. `add` returns the result
    as it will be read back, so that fresh and stored results cannot differ.
    """

    def __init__(self, path: Path, run: Mapping[str, Any], kind: Any = Any) -> None:
        self._decode = msgspec.json.Decoder(kind).decode
        path.open("ab").close()  # OSError if that is not possible
        self._file = sqlite3.connect(path, isolation_level=None)
        try:
            tables = {
                name
                for (name,) in self._file.execute("select name from sqlite_master where type = 'table'")
            }
            if not tables <= {"run", "units"}:
                raise sqlite3.DatabaseError
            self._file.executescript(_TABLES)
            found = dict(self._file.execute("select name, value from run"))
        except sqlite3.DatabaseError:
            self._file.close()
            raise PaschError("{file} is no progress file of Pasch", file=path) from None
        wanted = {name: _written(value) for name, value in run.items()}
        for name, value in wanted.items():
            if found and found.get(name) != value:
                self._file.close()
                raise PaschError(
                    "{file} belongs to another run: its {name} is {found}, not {wanted}",
                    file=path,
                    name=name,
                    found=_short(found.get(name, "unknown")),
                    wanted=_short(value),
                )
        self._file.executemany("insert or ignore into run values (?, ?)", wanted.items())

    def __contains__(self, number: int) -> bool:
        return bool(self._file.execute("select 1 from units where number = ?", (number,)).fetchone())

    def __len__(self) -> int:
        return int(self._file.execute("select count(*) from units").fetchone()[0])

    def __getitem__(self, number: int) -> Any:
        (written,) = self._file.execute("select result from units where number = ?", (number,)).fetchone()
        return self._decode(written)

    def add(self, number: int, result: Any) -> Any:
        """Store a result; returns it as it will be read back."""
        self._file.execute("insert or replace into units values (?, ?)", (number, _written(result)))
        return self[number]

    def close(self) -> None:
        self._file.close()


@cache
def code_version() -> str:
    """The version of Pasch and a hash of the rules, values and players that results depend on."""
    package = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for part in _PACKAGES:
        for path in sorted((package / part).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(f"{path.relative_to(package).as_posix()} {path.stat().st_size}\n".encode())
                digest.update(path.read_bytes())
    return f"{VERSION} {digest.hexdigest()[:16]}"


def _written(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _short(written: str) -> str:
    return written if len(written) <= 60 else written[:57] + "…"
