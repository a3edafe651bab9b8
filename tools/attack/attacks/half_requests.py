"""Hundreds of connections with half a request, or none at all, that are kept open."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress

from tools.attack.attacker import LIMITS, Attacker
from tools.attack.target import PATIENCE

CONNECTIONS = 1_200
BEGINNINGS = (
    b"",
    b"G",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ",
    b"GET /ws/x HTTP/1.1\r\nUpgrade: websocket\r\n",
)


async def attack(on: Attacker) -> None:
    open_ones: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
    try:
        while on.going:
            if len(open_ones) < CONNECTIONS:
                on.counts["tried"] += 1
                with suppress(OSError, TimeoutError):
                    open_ones.append(await on.open())
                    open_ones[-1][1].write(BEGINNINGS[len(open_ones) % len(BEGINNINGS)])
                    continue
            # a letter more for each, so that nobody can say nothing comes
            for _, writer in open_ones:
                with suppress(OSError):
                    writer.write(b"a")
            await asyncio.sleep(0.2)
        until = time.monotonic() + PATIENCE
        while (held := _held(open_ones)) > LIMITS.address_connections and time.monotonic() < until:
            await asyncio.sleep(0.1)  # the end of a connection may be on its way
        on.counts["held"] = held
        if held > LIMITS.address_connections:
            on.problem(f"one address holds {held} connections")
    finally:
        for _, writer in open_ones:
            writer.transport.abort()


def _held(connections: Sequence[tuple[asyncio.StreamReader, asyncio.StreamWriter]]) -> int:
    """How many of them the server has not ended."""
    return sum(not (reader.at_eof() or writer.transport.is_closing()) for reader, writer in connections)
