"""Coming back over and over to a table with thousands of events, to be welcomed with all of them."""

from __future__ import annotations

from pasch.table.schema import PROTOCOL
from tools.attack.attacker import Attacker


async def attack(on: Attacker) -> None:
    made = await on.make_long(coach="after")

    async def come_back() -> None:
        async with on.at(made) as place:
            on.counts["welcomed"] += 1
            while on.going:
                await place.send("hello", tokens=[made["watch"]], since=0, protocol=PROTOCOL)
                on.counts["tried"] += 1
                on.counts["welcomed"] += (await place.hear("welcome"))["type"] == "welcome"

    await on.crowd(10, come_back)
