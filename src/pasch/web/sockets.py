"""The endpoint `/ws/ID`: one WebSocket per client and table, with limits on what comes in and goes out."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import Final, Protocol

from starlette.types import Message, Receive, Scope, Send

from pasch.store.base import HeldElsewhere
from pasch.table import schema
from pasch.table.authority import Authority
from pasch.table.clients import encode_refusal
from pasch.table.commands import Refusal
from pasch.table.lobby import Lobby
from pasch.table.redact import Viewer
from pasch.web import prices
from pasch.web.callback_websocket import OnText, callback_websocket
from pasch.web.forward import forward
from pasch.web.limits import Clock, Limits, RateLimiter, TokenBucket
from pasch.web.messages import PING, PONG, decode, id_of
from pasch.web.middleware import reject
from pasch.web.spending import FORWARDED, address_of, spend

logger = logging.getLogger("pasch.web")

#: the close codes of the WebSocket protocol that are used
TRY_AGAIN, RESTARTED, TOO_FAST = 1013, 1012, 1008
#: how long to wait before asking again for a table that another server has, in seconds
PAUSE: Final = 0.25
#: how long a closing client may take to read what it was sent, in seconds
LINGER: Final = 5.0
#: so many bytes are much for one client not to have read
MUCH: Final = 64 * 1024


class Channel(Protocol):
    """What carries the messages of a connection."""

    @property
    def unsent(self) -> int:
        """How many bytes the client has not taken yet."""

    def send_texts(self, texts: Iterable[bytes]) -> None:
        """Send text messages without waiting."""

    def listen(self, on_text: OnText) -> None:
        """Call `on_text` for further messages, if possible; otherwise they come through ASGI."""

    async def stop(self) -> None:
        """Stop calling back, and sending what is unsent unless the system does it."""

    def abort(self) -> None:
        """Close the connection without sending what is unsent."""


class AsgiChannel:
    """Messages over plain ASGI, under any server."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._queue: asyncio.Queue[bytes] = asyncio.Queue()
        self.unsent = 0
        self._sender = asyncio.create_task(self._send_queue())

    async def _send_queue(self) -> None:
        while True:
            text = await self._queue.get()
            await self._send({"type": "websocket.send", "text": text.decode()})
            self.unsent -= len(text)

    def send_texts(self, texts: Iterable[bytes]) -> None:
        for text in texts:
            self.unsent += len(text)
            self._queue.put_nowait(text)

    def listen(self, on_text: OnText) -> None:
        return

    async def stop(self) -> None:
        self._sender.cancel()
        await asyncio.wait([self._sender])
        if not self._sender.cancelled():
            self._sender.exception()  # the client had gone while something was being sent

    def abort(self) -> None:
        return


class SendBatch:
    """Collects the connections with something to send, and flushes them at the end of the loop's turn."""

    def __init__(self, on_unread: Callable[[str], None] = lambda address: None) -> None:
        self._connections: list[Connection] = []
        #: called with the address of a client that has left much unread
        self._on_unread = on_unread

    def add(self, connection: Connection) -> None:
        if not self._connections:
            asyncio.get_running_loop().call_soon(self._flush)
        self._connections.append(connection)

    def _flush(self) -> None:
        connections, self._connections = self._connections, []
        for connection in connections:
            try:
                connection.flush()
                if connection.unsent > MUCH:
                    self._on_unread(connection.address)
            except Exception:  # a failure with one client must not keep the news from the others
                logger.exception("not delivered")
                connection.close()


class Connection:
    """One client at one table."""

    def __init__(
        self, channel: Channel, send: Send, limits: Limits, batch: SendBatch, address: str = ""
    ) -> None:
        self.address = address
        self.viewer = Viewer()
        self.welcomed = False
        self._channel = channel
        self._send = send
        self._limits = limits
        self._batch = batch
        self._queue: list[bytes] = []
        self._queued = 0
        #: the longest message; it may be longer than the backlog, so that nobody is shut out by a large welcome
        self._longest = 0
        self._reader = asyncio.current_task()
        #: the code with which the connection is being closed; 0: it is not
        self._closing = 0

    def send(self, message: bytes) -> None:
        """Queue a message; a client that does not read what it is sent is disconnected."""
        if self._closing:
            return
        if not self._queue:
            self._batch.add(self)
        self._queue.append(message)
        self._queued += len(message)
        self._longest = max(self._longest, len(message))
        if self._queued > self._limits.backlog + self._longest:
            self.cut_off()

    def flush(self) -> None:
        """Pass the queued messages to the channel."""
        if self._channel.unsent > self._limits.backlog + self._longest:
            self.cut_off()
        texts, self._queue, self._queued = self._queue, [], 0
        self._channel.send_texts(texts)

    @property
    def unsent(self) -> int:
        """How many bytes the client has not taken yet."""
        return self._queued + self._channel.unsent

    def close(self) -> None:
        """End the connection; the client reconnects by itself."""
        self._close(RESTARTED)

    def cut_off(self) -> None:
        """End the connection of a client that does not read; it may come back and ask for what it missed."""
        self._close(TRY_AGAIN)

    def _close(self, code: int) -> None:
        if not self._closing:
            self._closing = code
            if self._reader is not None:
                self._reader.cancel()

    async def run(self, receive: Receive, handle: Callable[[Connection, bytes | None], bool]) -> None:
        """Handle messages until one side ends the connection; `handle` returns False to end it."""

        def on_text(text: bytes | None) -> None:
            if not self._closing and not handle(self, text):
                self._close(TOO_FAST)

        patience = asyncio.get_running_loop().call_later(self._limits.hello_seconds, self._end_unwelcome)
        try:
            self._channel.listen(on_text)
            while (message := await receive())["type"] == "websocket.receive":
                on_text(_text_of(message))
                self._channel.listen(on_text)
        except asyncio.CancelledError:
            if not self._closing:
                raise
            asyncio.current_task().uncancel()  # type: ignore[union-attr]
        finally:
            patience.cancel()
            await self._channel.stop()
        if self._closing:
            self.flush()
            await self._send_close()
            if self._channel.unsent:
                asyncio.get_running_loop().call_later(LINGER, self._channel.abort)

    def _end_unwelcome(self) -> None:
        """Close the connection of somebody who has shown no token for this table in time."""
        if not self.welcomed:
            self._close(TOO_FAST)

    async def _send_close(self) -> None:
        try:
            # with a time limit: the client may not be reading
            closing = self._send({"type": "websocket.close", "code": self._closing, "reason": ""})
            await asyncio.wait_for(closing, 0.5)
        except (TimeoutError, OSError):
            pass


class Sockets:
    """The endpoint."""

    def __init__(
        self, lobby: Lobby, limits: Limits, addresses: RateLimiter, makers: RateLimiter, clock: Clock
    ) -> None:
        self.limits = limits
        self._lobby = lobby
        self._addresses = addresses
        self._makers = makers
        self._messages = RateLimiter(limits.address_messages, clock)
        self._clock = clock
        self._open: dict[str, int] = {}
        self._clients: dict[str, set[Connection]] = {}
        self.connections = 0
        #: the clients at tables of this server, and how many are at tables of others
        self.here: set[Connection] = set()
        self.forwarded = 0
        self._batch = SendBatch(self._limit_unread)
        lobby.charge_table = self.pay_table

    def _limit_unread(self, address: str) -> None:
        """Cut off the clients of an address that have read least, if all of them together leave too much unread."""
        clients = self._clients.get(address, set())
        over = sum(client.unsent for client in clients) - self.limits.address_backlog
        for client in sorted(clients, key=lambda client: -client.unsent):
            if over <= 0:
                break
            over -= client.unsent
            client.cut_off()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = address_of(scope)
        mine = self._open.get(address, 0)
        if mine >= self.limits.address_websockets or self.connections >= self.limits.connections:
            refusal = Refusal("full", "too many connections; close one or try again later")
            return await reject(scope, receive, send, refusal)
        self._open[address] = mine + 1
        self.connections += 1
        try:
            await self._serve(scope, receive, send, address)
        finally:
            self.connections -= 1
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

    async def _serve(self, scope: Scope, receive: Receive, send: Send, address: str) -> None:
        websocket = callback_websocket(scope)
        if websocket is not None and scope[FORWARDED]:
            websocket.leave()  # it is counted where the client has come in
        await receive()
        await send({"type": "websocket.accept"})
        try:
            table = await self._find(scope, receive, send, address)
        except Refusal as refusal:
            await send({"type": "websocket.send", "text": encode_refusal(refusal).decode()})
            code = 4404 if refusal.code == "no-table" else TRY_AGAIN
            await send({"type": "websocket.close", "code": code, "reason": ""})
            return
        if table is None:
            return
        channel = websocket or AsgiChannel(send)
        connection = Connection(channel, send, self.limits, self._batch, address)
        table.connect(connection)
        self.here.add(connection)
        mine = self._clients.setdefault(address, set())
        mine.add(connection)
        handler = MessageHandler(table, TokenBucket(self.limits.messages, self._clock()), self, address)
        try:
            await connection.run(receive, handler)
        finally:
            self.here.discard(connection)
            mine.discard(connection)
            if not mine:
                self._clients.pop(address, None)
            table.disconnect(connection)

    async def _find(self, scope: Scope, receive: Receive, send: Send, address: str) -> Authority | None:
        """The authority over the table; None if another server has it, which has then served the client."""
        lobby = self._lobby
        until = self._clock() + (lobby.store.lease or 0) * 2
        while True:
            try:
                name = scope["path_params"]["table"]
                loaded = not lobby.has(name)
                found = await lobby.find(name)
                if loaded:
                    self._addresses.charge(address, prices.EVENT * found.live.version)
                return found
            except HeldElsewhere as held:
                gone = lobby.lease.departure(held.server)
                self.forwarded += 1
                try:
                    if not scope[FORWARDED] and await forward(
                        held, scope, receive, send, address, lobby.store.secret, gone
                    ):
                        return None
                finally:
                    self.forwarded -= 1
                # perhaps that server has just ended, and the table becomes free when its lease expires
                if self._clock() > until:
                    raise Refusal("storage", "another server has this table; try again later") from None
                await asyncio.sleep(PAUSE)

    def take_token(self, bucket: TokenBucket, address: str, price: float) -> bool:
        """Whether neither this connection nor its address exceeds its rate."""
        return (
            bucket.take(self._clock())
            and self._messages.take(address)
            and self._addresses.take(address, price)
        )

    def pay_welcome(self, address: str) -> None:
        """Take the price of a welcome; Refusal if the address cannot pay it."""
        spend(self._messages, address, prices.WELCOME_MESSAGES - 1)
        spend(self._addresses, address, prices.WELCOME)

    def pay_table(self, address: str) -> None:
        """Take the price of a table; Refusal if the address cannot pay it."""
        if self._makers.spend(address, 1):
            raise Refusal("too-fast", "so many tables in so short a time; wait a little")
        spend(self._addresses, address, prices.TABLE)


class MessageHandler:
    """Checks the rate and form of each message of a connection, and passes it to the table."""

    def __init__(self, table: Authority, bucket: TokenBucket, sockets: Sockets, address: str) -> None:
        self._table = table
        self._bucket = bucket
        self._sockets = sockets
        self._address = address
        self._strikes = 0

    def __call__(self, connection: Connection, text: bytes | None) -> bool:
        """Handle one message (None: it was no text); False if the connection has to be closed."""
        price = prices.PING if text == PING else prices.MESSAGE
        if not self._sockets.take_token(self._bucket, self._address, price):
            self._strikes += 1
            refusal = Refusal("too-fast", "too many messages; wait a little")
            connection.send(encode_refusal(refusal, id_of(text)))
            return self._strikes < self._sockets.limits.strikes
        self._strikes = 0
        try:
            command = decode(text)
            if isinstance(command, schema.Hello):
                self._sockets.pay_welcome(self._address)
                self._table.hello(connection, command)
            elif isinstance(command, schema.Ping):
                connection.send(PONG)
            else:
                self._table.submit(connection, command)
        except Refusal as refusal:
            connection.send(encode_refusal(refusal, id_of(text)))
        return True


def _text_of(message: Message) -> bytes | None:
    """The text of an ASGI message; None if it was no text."""
    text: str | None = message.get("text")
    # what cannot be encoded in UTF-8 is refused by the decoder
    return None if text is None else text.encode("utf-8", "surrogatepass")
