"""Hints at a table: one is worked out at a time, and kept for as long as the table stays as it is."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec

from pasch.table import schema
from pasch.table.clients import MOST_WAITING, Client, encode, encode_refusal
from pasch.table.coaching import Coaching
from pasch.table.commands import Refusal
from pasch.table.helper import HelperFailed
from pasch.table.helper_pool import Busy, NotYet
from pasch.table.log import LiveTable

logger = logging.getLogger("pasch.table")

#: runs something in the background
Start = Callable[[Coroutine[Any, Any, None]], None]


class Hints:
    """The hints of one table: those who wait for one, and the last one given."""

    def __init__(self, live: LiveTable, coaching: Coaching) -> None:
        self._live = live
        self._coaching = coaching
        self._waiting: list[tuple[Client, schema.Hint]] = []
        self._last: schema.Advice | None = None

    def ask(self, client: Client, command: schema.Hint, payer: str, start: Start) -> None:
        """Answer with the hint for this version, now or when it has been worked out; Refusal if not allowed."""
        current = self._live.current
        if current.coach != "hints":
            raise Refusal("not-agreed", "hints have not been agreed on at this table")
        if current.state.actor not in client.viewer.seats or current.phase != "playing":
            raise Refusal("not-now", "it is not your turn to choose")
        if self._last is not None and self._last.version == command.version:
            client.send(encode(msgspec.structs.replace(self._last, id=command.id)))
        elif len(self._waiting) >= MOST_WAITING:
            raise Refusal("too-fast", "too much is going on at this table; try again in a moment")
        else:
            self._waiting.append((client, command))
            if len(self._waiting) == 1:
                start(self._advise(payer))

    async def _advise(self, payer: str) -> None:
        """Answer all who wait, one version of the table after the other."""
        try:
            while self._waiting:
                version = self._waiting[0][1].version
                answer = await self._hint_for(version, payer)
                asked = [one for one in self._waiting if one[1].version == version]
                self._waiting = [one for one in self._waiting if one[1].version != version]
                for client, command in asked:
                    if isinstance(answer, Refusal):
                        client.send(encode_refusal(answer, command.id, self._live.version))
                    else:
                        client.send(encode(msgspec.structs.replace(answer, id=command.id)))
        finally:
            self._waiting.clear()

    async def _hint_for(self, version: int, payer: str) -> schema.Advice | Refusal:
        if version != self._live.version:
            return Refusal("old-version", "the game has moved on in the meantime")
        try:
            self._last = await self._coaching.hint(self._live, payer)
        except HelperFailed as error:
            if isinstance(error, Busy):
                return Refusal.because("too-fast", error)
            if isinstance(error, NotYet):
                return Refusal.because("not-ready", error)
            logger.warning("no hint", extra={"fields": {"table": self._live.id, "problem": error.reason}})
            return Refusal("not-ready", "the coach cannot say anything about this position")
        return self._last
