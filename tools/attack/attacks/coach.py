"""A coach who shall judge thousands of moves, anew at every table and for everybody who comes.

Also verdicts: the maker ends the game early again and again, under new ids.
"""

from __future__ import annotations

from tools.attack.attacker import Attacker


async def attack(on: Attacker) -> None:
    tables = [await on.make_long(coach=coach) for coach in ("moves", "hints")]

    async def come() -> None:
        async with on.at(tables[on.counts["tried"] % 2]) as place:
            on.counts["tried"] += 1
            for number in range(20):
                await place.send("adjudicate", id=f"a{number}", version=place.version)
            while on.going:
                await place.hear("accepted")

    await on.crowd(6, come)
