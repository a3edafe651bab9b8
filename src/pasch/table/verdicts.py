"""How a game would be decided if it ended now: worked out once for a position, whoever asks."""

from __future__ import annotations

import asyncio
from typing import Any

from pasch.table import schema
from pasch.table.clients import Client, encode
from pasch.table.coaching import Coaching
from pasch.table.log import LiveTable


class Verdicts:
    """The verdicts of one table. What was shown to people before they agreed is what then decides."""

    def __init__(self, live: LiveTable, coaching: Coaching) -> None:
        self._live = live
        self._coaching = coaching
        #: after so many events of the game
        self._events = -1
        self._verdict: asyncio.Task[dict[str, Any]] | None = None

    async def now(self, payer: str) -> dict[str, Any]:
        """The verdict on the game as it stands."""
        if self._verdict is None or self._events != len(self._live.events):
            self._events = len(self._live.events)
            self._verdict = asyncio.create_task(self._coaching.verdict(self._live, payer))
        # shielded: if one of those who wait goes away, the others still want it
        return await asyncio.shield(self._verdict)

    async def show(self, client: Client, command: schema.Preview, payer: str) -> None:
        """Answer somebody who asks how the game would be decided."""
        version, verdict = self._live.version, await self.now(payer)
        client.send(encode(schema.Verdict(command.id, version, **verdict)))
