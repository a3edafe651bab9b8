"""A connection stays open as long as its client is at the table."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest

from tests.web.test_transport import Served, hear, say, with_uvicorn


class ClockLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock a test moves forward."""

    skipped = 0.0

    def time(self) -> float:
        return super().time() + self.skipped


@with_uvicorn(loop_factory=ClockLoop)
async def test_a_websocket_stays_open_for_minutes(served: Served) -> None:
    loop = cast(ClockLoop, asyncio.get_running_loop())
    async with served.joined(0) as client:
        for _ in range(0, 180, 5):
            # pings and pongs, which depend on the same clock, are exchanged in between
            loop.skipped += 5
            await say(client, type="ping")
            await hear(client, "pong")


@pytest.mark.exhaustive
@with_uvicorn()
async def test_a_websocket_stays_open_for_forty_real_seconds(served: Served) -> None:
    async with served.joined(0) as client:
        await asyncio.sleep(40)
        await say(client, type="ping")
        await hear(client, "pong")
