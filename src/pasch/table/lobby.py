"""The lobby: all tables of a server, made, loaded from the log on demand, and evicted when idle."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final

import msgspec

from pasch.core.errors import PaschError
from pasch.core.prepare import prepare_types
from pasch.store.base import (
    FIRST_FENCE,
    HeldElsewhere,
    NoTable,
    OutcomeUnknown,
    Store,
    StoredTable,
    StoreError,
    TableStatus,
)
from pasch.table import create
from pasch.table.authority import Authority
from pasch.table.bots import Bots
from pasch.table.computers import Computers
from pasch.table.helpers import Helpers, Processes
from pasch.table.lease import Lease, log_failure
from pasch.table.limits import Budgets, Clock, Limits, Price
from pasch.table.log import LiveTable, Presence
from pasch.table.processes import HelperProcesses
from pasch.table.refusals import Refusal
from pasch.table.retention import STATES, delete
from pasch.table.schema import MadeTable, NewTable

logger = logging.getLogger("pasch.table")


#: logs that are replayed at the same time, so that a long one holds up no other
REPLAY_THREADS: Final = 2
#: tables that may be on their way from the log into memory
MAX_LOADING: Final = 16
#: the interval of measuring the log and looking for old tables, in seconds
MAINTENANCE_INTERVAL_SECONDS: Final = 600.0


class Lobby:
    """All tables of a server. Belongs to the event loop in which it was opened."""

    def __init__(
        self,
        store: Store,
        limits: Limits | None = None,
        clock: Clock = time.time,
        processes: Processes | None = None,
        bots: Bots | None = None,
        monotonic: Clock = time.monotonic,
    ) -> None:
        self.store = store
        self.limits = limits = limits or Limits()
        self._clock = clock
        self._monotonic = monotonic
        self.budgets = Budgets(limits, monotonic)
        self.helpers = Helpers(processes or HelperProcesses())
        self.bots = bots or Bots()
        self._live: dict[str, Authority] = {}
        #: of these the idle ones, the one idle longest first
        self._idle: OrderedDict[str, Authority] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Authority]] = {}
        self._loading_slots = asyncio.Semaphore(MAX_LOADING)
        #: where the logs of tables are replayed
        self._replaying = ThreadPoolExecutor(REPLAY_THREADS, "pasch-load")
        #: the number of tables that are being made
        self._making = 0
        self.lease = Lease(store, self._keep_only, self._resume, monotonic)
        self.computers = Computers(self.helpers, self.bots)
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Open the log; what else there is to do at first and from time to time is done in the background."""
        prepare_types()
        await self.store.open()
        self.lease.start()
        self._start(self._run_maintenance())

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Stop all tables and finish pending writes."""
        await self.lease.stop()
        for work in self._tasks:
            work.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for task in self._loading.values():
            task.cancel()
        self._replaying.shutdown(wait=False, cancel_futures=True)
        for table in tuple(self._live.values()):
            table.close()
        await self.helpers.close()
        await self.bots.close()
        await self.store.close()

    @property
    def live(self) -> int:
        """How many tables are in memory."""
        return len(self._live)

    @property
    def idle(self) -> int:
        """How many of these have no connection."""
        return len(self._idle)

    # --- finding tables ------------------------------------------------------------------------------

    async def find(self, table: str, address: str = "") -> Authority:
        """The authority over a table, from memory or from the log; Refusal if there is no such table.

        HeldElsewhere says which other server has it. While the lease is in doubt what is here may be old.
        The address is charged if the table has to be loaded.
        """
        while True:
            if self.lease.in_doubt:
                raise Refusal("storage", "the log does not answer; try again later")
            found = self._live.get(table)
            if found is not None:
                self._idle.pop(table, None)
                return found
            if table not in self._loading:
                self._check_capacity()
                self._loading[table] = loading = asyncio.create_task(self._load(table, address))
                # mark as retrieved: the waiters may be gone
                loading.add_done_callback(lambda loaded: loaded.cancelled() or loaded.exception())
            # shielded: if one of those who wait goes away, the others still want the table
            await asyncio.shield(self._loading[table])

    def _check_capacity(self) -> None:
        """Refuse another table in memory if all loaded ones are in use."""
        if len(self._live) - len(self._idle) + len(self._loading) + self._making >= self.limits.live:
            raise Refusal("full", "too many tables are being played; try again later")

    async def read(self, table: str, address: str = "") -> LiveTable:
        """A table to look at, whichever server has it; Refusal if there is none."""
        try:
            found = await self.find(table, address)
        except HeldElsewhere:
            return (await self._replayed(table, self.store.load, address))[0]
        self.evict_idle(found)
        return found.live

    async def _load(self, table: str, address: str) -> Authority:
        try:
            live, stored = await self._replayed(table, self.store.claim, address)
            return self._add(live, stored.fence)
        finally:
            del self._loading[table]

    async def _replayed(
        self, table: str, load: Callable[[str], Coroutine[Any, Any, StoredTable]], address: str
    ) -> tuple[LiveTable, StoredTable]:
        """A table from the log, paid for by an address. It is replayed in a thread, because that may take long."""
        async with self._loading_slots:
            try:
                stored = await load(table)
            except NoTable as error:
                raise Refusal.because("no-table", error) from None
            except HeldElsewhere:
                raise
            except StoreError as error:
                logger.error("failed to load", extra={"fields": {"table": table, "problem": error.reason}})
                raise Refusal("storage", "the log could not be read; try again later") from None
            self.budgets.processor.charge(address, Price.EVENT * stored.version)
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._replaying, read_table, stored), stored

    def _add(self, live: LiveTable, fence: int = FIRST_FENCE, payer: str = "") -> Authority:
        live.presence = Presence(len(live.agreement.chairs), self.limits, self._monotonic)
        made = Authority(live, self, fence, payer)
        self._live[live.id] = made
        self._trim()
        return made

    def evict_idle(self, table: Authority) -> None:
        """Note that a table may have become idle, and drop the longest idle ones beyond the limit."""
        name = table.live.id
        if self._live.get(name) is not table:
            return
        if table.closed:
            del self._live[name]
            self._idle.pop(name, None)
        elif table.idle:
            self._idle[name] = table
            self._idle.move_to_end(name)
            self._trim()

    def _trim(self) -> None:
        """Drop the longest idle tables beyond the limits."""
        limits, entries = self.limits, sum(table.live.version for table in self._idle.values())
        while self._idle and (
            len(self._idle) > limits.idle or entries > limits.idle_entries or len(self._live) > limits.live
        ):
            evicted = self._drop(next(iter(self._idle)))
            entries -= evicted.live.version
            if self.store.lease is not None:
                self._start(self._release(evicted.live.id, evicted.fence))

    def _drop(self, table: str) -> Authority:
        """Take an idle table out of memory."""
        dropped = self._idle.pop(table)
        del self._live[table]
        dropped.close()
        return dropped

    # --- several servers -----------------------------------------------------------------------------

    async def _resume(self, table: str) -> None:
        """Let the computer move at a table that no server has in memory."""
        if table not in self._live:
            # logged already, or another server was quicker
            with suppress(Refusal, HeldElsewhere, StoreError):
                found = await self.find(table)
                found.start_computer()
                self.evict_idle(found)
                current = found.live.current
                # written by an older Pasch, where such tables went on by themselves
                if not current.server_must_act:
                    version = found.live.version
                    await self.store.append(table, version, [], False, found.fence, current.phase)

    def _keep_only(self, held: Mapping[str, int]) -> None:
        """Close the tables that another server has taken over."""
        for name, table in tuple(self._live.items()):
            if held.get(name) != table.fence:
                table.close()
                self.evict_idle(table)

    async def _release(self, table: str, fence: int) -> None:
        """Let other servers have a table that is no longer in memory."""
        with suppress(StoreError):  # it becomes free when this server ends
            await self.store.release(table, fence)

    # --- in the background ---------------------------------------------------------------------------

    async def _run_maintenance(self) -> None:
        """Measure the log and delete old tables, again and again."""
        while True:
            with log_failure("failed to measure the log"):
                self.budgets.log_size = await self.store.size()
            with log_failure("failed to delete old tables"):
                await self.sweep()
            await asyncio.sleep(MAINTENANCE_INTERVAL_SECONDS)

    async def sweep(self) -> None:
        """Delete the tables that were kept long enough, by the wall's clock; one that is in use stays."""
        for state, phases in STATES.items():
            seconds: int | None = getattr(self.limits.keep, state)
            if seconds is not None:
                before = int(self._clock()) - seconds
                old = await self.store.summaries(phases, before)
                found = await delete(self.store, old, before, self._unused)
                if found.tables:
                    fields = {"state": state, **found._asdict()}
                    logger.info("old tables deleted", extra={"fields": fields})

    async def delete(self, tables: Sequence[str]) -> None:
        """Delete tables immediately, except those in use."""
        await self.store.delete(self._unused(tables))

    def _unused(self, tables: Sequence[str]) -> Sequence[str]:
        """Drop the idle ones of these tables from memory, and return those that are not in use."""
        for table in tables:
            if table in self._idle:
                self._drop(table)
        return [table for table in tables if table not in self._live and table not in self._loading]

    # --- making tables -------------------------------------------------------------------------------

    async def make(self, request: NewTable, address: str = "") -> MadeTable:
        """Create the table that an address requests; Refusal if it is not valid, or the server is full."""
        now, large = int(self._clock()), self.limits.large_boxes
        live, made = create.new_table(request, self.bots.names, now, large)
        await self._create(live, request.events, address)
        return made

    async def make_next(self, live: LiveTable, address: str = "") -> str:
        """Create the table of a rematch and return its id; Refusal if the server is full."""
        following = create.rematch(live, int(self._clock()))
        self.budgets.tables.spend(address)
        self.budgets.processor.spend(address, Price.TABLE)
        await self._create(following, (), address)
        return following.id

    async def _create(self, live: LiveTable, events: tuple[dict[str, Any], ...], address: str) -> None:
        """Write a new table, which begins with these events, to the log, and keep it in memory."""
        self.budgets.check_table(address)
        self._check_capacity()
        self._making += 1
        try:
            # in a thread: thousands of events take a while to check
            loop = asyncio.get_running_loop()
            entries = await loop.run_in_executor(self._replaying, create.begin, live, events)
            agreement, current = live.agreement, live.current
            document, key = msgspec.json.encode(agreement), live.secrets.pack()
            self.budgets.check_table(address)  # others at this address may have been quicker
            self.budgets.charge_log(address, self.store.stored_size(entries, document, key))
            status = TableStatus(current.phase, agreement.made)
            await self.store.create(live.id, document, key, entries, current.server_must_act, status)
        except StoreError as error:
            logger.error("failed to create table", extra={"fields": {"problem": error.reason}})
            if isinstance(error, OutcomeUnknown):
                raise Refusal("storage", "the log does not answer; try again later") from None
            raise Refusal.unwritten(error) from None
        finally:
            self._making -= 1
        made = self._add(live, payer=address)
        made.start_computer()
        self.evict_idle(made)


def read_table(stored: StoredTable) -> LiveTable:
    """The table that the log holds; Refusal if its log is damaged."""
    try:
        return LiveTable.load(stored)
    except (PaschError, msgspec.DecodeError) as problem:
        logger.error(
            "failed to read table", extra={"fields": {"table": stored.id, "problem": str(problem)}}
        )
        raise Refusal("storage", "the log of this table cannot be read") from None
