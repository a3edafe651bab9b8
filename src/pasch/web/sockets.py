"""The endpoint `/ws/ID`: one WebSocket per client and table, with limits on what comes in and goes out."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import msgspec
from starlette.types import Message, Receive, Scope, Send

from pasch.store.base import HeldElsewhere
from pasch.table.authority import Authority
from pasch.table.limits import Budgets, Price, custom_box, too_fast
from pasch.table.lobby import Lobby
from pasch.table.messages import PING, encode_refusal, id_of
from pasch.table.redact import Viewer
from pasch.table.refusals import Refusal
from pasch.web.forward import forward
from pasch.web.http import ADDRESS, FORWARDED, NO_TABLE, RESTARTED, TOO_FAST, TRY_AGAIN
from pasch.web.security import reject
from pasch.web.throttle import WRITE

logger = logging.getLogger("pasch.web")

#: seconds before asking again for a table that another server has
RETRY_SECONDS: Final = 0.25
#: seconds for what a client is sent when its connection is closed
CLOSE_SECONDS: Final = 0.5


class Connection:
    """One client at one table: checks the rate of what comes, and keeps what goes in a bounded queue."""

    def __init__(self, table: Authority, send: Send, budgets: Budgets, address: str) -> None:
        self.address = address
        self.viewer = Viewer()
        self.welcomed = False
        self.box = ""
        #: bytes that the client has not taken yet
        self.unsent = 0
        self._table = table
        self._send = send
        #: sends a text at once and returns True, if that is possible; what it leaves is queued
        self.write: Callable[[bytes], bool] | None = None
        self._budgets = budgets
        self._limits = budgets.limits
        #: consecutive messages above the rate
        self._strikes = 0
        self._queue: deque[bytes] = deque()
        #: set when there is something to send
        self._more = asyncio.Event()
        #: the longest message; it may be longer than the backlog, so that a large welcome excludes no client
        self._longest = 0
        #: ends the reading of messages; None before and after it
        self._reading: asyncio.Timeout | None = None
        #: the code with which the connection is being closed; 0: it is not
        self._closing = 0

    def send(self, message: bytes) -> None:
        """Send a message, now or later; a client whose backlog grows too large is disconnected."""
        if self._closing or (self.write and not self._queue and self.write(message)):
            return
        self._queue.append(message)
        size = len(message)
        self.unsent += size
        if size > self._longest:
            self._longest = size
        self._more.set()
        if self.unsent > self._limits.backlog + self._longest:
            # it may reconnect and request what it missed
            self._queue.clear()
            self.unsent = 0
            self.close(TRY_AGAIN)

    def close(self, code: int = RESTARTED) -> None:
        """End the connection; by default the client reconnects automatically and at once."""
        if not self._closing:
            self._closing = code
            if self._reading is not None:
                self._reading.reschedule(0)

    async def run(self, receive: Receive) -> None:
        """Handle messages until one side ends the connection."""
        sender = asyncio.create_task(self._send_on())
        hello = asyncio.get_running_loop().call_later(self._limits.hello_seconds, self._end_unwelcome)
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(None) as self._reading:
                    while not self._closing and (message := await receive())["type"] == "websocket.receive":
                        self._handle(_text_of(message))
        finally:
            self._reading = None
            hello.cancel()
            sender.cancel()
            await asyncio.wait([sender])
            if not sender.cancelled():
                sender.exception()  # the client had gone while something was being sent
        if self._closing:
            await self._send_close()

    def _handle(self, text: bytes | None) -> None:
        """Handle one message; None: it was no text."""
        if self._budgets.messages.take(self.address, Price.PING_MESSAGES if text == PING else 1.0):
            self._strikes = 0
            self._table.receive(self, text, self._pay_welcome)
            return
        self._strikes += 1
        self.send(encode_refusal(too_fast(), id_of(text)))
        if self._strikes >= self._limits.strikes:
            self.close(TOO_FAST)

    def _pay_welcome(self) -> None:
        """Take the price of a welcome; the first one has the box in it, and a custom one may be large."""
        game, size = self._table.live.game, 0
        if not self.box and custom_box(game) is not None:
            size = len(msgspec.json.encode(game.components))
        messages = Price.WELCOME_MESSAGES + Price.BOX_MESSAGES * size / 1024
        self._budgets.messages.spend(self.address, messages - 1)
        self._budgets.processor.spend(self.address, Price.WELCOME)

    async def _send_on(self) -> None:
        """Send queued messages until cancelled."""
        while True:
            await self._more.wait()
            self._more.clear()
            await self._send_queued()

    async def _send_queued(self) -> None:
        while self._queue:
            text = self._queue[0]
            await self._send({"type": "websocket.send", "text": text.decode()})
            if self._queue:  # a client that is cut off has nothing to read any more
                self._queue.popleft()
                self.unsent -= len(text)

    def _end_unwelcome(self) -> None:
        """Close the connection if it has not sent a valid token for this table in time."""
        if not self.welcomed:
            self.close(TOO_FAST)

    async def _send_close(self) -> None:
        """Send queued messages and the reason for closing, if the client reads."""
        with suppress(TimeoutError, OSError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._send_queued()
                await self._send({"type": "websocket.close", "code": self._closing, "reason": ""})


class Sockets:
    """The endpoint."""

    def __init__(self, lobby: Lobby) -> None:
        self.limits = lobby.budgets.limits
        self.budgets = lobby.budgets
        self._lobby = lobby
        self._open: Counter[str] = Counter()
        #: the clients at tables of this server, and the number at tables of others
        self.here: set[Connection] = set()
        self.forwarded = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        address: str = scope[ADDRESS]
        opened = self._open
        if opened[address] >= self.limits.address_websockets:
            refusal = Refusal("full", "too many connections; close one or try again later")
            return await reject(scope, receive, send, refusal)
        opened[address] += 1
        try:
            await self._serve(scope, receive, send, address)
        finally:
            opened[address] -= 1
            if not opened[address]:
                del opened[address]

    async def _serve(self, scope: Scope, receive: Receive, send: Send, address: str) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        try:
            table = await self._find(scope, receive, send, address)
        except Refusal as refusal:
            await send({"type": "websocket.send", "text": encode_refusal(refusal).decode()})
            code = NO_TABLE if refusal.code == "no-table" else TRY_AGAIN
            await send({"type": "websocket.close", "code": code, "reason": ""})
            return
        if table is None:
            return
        connection = Connection(table, send, self.budgets, address)
        connection.write = scope.get("extensions", {}).get(WRITE)
        table.connect(connection)
        self.here.add(connection)
        try:
            await connection.run(receive)
        finally:
            self.here.discard(connection)
            table.disconnect(connection)

    async def _find(self, scope: Scope, receive: Receive, send: Send, address: str) -> Authority | None:
        """The authority over the table; None if another server has it, which has then served the client."""
        lobby = self._lobby
        until = time.monotonic() + (lobby.store.lease or 0) * 2
        while True:
            try:
                return await lobby.find(scope["path_params"]["table"], address)
            except HeldElsewhere as held:
                self.forwarded += 1
                try:
                    if not scope[FORWARDED] and await forward(
                        held, scope, receive, send, address, lobby.store.secret
                    ):
                        return None
                finally:
                    self.forwarded -= 1
                # perhaps that server has just ended, and the table becomes free when its lease expires
                if time.monotonic() > until:
                    raise Refusal("storage", "another server has this table; try again later") from None
                await asyncio.sleep(RETRY_SECONDS)


def _text_of(message: Message) -> bytes | None:
    """The text of an ASGI message; None if it was no text."""
    text: str | None = message.get("text")
    # what cannot be encoded in UTF-8 is refused by the decoder
    return None if text is None else text.encode("utf-8", "surrogatepass")
