"""What is finished of a long run, kept in a file, so that the run can go on after it was stopped.

One line of JSON after the other: first what the run is, then each unit's number and result as it came in.
Lines are only ever added. Each ends with a checksum, so that one that was torn when the power went, or
damaged later, is noticed; its unit is simply done again.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import msgspec

from pasch.core.errors import PaschError

FORMAT: Final = "pasch progress/1"
_MARK: Final = b',"crc":"'
_HEAD: Final = b'{"pasch"'
#: the parts of Pasch that results follow from
_ROOMS: Final = ("core", "games", "solve", "players", "coach", "lab")


class KeptError(PaschError):
    """A progress file is none, or that of another run."""


class Kept:
    """The finished units of one run.

    `run` says, in JSON values, everything that results depend on; a file of another run is refused. `kind`
    is the type of a result; anything that msgspec writes as JSON and reads back. What `add` answers has
    been written and read, so that nobody can tell a fresh result from a kept one.
    """

    def __init__(self, path: Path, run: Mapping[str, Any], kind: Any = Any) -> None:
        self.path = path
        self._decode = msgspec.json.Decoder(kind).decode
        self._results: dict[int, bytes] = {}
        #: lines that were torn or damaged
        self.damaged = 0
        head = {"pasch": FORMAT, "run": run}
        there = path.read_bytes() if path.exists() else b""
        # what was torn stays there, on a line of its own
        fresh = self._read(there, msgspec.json.decode(msgspec.json.encode(head)))
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        if there and not there.endswith(b"\n"):
            self._write(b"\n")
        if fresh:
            self._write(_line(head))

    def _read(self, there: bytes, head: dict[str, Any]) -> bool:
        """Take in what the file has; whether it still has to be told what run it is."""
        known = False
        for line in there.splitlines():
            whole = _whole(line)
            if whole is None:
                self.damaged += bool(line)
                continue
            entry = msgspec.json.decode(whole, type=dict[str, msgspec.Raw])
            if "unit" not in entry:
                self._compare(msgspec.json.decode(whole), head)
                known = True
            elif known:
                self._results[msgspec.json.decode(entry["unit"], type=int)] = bytes(entry["result"])
        torn = self.damaged == 1 and there.startswith(_HEAD)
        if self.damaged and not known and not torn:
            raise KeptError("{file} is no progress file of Pasch, or damaged", file=self.path)
        return not known

    def _compare(self, found: Any, head: dict[str, Any]) -> None:
        run = found.get("run") if isinstance(found, dict) else None
        if not isinstance(run, dict) or found.get("pasch") != FORMAT:
            raise KeptError("{file} is no progress file of Pasch", file=self.path)
        for name, wanted in head["run"].items():
            if run.get(name) != wanted:
                raise KeptError(
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
        """Keep a result; the result as it will be read."""
        written = msgspec.json.encode(result)
        self._write(_line({"unit": number, "result": msgspec.Raw(written)}))
        self._results[number] = written
        return self._decode(written)

    def _write(self, line: bytes) -> None:
        # one write for the whole line: two runs at once get in no line of the other's
        os.write(self._file, line)

    def close(self) -> None:
        os.close(self._file)


@cache
def fingerprint() -> str:
    """The version of Pasch, and a hash of all its rules, values and players: what results follow from."""
    package = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for room in _ROOMS:
        for path in sorted((package / room).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(f"{path.relative_to(package).as_posix()} {path.stat().st_size}\n".encode())
                digest.update(path.read_bytes())
    return f"{version('pasch')} {digest.hexdigest()[:16]}"


def _line(entry: dict[str, Any]) -> bytes:
    body = msgspec.json.encode(entry)
    return body[:-1] + _MARK + b'%08x"}\n' % zlib.crc32(body)


def _whole(line: bytes) -> bytes | None:
    """A line without its checksum; None if that is not right."""
    body, mark, crc = line.rpartition(_MARK)
    body += b"}"
    return body if mark and crc == b'%08x"}' % zlib.crc32(body) else None


def _short(value: Any) -> str:
    written = msgspec.json.encode(value).decode()
    return written if len(written) <= 60 else written[:57] + "…"
