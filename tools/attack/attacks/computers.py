"""As many tables as one may make, at which only strong computers play."""

from __future__ import annotations

import asyncio

from websockets.asyncio.client import ClientConnection

from pasch.table.schema import PROTOCOL
from tools.attack.attacker import Attacker, text
from tools.attack.target import abort

#: six strong players at each of these, in games as long as possible
TABLES = (
    ("sixbysix", ["hard"] * 6, {"streets": True, "round_limit": 1000}),
    ("joker1", ["perfect"] * 6, {"rounds": 1000}),
    ("crowns", ["hard"] * 6, {"round_limit": 1000}),
    ("joker2", ["winner"] * 2, {"rounds": 1000}),
)


async def attack(on: Attacker) -> None:
    """Somebody watches at each of them, so that the computers play on."""
    watchers: list[ClientConnection] = []
    try:
        while on.going:
            game, levels, options = TABLES[on.counts["tried"] % len(TABLES)]
            made = await on.make(game, list(levels), options=options)
            if made is None:
                await asyncio.sleep(0.2)
                continue
            watchers.append(await on.socket(made["id"]))
            await watchers[-1].send(
                text({"type": "hello", "tokens": [made["watch"]], "protocol": PROTOCOL})
            )
    finally:
        for watcher in watchers:
            abort(watcher)
