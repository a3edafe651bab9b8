"""Makes tables and trouble, and looks afterwards whether anything was lost."""

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
from tools.chaos.people import PATIENCE, Person
from tools.chaos.stages import Stage, TwoServers

#: games that do not take long, with seats: "here" and "link" are people
TABLES: tuple[tuple[str, tuple[str, ...], dict[str, Any]], ...] = (
    ("joker1", ("here", "link"), {"rounds": 3}),
    ("joker2", ("here", "link", "random"), {"rounds": 3}),
    ("sixbysix", ("here", "link", "greedy"), {"round_limit": 2}),
    ("fiese15", ("here", "link"), {}),
    ("lines", ("here", "link"), {}),
    ("sixbysix", ("link", "link"), {"round_limit": 3}),
)


class Table:
    """A table and the people at it."""

    def __init__(self, made: dict[str, Any], people: list[Person]) -> None:
        self.made, self.people = made, people
        self.task: asyncio.Future[Any] | None = None


class Director:
    """One run. Trouble comes with progress and not with time, so a slow machine sees the same."""

    def __init__(self, stage: type[Stage], folder: Path, seed: int, tables: int, troubles: int) -> None:
        self.random = Random(seed)
        self.counts: Counter[str] = Counter()
        self.problems: list[str] = []
        self.stage = stage(folder, Random(seed + 1), self.counts)
        self.stage.cut = self._cut
        self._wanted, self._troubles = tables, troubles
        self._tables: list[Table] = []
        self._sleepers: list[ClientConnection] = []
        self._addresses = 0

    # --- asking over HTTP --------------------------------------------------------------------------

    async def _ask(self, path: str, data: Any = None, method: str = "GET") -> Any:
        """Ask over HTTP until there is an answer; trouble may get in the way."""
        body = None if data is None else json.dumps(data)
        address = self._address()

        def ask() -> Any:
            connection = http.client.HTTPConnection(
                "localhost", self.stage.port, PATIENCE, source_address=(address, 0)
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
        """Everybody has an address of their own on this machine."""
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
        people = [
            *(self._person(made, [token], None) for token in made["seats"].values()),
            *(self._person(made, [], invitation) for invitation in made["invitations"].values()),
        ]
        table = Table(made, people)
        self.counts["tables"] += 1
        self._tables.append(table)
        playing = (person.play(lambda: self.stage.port, self._address()) for person in people)
        table.task = asyncio.gather(*playing)

    def _person(self, made: dict[str, Any], tokens: list[str], invitation: str | None) -> Person:
        own = Random(self.random.getrandbits(64))
        return Person(made["id"], tokens, invitation, own, self.counts)

    def _playing(self) -> list[Table]:
        return [table for table in self._tables if table.task is not None and not table.task.done()]

    # --- trouble -----------------------------------------------------------------------------------

    async def _trouble(self, kind: str) -> None:
        self.counts[kind] += 1
        await (self._sleep_at_a_table if kind == "sleeper" else self.stage.troubles[kind])()

    def _cut(self, share: float) -> None:
        people = [person for table in self._playing() for person in table.people]
        for person in self.random.sample(people, int(len(people) * share)):
            self.counts["cuts"] += 1
            person.cut()

    async def _sleep_at_a_table(self) -> None:
        """Somebody looks at a table and never reads what is sent."""
        if not self._playing():
            return
        made = self.random.choice(self._playing()).made
        with suppress(OSError, WebSocketException, TimeoutError):
            uri = f"ws://localhost:{self.stage.port}/ws/{made['id']}"
            sleeper = await connect(
                uri, compression=None, max_queue=1, local_addr=(self._address(), 0), open_timeout=PATIENCE
            )
            await sleeper.send(json.dumps({"type": "hello", "tokens": [made["watch"]]}))
            self._sleepers.append(sleeper)

    async def _progress(self, more: int) -> None:
        """Wait until so much more was acknowledged, and let there always be enough tables."""
        aim = self.counts["acknowledged"] + more
        while self.counts["acknowledged"] < aim:
            while len(self._playing()) < self._wanted:
                await self._make_table()
            await asyncio.sleep(0.02)

    # --- the run -----------------------------------------------------------------------------------

    async def run(self) -> bool:
        """Play, make trouble, let all games end; whether nothing was lost."""
        try:
            await self.stage.start()
            kinds = list(self.stage.weights)
            # each kind once, then as it comes
            order = kinds + self.random.choices(kinds, [*self.stage.weights.values()], k=self._troubles)
            for kind in order[: max(self._troubles, len(kinds))]:
                await self._progress(self.random.randint(1, 4 * self._wanted))
                await self._trouble(kind)
            for table in self._playing():
                assert table.task is not None
                await table.task
            # what happened has to be there when everything is started anew
            self.stage.kill()
            await self.stage.start()
            for table in self._tables:
                await self._check(table)
            self.stage.kill()
            await self._check_log()
        finally:
            unfinished = [table.task for table in self._playing() if table.task is not None]
            for task in unfinished:
                task.cancel()
            await asyncio.gather(*unfinished, return_exceptions=True)
            for sleeper in self._sleepers:
                sleeper.transport.abort()
            self.stage.end()
        self.problems += filter(None, (server.broke for server in self.stage.servers))
        return not (self.problems or self.counts["lost"] or self.counts["twice"])

    async def _check(self, table: Table) -> None:
        """The game has ended by the rules, its dice follow from its seed, and everybody saw the same."""
        name = table.made["id"]
        record = Record.from_json(json.dumps(await self._ask(f"/api/tables/{name}/record")))
        end = record.verify()
        receipt = Receipt.from_json(json.dumps(await self._ask(f"/api/tables/{name}/receipt?coach=no")))
        self.problems += [f"{name}: {finding}" for finding in receipt.findings()]
        self.counts["ended by the rules"] += 1
        self.counts["events"] += len(record.events)
        versions = {person.position["version"] for person in table.people}
        scores = {tuple(person.position["scores"]) for person in table.people}
        if len(versions) != 1 or scores != {end.scores()}:
            self.problems.append(f"{name}: not everybody saw the same end")
        self.problems += [f"{name}: {problem}" for person in table.people for problem in person.problems]

    async def _check_log(self) -> None:
        """Every acknowledged command is in the log, once, and where it was said to be."""
        store = self.stage.log()
        await store.open()
        try:
            for table in self._tables:
                self._check_acknowledged(table, await store.load(table.made["id"]))
            if isinstance(self.stage, TwoServers):
                self.counts["taken over"] = await self.stage.taken_over()
        finally:
            await store.close()

    def _check_acknowledged(self, table: Table, stored: StoredTable) -> None:
        # a command is written beside the last of its entries, with who gave it
        versions: dict[str, list[int]] = {}
        for version, entry in enumerate(stored.entries, 1):
            if entry.command is not None:
                versions.setdefault(entry.command.partition(":")[2], []).append(version)
        self.counts["twice"] += sum(len(found) - 1 for found in versions.values())
        for person in table.people:
            if len(person.log) != stored.version:
                self.problems.append(f"{table.made['id']}: somebody missed the end of the log")
            for name, (command, version) in person.done.items():
                there = versions.get(name) == [version]
                if there and command["type"] == "move":
                    written = json.loads(stored.entries[command["version"]].body)
                    there = written == {"kind": "event", "body": command["event"]}
                self.counts["lost"] += not there
