"""One WebSocket per open table: messages in, refusals for what is none, and a bounded queue out."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable

import msgspec
from starlette.types import Message, Receive, Scope, Send

from pasch.core.bounds import TooMuch, check_json
from pasch.store.base import Held
from pasch.table import schema
from pasch.table.authority import Authority, refused
from pasch.table.commands import Refusal
from pasch.table.hall import Hall
from pasch.table.redact import Eyes
from pasch.web.forward import forward, forwarded_for
from pasch.web.guard import reject
from pasch.web.limits import Addresses, Bucket, Clock, Limits
from pasch.web.wire import Wire, wire_of

logger = logging.getLogger("pasch.web")
_decoder: msgspec.json.Decoder[schema.Hello | schema.Command] = msgspec.json.Decoder(schema.FromBrowser)

#: why a connection ends, as the protocol numbers it
TRY_AGAIN, RESTARTED, TOO_FAST = 1013, 1012, 1008
#: how long to wait before asking again for a table that another server has, in seconds
PAUSE = 0.25
#: how long a client may take for the last words that it is sent, in seconds
LAST_WORDS = 5.0

#: objects and lists in one message
MOST_THINGS = 1_000


class _JustId(msgspec.Struct):
    """The id of a command that is otherwise not understood."""

    id: schema.Id


_id_decoder = msgspec.json.Decoder(_JustId)


def _id_of(said: bytes | None) -> str | None:
    if said is None or len(said) > schema.MOST_BYTES:
        return None
    try:
        return _id_decoder.decode(said).id
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return None


def _said(message: Message) -> bytes | None:
    """What a client said; None if it was no text."""
    text: str | None = message.get("text")
    # whatever cannot be written in UTF-8 is refused by whoever reads it
    return None if text is None else text.encode("utf-8", "surrogatepass")


#: what is done with what a client says (None: it was no text); False if the client has to go
Handle = Callable[["Connection", bytes | None], bool]


class Connection:
    """One client at one table, under any ASGI server."""

    def __init__(self, send: Send, limits: Limits) -> None:
        self.eyes = Eyes()
        self.welcome = False
        self._send = send
        self._limits = limits
        self._queue: deque[bytes] = deque()
        self._queued = 0
        self._wake: asyncio.Future[None] | None = None
        self._reader = asyncio.current_task()
        self._ending = 0

    def send(self, message: bytes) -> None:
        if self._ending:
            return
        self._queued += len(message)
        if self._queued > self._limits.backlog:
            # it does not read what it is sent; it may come back and ask for what it missed
            self._end(TRY_AGAIN)
            return
        self._queue.append(message)
        self._rouse()

    def _rouse(self) -> None:
        """Something waits to be sent."""
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    @property
    def queued(self) -> int:
        """How many bytes wait to be sent."""
        return self._queued

    def close(self) -> None:
        self._end(RESTARTED)

    def _end(self, code: int) -> None:
        if not self._ending:
            self._ending = code
            if self._reader is not None:
                self._reader.cancel()

    async def _pump(self) -> None:
        """Send what is queued, for as long as the connection lasts."""
        loop = asyncio.get_running_loop()
        while True:
            while self._queue:
                message = self._queue.popleft()
                self._queued -= len(message)
                await self._send({"type": "websocket.send", "text": message.decode()})
            self._wake = loop.create_future()
            await self._wake

    async def run(self, receive: Receive, handle: Handle) -> None:
        """Handle what comes in, until one side ends it."""
        pump = asyncio.create_task(self._pump())
        try:
            await self._listen(receive, handle)
        finally:
            pump.cancel()
            await asyncio.wait([pump])
            if not pump.cancelled():
                pump.exception()  # the client had gone while something was being sent
        if self._ending:
            await self._farewell()

    async def _listen(self, receive: Receive, handle: Handle) -> None:
        try:
            while (message := await receive())["type"] == "websocket.receive":
                if not handle(self, _said(message)):
                    self._ending = TOO_FAST
                    break
        except asyncio.CancelledError:
            if not self._ending:
                raise
            asyncio.current_task().uncancel()  # type: ignore[union-attr]

    async def _farewell(self) -> None:
        """Say goodbye, but do not wait for a client that does not read."""
        try:
            closing = self._send({"type": "websocket.close", "code": self._ending, "reason": ""})
            await asyncio.wait_for(closing, 0.5)
        except (TimeoutError, OSError):
            pass


class Post:
    """What is said to clients in one turn of the event loop goes out at its end, to each in one piece."""

    def __init__(self) -> None:
        self._waiting: list[WiredConnection] = []

    def call(self, connection: WiredConnection) -> None:
        """Fetch what this one has to send."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._deliver)
        self._waiting.append(connection)

    def _deliver(self) -> None:
        waiting, self._waiting = self._waiting, []
        for connection in waiting:
            try:
                connection.deliver()
            except Exception:  # a mistake with one client must not keep the news from the others
                logger.exception("not delivered")
                connection.close()


class WiredConnection(Connection):
    """One client at one table, by the short way."""

    def __init__(self, send: Send, limits: Limits, wire: Wire, post: Post) -> None:
        super().__init__(send, limits)
        self._wire = wire
        self._post = post

    def _rouse(self) -> None:
        if len(self._queue) == 1:
            self._post.call(self)

    def deliver(self) -> None:
        """Hand over what waits; whoever has not taken what it got before has to go."""
        if self._wire.unsent > self._limits.backlog:
            self._end(TRY_AGAIN)
        said, self._queue, self._queued = self._queue, deque(), 0
        self._wire.say(said)

    @property
    def queued(self) -> int:
        return self._queued + self._wire.unsent

    async def run(self, receive: Receive, handle: Handle) -> None:
        wire = self._wire

        def heard(said: bytes | None) -> None:
            if not self._ending and not handle(self, said):
                self._end(TOO_FAST)

        def first(connection: Connection, said: bytes | None) -> bool:
            going = handle(connection, said)
            if wire.empty:
                wire.heard = heard
            return going

        if wire.empty:
            wire.heard = heard
        try:
            # what came before the table listened comes the usual way, and so does the end
            await self._listen(receive, first)
        finally:
            wire.heard = None
        if self._ending:
            self.deliver()
            await self._farewell()
            if wire.unsent:
                asyncio.get_running_loop().call_later(LAST_WORDS, wire.hang_up)


class Sockets:
    """The endpoint `/ws/ID`."""

    def __init__(self, hall: Hall, limits: Limits, addresses: Addresses, clock: Clock) -> None:
        self._hall = hall
        self._limits = limits
        self._addresses = addresses
        self._clock = clock
        self._open: dict[str, int] = {}
        self.connections = 0
        #: the clients at tables of this server, and how many are at tables of others
        self.here: set[Connection] = set()
        self.forwarded = 0
        self._post = Post()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        forwarded = forwarded_for(scope, self._hall.store.secret)
        address = address_of(scope) if forwarded is None else forwarded
        mine = self._open.get(address, 0)
        if mine >= self._limits.address_connections or self.connections >= self._limits.connections:
            refusal = Refusal("full", "too many connections; close one or try again later")
            return await reject(scope, receive, send, refusal)
        self._open[address] = mine + 1
        self.connections += 1
        try:
            await self._serve(scope, receive, send, address, forwarded is not None)
        finally:
            self.connections -= 1
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

    async def _serve(
        self, scope: Scope, receive: Receive, send: Send, address: str, forwarded: bool
    ) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        try:
            table = await self._find(scope, receive, send, address, forwarded)
        except Refusal as refusal:
            await send({"type": "websocket.send", "text": refused(refusal).decode()})
            code = 4404 if refusal.code == "no-table" else TRY_AGAIN
            await send({"type": "websocket.close", "code": code, "reason": ""})
            return
        if table is None:
            return
        wire = wire_of(scope)
        if wire is None:
            connection = Connection(send, self._limits)
        else:
            connection = WiredConnection(send, self._limits, wire, self._post)
        table.enter(connection)
        self.here.add(connection)
        handler = Handler(table, Bucket(self._limits.messages, self._clock()), self, address)
        try:
            await connection.run(receive, handler)
        finally:
            self.here.discard(connection)
            table.leave(connection)

    async def _find(
        self, scope: Scope, receive: Receive, send: Send, address: str, forwarded: bool
    ) -> Authority | None:
        """The table that is asked for; None if another server had it, which has served the client."""
        hall = self._hall
        patience = (hall.store.lease or 0) * 2
        until = self._clock() + patience
        while True:
            try:
                return await hall.table(scope["path_params"]["table"])
            except Held as held:
                gone = hall.keeper.leaving(held.server)
                self.forwarded += 1
                try:
                    if not forwarded and await forward(
                        held, scope, receive, send, address, hall.store.secret, gone
                    ):
                        return None
                finally:
                    self.forwarded -= 1
                # it has just ended, perhaps, and the table comes free when its lease has run out
                if self._clock() > until:
                    raise Refusal("storage", "another server has this table; try again later") from None
                await asyncio.sleep(PAUSE)

    def may_speak(self, bucket: Bucket, address: str) -> bool:
        """Whether neither this connection nor its address is too fast."""
        return bucket.take(self._clock()) and self._addresses.take(address)

    @property
    def strikes(self) -> int:
        return self._limits.strikes


class Handler:
    """What is done with each message of a connection."""

    def __init__(self, table: Authority, bucket: Bucket, sockets: Sockets, address: str) -> None:
        self._table = table
        self._bucket = bucket
        self._sockets = sockets
        self._address = address
        self._strikes = 0

    def __call__(self, connection: Connection, said: bytes | None) -> bool:
        """Handle one message; False if the client has to go."""
        if not self._sockets.may_speak(self._bucket, self._address):
            self._strikes += 1
            refusal = Refusal("too-fast", "too many messages; wait a little")
            connection.send(refused(refusal, _id_of(said)))
            return self._strikes < self._sockets.strikes
        self._strikes = 0
        try:
            command = _read(said)
            if isinstance(command, schema.Hello):
                self._table.hello(connection, command)
            else:
                self._table.submit(connection, command)
        except Refusal as refusal:
            connection.send(refused(refusal, _id_of(said)))
        return True


def _read(said: bytes | None) -> schema.Hello | schema.Command:
    if said is None:
        raise Refusal("malformed", "messages are text")
    if len(said) > schema.MOST_BYTES:
        raise Refusal("too-large", "a message has at most {most} bytes", most=schema.MOST_BYTES)
    try:
        check_json(said, most_bytes=schema.MOST_BYTES, most_things=MOST_THINGS)
        return _decoder.decode(said)
    except (TooMuch, msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        problem = str(error)
        raise Refusal("malformed", "this message is not understood: {problem}", problem=problem) from None


def address_of(scope: Scope) -> str:
    """Where a request comes from."""
    return str((scope.get("client") or ("",))[0])
