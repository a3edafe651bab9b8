"""WebSocket frames by hand, for what no library would send."""

from __future__ import annotations

import asyncio
import base64
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from tools.attack.target import PATIENCE, Caller

if TYPE_CHECKING:
    from tools.attack.attacker import Attacker

CONTINUATION, TEXT, PING, PONG = 0, 1, 9, 10


def frame(kind: int, data: bytes, *, last: bool = True) -> bytes:
    """A short frame, masked with nothing: what a mask is against cannot happen here."""
    assert len(data) < 126
    return bytes([kind | 0x80 * last, 0x80 | len(data)]) + bytes(4) + data


async def shake_hands(
    caller: Caller, table: str, receive: int | None = None, headers: str = ""
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """An open WebSocket; ConnectionError with the status if the server wants none."""
    reader, writer = await caller.open(limit=65_536, receive=receive)
    key = base64.b64encode(os.urandom(16)).decode()
    upgrade = f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
    try:
        writer.write(caller.head("GET", f"/ws/{table}", upgrade + headers))
        async with asyncio.timeout(PATIENCE):
            head = await reader.readuntil(b"\r\n\r\n")
    except (EOFError, TimeoutError):
        writer.transport.abort()
        raise ConnectionError("hung up") from None
    except BaseException:
        writer.transport.abort()
        raise
    status = head.split(b" ")[1].decode("latin-1")
    if status != "101":
        writer.transport.abort()
        raise ConnectionError(status)
    return reader, writer


async def flood(on: Attacker, first: bytes, frames: bytes, number: int) -> None:
    """Send the same frames over and over and read nothing, until the server ends the connection."""
    _, writer = await shake_hands(on, on.stage.table, receive=4096)
    try:
        with suppress(OSError, TimeoutError):
            writer.write(first)
            while on.going and not writer.transport.is_closing():
                writer.write(frames)
                on.counts["tried"] += number
                async with asyncio.timeout(on.left + 0.1):
                    await writer.drain()
        on.counts["hung up"] += writer.transport.is_closing()
    finally:
        writer.transport.abort()
