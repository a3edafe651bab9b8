"""Messages that are long, deep, of thousands of parts, or of no kind there is."""

from __future__ import annotations

from tools.attack.attacker import Attacker

MESSAGES = (
    "[" * 60_000,
    '{"type":"hello","tokens":[' + ",".join(['""'] * 20_000) + "]}",
    '{"type":"move","id":"x","version":0,"event":' + '{"a":' * 31 + "0" + "}" * 32,
    '{"type":"move","id":"x","version":0,"event":{"seat":0,"card":' + "9" * 60_000 + "}}",
    '{"type":"why","id":"x","version":0,"tokens":["' + "a" * 60_000 + '"]}',
    "x" * 1_000_000,
    '"' * 65_000,
    '{"type":"hello","tokens":["' + "\\u0000" * 10_000 + '"]}',
)


async def attack(on: Attacker) -> None:
    async def send() -> None:
        async with on.at() as place:
            for message in MESSAGES * 20:
                if not on.going:
                    break
                await place.line.send(message)
                on.counts["tried"] += 1
                await place.hear()
                on.within(on.counts["tried"] - on.counts["too-fast"], "messages", price=0.5)

    await on.crowd(12, send)
