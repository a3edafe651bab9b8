"""The same command again and again, many ids for one command, and questions why something is not possible."""

from __future__ import annotations

from tools.attack.attacker import Attacker


async def attack(on: Attacker) -> None:
    made = await on.make("crowns", [None, None], options={"split": True}, dice="real")
    if made is None:
        return

    async def repeat() -> None:
        async with on.at(made) as place:
            asked = place.position.get("ask")
            if asked:
                values = [asked["values"][part % 6] for part in range(len(asked["parts"]))]
                await place.command("read", values=values)
            while on.going:
                await place.command("why", tokens=[f"{number}" for number in range(16)])
                await place.command("name", id="always", seat=0, name="same")
                await place.command("roll", id="x" * 64)
                await place.command("contribute", contribution="0" * 64)
                on.within(on.counts["tried"] - on.counts["too-fast"], "commands", price=0.5)

    await on.crowd(12, repeat)
