"""Reports of the longest games there may be, of many of them at once."""

from __future__ import annotations

from tools.attack.attacker import Attacker


async def attack(on: Attacker) -> None:
    tables = [await on.make_long(finished=True) for _ in range(3)]

    async def ask() -> None:
        made = tables[on.counts["tried"] % len(tables)]
        await on.get(f"/api/tables/{made['id']}/" + ("report", "receipt")[on.counts["tried"] % 2])

    await on.crowd(16, ask)
