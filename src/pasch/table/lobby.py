"""The lobby: all tables of a server, made, loaded from the log on demand, and evicted when idle."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from typing import Any

import msgspec

from pasch.core.errors import PaschError
from pasch.core.fair import commitment
from pasch.core.registry import find_game
from pasch.players.base import player_names
from pasch.store.base import FIRST_FENCE, Held, LogEntry, NoTable, Store, StoredTable, StoreError
from pasch.table import metrics, tokens
from pasch.table.authority import Authority
from pasch.table.bots import Bots
from pasch.table.coaching import Coaching
from pasch.table.commands import Refusal, clean_name, roll_on
from pasch.table.computers import Computers
from pasch.table.helper import Helper
from pasch.table.lease import Lease
from pasch.table.log import Agreement, Chair, Change, LiveTable
from pasch.table.schema import CoachMode, MadeTable, NewTable, SeatWish

logger = logging.getLogger("pasch.table")


class LobbyLimits(msgspec.Struct, frozen=True):
    """How many tables a lobby holds."""

    #: tables in memory at once
    live: int = 20_000
    #: of these, tables without a connection, kept in case somebody comes back
    idle: int = 200


class Lobby:
    """All tables of a server. Belongs to the event loop in which it was opened."""

    def __init__(
        self,
        store: Store,
        limits: LobbyLimits | None = None,
        clock: Callable[[], float] = time.time,
        helper: Callable[[], Helper] = Helper,
        bots: Bots | None = None,
    ) -> None:
        self.store = store
        self.limits = limits or LobbyLimits()
        self._clock = clock
        # the coach may be busy for a long time, so the players have a helper of their own
        self._helpers = (helper(), helper())
        self.bots = bots or Bots()
        self._computers = Computers(self._helpers[0], self.bots)
        self.coaching = Coaching(self._helpers[1])
        self._live: dict[str, Authority] = {}
        #: of these the idle ones, the one idle longest first
        self._idle: OrderedDict[str, Authority] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Authority]] = {}
        self.lease = Lease(store, self._keep_only, self._resume)
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Open the log, and let the computers move that were to move when the server stopped."""
        await self.store.open()
        # first, because there may be so many tables that the lease would expire meanwhile
        self.lease.start()
        for table in await self.store.due():
            await self._resume(table)

    async def close(self) -> None:
        """Stop all tables and finish what is being written."""
        await self.lease.stop()
        for task in self._loading.values():
            task.cancel()
        for table in tuple(self._live.values()):
            table.close()
        for helper in self._helpers:
            await helper.close()
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

    @property
    def waiting(self) -> int:
        """How many commands wait for their turn, at all tables."""
        return sum(table.waiting for table in self._live.values())

    # --- finding tables ------------------------------------------------------------------------------

    async def find(self, table: str) -> Authority:
        """The authority over a table, from memory or from the log; Refusal if there is no such table.

        Held says which other server has it.
        """
        found = self._live.get(table)
        if found is not None:
            self._idle.pop(table, None)
            return found
        if table not in self._loading:
            if len(self._live) - len(self._idle) >= self.limits.live:
                raise Refusal("full", "too many tables are being played; try again later")
            self._loading[table] = asyncio.create_task(self._load(table))
            self._loading[table].add_done_callback(lambda loaded: self._loaded(table, loaded))
        # shielded: if one of those who wait goes away, the others still want the table
        return await asyncio.shield(self._loading[table])

    def _loaded(self, table: str, loaded: asyncio.Task[Authority]) -> None:
        del self._loading[table]
        if not loaded.cancelled():
            loaded.exception()  # mark as retrieved: perhaps nobody waits any more

    async def read(self, table: str) -> LiveTable:
        """A table to look at, whichever server has it; Refusal if there is none."""
        try:
            found = await self.find(table)
        except Held:
            return read_table(await self._stored(table, self.store.load))
        self.evict_idle(found)
        return found.live

    async def _load(self, table: str) -> Authority:
        stored = await self._stored(table, self.store.claim)
        return self._add(read_table(stored), stored.fence)

    async def _stored(
        self, table: str, load: Callable[[str], Coroutine[Any, Any, StoredTable]]
    ) -> StoredTable:
        try:
            return await load(table)
        except NoTable as error:
            raise Refusal.because("no-table", error) from None
        except Held:
            raise
        except StoreError as error:
            logger.error("not read", extra={"fields": {"table": table, "problem": error.reason}})
            raise Refusal("storage", "the log could not be read; try again later") from None

    def _add(self, live: LiveTable, fence: int = FIRST_FENCE, payer: str = "") -> Authority:
        made = Authority(live, self.store, self._computers, self.coaching, self.evict_idle, fence, payer)
        self._live[live.id] = made
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
            while len(self._idle) > self.limits.idle:
                oldest, evicted = self._idle.popitem(last=False)
                del self._live[oldest]
                self._release(evicted)

    # --- several servers -----------------------------------------------------------------------------

    async def _resume(self, table: str) -> None:
        """Let the computer move at a table that no server has in memory."""
        if table not in self._live:
            with suppress(Refusal, Held):  # logged already, or another server was quicker
                (await self.find(table)).start_computer()

    def _keep_only(self, held: Mapping[str, int]) -> None:
        """Close the tables that another server has taken over."""
        for name, table in tuple(self._live.items()):
            if held.get(name) != table.fence:
                metrics.COUNTERS.taken_over += 1
                table.close()
                self.evict_idle(table)

    def _release(self, table: Authority) -> None:
        """Let other servers have a table that is no longer in memory."""
        if self.store.lease is not None:
            task = asyncio.create_task(self._released(table.live.id, table.fence))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _released(self, table: str, fence: int) -> None:
        with suppress(StoreError):  # it becomes free when this server ends
            await self.store.release(table, fence)

    # --- making tables -------------------------------------------------------------------------------

    async def make(self, wish: NewTable, address: str = "") -> MadeTable:
        """Make a table for somebody at this address; Refusal says what is wrong with the wish."""
        wishes = list(wish.seats)
        if wish.draw_lots:
            secrets.SystemRandom().shuffle(wishes)
        try:
            game = find_game(wish.game).agree(len(wishes), wish.options)
        except PaschError as error:
            raise Refusal.because("illegal", error) from None
        chairs, seat_tokens, invitations = _chairs(wishes, self.bots.names)
        watch, maker = tokens.new_token(), tokens.new_token()
        coach, chairs = _coach(wish.coach, chairs)
        table, secret = secrets.token_urlsafe(9), tokens.Secrets.new()
        agreement = Agreement(
            game=game.id,
            options=game.options.json(),
            chairs=chairs,
            coach=coach,
            dice=wish.dice,
            made=int(self._clock()),
            watch=tokens.hash_token(watch),
            maker=tokens.hash_token(maker),
            commitment=commitment(secret.seed) if wish.dice == "pasch" else None,
            given=len(wish.events),
        )
        live = LiveTable(table, agreement, game, secret)
        # in a thread: thousands of events take a while to check
        await asyncio.to_thread(_begin, live, wish.events)
        entries = [LogEntry(line.encode()) for line in live.lines]
        document = msgspec.json.encode(agreement)
        try:
            await self.store.create(table, document, secret.pack(), entries, live.current.due)
        except StoreError as error:
            logger.error("not made", extra={"fields": {"problem": error.reason}})
            raise Refusal("storage", "the log could not be written; nothing has changed") from None
        made = self._add(live, payer=address)
        made.start_computer()
        self.evict_idle(made)
        return MadeTable(table, seat_tokens, invitations, watch, maker)


def read_table(stored: StoredTable) -> LiveTable:
    """The table that the log holds; Refusal if its log is damaged."""
    try:
        return LiveTable.load(stored)
    except (PaschError, msgspec.DecodeError) as problem:
        logger.error("not understood", extra={"fields": {"table": stored.id, "problem": str(problem)}})
        raise Refusal("storage", "the log of this table cannot be read") from None


def _chairs(
    wishes: list[SeatWish], bots: tuple[str, ...]
) -> tuple[tuple[Chair, ...], dict[str, str], dict[str, str]]:
    """The chairs, and the tokens and invitations that belong to them, by the seat's number."""
    chairs: list[Chair] = []
    seat_tokens: dict[str, str] = {}
    invitations: dict[str, str] = {}
    for seat, wish in enumerate(wishes):
        name = clean_name(wish.name, empty=True)
        if wish.kind == "computer":
            if wish.level in bots:
                name = name or wish.level
            elif wish.level not in player_names():
                raise Refusal("illegal", "there is no computer player {name!r}", name=wish.level)
            chairs.append(Chair(kind="computer", name=name, level=wish.level))
        elif wish.kind == "here":
            token = seat_tokens[str(seat)] = tokens.new_token()
            chairs.append(Chair(kind="here", name=name, token=tokens.hash_token(token)))
        else:
            token = invitations[str(seat)] = tokens.new_token()
            chairs.append(Chair(kind="open", name=name, invitation=tokens.hash_token(token)))
    return tuple(chairs), seat_tokens, invitations


def _coach(wished: CoachMode, chairs: tuple[Chair, ...]) -> tuple[CoachMode, tuple[Chair, ...]]:
    """The coach mode at first: hints are for all or for none, so those who come by a link are asked."""
    if wished != "hints" or not any(chair.kind == "open" for chair in chairs):
        return wished, chairs
    asked = (
        msgspec.structs.replace(chair, wish=wished) if chair.kind == "here" else chair for chair in chairs
    )
    return "after", tuple(asked)


def _begin(live: LiveTable, events: tuple[dict[str, Any], ...]) -> None:
    """Play the events that a new table begins with, and the rolls that then come by themselves."""
    try:
        for written in events:
            live.apply(live.play(live.game.read_event(written)))
    except PaschError as error:
        raise Refusal(
            "illegal", "event {number}: {problem}", number=live.version + 1, problem=error.reason
        ) from None
    live.apply(roll_on(live, Change((), live.current)))
