"""Checkpoints: the finished units of a long run in a file, so that an interrupted run can resume.

The file holds one JSON object per line: first the run's parameters, then each unit's number and result as
it arrives. Lines are only appended. A line that is no JSON was torn by a crash; its unit is computed again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from pasch.core.errors import PaschError
from pasch.core.version import VERSION

FORMAT: Final = "pasch progress/1"
_HEADER: Final = b'{"pasch":'
#: the packages that results depend on
_PACKAGES: Final = ("core", "games", "solve", "players", "coach", "lab")


class CheckpointError(PaschError):
    """A file is no checkpoint, or one of another run."""


class _Line(msgspec.Struct):
    """A line of the file: the header, or a unit with its result."""

    run: dict[str, Any] | None = None
    unit: int | None = None
    result: msgspec.Raw = msgspec.Raw(b"null")


class Checkpoint:
    """The finished units of one run.

    `run` holds, in JSON values, everything that results depend on; a file of another run is refused. `kind`
    is the type of a result: anything that msgspec writes as JSON and reads back. `add` returns the result
    as it will be read back, so that fresh and stored results cannot differ.
    """

    def __init__(self, path: Path, run: Mapping[str, Any], kind: Any = Any) -> None:
        self.path = path
        self._decode = msgspec.json.Decoder(kind).decode
        self._results: dict[int, bytes] = {}
        header = msgspec.json.encode({"pasch": FORMAT, "run": run})
        content = path.read_bytes() if path.exists() else b""
        if content and not content.startswith(_HEADER):
            raise CheckpointError("{file} is no progress file of Pasch", file=path)
        known = False
        for line in content.splitlines():
            with suppress(msgspec.MsgspecError):
                entry = msgspec.json.decode(line, type=_Line)
                if entry.unit is not None:
                    self._results[entry.unit] = bytes(entry.result)
                else:
                    self._compare(entry.run or {}, msgspec.json.decode(header)["run"])
                    known = True
        self._file = path.open("ab", buffering=0)
        # a torn last line stays, on its own line
        if content and not content.endswith(b"\n"):
            self._file.write(b"\n")
        if not known:
            self._file.write(header + b"\n")

    def _compare(self, found: dict[str, Any], wanted: dict[str, Any]) -> None:
        for name, value in wanted.items():
            if found.get(name) != value:
                raise CheckpointError(
                    "{file} belongs to another run: its {name} is {found}, not {wanted}",
                    file=self.path,
                    name=name,
                    found=_short(found.get(name)),
                    wanted=_short(value),
                )

    def __contains__(self, number: int) -> bool:
        return number in self._results

    def __len__(self) -> int:
        return len(self._results)

    def __getitem__(self, number: int) -> Any:
        return self._decode(self._results[number])

    def add(self, number: int, result: Any) -> Any:
        """Store a result; returns it as it will be read back."""
        written = msgspec.json.encode(result)
        line = msgspec.json.encode({"unit": number, "result": msgspec.Raw(written)})
        # one system call for the whole line, so that lines of two concurrent runs do not mix
        self._file.write(line + b"\n")
        self._results[number] = written
        return self._decode(written)

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


def _short(value: Any) -> str:
    written = msgspec.json.encode(value).decode()
    return written if len(written) <= 60 else written[:57] + "…"
