"""A table with a box of a quarter of a megabyte, and as many watchers as one may have who never read."""

from __future__ import annotations

from contextlib import AsyncExitStack, suppress

from websockets.exceptions import WebSocketException

from pasch.table.schema import PROTOCOL
from tools.attack.attacker import Attacker, text
from tools.attack.games import huge_box
from tools.attack.target import abort

WATCHERS = 90
FEWER = 20


async def attack(on: Attacker) -> None:
    game, box = huge_box()
    made = await on.make(game, [None, None], options={"components": box})
    if made is None:
        return
    watchers = []
    try:
        for _ in range(FEWER if on.short else WATCHERS):
            with suppress(OSError, WebSocketException, TimeoutError):
                watcher = await on.socket(made["id"], max_queue=1)
                watchers.append(watcher)
                await watcher.send(text({"type": "hello", "tokens": [made["watch"]], "protocol": PROTOCOL}))
        on.counts["watchers"] = len(watchers)
        async with AsyncExitStack() as stack:
            places = [await stack.enter_async_context(on.at(made)) for _ in range(4)]
            while on.going:
                place = places[on.counts["tried"] % len(places)]
                place.version = max(other.version for other in places)
                await place.command("name", seat=0, name=f"{on.counts['tried']}")
    finally:
        for watcher in watchers:
            abort(watcher)
