"""Hints without end at a table that begins with thousands of events.

Each hint makes a helper read the whole game. One is answered at a time; the others are refused or share its answer.
"""

from __future__ import annotations

from tools.attack.attacker import Attacker


async def attack(on: Attacker) -> None:
    made = await on.make_long(coach="hints")

    async def ask() -> None:
        async with on.at(made) as place:
            for number in range(60):
                await place.send("hint", id=f"h{number}", version=place.version)
            on.counts["tried"] += 60
            while on.going:
                await place.hear("advice")
                await place.send("hint", id=f"i{on.counts['tried']}", version=place.version)
                on.counts["tried"] += 1

    await on.crowd(4, ask)
