"""Nothing at all, for comparison: what a bystander feels on this machine anyway."""

from __future__ import annotations

import asyncio

from tools.attack.attacker import Attacker


async def attack(on: Attacker) -> None:
    await asyncio.sleep(on.left)
    on.counts["tried"] += 0
