"""Clients that play at random, and check every message of the server."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from pasch.table.schema import PROTOCOL
from tools.messages import unfolded

#: how long a client waits for a message before it reconnects
TIMEOUT_SECONDS = 10.0
#: refusals after which the same command may succeed
BUSY = ("storage", "too-fast")
#: the code with which a server closes a connection to a table that does not exist
NO_TABLE = 4404


class FaultRates(msgspec.Struct, frozen=True):
    """The probability of each fault of a connection, per message."""

    doubled: float = 0.1
    late: float = 0.1
    swapped: float = 0.1
    cut: float = 0.02


class ChaosClient:
    """One client. It plays at random, reconnects whenever it is cut off, and notes inconsistencies."""

    def __init__(
        self, table: str, tokens: list[str], invitation: str | None, random: Random, counts: Counter[str]
    ) -> None:
        self.table = table
        self.tokens = tokens
        self.random = random
        self.counts = counts
        self.rates = FaultRates()
        #: all entries received, by version; none may ever change
        self.log: dict[int, Any] = {}
        #: the acknowledged commands, each with the version that it led to
        self.done: dict[str, tuple[dict[str, Any], int]] = {}
        #: the refused commands, and how often each command was sent: what is sent again may succeed then
        self.refused: set[str] = set()
        self.sent: Counter[str] = Counter()
        self.position: dict[str, Any] = {}
        self.problems: list[str] = []
        self._info: dict[str, Any] = {}
        self._mine: list[int] = []
        self._invitation = invitation
        self._open: dict[str, Any] | None = None
        #: the latest version that the server has mentioned
        self._newest = 0
        self._socket: ClientConnection | None = None
        self._number = 0

    @property
    def over(self) -> bool:
        return bool(self.position) and self.position["actor"] == -2

    def cut(self) -> None:
        """Abort the connection."""
        if self._socket is not None:
            self._socket.transport.abort()

    async def play(self, port: Callable[[], int], address: str) -> None:
        """Play until the game is over."""
        while not self.over:
            try:
                uri = f"ws://localhost:{port()}/ws/{self.table}"
                async with connect(
                    uri,
                    compression=None,
                    max_size=None,
                    open_timeout=TIMEOUT_SECONDS,
                    local_addr=(address, 0),
                ) as self._socket:
                    await self._talk(self._socket)
            except (OSError, WebSocketException, TimeoutError) as error:
                if isinstance(error, ConnectionClosed) and error.rcvd and error.rcvd.code == NO_TABLE:
                    raise RuntimeError(f"there is no table {self.table} any more") from None
                await asyncio.sleep(self.random.uniform(0.02, 0.2))
            finally:
                self._socket = None

    async def _talk(self, socket: ClientConnection) -> None:
        # sometimes more is asked for than was missed: it has to be the same again
        since = self.random.choice((0, len(self.log), len(self.log)))
        tokens = self.tokens or [self._invitation or ""]
        await socket.send(
            json.dumps({"type": "hello", "tokens": tokens, "since": since, "protocol": PROTOCOL})
        )
        welcomed = False
        while not self.over:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                received = json.loads(await socket.recv())
            if self.random.random() < self.rates.late:
                self.counts["delays"] += 1
                await asyncio.sleep(self.random.uniform(0.0, 0.1))
            for message in unfolded(received):
                self._on_message(message)
            message = received
            welcomed = welcomed or message["type"] == "welcome"
            if message["type"] == "accepted" and not welcomed:
                return  # it had sat down before, and comes back with its token
            if message["type"] == "refused" and message["code"] in BUSY:
                await asyncio.sleep(0.05)
                if self._open is not None and self._open["id"] == message["id"]:
                    await self._send(socket, self._open)
            greeted = message["type"] == "welcome" or (message["type"] == "refused" and not message["id"])
            if greeted and self._open is not None:
                # the answer was lost with the connection, so it is said again
                self.counts["said again"] += 1
                await self._send(socket, self._open)
            if self._open is None and (command := self._choose()) is not None:
                self._number += 1
                name = f"{self.random.getrandbits(64):x}-{self._number}"
                self._open = {**command, "id": name, "version": self.position.get("version", 0)}
                await self._say(socket, self._open)

    # --- listening -----------------------------------------------------------------------------------

    def _on_message(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind in ("welcome", "update"):
            self._note(message["entries"])
            self.position = message["position"]
            if self.position["version"] != len(self.log):
                self.problems.append(f"received version {self.position['version']} after {len(self.log)}")
        if kind in ("welcome", "table"):
            self._info = message["table"]
        if kind == "welcome":
            self._mine = message["yours"]
        elif kind == "accepted":
            self._accepted(message)
        elif kind == "refused":
            self.counts["refused " + message["code"]] += 1
            self.refused.add(message["id"])
            self._newest = max(self._newest, message["version"] or 0)
            # of a command that was sent more than once, another copy may have succeeded: its answer says so
            in_doubt = message["code"] in BUSY and self.sent[message["id"]] > 1
            if self._open is not None and message["id"] == self._open["id"] and not in_doubt:
                self._open = None

    def _note(self, entries: list[Any]) -> None:
        for entry in entries:
            version = entry["version"]
            if version > len(self.log) + 1:
                self.problems.append(f"after {len(self.log)} comes {version}")
            if self.log.setdefault(version, entry) != entry:
                self.problems.append(f"version {version} is another than it was")

    def _accepted(self, answer: dict[str, Any]) -> None:
        known = self.done.get(answer["id"])
        if known is not None:
            if known[1] != answer["version"]:
                self.problems.append(f"one command led to {known[1]} and to {answer['version']}")
            return
        if self._open is None or self._open["id"] != answer["id"]:
            return
        self.counts["acknowledged"] += 1
        self.done[answer["id"]] = (self._open, answer["version"])
        self._newest = max(self._newest, answer["version"])
        self._open = None
        if answer["token"] is not None:
            self.tokens = [answer["token"]]
            self._mine = [answer["seat"]]
            self._invitation = None

    # --- speaking ------------------------------------------------------------------------------------

    def _choose(self) -> dict[str, Any] | None:
        position = self.position
        if self._invitation is not None:
            return {"type": "sit", "invitation": self._invitation, "name": "Ada"}
        if not position or position["version"] < self._newest or self._info["phase"] == "over":
            return None
        added = self._info.get("contributions") or ()
        if self._info.get("commitment") and any(added[seat] is None for seat in self._mine):
            return {"type": "contribute", "contribution": self.random.randbytes(32).hex()}
        if position["moves"]:
            return {"type": "move", "event": self.random.choice(position["moves"])["event"]}
        return {"type": "roll"} if position["awaits"] == "roll" else None

    async def _say(self, socket: ClientConnection, command: dict[str, Any]) -> None:
        luck, rates = self.random.random(), self.rates
        if luck < rates.doubled:
            self.counts["duplicates"] += 1
            await self._send(socket, command)
        elif luck < rates.doubled + rates.swapped and self.done:
            # something from long ago overtakes it, or comes after it
            self.counts["reordered"] += 1
            old, _ = self.random.choice(list(self.done.values()))
            first, second = self.random.sample((old, command), 2)
            await self._send(socket, first)
            await self._send(socket, second)
            return
        await self._send(socket, command)
        if luck > 1 - rates.cut:
            self.counts["cuts"] += 1
            self.cut()

    async def _send(self, socket: ClientConnection, command: dict[str, Any]) -> None:
        self.sent[command["id"]] += 1
        await socket.send(json.dumps(command))
