"""Forwards a client's WebSocket to the server that holds its table.

When the other server ends, or answers no ping, the client's connection is closed too. The client
reconnects automatically, and by then another server has the table.
"""

from __future__ import annotations

import asyncio
import hmac
from contextlib import suppress
from typing import Final

from starlette.types import Receive, Scope, Send
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from pasch.store.base import HeldElsewhere
from pasch.web.http import RESTARTED

#: the time limit for connecting to the other server, in seconds
CONNECT_SECONDS: Final = 2.0
#: seconds between pings to the other server, and for its answer: together no longer than a usual lease
PING_SECONDS: Final = 2.0
#: headers of a forwarded connection: the client's address, and the proof that a server of the log sent it
ADDRESS, PROOF = "x-pasch-address", "x-pasch-proof"


def _proof(secret: bytes, address: str, table: str) -> str:
    return hmac.digest(secret, f"{address} {table}".encode(), "sha256").hex()


def forwarded_for(scope: Scope, secret: bytes) -> str | None:
    """The client's address, if this connection was forwarded by another server of the same log."""
    headers = dict(scope["headers"])
    shown = headers.get(PROOF.encode(), b"").decode("latin-1")
    if not secret or not shown:
        return None
    address = headers.get(ADDRESS.encode(), b"").decode("latin-1")
    right = _proof(secret, address, scope["path"].rpartition("/")[2])
    return address if hmac.compare_digest(shown.encode(), right.encode()) else None


async def forward(
    held: HeldElsewhere, scope: Scope, receive: Receive, send: Send, address: str, secret: bytes
) -> bool:
    """Forward a client to the server that holds its table; False if that one does not answer."""
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    table = scope["path_params"]["table"]
    host, _, port = held.address.rpartition(":")
    try:
        other = await connect(
            # the host that the client asked for, so that the other server checks the same
            f"ws://{headers['host']}{scope['path']}",
            host=host.strip("[]"),
            port=int(port),
            additional_headers={ADDRESS: address, PROOF: _proof(secret, address, table)},
            compression=None,
            proxy=None,
            open_timeout=CONNECT_SECONDS,
            ping_interval=PING_SECONDS,
            ping_timeout=PING_SECONDS,
            close_timeout=1,
            max_size=None,
        )
    except (OSError, WebSocketException, ValueError):
        return False
    left = asyncio.Event()
    upwards = asyncio.create_task(_send_up(receive, other, left))
    try:
        with suppress(ConnectionClosed, OSError):  # one of them has gone
            async for message in other:
                # servers send text only
                await send({"type": "websocket.send", "text": message})
    finally:
        upwards.cancel()
        await asyncio.wait([upwards])
    await other.close()
    if not left.is_set():
        with suppress(OSError, TimeoutError):
            closing = send({"type": "websocket.close", "code": _code(other), "reason": ""})
            await asyncio.wait_for(closing, 0.5)
    return True


async def _send_up(receive: Receive, other: ClientConnection, left: asyncio.Event) -> None:
    """Forward the client's messages; once it has left, set `left` and close the other connection."""
    while (message := await receive())["type"] == "websocket.receive":
        text = message.get("text")
        with suppress(ConnectionClosed):
            await other.send(message["bytes"] if text is None else text)
    left.set()
    await other.close()


def _code(other: ClientConnection) -> int:
    """The close code of the other server, if it sent one that means something to the client."""
    code = other.close_code
    return RESTARTED if code is None or code in (1000, 1005, 1006, 1015) else code
