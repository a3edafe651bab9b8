"""Keeps the tables of this server while others share its log, and takes over where another server ended."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from pasch.store.base import Store, StoreError

logger = logging.getLogger("pasch.table")

#: how often a lease is renewed before it would run out
RENEWALS: Final = 4
#: tables taken over at once; the next ones follow a moment later
MOST_AT_ONCE: Final = 100


class Keeper:
    """Renews the lease of a server in the background, for as long as it runs.

    Nothing may hold that up. What a renewal brings to light is therefore looked after by a task beside it.
    """

    def __init__(
        self,
        store: Store,
        keep: Callable[[Mapping[str, int]], None],
        adopt: Callable[[str], Awaitable[None]],
    ) -> None:
        self._store = store
        #: told which tables this server still has, after it may have lost some
        self._keep = keep
        #: told of each table at which a server has to act, and none does
        self._adopt = adopt
        self._leaving: dict[str, asyncio.Event] = {}
        self._renewed = 0.0
        #: the lease had run out, and nobody has looked yet what was lost
        self._late = False
        self._renewing: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[None] | None = None

    def start(self) -> None:
        if self._store.lease is not None:
            loop = asyncio.get_running_loop()
            self._renewed = loop.time()
            self._renewing = loop.create_task(self._renew(self._store.lease))

    async def stop(self) -> None:
        tasks = [task for task in (self._renewing, self._looking) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def behind(self) -> float:
        """How long ago the lease was renewed, in seconds; 0 if there is none."""
        return 0.0 if self._renewing is None else asyncio.get_running_loop().time() - self._renewed

    @property
    def cut_off(self) -> bool:
        """Whether the log has not been reached for so long that others may have the tables."""
        return self._store.lease is not None and self.behind > self._store.lease

    def leaving(self, server: str) -> asyncio.Event:
        """Set when a server that was alive a moment ago is so no longer."""
        return self._leaving.setdefault(server, asyncio.Event())

    async def _renew(self, lease: float) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(lease / RENEWALS)
            began = loop.time()
            with _told("lease not renewed"):
                renewal = await asyncio.wait_for(self._store.renew(), lease)
                self._renewed = began
                if renewal.late:
                    logger.warning("lease renewed too late")
                    self._late = True
                self._watch(renewal.alive)
                if self._looking is None or self._looking.done():
                    self._looking = loop.create_task(self._look())

    def _watch(self, alive: frozenset[str]) -> None:
        for server in self._leaving.keys() - alive:
            self._leaving.pop(server).set()

    async def _look(self) -> None:
        with _told("tables not looked after"):
            if self._late:
                self._late = False
                try:
                    self._keep(await self._store.held())
                except BaseException:
                    self._late = True
                    raise
            for table in (await self._store.due())[:MOST_AT_ONCE]:
                await self._adopt(table)


@contextmanager
def _told(what: str) -> Iterator[None]:
    """Write any failure to the server's log and go on: without its keeper a server loses all tables."""
    try:
        yield
    except (StoreError, TimeoutError) as error:
        problem = error.reason if isinstance(error, StoreError) else "it does not answer"
        logger.warning(what, extra={"fields": {"problem": problem}})
    except Exception:
        logger.exception(what)
