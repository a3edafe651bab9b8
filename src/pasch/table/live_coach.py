"""The coach at a live table: judges each event as it comes, and tells those who may know."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection
from typing import Final

from pasch.core.errors import PaschError
from pasch.table import schema
from pasch.table.clients import Client, encode
from pasch.table.coaching import Coaching, Follower, NotYet
from pasch.table.helper_pool import Busy
from pasch.table.log import LiveTable
from pasch.table.redact import Page, Viewer, visible_judgements

logger = logging.getLogger("pasch.table")

#: seconds until it is asked again whether values are there
RETRY: Final = 2.0


class LiveCoach:
    """What the coach has said of the events at one table."""

    def __init__(
        self, live: LiveTable, coaching: Coaching, clients: Collection[Client], payer: Callable[[], str]
    ) -> None:
        self.judgements: list[schema.Judgement] = []
        self._live = live
        self._coaching = coaching
        self._clients = clients
        self._payer = payer
        self._follower = Follower(live)
        self._judging = False
        #: it will not be asked again while the table is open
        self._failed = False

    def has_work(self) -> bool:
        """Whether there is something to judge, somebody to hear it, and nobody at it; then `judge` has to be run."""
        wanted = self._live.current.coach in ("moves", "hints") and not self._failed
        behind = self._follower.lines < self._live.version
        ready = bool(wanted and self._clients and not self._judging and behind)
        self._judging = self._judging or ready
        return ready

    async def judge(self) -> None:
        """Judge what has happened since the last time."""
        try:
            while self._follower.lines < self._live.version and self._clients:
                try:
                    found = await self._coaching.judge(self._live, self._follower, self._payer())
                except (NotYet, Busy):
                    await asyncio.sleep(RETRY)
                    continue
                self.judgements += found
                for client in tuple(self._clients):
                    visible = visible_judgements(self._live, client.viewer, found)
                    if visible:
                        client.send(encode(schema.Coached(visible)))
        except PaschError as error:
            self._failed = True
            logger.warning("no coach", extra={"fields": {"table": self._live.id, "problem": error.reason}})
        finally:
            self._judging = False

    def take_back(self) -> None:
        """Forget what was said of events that have been taken back."""
        self._follower.align(self._live)
        self.judgements = [one for one in self.judgements if one.version - 1 not in self._live.undone]

    def seen_by(self, viewer: Viewer, page: Page) -> tuple[schema.Judgement, ...]:
        """What was said of these entries, as far as this viewer may know."""
        versions = {entry.version for entry in page.entries}
        found = (judgement for judgement in self.judgements if judgement.version in versions)
        return visible_judgements(self._live, viewer, found)
