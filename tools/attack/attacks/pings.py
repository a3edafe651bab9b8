"""WebSocket pings without end, and nothing read of what comes back."""

from __future__ import annotations

from tools.attack.attacker import Attacker
from tools.attack.frames import PING, flood, frame


async def attack(on: Attacker) -> None:
    pings = frame(PING, b"x" * 125) * 200

    await on.crowd(4, lambda: flood(on, b"", pings, 200))
