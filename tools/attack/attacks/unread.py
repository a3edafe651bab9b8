"""Large answers asked for on many connections, and never read."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from tools.attack.attacker import Attacker

CONNECTIONS = 400


async def attack(on: Attacker) -> None:
    made = await on.make_long(finished=True)
    paths = [f"/api/tables/{made['id']}/{what}" for what in ("replay", "record", "receipt?coach=no")]
    open_ones: list[asyncio.StreamWriter] = []
    try:
        while on.going and len(open_ones) < CONNECTIONS:
            on.counts["tried"] += 1
            with suppress(OSError, TimeoutError):
                _, writer = await on.open(limit=1024, receive=4096)
                open_ones.append(writer)
                # a page too, which is refused to nobody
                writer.write(on.head("GET", paths[len(open_ones) % 3]) + on.head("GET", "/i18n/de.json"))
            await asyncio.sleep(0.005)
        await asyncio.sleep(max(0.0, on.left))
        on.counts["held"] = sum(not writer.transport.is_closing() for writer in open_ones)
    finally:
        for writer in open_ones:
            writer.transport.abort()
