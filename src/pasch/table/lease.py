"""The lease of a server on its tables, where several servers share a log."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from pasch.store.base import Store, StoreError

logger = logging.getLogger("pasch.table")

#: how often a lease is renewed before it would expire
RENEWALS: Final = 4
#: tables resumed after one renewal; the next ones follow after the next
MAX_RESUMED: Final = 10


class Lease:
    """Renews the lease of a server in the background, for as long as it runs, and resumes tables.

    Nothing may delay a renewal, so what follows from one is done by another task.
    """

    def __init__(
        self,
        store: Store,
        keep_only: Callable[[Mapping[str, int]], None],
        resume: Callable[[str], Awaitable[None]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        #: not that of the event loop, which may stand still within one turn of the loop
        self._clock = clock
        #: called with the tables that this server still holds, after it may have lost some
        self._keep_only = keep_only
        #: called for each table at which a server has to act and that no server holds
        self._resume = resume
        self._renewed = 0.0
        #: when the lease was renewed too late, until it is known which tables were lost
        self._late: float | None = None
        self._renewing: asyncio.Task[None] | None = None
        self._checking: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start renewing or, if the store has no leases, resume all tables once, one after the other."""
        if self._store.lease is None:
            self._checking = asyncio.create_task(self._check_tables())
        else:
            self._renewed = self._clock()
            self._renewing = asyncio.create_task(self._renew(self._store.lease))

    async def stop(self) -> None:
        """Stop renewing."""
        tasks = [task for task in (self._renewing, self._checking) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def age(self) -> float:
        """How long ago the lease was renewed, in seconds; 0 if there is none."""
        return 0.0 if self._renewing is None else self._clock() - self._renewed

    @property
    def expired(self) -> bool:
        """Whether the log has not been reached for so long that others may have the tables."""
        return self._store.lease is not None and self.age > self._store.lease

    @property
    def in_doubt(self) -> bool:
        """Whether other servers may have gone on with tables that are in memory here."""
        return self.expired or self._late is not None

    async def _renew(self, lease: float) -> None:
        while True:
            await asyncio.sleep(lease / RENEWALS)
            began = self._clock()
            with log_failure("failed to renew the lease"):
                in_time = await asyncio.wait_for(self._store.renew(), lease)
                self._renewed = began
                if not in_time:
                    logger.warning("lease renewed too late")
                    self._late = began
                if self._checking is None or self._checking.done():
                    self._checking = asyncio.create_task(self._check_tables())

    async def _check_tables(self) -> None:
        with log_failure("failed to resume tables"):
            if (late := self._late) is not None:
                self._keep_only(await self._store.held())
                if self._late == late:
                    self._late = None
            for table in (await self._store.due())[: MAX_RESUMED if self._renewing else None]:
                await self._resume(table)


@contextmanager
def log_failure(what: str) -> Iterator[None]:
    """Log any failure of the block and continue: a server that stopped renewing would lose all its tables."""
    try:
        yield
    except (StoreError, TimeoutError) as error:
        problem = error.reason if isinstance(error, StoreError) else "it does not answer"
        logger.warning(what, extra={"fields": {"problem": problem}})
    except Exception:
        logger.exception(what)
