"""`pasch serve` in a folder of its own with default limits, and what can be seen of its process from outside."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from tools.attack.target import Target
from tools.serving import PASCH, ServerProcess

#: files and connections that a process may have, as on many systems
FILES = 1024
#: how long a server may take to stop
STOP_SECONDS = 60


@contextmanager
def serving(folder: Path) -> Iterator[Target]:
    """A server on a free port with its tables in this folder, for as long as the block lasts.

    RuntimeError if it does not start, or ends in another way than it was asked to.
    Its cache is beside it, unless PASCH_CACHE says where; the servers of one run share it.
    """
    folder.mkdir(parents=True)
    cache = os.environ.get("PASCH_CACHE", str(folder.parent / "cache"))
    limited = ("sh", "-c", f'ulimit -n {FILES}; exec "$@"', "sh", *PASCH)
    log = folder.with_suffix(".log")
    server = ServerProcess(log, "--data", str(folder), pasch=limited, PASCH_CACHE=cache)
    try:
        yield Target("127.0.0.1", server.port)
    finally:
        server.process.terminate()
        try:
            server.process.wait(STOP_SECONDS)
        finally:
            server.kill()
        if server.process.returncode:
            raise RuntimeError(
                f"the server ended with {server.process.returncode}:\n{server.logged[-4000:]}"
            )


class Seen(msgspec.Struct):
    """What a server has used: peaks, and totals so far."""

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
        """Measure once, and update the peaks."""
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
