"""A seat that is lent to a strong computer and taken back at once, again and again.

Each time the computer begins to think about a game of thousands of events, for nothing; and each time the log
grows.
"""

from __future__ import annotations

from tools.attack.attacker import Attacker


async def attack(on: Attacker) -> None:
    made = await on.make_long()
    async with on.at(made) as place:
        seat = place.position["actor"]
        while on.going:
            await place.command("computer", seat=seat, level="hard")
            await place.command("person", seat=seat)
