"""Giving honest people's seats away the moment their network fails, deciding without them, ending their game."""

from __future__ import annotations

import asyncio

from tools.attack.attacker import Attacker


async def attack(on: Attacker) -> None:
    """The honest people of the stage keep coming and going meanwhile."""
    async with on.at() as place:
        mine = place.welcome["yours"]
        others = [seat for seat in range(len(place.welcome["table"]["seats"])) if seat not in mine]
        while on.going:
            number = on.counts["tried"]
            seat = others[number % len(others)]
            kind, fields = (
                ("computer", {"seat": seat, "level": "random"}),
                ("coach", {"coach": "hints"}),
                ("adjudicate", {}),
                ("person", {"seat": seat}),
                ("name", {"seat": seat, "name": "mine"}),
            )[number % 5]
            answer = await place.command(kind, **fields)
            # to wish for hints or for an end is everybody's right; the bystander looks whether it comes true
            if answer["type"] == "accepted" and "seat" in fields:
                on.problem(f"{kind}: done to somebody who was away for a moment")
            await asyncio.sleep(0.06)
