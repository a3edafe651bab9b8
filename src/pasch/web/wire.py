"""The short way between uvicorn and an open table.

An ASGI application gets each message of a WebSocket by way of a queue and a task, and sends each by way of
a coroutine; for a move that costs more than the game itself. This is uvicorn's own WebSocket with two
doors more: once a table listens, what comes in goes straight to it, and what it says in one turn of the
event loop goes out in one piece. What came as one whole text, as nearly everything does, is read here; all
else is left to the library. Under another server there is no such door, and everything takes the usual way.
"""

from __future__ import annotations

from asyncio import BaseTransport
from collections.abc import Callable, Iterable
from typing import Any, Final

from starlette.types import Scope
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import Protocol, State

try:
    from websockets.speedups import apply_mask
except ImportError:  # where it was not compiled
    from websockets.utils import apply_mask

#: under which name the application finds the wire in its scope
EXTENSION: Final = "pasch.wire"
#: bytes that are read at once
ROOM: Final = 16 * 1024


class Wire(WebSocketsSansIOProtocol):
    """One WebSocket."""

    #: who hears every message as it comes, without a queue; bytes None: it was no text
    heard: Callable[[bytes | None], None] | None = None
    #: whether the library waits for a new message, and not for the rest of one
    _at_rest = False

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        if hasattr(transport, "max_size"):
            # of asyncio's transports: room is made for so much at every read, and a quarter of a MiB of it
            # costs more than the message
            transport.max_size = ROOM

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[EXTENSION] = self

    def data_received(self, data: bytes) -> None:
        if self._at_rest and self.heard is not None and not self.close_sent:
            said = _whole_text(data)
            if said is not None:
                self.heard(said)
                return
        super().data_received(data)
        self._at_rest = _at_rest(self.conn)

    def send_receive_event_to_app(self) -> None:
        if self.heard is None or self.close_sent:
            super().send_receive_event_to_app()
            return
        frames, self.frames = self.frames, []
        self.heard(b"".join(frames) if self.curr_msg_data_type == "text" else None)

    @property
    def empty(self) -> bool:
        """Whether everything that came before somebody listened has been fetched."""
        return self.queue.empty()

    @property
    def unsent(self) -> int:
        """How many bytes the client has not taken yet."""
        return self.transport.get_write_buffer_size()

    def say(self, texts: Iterable[bytes]) -> None:
        """Send messages, each a text, without waiting; nothing happens if the connection is ending."""
        if self.close_sent or self.disconnected or self.conn.state is not State.OPEN:
            return
        framed: list[bytes] = []
        for text in texts:
            framed += (_head(len(text)), text)
        self.transport.write(b"".join(framed))

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        if self.unsent:
            self.hang_up()  # it would wait for ever until the client has taken everything

    def hang_up(self) -> None:
        """Give up a client that does not read."""
        self.transport.abort()


def _head(size: int) -> bytes:
    """What stands before a whole text of so many bytes, as RFC 6455 has it in section 5.2."""
    if size < 126:
        return bytes((0x81, size))
    if size < 65_536:
        return b"\x81\x7e" + size.to_bytes(2, "big")
    return b"\x81\x7f" + size.to_bytes(8, "big")


def _whole_text(data: bytes) -> bytes | None:
    """The text, if just one text came and the whole of it, masked as a client has to; else None."""
    if len(data) < 8 or data[0] != 0x81 or data[1] < 0x80 or data[1] == 0xFF:
        return None
    size, start = data[1] - 0x80, 6
    if size == 126:
        size, start = data[2] << 8 | data[3], 8
    return apply_mask(data[start:], data[start - 4 : start]) if len(data) == start + size else None


def _at_rest(conn: Protocol) -> bool:
    """Whether nothing of a message has come yet: the reader asks only then whether that was the end."""
    waiting: Any = conn.parser
    while (inner := getattr(waiting, "gi_yieldfrom", None)) is not None:
        waiting = inner
    between = waiting.gi_code.co_name == "at_eof" and getattr(conn, "current_size", 0) is None
    return between and conn.state is State.OPEN


def wire_of(scope: Scope) -> Wire | None:
    """The wire by which a client is connected, if the server has one."""
    found: Wire | None = scope.get("extensions", {}).get(EXTENSION)
    return found
