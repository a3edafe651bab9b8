"""One run: makes tables, causes faults, then checks that nothing was lost."""

from __future__ import annotations

import asyncio
import http.client
import json
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from pasch.core.receipt import Receipt
from pasch.core.record import Record
from pasch.store.base import StoredTable
from pasch.table.schema import PROTOCOL
from tools.chaos.clients import TIMEOUT_SECONDS, ChaosClient
from tools.chaos.deployments import Deployment, PostgresDeployment

#: short games, with their seats: "here" and "link" are clients
TABLES: tuple[tuple[str, tuple[str, ...], dict[str, Any]], ...] = (
    ("joker1", ("here", "link"), {"rounds": 3}),
    ("joker2", ("here", "link", "random"), {"rounds": 3}),
    ("sixbysix", ("here", "link", "greedy"), {"round_limit": 2}),
    ("fiese15", ("here", "link"), {}),
    ("lines", ("here", "link"), {}),
    ("sixbysix", ("link", "link"), {"round_limit": 3}),
)


class ChaosTable:
    """A table and the clients at it."""

    def __init__(self, made: dict[str, Any], clients: list[ChaosClient]) -> None:
        self.made, self.clients = made, clients
        self.task: asyncio.Future[Any] | None = None


class ChaosRun:
    """One run. Faults are timed by progress, not by the clock, so a slow machine sees the same ones."""

    def __init__(
        self, deployment: type[Deployment], folder: Path, seed: int, tables: int, faults: int
    ) -> None:
        self.random = Random(seed)
        self.counts: Counter[str] = Counter()
        self.problems: list[str] = []
        self.deployment = deployment(folder, Random(seed + 1), self.counts)
        self.deployment.cut = self._cut
        self._wanted, self._faults = tables, faults
        self._tables: list[ChaosTable] = []
        self._sleepers: list[ClientConnection] = []
        self._addresses = 0

    # --- asking over HTTP --------------------------------------------------------------------------

    async def _ask(self, path: str, data: Any = None, method: str = "GET") -> Any:
        """The answer to an HTTP request, repeated until there is one."""
        body = None if data is None else json.dumps(data)
        address = self._address()

        def ask() -> Any:
            connection = http.client.HTTPConnection(
                "localhost", self.deployment.port, TIMEOUT_SECONDS, source_address=(address, 0)
            )
            try:
                connection.request(method, path, body)
                answer = connection.getresponse()
                return json.loads(answer.read()) if answer.status < 300 else None
            finally:
                connection.close()

        while True:
            with suppress(OSError, http.client.HTTPException, ValueError):
                answer = await asyncio.to_thread(ask)
                if answer is not None:
                    return answer
            await asyncio.sleep(0.1)

    def _address(self) -> str:
        """A new loopback address, so that each client has its own."""
        self._addresses += 1
        if not sys.platform.startswith("linux"):
            return "127.0.0.1"
        return f"127.0.{self._addresses // 250 % 250 + 1}.{self._addresses % 250 + 1}"

    # --- tables ------------------------------------------------------------------------------------

    async def _make_table(self) -> None:
        game, seats, options = TABLES[len(self._tables) % len(TABLES)]
        wishes = [
            {"kind": seat} if seat in ("here", "link") else {"kind": "computer", "level": seat}
            for seat in seats
        ]
        made = await self._ask("/api/tables", {"game": game, "seats": wishes, "options": options}, "POST")
        clients = [
            *(self._client(made, [token], None) for token in made["seats"].values()),
            *(self._client(made, [], invitation) for invitation in made["invitations"].values()),
        ]
        table = ChaosTable(made, clients)
        self.counts["tables"] += 1
        self._tables.append(table)
        playing = (client.play(lambda: self.deployment.port, self._address()) for client in clients)
        table.task = asyncio.gather(*playing)

    def _client(self, made: dict[str, Any], tokens: list[str], invitation: str | None) -> ChaosClient:
        own = Random(self.random.getrandbits(64))
        return ChaosClient(made["id"], tokens, invitation, own, self.counts)

    def _playing(self) -> list[ChaosTable]:
        return [table for table in self._tables if table.task is not None and not table.task.done()]

    # --- faults ------------------------------------------------------------------------------------

    async def _fault(self, kind: str) -> None:
        self.counts[kind] += 1
        await (self._sleep_at_a_table if kind == "sleeper" else self.deployment.faults[kind])()

    def _cut(self, share: float) -> None:
        clients = [client for table in self._playing() for client in table.clients]
        for client in self.random.sample(clients, int(len(clients) * share)):
            self.counts["cuts"] += 1
            client.cut()

    async def _sleep_at_a_table(self) -> None:
        """Open a connection that never reads what it is sent."""
        if not self._playing():
            return
        made = self.random.choice(self._playing()).made
        with suppress(OSError, WebSocketException, TimeoutError):
            uri = f"ws://localhost:{self.deployment.port}/ws/{made['id']}"
            sleeper = await connect(
                uri,
                compression=None,
                max_queue=1,
                local_addr=(self._address(), 0),
                open_timeout=TIMEOUT_SECONDS,
            )
            await sleeper.send(
                json.dumps({"type": "hello", "tokens": [made["watch"]], "protocol": PROTOCOL})
            )
            self._sleepers.append(sleeper)

    async def _progress(self, more: int) -> None:
        """Wait until `more` commands were acknowledged; keep enough tables open."""
        aim = self.counts["acknowledged"] + more
        while self.counts["acknowledged"] < aim:
            self.deployment.check()
            await self._make_tables()
            await asyncio.sleep(0.02)
        # some faults show at the next write
        await self._make_tables()

    async def _make_tables(self) -> None:
        while len(self._playing()) < self._wanted:
            await self._make_table()

    # --- the run -----------------------------------------------------------------------------------

    async def run(self) -> bool:
        """Whether nothing was lost, after playing all games to their ends under faults."""
        try:
            await self.deployment.start()
            kinds = list(self.deployment.weights)
            # each kind once, then as it comes
            order = kinds + self.random.choices(kinds, [*self.deployment.weights.values()], k=self._faults)
            for kind in order[: max(self._faults, len(kinds))]:
                await self._progress(self.random.randint(1, 4 * self._wanted))
                await self._fault(kind)
            for table in self._playing():
                assert table.task is not None
                while not table.task.done():
                    self.deployment.check()
                    await asyncio.wait([table.task], timeout=1)
                table.task.result()
            # everything must still be there after a restart
            self.deployment.kill()
            await self.deployment.start()
            for table in self._tables:
                await self._check(table)
            self.deployment.kill()
            await self._check_log()
        finally:
            unfinished = [table.task for table in self._playing() if table.task is not None]
            for task in unfinished:
                task.cancel()
            await asyncio.gather(*unfinished, return_exceptions=True)
            for sleeper in self._sleepers:
                sleeper.transport.abort()
            self.deployment.end()
        self.problems += filter(None, (server.broke for server in self.deployment.servers))
        return not (self.problems or any(self.counts[kind] for kind in ("lost", "twice", "denied")))

    async def _check(self, table: ChaosTable) -> None:
        """Check that the game ended by the rules, its dice follow from its seed, and everybody saw the same."""
        name = table.made["id"]
        record = Record.from_json(json.dumps(await self._ask(f"/api/tables/{name}/record")))
        end = record.verify()
        receipt = Receipt.from_json(json.dumps(await self._ask(f"/api/tables/{name}/receipt?coach=no")))
        self.problems += [f"{name}: {finding}" for finding in receipt.findings()]
        self.counts["ended by the rules"] += 1
        self.counts["events"] += len(record.events)
        versions = {client.position["version"] for client in table.clients}
        scores = {tuple(client.position["scores"]) for client in table.clients}
        if len(versions) != 1 or scores != {end.scores()}:
            self.problems.append(f"{name}: not everybody saw the same end")
        self.problems += [f"{name}: {problem}" for client in table.clients for problem in client.problems]

    async def _check_log(self) -> None:
        """Check that every acknowledged command is in the log, once, at its version, and no refused one is."""
        store = self.deployment.log()
        await store.open()
        try:
            for table in self._tables:
                self._check_acknowledged(table, await store.load(table.made["id"]))
            if isinstance(self.deployment, PostgresDeployment):
                self.counts["taken over"] = await self.deployment.taken_over()
        finally:
            await store.close()

    def _check_acknowledged(self, table: ChaosTable, stored: StoredTable) -> None:
        # a command is written beside the last of its entries, with who gave it
        versions: dict[str, list[int]] = {}
        for version, entry in enumerate(stored.entries, 1):
            if entry.command is not None:
                versions.setdefault(entry.command.partition(":")[2], []).append(version)
        self.counts["twice"] += sum(len(found) - 1 for found in versions.values())
        for client in table.clients:
            if len(client.log) != stored.version:
                self.problems.append(f"{table.made['id']}: a client missed the end of the log")
            refused = [name for name in client.refused if client.sent[name] == 1]
            self.counts["denied"] += sum(name in versions for name in refused)
            for name, (command, version) in client.done.items():
                there = versions.get(name) == [version]
                if there and command["type"] == "move":
                    written = json.loads(stored.entries[command["version"]].body)
                    there = written == {"kind": "event", "body": command["event"]}
                self.counts["lost"] += not there
