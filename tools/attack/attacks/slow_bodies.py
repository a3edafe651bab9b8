"""Bodies of requests that are as long as they may be, and stop before their end."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from tools.attack.attacker import Attacker
from tools.attack.target import Answer, read_answer

LONG = 4 * 1024 * 1024


async def attack(on: Attacker) -> None:
    filling = b'["' + b'aa"' * ((LONG - 64) // 3)

    async def hold() -> None:
        reader, writer = await on.open()
        try:
            on.counts["tried"] += 1
            path = ("/api/tables", "/api/components/joker1")[on.counts["tried"] % 2]
            writer.write(on.head("POST", path, length=LONG) + filling)
            with suppress(OSError):
                await writer.drain()
                on.counts["sent in full but for its end"] += 1
            async with asyncio.timeout(on.left + 0.1):
                answer: Answer = await read_answer(reader)
            on.counts[answer.code] += 1
        finally:
            writer.transport.abort()
        await asyncio.sleep(0.05)

    await on.crowd(60, hold)
