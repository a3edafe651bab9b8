"""A message in pieces that never ends: empty frames, pongs nobody asked for, one byte at a time."""

from __future__ import annotations

from tools.attack.attacker import Attacker
from tools.attack.frames import CONTINUATION, PONG, TEXT, flood, frame

PIECES = (frame(CONTINUATION, b"", last=False), frame(PONG, b""), frame(CONTINUATION, b"x", last=False))


async def attack(on: Attacker) -> None:
    async def send() -> None:
        on.counts["connections"] += 1
        piece = PIECES[on.counts["connections"] % len(PIECES)]
        await flood(on, frame(TEXT, b"{", last=False), piece * 2_000, 2_000)

    await on.crowd(6, send)
