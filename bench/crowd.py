"""A crowd: 10,000 tables at which nobody sits, 1,000 with two clients each. Memory and latencies.

The server is a process of its own with its usual limits; everybody comes from an address of their own, as
people do. The clients share the machine with it, so the latencies are rather too long than too short.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from tools.messages import unfolded
from websockets.asyncio.client import ClientConnection, connect

from pasch.table.schema import PROTOCOL

#: how many tables one address may make, and how many connections it may have, at once
TABLES_PER_ADDRESS, CLIENTS_PER_ADDRESS = 40, 90
#: each table does something once in so many seconds
PACE = 5.0
#: who makes tables or dials at the same time
AT_ONCE = 16


def address(number: int) -> str:
    """One of the many addresses of this machine."""
    return f"127.{number // 62_500 + 1}.{number // 250 % 250}.{number % 250 + 1}"


def memory(process: int) -> str:
    """What a process holds in memory."""
    with suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text("ascii").splitlines():
            if line.startswith("VmRSS"):
                return f"{int(line.split()[1]) / 1024:.0f} MiB"
    return "unknown here"


def percentiles(seconds: list[float]) -> str:
    """The middle, and how long those wait who wait longest."""
    ordered = sorted(seconds)
    if not ordered:
        return "nothing was measured"
    at = {share: 1000 * ordered[len(ordered) * share // 100] for share in (50, 95, 99)}
    said = [f"{share} % {milliseconds:.1f} ms" for share, milliseconds in at.items()]
    return ", ".join([*said, f"longest {1000 * ordered[-1]:.0f} ms"])


async def _make(port: int, number: int, tables: int) -> list[dict[str, Any]]:
    """Make tables from one address, one after the other over one connection."""
    local = (address(number), 0)
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=local)
    seats = [{"kind": "here"}, {"kind": "here"}]
    wish = {"game": "joker1", "seats": seats, "coach": "off", "options": {"rounds": 1000}}
    body = json.dumps(wish).encode()
    head = f"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    made = []
    for _ in range(tables):
        writer.write(head + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        length = int(answer.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        made.append(json.loads(await reader.readexactly(length)))
    writer.close()
    return made


async def _make_many(port: int, tables: int, first: int = 0) -> list[dict[str, Any]]:
    """Make tables from as many addresses as it takes, beginning with number `first`."""
    made: list[dict[str, Any]] = []
    numbers = iter(range(first, first + (tables + TABLES_PER_ADDRESS - 1) // TABLES_PER_ADDRESS))

    async def work() -> None:
        for number in numbers:
            made.extend(await _make(port, number, TABLES_PER_ADDRESS))

    await asyncio.gather(*(work() for _ in range(AT_ONCE)))
    return made[:tables]


class Client:
    """One seat at one table."""

    def __init__(self, socket: ClientConnection, token: str) -> None:
        self.socket, self.token = socket, token
        self.position: dict[str, Any] = {}
        #: when the update with this version came
        self.told: dict[int, float] = {}
        self.accepted: asyncio.Future[float] | None = None

    async def listen(self) -> None:
        async for text in self.socket:
            now = time.perf_counter()
            for message in unfolded(json.loads(text)):
                if "position" in message:
                    self.position = message["position"]
                    self.told[self.position["version"]] = now
                waited, answered = self.accepted, message["type"] in ("accepted", "refused")
                if answered and waited is not None and not waited.done():
                    waited.set_result(now)

    async def say(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def ask(self, number: int, kind: str, **fields: Any) -> float:
        """Send a command; how long its answer took, in seconds."""
        self.accepted = asyncio.get_running_loop().create_future()
        before = time.perf_counter()
        version = self.position.get("version", 0)
        await self.say(type=kind, id=f"b{number}", version=version, **fields)
        return await asyncio.wait_for(self.accepted, 60) - before


class Table:
    """Two clients who play at their leisure."""

    def __init__(self, clients: list[Client]) -> None:
        self.clients = clients
        self.answers: list[float] = []
        self.updates: list[float] = []
        self.listening = [asyncio.create_task(client.listen()) for client in clients]

    @property
    def ready(self) -> bool:
        """Whether everybody has been welcomed and somebody is to act."""
        positions = [client.position for client in self.clients]
        return all(positions) and any(p["moves"] or p["awaits"] for p in positions)

    async def play(self, until: float) -> None:
        await asyncio.sleep(random.uniform(0, PACE))
        number = 0
        while time.perf_counter() < until:
            number += 1
            for mine, other in (self.clients, self.clients[::-1]):
                position = mine.position
                if position.get("moves"):
                    command = {"kind": "move", "event": random.choice(position["moves"])["event"]}
                elif position.get("awaits") == "roll":
                    command = {"kind": "roll"}
                else:
                    continue
                began = time.perf_counter()
                self.answers.append(await mine.ask(number, **command))
                await asyncio.sleep(PACE / 2)
                if other.told and other.told[max(other.told)] > began:
                    self.updates.append(other.told[max(other.told)] - began)
                break
            await asyncio.sleep(random.uniform(0, PACE))


async def _sit_down(port: int, made: list[dict[str, Any]]) -> list[Table]:
    tables: list[Table] = []
    waiting = iter(enumerate(made))

    async def work() -> None:
        for number, table in waiting:
            clients = []
            for token in table["seats"].values():
                local = (address(2 * number // CLIENTS_PER_ADDRESS), 0)
                uri = f"ws://127.0.0.1:{port}/ws/{table['id']}"
                socket = await connect(uri, compression=None, local_addr=local, open_timeout=60)
                clients.append(Client(socket, token))
            tables.append(Table(clients))
            for client in clients:
                await client.say(type="hello", tokens=[client.token], protocol=PROTOCOL)
                await client.say(type="contribute", id="c", version=0, contribution=os.urandom(32).hex())

    await asyncio.gather(*(work() for _ in range(AT_ONCE)))
    return tables


async def _measure(process: int, port: int, idle: int, busy: int, seconds: float) -> None:
    print(f"  started                     {memory(process)}")
    began = time.perf_counter()
    await _make_many(port, idle)
    spent = time.perf_counter() - began
    print(f"  {idle} idle tables          {memory(process)}, made at {idle / spent:.0f} a second")
    began = time.perf_counter()
    tables = await _sit_down(port, await _make_many(port, busy, idle))
    while not all(table.ready for table in tables):
        await asyncio.sleep(0.1)
    spent = time.perf_counter() - began
    print(f"  {2 * busy} clients at {busy} more   {memory(process)}, there after {spent:.0f} s")
    until = time.perf_counter() + seconds
    await asyncio.gather(*(table.play(until) for table in tables))
    answers = [answer for table in tables for answer in table.answers]
    updates = [update for table in tables for update in table.updates]
    print(f"  after {len(answers)} moves and rolls   {memory(process)}")
    print(f"  until it is in the log and answered: {percentiles(answers)}")
    print(f"  until the other has seen it: {percentiles(updates)}")
    for table in tables:
        for client, task in zip(table.clients, table.listening, strict=True):
            task.cancel()
            client.socket.transport.abort()


def main(idle: int = 10_000, busy: int = 1_000, seconds: float = 20.0) -> None:
    """Print what a crowd costs."""
    print(f"A crowd: {idle} idle tables and {busy} with two clients each, one move in {PACE:g} s at each")
    if not sys.platform.startswith("linux"):
        print("  needs many addresses on one machine, which only Linux gives to everybody")
        return
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    wanted = 2 * busy + 500
    if most != resource.RLIM_INFINITY and most < wanted:
        busy = max(1, (most - 500) // 2)
        print(f"  only {most} open files are allowed here (ulimit -n), so {busy} tables")
    resource.setrlimit(resource.RLIMIT_NOFILE, (most if most < wanted else max(wanted, 4096), most))
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [sys.executable, "-m", "pasch", "serve", "--port", "0", "--data", folder, "--no-open"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        try:
            assert server.stdout is not None
            port = int(server.stdout.readline().split("localhost:")[1].split("/")[0])
            asyncio.run(_measure(server.pid, port, idle, busy, seconds))
        finally:
            server.kill()
            server.communicate()


if __name__ == "__main__":
    main()
