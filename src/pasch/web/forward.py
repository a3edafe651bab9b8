"""A client whose table another server has is served by that server, through this one.

Everything that the client says goes to the other server over a WebSocket of our own, and everything that
comes back goes to the client. When the other server ends, or is given up by the log, the client's
connection ends too; it comes back by itself, and by then somebody has the table.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final

from starlette.types import Receive, Scope, Send
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from pasch.store.base import Held

#: how long the other server may take to answer, in seconds
PATIENCE: Final = 2.0
#: from whom a forwarded connection comes, and the proof that a server of the same log says so
ADDRESS, PROOF = "x-pasch-address", "x-pasch-proof"
#: the code with which a connection ends when the client shall come again
RESTARTED: Final = 1012


def _proof(secret: bytes, address: str, table: str) -> str:
    return hmac.digest(secret, f"{address} {table}".encode(), "sha256").hex()


def forwarded_for(scope: Scope, secret: bytes) -> str | None:
    """The client's address, if another server of the same log forwards this connection."""
    headers = dict(scope["headers"])
    address = headers.get(ADDRESS.encode(), b"").decode("latin-1")
    shown = headers.get(PROOF.encode(), b"").decode("latin-1")
    right = _proof(secret, address, scope["path_params"]["table"])
    return address if secret and hmac.compare_digest(shown.encode(), right.encode()) else None


async def forward(
    held: Held, scope: Scope, receive: Receive, send: Send, address: str, secret: bytes, gone: asyncio.Event
) -> bool:
    """Serve a client by way of the server that has its table; False if that one does not answer."""
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    table = scope["path_params"]["table"]
    host, _, port = held.address.rpartition(":")
    try:
        other = await connect(
            # the name under which the client asked, so that the other server judges as this one did
            f"ws://{headers['host']}{scope['path']}",
            host=host.strip("[]"),
            port=int(port),
            additional_headers={ADDRESS: address, PROOF: _proof(secret, address, table)},
            compression=None,
            proxy=None,
            open_timeout=PATIENCE,
            close_timeout=1,
            max_size=None,
        )
    except (OSError, WebSocketException, ValueError):
        return False
    client_left = await _until_one_ends(_up(receive, other), _down(other, send), gone)
    await other.close()
    if not client_left:
        with suppress(OSError, TimeoutError):
            closing = send({"type": "websocket.close", "code": _code(other), "reason": ""})
            await asyncio.wait_for(closing, 0.5)
    return True


async def _up(receive: Receive, other: ClientConnection) -> bool:
    """What the client says; whether it has left."""
    with suppress(ConnectionClosed):
        while (message := await receive())["type"] == "websocket.receive":
            text = message.get("text")
            await other.send(message["bytes"] if text is None else text)
        return True
    return False


async def _down(other: ClientConnection, send: Send) -> bool:
    """What the other server says; whether the client has left."""
    with suppress(ConnectionClosed):
        async for message in other:
            try:
                # the servers say nothing but text
                await send({"type": "websocket.send", "text": message})
            except OSError:
                return True
    return False


async def _until_one_ends(
    up: Coroutine[Any, Any, bool], down: Coroutine[Any, Any, bool], gone: asyncio.Event
) -> bool:
    """Carry messages until a side ends or the other server is given up; whether it was the client."""
    tasks = [asyncio.create_task(up), asyncio.create_task(down)]
    left = asyncio.create_task(gone.wait())
    try:
        done, _ = await asyncio.wait([*tasks, left], return_when=asyncio.FIRST_COMPLETED)
        return any(task in done and task.result() for task in tasks)
    finally:
        for task in (*tasks, left):
            task.cancel()
        await asyncio.gather(*tasks, left, return_exceptions=True)


def _code(other: ClientConnection) -> int:
    """The code with which the other server ended the connection, if it did so in words."""
    code = other.close_code
    return RESTARTED if code is None or code in (1000, 1005, 1006, 1015) else code
