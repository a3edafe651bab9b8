"""Requests with thousands of headers, or one header of a hundred thousand letters."""

from __future__ import annotations

import asyncio

from tools.attack.attacker import Attacker

HEADERS = (
    "a:\r\n" * 15_000,
    "If-None-Match: " + '"",' * 20_000 + "\r\n",
    "Accept-Encoding: " + "gzip;q=1," * 7_000 + "\r\n",
    "Cookie: " + "a" * 200_000 + "\r\n",
    "a:\r\n" * 60_000,
    "X-Forwarded-For: " + "127.0.0.9," * 6_000 + "\r\n",
)


async def attack(on: Attacker) -> None:
    async def ask() -> None:
        await on.get("/", headers=HEADERS[on.counts["tried"] % len(HEADERS)])
        await asyncio.sleep(0)

    await on.crowd(8, ask)
