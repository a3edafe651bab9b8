"""The deployments that are tested: one server with SQLite, or two that share a PostgreSQL."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Final

import asyncpg

from pasch.store.base import Store
from pasch.store.locate import FILE, open_store
from tools.chaos import disk
from tools.postgres import Database, database

#: how long a server that was killed keeps its tables in PostgreSQL, in seconds: they change hands often
LEASE: Final = 1.0


class Server:
    """`pasch serve` with clocks that can jump; started again it has the same port."""

    def __init__(self, log: Path, *words: str) -> None:
        self._log = log
        self._words = words
        self.port = 0
        self._process: subprocess.Popen[str] | None = None

    @property
    def process(self) -> int:
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        hidden = ("DISPLAY", "WAYLAND_DISPLAY")
        environment = {name: value for name, value in os.environ.items() if name not in hidden}
        command = [sys.executable, "-m", "tools.chaos.server", "serve", "--no-open"]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*command, "--port", str(self.port), *self._words],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={**environment, "PYTHONUNBUFFERED": "1", "PASCH_LEASE": str(LEASE)},
            )
        assert self._process.stdout is not None
        said = await asyncio.to_thread(self._process.stdout.readline)
        if "localhost:" not in said:
            raise RuntimeError("the server does not start:\n" + self._log.read_text()[-2000:])
        self.port = int(said.split("localhost:")[1].split("/")[0])

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def signal(self, sign: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(sign)

    @property
    def broke(self) -> str:
        """What the server has written of mistakes of its own; none are expected, whatever happens."""
        lines = self._log.read_text("utf-8", "replace").splitlines()
        return "\n".join(line for line in lines if '"trace"' in line or "Traceback" in line)[:2000]


class Deployment(ABC):
    """The servers, their log, and the faults that can be caused."""

    #: the faults with their relative frequencies
    weights: Mapping[str, int]

    def __init__(self, folder: Path, random: Random, counts: Counter[str]) -> None:
        self.folder = folder
        self.random = random
        self.counts = counts
        self.servers: list[Server] = []
        #: cuts the connections of a share of the clients; set by the run
        self.cut: Callable[[float], None] = lambda share: None

    @property
    def port(self) -> int:
        """The port of a random server, as a load balancer without health checks would choose."""
        return self.random.choice(self.servers).port

    async def start(self) -> None:
        """Start all servers."""
        for server in self.servers:
            await server.start()

    def kill(self) -> None:
        """Kill all servers."""
        for server in self.servers:
            server.kill()

    def end(self) -> None:
        """Stop everything."""
        self.kill()

    @abstractmethod
    def log(self) -> Store:
        """The log, still to be opened."""

    @property
    def faults(self) -> dict[str, Callable[[], Awaitable[None]]]:
        """The functions that cause the faults, by name."""
        return {"kill": self._kill, "cut": self._cut, "wall": self._wall, "nap": self._nap}

    async def _kill(self) -> None:
        server = self.random.choice(self.servers)
        server.kill()
        await server.start()

    async def _cut(self) -> None:
        self.cut(1 / 3)

    async def _wall(self) -> None:
        self.random.choice(self.servers).signal(signal.SIGUSR1)

    async def _nap(self) -> None:
        self.random.choice(self.servers).signal(signal.SIGUSR2)


class SqliteDeployment(Deployment):
    """One server; its log is a SQLite file, whose last page may be torn and whose disk may be full."""

    weights: Mapping[str, int] = {"kill": 5, "cut": 5, "full": 2, "wall": 2, "nap": 1, "sleeper": 2}

    def __init__(self, folder: Path, random: Random, counts: Counter[str]) -> None:
        super().__init__(folder, random, counts)
        self.servers = [Server(folder / "server.log", "--data", str(folder))]

    def log(self) -> Store:
        return open_store(self.folder)

    @property
    def faults(self) -> dict[str, Callable[[], Awaitable[None]]]:
        return {**super().faults, "full": self._fill}

    async def _kill(self) -> None:
        self.kill()
        self.counts["torn"] += disk.tear(self.folder / FILE, self.random)
        await self.start()

    async def _fill(self) -> None:
        """A full disk, until some clients were refused because of it."""
        if not disk.CAN_BE_FULL:
            return
        with disk.full(self.servers[0].process):
            before = self.counts["refused storage"]
            for _ in range(60):
                await asyncio.sleep(0.05)
                if self.counts["refused storage"] > before + 5:
                    break


class PostgresDeployment(Deployment):
    """Two servers on one PostgreSQL, which is restarted and crashes; servers are killed and paused."""

    weights: Mapping[str, int] = {
        "kill": 5, "cut": 3, "pause": 4, "restart": 2, "crash": 2, "wall": 1, "nap": 1, "clock": 2,
        "sleeper": 1,
    }  # fmt: skip

    def __init__(self, folder: Path, random: Random, counts: Counter[str]) -> None:
        super().__init__(folder, random, counts)
        self._open = ExitStack()
        self._database: Database = self._open.enter_context(database("fsync=on"))
        self.servers = [
            Server(folder / f"server-{number}.log", "--store", self._database.url) for number in range(2)
        ]

    def end(self) -> None:
        super().end()
        self._open.close()

    def log(self) -> Store:
        return open_store(self._database.url, reading=True)

    @property
    def faults(self) -> dict[str, Callable[[], Awaitable[None]]]:
        more = {"pause": self._pause, "restart": self._restart, "crash": self._crash, "clock": self._clock}
        return {**super().faults, **more}

    async def _pause(self) -> None:
        """A server is paused for longer than its lease, with commands on their way to it."""
        paused = self.random.choice(self.servers)
        paused.signal(signal.SIGSTOP)
        try:
            # some of its clients dial anew and may get the other one, which takes their tables over
            self.cut(1 / 2)
            await asyncio.sleep(LEASE * self.random.uniform(0.5, 2.5))
        finally:
            paused.signal(signal.SIGCONT)

    async def _restart(self) -> None:
        await self._database_away(signal.SIGINT)

    async def _crash(self) -> None:
        await self._database_away(signal.SIGQUIT)

    async def _database_away(self, sign: signal.Signals) -> None:
        await asyncio.to_thread(self._database.stop, sign)
        await asyncio.sleep(self.random.uniform(0.0, 2 * LEASE))
        await asyncio.to_thread(self._database.start)

    async def _clock(self) -> None:
        """The database's clock is set; to the leases that is as if they had been given at another time."""
        hours = self.random.choice((-1, 1))
        connection = await asyncpg.connect(self._database.url)
        try:
            await connection.execute("UPDATE servers SET until = until + $1 * interval '1 hour'", hours)
        finally:
            await connection.close()

    async def taken_over(self) -> int:
        """How often a table went from one server to another, or was opened again."""
        connection = await asyncpg.connect(self._database.url)
        try:
            number: int = await connection.fetchval("SELECT sum(fence - 1)::int FROM heads")
            return number
        finally:
            await connection.close()


DEPLOYMENTS: Final[dict[str, type[Deployment]]] = {
    "sqlite": SqliteDeployment,
    "postgres": PostgresDeployment,
}
