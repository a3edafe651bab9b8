"""Bytes that are no HTTP: to make the server complain, and its log grow."""

from __future__ import annotations

from contextlib import suppress

from tools.attack.attacker import Attacker

GARBAGE = (
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 200,
    b"GET / HTTP/9.9\r\n\r\n",
    b"\r\n" * 100,
    b"GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
    b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"GET /ws/x HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: x\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"GET /\x00\xff HTTP/1.1\r\nHost: \xff\r\n\r\n",
)


async def attack(on: Attacker) -> None:
    async def send() -> None:
        reader, writer = await on.open()
        try:
            writer.write(GARBAGE[on.counts["tried"] % len(GARBAGE)])
            on.counts["tried"] += 1
            with suppress(OSError):
                writer.write_eof()
            first = (await reader.read(100)).split(b" ")
            on.counts[first[1].decode("latin-1") if len(first) > 1 else "hung up"] += 1
        finally:
            writer.transport.abort()

    await on.crowd(8, send)
