"""uvicorn's HTTP connections with deadlines, and bounds on how many there are.

A connection costs a file and some memory from its first moment on, long before there is a request. So it is counted
when it is made, in all and for its address, and has to go on in time: headers, body, reading the answer. When there
are as many as there may be, those that are idle or have sent half a request make room for new ones.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections import OrderedDict
from collections.abc import Container
from typing import Any, Final

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from pasch.web.callback_websocket import CallbackWebSocket
from pasch.web.limits import Limits, RateLimiter, address_key

logger = logging.getLogger("pasch.web")

#: connections that are accepted in one turn of the event loop; it takes a few turns until one can be refused
ACCEPTED: Final = 16
#: files that are no connections: the log, helper processes, modules, and connections just being accepted
RESERVED: Final = 128 + 4 * ACCEPTED
#: longer messages end a WebSocket; those between the protocol's own limit and this one are refused
MOST_BYTES: Final = 128 * 1024
#: lines and bytes of the head of a request
MOST_LINES: Final = 100
MOST_HEAD: Final = 16 * 1024
#: the most that is read at once, so that nobody else waits long
BUFFER: Final = 16 * 1024


def raise_file_limit() -> int:
    """Let this process have as many files open as the system allows it; how many that are."""
    if sys.platform == "win32":
        return 2**16
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = 2**20 if hard == resource.RLIM_INFINITY else hard
    if soft == resource.RLIM_INFINITY or soft >= most:
        return most
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    except (OSError, ValueError):
        return soft
    return most


def most_connections(limits: Limits, files: int, several: bool = False) -> int:
    """How many connections a process with so many files takes; one that is forwarded needs two files."""
    free = max(files - RESERVED, files // 2)
    return min(limits.connections, free // 2 if several else free)


class Gate:
    """Counts connections, in all and by address."""

    def __init__(self, limits: Limits, most: int | None = None) -> None:
        self.limits = limits
        self._most = limits.connections if most is None else most
        self._arrivals = RateLimiter(limits.arrivals)
        self._open: dict[str, int] = {}
        self.connections = 0
        #: those without a complete request, the one waiting longest first
        self._waiting: OrderedDict[BoundedHttp, None] = OrderedDict()

    def enter(self, connection: BoundedHttp, address: str | None) -> str | None:
        """Count a connection; None, or of whom there are too many. A proxy has no address of its own."""
        if address is not None:
            if self._open.get(address, 0) >= self.limits.address_connections:
                return "one address"
            if not self._arrivals.take(address):
                return "one address in so short a time"
        if self.connections >= self._most:
            if not self._waiting:
                return "all"
            self._waiting.popitem(last=False)[0].give_way()
        self.connections += 1
        if address is not None:
            self._open[address] = self._open.get(address, 0) + 1
        self._waiting[connection] = None
        return None

    def leave(self, address: str | None) -> None:
        """Count a connection no longer."""
        self.connections -= 1
        if address is not None:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

    def wait(self, connection: BoundedHttp) -> None:
        """Note that a connection waits for its next request."""
        self._waiting[connection] = None
        self._waiting.move_to_end(connection)

    def go(self, connection: BoundedHttp) -> None:
        """Note that a connection has a request, or has ended."""
        self._waiting.pop(connection, None)


class BoundedParser(h11.Connection):
    """h11's parser, for heads of few lines and bodies of known length.

    A head of thousands of lines and a body of thousands of chunks cost a thousand times more than their bytes, and
    are parsed before anybody can ask for their price. Browsers and proxies send neither.
    """

    def next_event(self) -> Any:
        """The next event; RemoteProtocolError for what is refused."""
        if self.their_state is h11.IDLE:
            data = self.trailing_data[0]
            ends = [at for at in (data.find(b"\n\r\n"), data.find(b"\n\n")) if at >= 0]
            if data.count(b"\n", 0, min(ends, default=len(data))) > MOST_LINES:
                raise h11.RemoteProtocolError("too many headers", error_status_hint=431)
        event = super().next_event()
        if isinstance(event, h11.Request) and any(
            name == b"transfer-encoding" for name, _ in event.headers
        ):
            raise h11.RemoteProtocolError("a body needs its length", error_status_hint=411)
        return event


class BoundedHttp(H11Protocol):
    """One HTTP connection."""

    gate = Gate(Limits())
    _inside = False
    _address: str | None = None
    #: what the client has to finish in time
    _awaited: Any = None
    _deadline: asyncio.TimerHandle | None = None
    _reading: asyncio.TimerHandle | None = None

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.conn = BoundedParser(h11.SERVER, MOST_HEAD)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if hasattr(transport, "max_size"):
            transport.max_size = BUFFER
        host = self.client[0] if self.client else ""
        proxies: Container[str] = getattr(self.app, "trusted_hosts", ())
        self._address = None if host in proxies else address_key(host)
        refused = self.gate.enter(self, self._address)
        if refused:
            logger.warning("too many connections", extra={"fields": {"of": refused}})
            transport.abort()
            return
        self._inside = True
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        # a connection that has become a WebSocket is another protocol's: a deadline set now would cut it later
        if self.transport.get_protocol() is self:
            self._watch()

    def _watch(self) -> None:
        """Set the deadline for what the client is sending now."""
        state = self.conn.their_state
        if state is self._awaited:
            return
        self._awaited = state
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        if not self._inside:
            return
        if state is h11.IDLE:
            self.gate.wait(self)
        else:
            self.gate.go(self)
        limits = self.gate.limits
        seconds = {h11.IDLE: limits.headers_seconds, h11.SEND_BODY: limits.body_seconds}.get(state)
        if seconds is not None:
            self._deadline = self.loop.call_later(seconds, self._give_up)

    def _give_up(self) -> None:
        """Close the connection of a client that was too slow."""
        self.transport.close()
        self._abort_if_unread()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.is_closing():
            self._abort_if_unread()
        elif self.conn.their_state is h11.IDLE:
            # the next request is waited for by the keep-alive timer, and has its own deadline from its first byte on
            self.gate.wait(self)
            self._awaited = None
        else:
            self._watch()  # the next request has come already

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._abort_if_unread()

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._reading is None:
            self._reading = self.loop.call_later(self.gate.limits.unread_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def _abort_if_unread(self) -> None:
        """Closing waits until everything is sent; it shall not wait for ever."""
        if self.transport.get_write_buffer_size() and self._reading is None:
            self._reading = self.loop.call_later(self.gate.limits.unread_seconds, self.transport.abort)

    def give_way(self) -> None:
        """Close a connection without a complete request, for another one."""
        self.leave()
        self.transport.abort()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        super().handle_websocket_upgrade(event)
        self._cancel()
        upgraded = self.transport.get_protocol()
        if self._inside and isinstance(upgraded, CallbackWebSocket):
            self.gate.go(self)
            # it is still the same connection, which the other protocol now ends
            upgraded.counted(self.leave)

    def connection_lost(self, exc: Exception | None) -> None:
        self.leave()
        self._cancel()
        super().connection_lost(exc)

    def leave(self) -> None:
        """Count this connection no longer."""
        if self._inside:
            self._inside = False
            self.gate.go(self)
            self.gate.leave(self._address)

    def _cancel(self) -> None:
        for timer in (self._deadline, self._reading):
            if timer is not None:
                timer.cancel()
        self._deadline = self._reading = None


def server_config(app: ASGIApp, limits: Limits, most: int | None = None, **more: Any) -> uvicorn.Config:
    """How uvicorn serves the application, with these limits and at most so many connections."""
    http = type("Http", (BoundedHttp,), {"gate": Gate(limits, most)})
    websocket = type("WebSocket", (CallbackWebSocket,), {"limits": limits})
    return uvicorn.Config(
        app,
        loop="asyncio",
        http=http,
        ws=websocket,
        ws_per_message_deflate=False,
        ws_max_size=MOST_BYTES,
        lifespan="off",
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_keep_alive=limits.idle_seconds,
        backlog=ACCEPTED,
        **more,
    )
