"""Thousands of new names and wishes of the coach at a table with honest people, who then come back."""

from __future__ import annotations

from tools.attack.attacker import Attacker

MODES = ("off", "after", "moves", "hints")


async def attack(on: Attacker) -> None:
    """The honest people of the stage are let in afterwards, or the measure says that they are locked out."""

    async def rename() -> None:
        async with on.at() as place:
            while on.going:
                number = on.counts["tried"]
                if number % 3:
                    await place.command("name", seat=place.welcome["yours"][0], name=f"{number:024}")
                else:
                    await place.command("coach", coach=MODES[number % 4])

    await on.crowd(8, rename)
