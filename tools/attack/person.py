"""An honest person at a table."""

from __future__ import annotations

import asyncio
import itertools
import json
import secrets
import time
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import WebSocketException

from pasch.table.schema import PROTOCOL
from tools.attack.target import TIMEOUT_SECONDS, Caller, abort
from tools.messages import unfolded


class LockedOut(Exception):
    """A person who may join a table was refused."""


class Gone(Exception):
    """The connection has ended, or an answer is overdue."""


class Person:
    """One person at one table, with the tokens of some seats."""

    def __init__(self, caller: Caller, table: str, tokens: list[str]) -> None:
        self.caller, self.table, self.tokens = caller, table, tokens
        self.position: dict[str, Any] = {}
        self.info: dict[str, Any] = {}
        self.yours: list[int] = []
        #: when the latest position came
        self.received = 0.0
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._answers: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._news = asyncio.Event()
        self._names = itertools.count()
        self._own = secrets.token_hex(6)

    @property
    def version(self) -> int:
        return int(self.position.get("version", 0))

    @property
    def here(self) -> bool:
        """Whether this person is connected."""
        return self._reader is not None and not self._reader.done()

    async def come(self) -> None:
        """Connect and be welcomed; LockedOut if that is refused, or takes too long."""
        self.leave()
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                self._socket = await self.caller.socket(self.table)
                await self._socket.send(
                    json.dumps({"type": "hello", "tokens": self.tokens, "protocol": PROTOCOL})
                )
                while True:
                    message = json.loads(await self._socket.recv())
                    if message["type"] == "refused":
                        raise LockedOut(f"refused: {message['code']}")
                    for part in unfolded(message):
                        self._note(part)
                    if message["type"] == "welcome":
                        break
        except (OSError, TimeoutError, WebSocketException) as error:
            self.leave()
            raise LockedOut(f"{type(error).__name__}: {error}"[:120]) from None
        self._reader = asyncio.create_task(self._read(self._socket))

    def leave(self) -> None:
        """Drop the connection, as when the network fails."""
        if self._socket is not None:
            abort(self._socket)
        if self._reader is not None:
            self._reader.cancel()
        self._socket = self._reader = None

    async def command(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Give a command and wait for its answer; Gone if there is none."""
        name = f"{self._own}-{next(self._names)}"
        command = {"type": kind, "id": name, "version": self.version, **fields}
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._answers[name] = answer
        try:
            if self._socket is None:
                raise Gone("not connected")
            async with asyncio.timeout(TIMEOUT_SECONDS):
                await self._socket.send(json.dumps(command))
                return await answer
        except (OSError, TimeoutError, WebSocketException) as error:
            raise Gone(f"{kind}: {type(error).__name__} {error}"[:120]) from None
        finally:
            self._answers.pop(name, None)

    async def sees(self, version: int) -> float:
        """The time at which this version arrived; waits for it."""
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                while self.version < version:
                    if not self.here:
                        raise Gone("cut off")
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise Gone(f"version {version} did not come") from None
        return self.received

    def choice(self) -> tuple[str, dict[str, Any]] | None:
        """The next command and its fields; None if it is not this person's turn."""
        if self.position.get("moves"):
            return "move", {"event": self.position["moves"][0]["event"]}
        return ("roll", {}) if self.position.get("awaits") == "roll" else None

    async def contribute(self) -> None:
        """Send this person's contribution to the dice, which the game waits for."""
        if self.info.get("commitment") and self.info.get("phase") == "waiting":
            await self.command("contribute", contribution=secrets.token_hex(32))

    async def _read(self, line: ClientConnection) -> None:
        try:
            async for text in line:
                for message in unfolded(json.loads(text)):
                    self._note(message)
        except WebSocketException:
            pass
        finally:
            self._news.set()
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_exception(ConnectionError("cut off"))

    def _note(self, message: dict[str, Any]) -> None:
        if "table" in message:
            self.info = message["table"]
        if message["type"] == "welcome":
            self.yours = message["yours"]
        if "position" in message:
            self.position, self.received = message["position"], time.perf_counter()
            self._news.set()
        answer = self._answers.get(message.get("id") or "")
        if answer is not None and not answer.done():
            answer.set_result(message)
