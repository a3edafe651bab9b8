"""uvicorn's WebSocket with a callback for incoming messages and batched sending.

An ASGI application gets each message of a WebSocket through a queue and a task, and sends each through a
coroutine, which costs more than a move itself. Once a table listens to a `CallbackWebSocket`, messages go
straight to it, and what it sends in one turn of the event loop is one write. Under another server the
application uses plain ASGI (`pasch.web.sockets.AsgiChannel`).

Frames of which the application hears nothing (pings, pongs, pieces of messages) have a rate limit here, and whoever
exceeds it, or does not read the answers, is cut off.
"""

from __future__ import annotations

from asyncio import BaseTransport
from collections.abc import Callable, Iterable
from typing import Any, Final

from starlette.types import Scope
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State

from pasch.web.limits import Limits, TokenBucket

#: the name of the ASGI extension under which the application finds this object
EXTENSION: Final = "pasch.callback_websocket"
#: the size of the buffer that asyncio allocates at every read, in bytes; its own is 256 KiB, and allocating
#: that costs more than a message
BUFFER: Final = 16 * 1024

#: called with the UTF-8 bytes of a text message, or None for a binary one
OnText = Callable[[bytes | None], None]


class CallbackWebSocket(WebSocketsSansIOProtocol):
    """One WebSocket."""

    #: for all connections; a server sets its own
    limits = Limits()
    _on_text: OnText | None = None
    _leave: Callable[[], None] | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        self._control = TokenBucket(self.limits.control, self.loop.time())
        if hasattr(transport, "max_size"):
            transport.max_size = BUFFER

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[EXTENSION] = self

    def send_receive_event_to_app(self) -> None:
        if self._on_text is None or self.close_sent:
            super().send_receive_event_to_app()
            return
        frames, self.frames = self.frames, []
        self._on_text(b"".join(frames) if self.curr_msg_data_type == "text" else None)

    def handle_ping(self) -> None:
        if not self._cut_off():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if not self._cut_off():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        # empty pieces count for nothing in the size of a message, but there may be any number of them
        if not self._cut_off():
            super().handle_cont(event)

    def _cut_off(self) -> bool:
        """Count a frame; whether the connection is closed because there are too many, or too much is unsent."""
        if self.transport.is_closing():
            return True
        if self._control.take(self.loop.time()) and self.unsent <= self.limits.backlog:
            return False
        self.abort()
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        self.leave()
        super().connection_lost(exc)

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        if self.unsent:
            self.abort()  # closing would wait for ever for the client to take what was sent

    # --- for the gate -----------------------------------------------------------------------------

    def counted(self, leave: Callable[[], None]) -> None:
        """Call `leave` once when this connection has ended."""
        self._leave = leave

    def leave(self) -> None:
        """Count this connection no longer."""
        leave, self._leave = self._leave, None
        if leave is not None:
            leave()

    # --- for the application ---------------------------------------------------------------------

    def listen(self, on_text: OnText) -> None:
        """Call `on_text` for every further message, unless earlier ones still wait in the ASGI queue."""
        if self.queue.empty():
            self._on_text = on_text

    async def stop(self) -> None:
        """Stop calling back."""
        self._on_text = None

    @property
    def unsent(self) -> int:
        """How many bytes the client has not taken yet."""
        return self.transport.get_write_buffer_size()

    def send_texts(self, texts: Iterable[bytes]) -> None:
        """Send text messages in one write, without waiting; none if the connection is closing."""
        if self.close_sent or self.disconnected or self.conn.state is not State.OPEN:
            return
        for text in texts:
            self.conn.send_text(text)
        self.transport.write(b"".join(self.conn.data_to_send()))

    def abort(self) -> None:
        """Close the connection without sending what is unsent."""
        self.transport.abort()


def callback_websocket(scope: Scope) -> CallbackWebSocket | None:
    """The WebSocket of an ASGI connection, if the server has this kind."""
    found: CallbackWebSocket | None = scope.get("extensions", {}).get(EXTENSION)
    return found
