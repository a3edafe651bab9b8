"""As many tables as one may make, each with as many events as may be given: to fill disk and memory."""

from __future__ import annotations

import asyncio

from tools.attack.attacker import Attacker


async def attack(on: Attacker) -> None:
    async def make() -> None:
        try:
            await on.make_long()
        except ConnectionError:
            await asyncio.sleep(0.3)

    await on.crowd(6, make)
