"""Guessing tokens and invitations at an honest table."""

from __future__ import annotations

import secrets

from pasch.table.schema import PROTOCOL
from tools.attack.attacker import Attacker, Place


async def attack(on: Attacker) -> None:
    async def guess() -> None:
        async with on.socket(on.stage.table) as line:
            place = Place(on, line)
            while on.going:
                number = on.counts["tried"]
                tokens = [secrets.token_urlsafe(24) for _ in range(12)]
                kind, fields = (
                    ("hello", {"tokens": tokens, "protocol": PROTOCOL}),
                    ("sit", {"id": f"{number}", "version": 0, "invitation": tokens[0], "name": "me"}),
                    ("name", {"id": f"{number}", "version": 0, "seat": 0, "name": "me"}),
                )[number % 3]
                on.counts["tried"] += 1
                await place.send(kind, **fields)
                answer = await place.hear("welcome", "accepted", "table", "update")
                if answer["type"] != "refused":
                    on.problem(f"a guess was answered with {answer['type']}")
                elif answer.get("version") is not None:
                    on.problem("a stranger was told how far the game is")
                on.within(on.counts["tried"] - on.counts["too-fast"], "guesses", price=0.5)

    await on.crowd(8, guess)
