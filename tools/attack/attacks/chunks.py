"""Bodies in chunks of a byte each, without end."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from tools.attack.attacker import Attacker
from tools.attack.target import read_answer

CHUNKED = "Transfer-Encoding: chunked\r\n"


async def attack(on: Attacker) -> None:
    many = b"1\r\n \r\n" * 10_000

    async def send() -> None:
        reader, writer = await on.open()
        answer = asyncio.ensure_future(read_answer(reader))
        try:
            path = ("/api/components/joker1", "/api/tables", "/", "/nowhere")[on.counts["tried"] % 4]
            writer.write(on.head("GET" if path == "/" else "POST", path, CHUNKED))
            on.counts["tried"] += 1
            with suppress(OSError, TimeoutError):
                while on.going and not answer.done():
                    writer.write(many)
                    async with asyncio.timeout(min(1.0, on.left + 0.1)):
                        await writer.drain()
                    on.counts["chunks"] += 10_000
            async with asyncio.timeout(1):
                on.counts[(await answer).code] += 1
        finally:
            answer.cancel()
            writer.transport.abort()

    await on.crowd(4, send)
