"""The deployments that are tested: one server with SQLite, or two that share a PostgreSQL."""

from __future__ import annotations

import asyncio
import signal
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Final

from pasch.store.base import Store
from pasch.store.locate import FILE, open_store
from tools.chaos import disk, fsync
from tools.chaos.servers import Server
from tools.postgres import Database, database

#: how long a server that was killed keeps its tables in PostgreSQL, in seconds: they change hands often
LEASE: Final = 1.0
#: makes PostgreSQL raise its disk-full error for every new entry
FULL_DISK_TRIGGER: Final = """
CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE 'could not extend file' USING ERRCODE = 'disk_full';
END $$;
CREATE TRIGGER disk_full BEFORE INSERT ON entries FOR EACH STATEMENT EXECUTE FUNCTION disk_full();
"""


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
        await asyncio.gather(*(server.start() for server in self.servers))

    def kill(self) -> None:
        """Kill all servers."""
        for server in self.servers:
            server.kill()

    def check(self) -> None:
        """RuntimeError if a server that exited on its own could not be restarted."""
        for server in self.servers:
            server.check()

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

    async def _until(self, done: Callable[[], bool]) -> None:
        """Wait for an effect of the next write; RuntimeError if there is none."""
        for _ in range(1200):
            if done():
                return
            self.check()
            await asyncio.sleep(0.05)
        raise RuntimeError("the server did not notice that its log is broken")


class SqliteDeployment(Deployment):
    """One server whose log is a SQLite file: torn, on a full or failing disk, or its writer dies."""

    weights: Mapping[str, int] = {
        "kill": 5, "cut": 5, "full": 2, "commit": 3, "fsync": 1, "writer": 1, "wall": 2, "nap": 1, "sleeper": 2,
    }  # fmt: skip

    def __init__(self, folder: Path, random: Random, counts: Counter[str]) -> None:
        super().__init__(folder, random, counts)
        self._fault = folder / "fault"
        self.servers = [
            Server(folder / "server.log", {"CHAOS_FAULT": str(self._fault)}, "--data", str(folder))
        ]

    def log(self) -> Store:
        return open_store(self.folder)

    @property
    def faults(self) -> dict[str, Callable[[], Awaitable[None]]]:
        more = {"full": self._fill, "commit": self._commit, "fsync": self._fsync, "writer": self._writer}
        return {**super().faults, **more}

    async def _kill(self) -> None:
        self.kill()
        self.counts["torn"] += disk.tear(self.folder / FILE, self.random)
        await self.start()

    async def _fill(self) -> None:
        """The disk is full until the server has noticed and was restarted."""
        if disk.CAN_BE_FULL:
            with disk.full(self.servers[0].process):
                await self._started_anew()

    async def _commit(self) -> None:
        """A COMMIT fails; the transaction is in the file all the same, or is not."""
        self._break(self.random.choice(("lost", "kept")))
        await self._until(lambda: not self._fault.exists())

    async def _fsync(self) -> None:
        """A disk that reports errors, until the server has noticed and was restarted."""
        if fsync.CAN_FAIL:
            self._break("fsync")
            await self._started_anew()

    async def _writer(self) -> None:
        self._break("writer")
        await self._started_anew()

    def _break(self, word: str) -> None:
        written = self._fault.with_suffix(".new")
        written.write_text(word)
        written.replace(self._fault)

    async def _started_anew(self) -> None:
        codes = self.servers[0].codes
        before = len(codes)
        await self._until(lambda: len(codes) > before)
        self.counts["started anew"] += 1


class PostgresDeployment(Deployment):
    """Two servers on one PostgreSQL, killed and paused; so is the database, and it fails in other ways."""

    weights: Mapping[str, int] = {
        "kill": 5, "cut": 3, "pause": 4, "restart": 2, "crash": 2, "stall": 2, "standby": 2, "disk full": 2,
        "wall": 1, "nap": 1, "clock": 2, "sleeper": 1,
    }  # fmt: skip

    def __init__(self, folder: Path, random: Random, counts: Counter[str]) -> None:
        super().__init__(folder, random, counts)
        self._open = ExitStack()
        self._database: Database = self._open.enter_context(database("fsync=on"))
        self.servers = [
            Server(
                folder / f"server-{number}.log", {"PASCH_LEASE": str(LEASE)}, "--store", self._database.url
            )
            for number in range(2)
        ]

    def end(self) -> None:
        super().end()
        self._open.close()

    def log(self) -> Store:
        return open_store(self._database.url, reading=True)

    @property
    def faults(self) -> dict[str, Callable[[], Awaitable[None]]]:
        more = {
            "pause": self._pause, "restart": self._restart, "crash": self._crash, "clock": self._clock,
            "stall": self._stall, "standby": self._standby, "disk full": self._fill,
        }  # fmt: skip
        return {**super().faults, **more}

    async def _pause(self) -> None:
        """A server is paused for longer than its lease, with commands on their way to it."""
        paused = self.random.choice(self.servers)
        paused.signal(signal.SIGSTOP)
        try:
            # some of its clients reconnect and may get the other one, which takes their tables over
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

    async def _stall(self) -> None:
        """The database is paused: it accepts connections but does not respond."""
        with self._database.paused():
            await asyncio.sleep(LEASE * self.random.uniform(0.3, 1.7))

    async def _standby(self) -> None:
        """A failover to a standby: all connections break, and the new ones take no writes for a while."""
        async with self._database.standby():
            await asyncio.sleep(LEASE * self.random.uniform(0.3, 1.7))

    async def _fill(self) -> None:
        """The database's disk is full until some clients were refused because of it."""
        async with self._database.administrator() as administrator:
            await administrator.execute(FULL_DISK_TRIGGER)
            try:
                before = self.counts["refused storage"]
                await self._until(lambda: self.counts["refused storage"] > before + 2)
            finally:
                await administrator.execute("DROP FUNCTION disk_full CASCADE")

    async def _clock(self) -> None:
        """The database's clock is changed, which moves the time at which leases were given."""
        hours = self.random.choice((-1, 1))
        async with self._database.administrator() as administrator:
            await administrator.execute("UPDATE servers SET until = until + $1 * interval '1 hour'", hours)

    async def taken_over(self) -> int:
        """How often a table went from one server to another, or was opened again."""
        async with self._database.administrator() as administrator:
            number: int = await administrator.fetchval("SELECT sum(fence - 1)::int FROM heads")
            return number


DEPLOYMENTS: Final[dict[str, type[Deployment]]] = {
    "sqlite": SqliteDeployment,
    "postgres": PostgresDeployment,
}
