"""`pasch serve` in a folder of its own with default limits, and what can be seen of its process from outside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from tools.attack.target import Target

#: files and connections that a process may have, as on many systems
FILES = 1024
#: how long a server may take to stop
STOP_SECONDS = 60


@contextmanager
def serving(folder: Path) -> Iterator[Target]:
    """A server on a free port with its tables in this folder, until it is no longer needed.

    RuntimeError if it does not start, or ends in another way than it was asked to.
    Its cache is beside it, unless PASCH_CACHE says where; the servers of one run share it.
    """
    folder.mkdir(parents=True)
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "PASCH_STORE", "PASCH_DATA", "FORWARDED_ALLOW_IPS")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    environment.setdefault("PASCH_CACHE", str(folder.parent / "cache"))
    command = [sys.executable, "-m", "pasch", "serve", "--no-open", "--port", "0", "--data", str(folder)]
    command = ["sh", "-c", f'ulimit -n {FILES}; exec "$@"', "sh", *command]
    errors = folder.with_suffix(".log")
    with errors.open("wb") as log:
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env={**environment, "PYTHONUNBUFFERED": "1"},
        )
    try:
        assert process.stdout is not None
        said = process.stdout.readline()
        if "localhost:" not in said:
            raise RuntimeError(
                "the server does not start:\n" + errors.read_text("utf-8", "replace")[-2000:]
            )
        yield Target("127.0.0.1", int(said.split("localhost:")[1].split("/")[0]))
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        finally:
            process.kill()
            process.communicate()
        if process.returncode:
            crashed = errors.read_text("utf-8", "replace")
            raise RuntimeError(f"the server ended with {process.returncode}:\n{crashed[-4000:]}")


class Seen(msgspec.Struct):
    """What a server has used: at most, or so far."""

    #: resident memory of the process and of its helpers, in MiB
    memory: float = 0.0
    helpers: float = 0.0
    #: what the tables, the cache and the log (stderr) take on the disk, in MiB
    disk: float = 0.0
    log: float = 0.0


class Watch:
    """Watches a server's process, found by the port on which it listens; only on Linux, and for its owner."""

    def __init__(self, target: Target) -> None:
        self.process = _listening(target.port)
        self.most = Seen()
        self._folders = _folders(self.process) if self.process else []
        self.log = _log(self.process) if self.process else None
        self._log_from = self.log.stat().st_size if self.log else 0
        self._first = self._now()

    def look(self) -> None:
        """Look once, and remember the most of everything."""
        now = self._now()
        for name in now.__struct_fields__:
            first = getattr(self._first, name) if name in ("disk", "log") else 0
            setattr(self.most, name, max(getattr(self.most, name), getattr(now, name) - first))

    @property
    def alive(self) -> bool:
        return self.process is None or Path(f"/proc/{self.process}").exists()

    def odd_lines(self) -> list[str]:
        """The lines of the log since the beginning that are not JSON, or hold a traceback."""
        if self.log is None:
            return []
        with self.log.open("rb") as log:
            log.seek(self._log_from)
            lines = log.read().decode("utf-8", "replace").splitlines()
        return [line[:200] for line in lines if not _json(line)]

    def _now(self) -> Seen:
        if self.process is None:
            return Seen()
        own, mebi = self.process, 1024 * 1024
        with suppress(OSError, ValueError, IndexError):
            return Seen(
                memory=_resident(own) / mebi,
                helpers=sum(map(_resident, _children(own))) / mebi,
                disk=sum(map(_size, self._folders)) / mebi,
                log=self.log.stat().st_size / mebi if self.log else 0.0,
            )
        return Seen()


def _json(line: str) -> bool:
    try:
        read: Any = json.loads(line)
    except ValueError:
        return False
    return isinstance(read, dict) and "trace" not in read


def _listening(port: int) -> int | None:
    """The process that listens on this port of this machine; None if it cannot be found."""
    wanted, sockets = f":{port:04X}", set()
    with suppress(OSError):
        for line in Path("/proc/net/tcp").read_text("ascii").splitlines()[1:]:
            fields = line.split()
            if fields[1].endswith(wanted) and fields[3] == "0A":
                sockets.add(f"socket:[{fields[9]}]")
    for folder in Path("/proc").glob("[0-9]*/fd") if sockets else ():
        with suppress(OSError):
            if any(str(file.readlink()) in sockets for file in folder.iterdir()):
                return int(folder.parent.name)
    return None


def _folders(process: int) -> list[Path]:
    """The folders of the tables and of the cache."""
    found = set()
    with suppress(OSError):
        for file in Path(f"/proc/{process}/fd").iterdir():
            with suppress(OSError):
                path = file.readlink()
                if ".sqlite" in path.name:
                    found.add(path.parent)
        for variable in Path(f"/proc/{process}/environ").read_bytes().split(b"\0"):
            name, _, value = variable.partition(b"=")
            if name == b"PASCH_CACHE":
                found.add(Path(value.decode()))
    return sorted(found)


def _log(process: int) -> Path | None:
    """The file to which the process writes its log."""
    with suppress(OSError):
        path = Path(f"/proc/{process}/fd/2").readlink()
        return path if path.is_file() else None
    return None


def _children(process: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{process}/task").iterdir():
        with suppress(OSError):
            for child in map(int, (task / "children").read_text("ascii").split()):
                found += [child, *_children(child)]
    return found


def _resident(process: int) -> int:
    """Resident memory, in bytes."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text("ascii").split()[1]) * os.sysconf(
            "SC_PAGE_SIZE"
        )
    except OSError:
        return 0


def _size(folder: Path) -> int:
    total = 0
    for file in folder.rglob("*"):
        with suppress(OSError):
            total += file.stat().st_size if file.is_file() else 0
    return total
