"""Checkpoints: the finished units of a long run in a file, so that an interrupted run can resume.

The file holds one JSON object per line: first the run's parameters, then each unit's number and result as
it arrives. Lines are only appended. A line that is no JSON was torn by a crash; its unit is computed again.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from pasch.core.errors import PaschError
from pasch.core.version import VERSION

FORMAT: Final = "pasch progress/1"
_HEADER: Final = b'{"pasch"'
#: the packages that results depend on
_PACKAGES: Final = ("core", "games", "solve", "players", "coach", "lab")


class CheckpointError(PaschError):
    """A file is no checkpoint, or one of another run."""


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
        #: torn or damaged lines
        self.damaged = 0
        header = msgspec.json.encode({"pasch": FORMAT, "run": run})
        content = path.read_bytes() if path.exists() else b""
        known = self._read(content, msgspec.json.decode(header))
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        # a torn last line stays, on its own line
        if content and not content.endswith(b"\n"):
            os.write(self._file, b"\n")
        if not known:
            os.write(self._file, header + b"\n")

    def _read(self, content: bytes, header: dict[str, Any]) -> bool:
        """Load the file's results; whether it has its header."""
        known = False
        for line in filter(None, content.splitlines()):
            try:
                entry = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
            except msgspec.DecodeError:
                self.damaged += 1
                continue
            if "unit" not in entry:
                self._compare(msgspec.json.decode(line), header)
                known = True
            elif known:
                self._results[msgspec.json.decode(entry["unit"], type=int)] = bytes(entry["result"])
        torn_header = self.damaged == 1 and content.startswith(_HEADER)
        if self.damaged and not known and not torn_header:
            raise CheckpointError("{file} is no progress file of Pasch, or damaged", file=self.path)
        return known

    def _compare(self, found: Any, header: dict[str, Any]) -> None:
        run = found.get("run") if isinstance(found, dict) else None
        if not isinstance(run, dict) or found.get("pasch") != FORMAT:
            raise CheckpointError("{file} is no progress file of Pasch", file=self.path)
        for name, wanted in header["run"].items():
            if run.get(name) != wanted:
                raise CheckpointError(
                    "{file} belongs to another run: its {name} is {found}, not {wanted}",
                    file=self.path,
                    name=name,
                    found=_short(run.get(name)),
                    wanted=_short(wanted),
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
        os.write(self._file, line + b"\n")
        self._results[number] = written
        return self._decode(written)

    def close(self) -> None:
        os.close(self._file)


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
