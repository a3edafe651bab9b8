"""Forwards a client's WebSocket to the server that holds its table.

When the other server ends, or its lease expires, the client's connection is closed too. The client
reconnects automatically, and by then another server has the table.
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

from pasch.store.base import HeldElsewhere

#: the time limit for connecting to the other server, in seconds
CONNECT_SECONDS: Final = 2.0
#: headers of a forwarded connection: the client's address, and the proof that a server of the log sent it
ADDRESS, PROOF = "x-pasch-address", "x-pasch-proof"
#: the close code after which the client reconnects
RESTARTED: Final = 1012


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
    held: HeldElsewhere,
    scope: Scope,
    receive: Receive,
    send: Send,
    address: str,
    secret: bytes,
    gone: asyncio.Event,
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
    """Forward the client's messages; whether the client has left."""
    with suppress(ConnectionClosed):
        while (message := await receive())["type"] == "websocket.receive":
            text = message.get("text")
            await other.send(message["bytes"] if text is None else text)
        return True
    return False


async def _down(other: ClientConnection, send: Send) -> bool:
    """Forward the other server's messages; whether the client has left."""
    with suppress(ConnectionClosed):
        async for message in other:
            try:
                # servers send text only
                await send({"type": "websocket.send", "text": message})
            except OSError:
                return True
    return False


async def _until_one_ends(
    up: Coroutine[Any, Any, bool], down: Coroutine[Any, Any, bool], gone: asyncio.Event
) -> bool:
    """Forward until one side ends or the other server is gone; whether the client has left."""
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
    """The close code of the other server, if it sent one that means something to the client."""
    code = other.close_code
    return RESTARTED if code is None or code in (1000, 1005, 1006, 1015) else code
