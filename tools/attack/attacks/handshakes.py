"""WebSockets opened and left again as fast as possible, at tables that exist and at others."""

from __future__ import annotations

from tools.attack.attacker import Attacker
from tools.attack.frames import shake_hands


async def attack(on: Attacker) -> None:
    async def come_and_go() -> None:
        table = (on.stage.table, "nowhere")[on.counts["tried"] % 2]
        on.counts["tried"] += 1
        try:
            _, writer = await shake_hands(on, table)
        except ConnectionError as refused:
            on.counts[str(refused)[:40]] += 1
            return
        on.counts["opened"] += 1
        writer.transport.abort()
        on.within(on.counts["opened"], "handshakes")

    await on.crowd(16, come_and_go)
