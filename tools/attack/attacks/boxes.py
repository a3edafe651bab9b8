"""Boxes of one's own that take long to check, and of which each has to be solved anew."""

from __future__ import annotations

import asyncio
import os

from tools.attack.attacker import Attacker
from tools.attack.games import huge_box, own_box, wide_box


async def attack(on: Attacker) -> None:
    boxes = (wide_box(), huge_box())

    async def check() -> None:
        game, box = boxes[on.counts["tried"] % 2]
        if (await on.get(f"/api/components/{game}", box)).code == "too-fast":
            await asyncio.sleep(0.05)

    async def solve() -> None:
        box = own_box(on.counts["own boxes"] + os.getpid() * 100)
        on.counts["own boxes"] += 1
        made = await on.make(
            "joker1", [None, None], options={"components": box}, coach="hints", dice="real"
        )
        if made is None:
            await asyncio.sleep(0.3)
            return
        async with on.at(made) as place:
            await place.command("read", values=[1] * len(place.position["ask"]["parts"]))
            await place.command("hint")

    await asyncio.gather(on.crowd(3, check), on.crowd(3, solve))
