"""Servers as processes, and players that come back by themselves as the browser's client does."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import urllib.request
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from tools.messages import unfolded
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from pasch.table.schema import PROTOCOL
from tests.web.asgi import CONTRIBUTION, owes

#: how long a player thinks, in seconds: eight at one address stay below the messages a server takes from it
THINKING = 0.05


class Server:
    """A server process on a port of its own; what it logs goes to a file."""

    def __init__(self, store: str, log: Path, lease: float | None = None) -> None:
        self.log = log
        environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
        if lease is not None:
            environment["PASCH_LEASE"] = str(lease)
        with log.open("wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "pasch", "serve", "--port", "0", "--no-open", "--store", store],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env={**environment, "PYTHONUNBUFFERED": "1"},
            )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        if "localhost:" not in said:
            self.end()
            raise RuntimeError(log.read_text())
        self.port = int(said.split("localhost:")[1].split("/")[0])

    def ask(self, path: str, data: Any = None) -> Any:
        body = None if data is None else json.dumps(data).encode()
        request = urllib.request.Request(f"http://localhost:{self.port}{path}", body)
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
        return text.decode() if path == "/metrics" else json.loads(text)

    def table(self, *kinds: str, **options: Any) -> Any:
        seats = [{"kind": "here"} if k == "here" else {"kind": "computer", "level": k} for k in kinds]
        return self.ask("/api/tables", {"game": "joker1", "seats": seats, "options": options})

    def send(self, sign: signal.Signals) -> None:
        self.process.send_signal(sign)

    def end(self) -> None:
        """Kill it, at any moment, however often."""
        self.process.kill()
        code = self.process.wait()
        assert code in (0, 1, -signal.SIGKILL), f"the server ended with {code}; see {self.log}"
        assert self.process.stdout is not None
        self.process.stdout.close()


class Player:
    """Plays at random, at any of the servers, and notes all that it was told."""

    def __init__(self, servers: list[Server], table: str, tokens: list[str], random: Random) -> None:
        #: those that a load balancer would choose from now
        self.servers = servers
        self.table = table
        self.tokens = tokens
        self.random = random
        #: every entry that it was told of, by version
        self.log: dict[int, Any] = {}
        #: the commands that were answered as accepted, with the version of each
        self.accepted: dict[str, int] = {}
        self.refused: list[str] = []
        self.breaks = 0
        #: how long a server may be silent before it counts as dead, in seconds
        self.patience = 2.0
        self._pending: dict[str, Any] | None = None
        self._position: Any = None
        self._info: Any = None
        self._wait_for = 0
        self._commands = 0

    async def play(self) -> None:
        while True:
            server = self.random.choice(self.servers)
            with suppress(OSError, WebSocketException):
                address = f"ws://localhost:{server.port}/ws/{self.table}"
                async with connect(
                    address,
                    compression=None,
                    proxy=None,
                    ping_interval=self.patience / 2,
                    ping_timeout=self.patience,
                    close_timeout=0.1,
                ) as socket:
                    await self._greet(socket)
                    async for text in socket:
                        for message in unfolded(json.loads(text)):
                            await self._hear(socket, message)
            self.breaks += 1
            await asyncio.sleep(0.1)

    async def _greet(self, socket: ClientConnection) -> None:
        since = max(self.log, default=0)
        await socket.send(
            json.dumps({"type": "hello", "tokens": self.tokens, "since": since, "protocol": PROTOCOL})
        )

    async def _hear(self, socket: ClientConnection, message: Any) -> None:
        for entry in message.get("entries", ()):
            # nobody is ever told otherwise of what was told before
            assert self.log.setdefault(entry["version"], entry) == entry
        if "position" in message:
            self._position = message["position"]
        if "table" in message:
            self._info = message
        if message["type"] == "refused" and not message.get("id"):
            # the hello: it waits for another one, or closes the connection
            await asyncio.sleep(0.1)
            await self._greet(socket)
            return
        if message["type"] == "welcome" and self._pending is not None:
            await socket.send(json.dumps(self._pending))
        pending = self._pending
        if pending is not None and message.get("id") == pending["id"]:
            if message["type"] == "accepted":
                self.accepted[pending["id"]] = self._wait_for = message["version"]
                self._pending = None
            elif message["code"] in ("storage", "too-fast"):
                await asyncio.sleep(0.1)
                await socket.send(json.dumps(pending))
            else:
                self.refused.append(message["code"])
                self._wait_for = message["version"]
                self._pending = None
        await self._act(socket)

    async def _act(self, socket: ClientConnection) -> None:
        position = self._position
        if self._pending or position is None or position["version"] < self._wait_for:
            return
        command: dict[str, Any]
        if self._info["type"] == "welcome" and owes(self._info):
            command = {"type": "contribute", "contribution": CONTRIBUTION}
        elif position["moves"]:
            command = {"type": "move", "event": self.random.choice(position["moves"])["event"]}
        elif position["awaits"] == "roll":
            command = {"type": "roll"}
        else:
            return
        await asyncio.sleep(THINKING)
        self._commands += 1
        identity = {"id": f"{self._commands}-{self.random.random()}", "version": position["version"]}
        self._pending = {**command, **identity}
        await socket.send(json.dumps(self._pending))
