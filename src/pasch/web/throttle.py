"""uvicorn's connections with a limit on how fast each of them is read, and on how long an answer stays unread.

A client that sends pings, empty pieces of a message or garbage as fast as it can keeps the event loop busy, and the
application hears nothing of it. Neither uvicorn nor a reverse proxy limits that. `uvicorn.Config(http=, ws=)` is given
the two classes at the end; because they derive from uvicorn's own, its minor version is pinned in pyproject.toml.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, Final

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.frames import Frame
from websockets.http11 import Request

from pasch.table.limits import Rate, RateLimiter
from pasch.table.schema import MAX_MESSAGE_BYTES

#: bytes that are parsed in one turn of the event loop: with chunks of one byte each they take 2 ms
SLICE_BYTES: Final = 2 * 1024
#: bytes that are parsed at once, out of turn: a usual message has fewer
DIRECT_BYTES: Final = 512
#: bytes per second and burst, for requests with their bodies and for the messages of a WebSocket
HTTP_RATE, WEBSOCKET_RATE = Rate(512 * 1024, 1024 * 1024), Rate(8 * 1024, 128 * 1024)
#: pieces of one message; empty ones do not count in its size, but each takes memory
MAX_PIECES: Final = 256
#: seconds for reading what was sent, while more is waiting or the connection is closing
UNREAD_SECONDS: Final = 30.0
#: bytes of the head of a request
MAX_HEAD_BYTES: Final = 16 * 1024
#: seconds for which a connection is kept for the next request
KEEP_ALIVE_SECONDS: Final = 15
#: seconds between pings to a client, and for its answer
PING_SECONDS: Final = 20.0
#: the ASGI extension by which texts are sent at once: no task has to be woken for each
WRITE: Final = "pasch.write"
#: connections that may wait to be accepted
BACKLOG: Final = 2048


class Turns:
    """Runs one callback in each turn of the event loop, in the order in which they were added."""

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], None]] = deque()

    def add(self, callback: Callable[[], None]) -> None:
        """Run a callback after those that wait."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._run_next)
        self._waiting.append(callback)

    def _run_next(self) -> None:
        callback = self._waiting.popleft()
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._run_next)
        callback()


class ThrottledTransport:
    """A transport as uvicorn sees it: what is read passes `receive`, which hands it on no faster than the rate.

    The real one is paused only while something is unread here, so at most one read of the system's is kept in memory.
    """

    def __init__(
        self, transport: asyncio.Transport, rate: Rate, turns: Turns, deliver: Callable[[bytes], None]
    ) -> None:
        self.transport = transport
        self.write = transport.write
        self._loop = asyncio.get_running_loop()
        self._rate, self._turns, self._deliver = rate, turns, deliver
        self._bucket = RateLimiter(rate, self._loop.time)
        self._unread = b""
        #: whether uvicorn wants to read
        self._wanted = True
        #: whether the next slice waits for its turn, or until the rate allows it
        self._waiting = False
        self._deadline: asyncio.Handle | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.transport, name)

    def receive(self, data: bytes) -> None:
        """Hand data on, now or later."""
        if self._wanted and not self._unread and len(data) <= DIRECT_BYTES and self._pay(len(data)):
            self._deliver(data)
            return
        self._unread += data
        self.transport.pause_reading()
        self._continue()

    def pause_reading(self) -> None:
        """Hand nothing on for now."""
        self._wanted = False

    def resume_reading(self) -> None:
        """Hand data on again."""
        self._wanted = True
        self._continue()

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Leave the connection to another protocol; like uvicorn, drop what came before the upgrade was answered."""
        self.stop()
        self.transport.set_protocol(protocol)

    def close(self) -> None:
        """Close the connection; without a deadline this waits forever for a client that does not read."""
        self.transport.close()
        self._unread = b""
        if self.transport.get_write_buffer_size():
            self.expect_reading()

    def expect_reading(self) -> None:
        """Abort the connection unless the client reads in time."""
        if self._deadline is None:
            self._deadline = self._loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def was_read(self) -> None:
        """The client has read enough."""
        if self._deadline is not None and not self.transport.is_closing():
            self._deadline.cancel()
            self._deadline = None

    def stop(self) -> None:
        """Hand nothing on any more, and keep nothing: the connection has ended, and this may live on for a while."""
        self._unread = b""
        if self._deadline is not None:
            self._deadline.cancel()

    def _continue(self) -> None:
        if not self._wanted or self._waiting or self.transport.is_closing():
            return
        if self._unread:
            self._waiting = True
            self._turns.add(self._hand_on)
        else:
            self.transport.resume_reading()

    def _hand_on(self) -> None:
        self._waiting = False
        piece = self._unread[:SLICE_BYTES]
        if not self._wanted or not piece:
            return
        if self._pay(len(piece)):
            self._unread = self._unread[SLICE_BYTES:]
            self._deliver(piece)
            self._continue()
        else:
            self._waiting = True
            self._loop.call_later(len(piece) / self._rate.second, self._hand_on)

    def _pay(self, size: int) -> bool:
        return self._bucket.take("", size)


class Throttled(asyncio.Protocol):
    """Overrides methods of `asyncio.Protocol` only."""

    rate: Rate
    config: Any
    _throttle: ThrottledTransport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # a WebSocket gets the transport of the request with which it began
        plain: Any = transport.transport if isinstance(transport, ThrottledTransport) else transport
        self._throttle = ThrottledTransport(plain, self.rate, self.config.turns, super().data_received)
        super().connection_made(self._throttle)  # type: ignore[arg-type]

    def data_received(self, data: bytes) -> None:
        self._throttle.receive(data)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._throttle.expect_reading()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._throttle.was_read()

    def connection_lost(self, exc: Exception | None) -> None:
        self._throttle.stop()
        super().connection_lost(exc)


class ThrottledHttp(Throttled, H11Protocol):
    """An HTTP connection."""

    rate = HTTP_RATE

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP; a request that came before it gets no second answer."""
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.close()


class ThrottledWebSocket(Throttled, WebSocketsSansIOProtocol):
    """A WebSocket."""

    rate = WEBSOCKET_RATE

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:  # otherwise there is no scope
            self.scope["extensions"][WRITE] = self.write_text  # type: ignore[assignment]

    def write_text(self, text: bytes) -> bool:
        """Send a text without waiting; False if only `send` can, which waits until the client has read more."""
        if self.disconnected or self.close_sent or not self.writable.is_set():
            return False
        try:
            self.conn.send_text(text)
        except InvalidState:
            return False
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) < MAX_PIECES:
            super().handle_cont(event)
        else:
            self.transport.abort()


class ServerConfig(uvicorn.Config):
    """How uvicorn serves the application; beyond this number of connections requests are refused with 503."""

    def __init__(self, app: ASGIApp, connections: int, **more: Any) -> None:
        super().__init__(
            app,
            http=ThrottledHttp,
            ws=ThrottledWebSocket,
            ws_per_message_deflate=False,
            ws_max_size=MAX_MESSAGE_BYTES,
            ws_ping_interval=PING_SECONDS,
            ws_ping_timeout=PING_SECONDS,
            h11_max_incomplete_event_size=MAX_HEAD_BYTES,
            limit_concurrency=connections,
            lifespan="off",
            access_log=False,
            log_config=None,
            server_header=False,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            backlog=BACKLOG,
            **more,
        )
        #: however many connections send more than a slice, one slice is parsed in each turn of the event loop
        self.turns = Turns()
