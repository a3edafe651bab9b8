"""uvicorn's WebSocket with a callback for incoming messages and batched sending.

An ASGI application gets each message of a WebSocket through a queue and a task, and sends each through a
coroutine, which costs more than a move itself. Once a table listens to a `CallbackWebSocket`, messages go
straight to it, and what it sends in one turn of the event loop is one write. Under another server the
application uses plain ASGI (`pasch.web.sockets.AsgiChannel`).
"""

from __future__ import annotations

from asyncio import BaseTransport
from collections.abc import Callable, Iterable
from typing import Any, Final

from starlette.types import Scope
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

#: the name of the ASGI extension under which the application finds this object
EXTENSION: Final = "pasch.callback_websocket"
#: the size of the buffer that asyncio allocates at every read, in bytes; its own is 256 KiB, and allocating
#: that costs more than a message
BUFFER: Final = 16 * 1024

#: called with the UTF-8 bytes of a text message, or None for a binary one
OnText = Callable[[bytes | None], None]


class CallbackWebSocket(WebSocketsSansIOProtocol):
    """One WebSocket."""

    _on_text: OnText | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
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

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        if self.unsent:
            self.abort()  # closing would wait for ever for the client to take what was sent

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
