"""All tables of a server: made, found again in the log when somebody asks, let go when nobody does."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec

from pasch.core.errors import PaschError
from pasch.core.fair import commitment
from pasch.core.game import Game
from pasch.core.registry import find_game
from pasch.store.base import FIRST_FENCE, Held, LogEntry, NoTable, Store, StoredTable, StoreError
from pasch.table import metrics, seats
from pasch.table.authority import Authority
from pasch.table.bots import Bots
from pasch.table.coaching import Coaching
from pasch.table.commands import Refusal, automatic
from pasch.table.computers import Computers, levels
from pasch.table.helper import Helper
from pasch.table.keeper import Keeper
from pasch.table.log import Agreement, Chair, Course, play
from pasch.table.schema import CoachMode, MadeTable, NewTable, SeatWish

logger = logging.getLogger("pasch.table")


class HallLimits(msgspec.Struct, frozen=True):
    """How much a hall holds."""

    #: tables in memory at once
    live: int = 20_000
    #: of these, tables at which nobody looks, kept in case somebody comes back
    idle: int = 200


class Looked(NamedTuple):
    """A table as the log has it, for whoever only looks."""

    course: Course
    #: from which its dice follow
    seed: bytes


class Hall:
    """All tables. Belongs to the event loop in which it was opened."""

    def __init__(
        self,
        store: Store,
        limits: HallLimits | None = None,
        clock: Callable[[], float] = time.time,
        helper: Callable[[], Helper] = Helper,
        bots: Bots | None = None,
    ) -> None:
        self.store = store
        self.limits = limits or HallLimits()
        self._clock = clock
        # the coach may be busy for a long time, so the players have a helper of their own
        self._helpers = (helper(), helper())
        #: the players that whoever runs this server has written
        self.bots = bots or Bots()
        self._computers = Computers(self._helpers[0], self.bots)
        self.coaching = Coaching(self._helpers[1])
        self._live: dict[str, Authority] = {}
        self._idle: OrderedDict[str, Authority] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Authority]] = {}
        self.keeper = Keeper(store, self._keep, self._adopt)
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Open the log, and let the computers move that were to move when the server stopped."""
        await self.store.open()
        # first, because there may be so many tables that the lease would run out meanwhile
        self.keeper.start()
        for table in await self.store.due():
            await self._adopt(table)

    async def close(self) -> None:
        """Stop all tables and finish what is being written."""
        await self.keeper.stop()
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
        """How many of these nobody looks at."""
        return len(self._idle)

    @property
    def waiting(self) -> int:
        """How many commands wait for their turn, at all tables."""
        return sum(table.waiting for table in self._live.values())

    # --- finding tables ------------------------------------------------------------------------------

    async def table(self, table: str) -> Authority:
        """The table with this id, from memory or from the log; Refusal if there is none.

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
        # whoever waits may go away, and the others still want the table
        return await asyncio.shield(self._loading[table])

    def _loaded(self, table: str, loaded: asyncio.Task[Authority]) -> None:
        del self._loading[table]
        if not loaded.cancelled():
            loaded.exception()  # those who waited have been told; if nobody did, nobody minds

    async def look(self, table: str) -> Looked:
        """What has happened at a table, whichever server has it; Refusal if there is none."""
        try:
            found = await self.table(table)
        except Held:
            stored = await self._stored(table, self.store.load)
            return Looked(read_course(stored), seats.Secrets.unpack(stored.key).seed)
        self.let_go(found)
        return Looked(found.course, found.seed)

    async def _load(self, table: str) -> Authority:
        stored = await self._stored(table, self.store.claim)
        done = {entry.command: version for version, entry in enumerate(stored.entries, 1) if entry.command}
        return self._seat(read_course(stored), seats.Secrets.unpack(stored.key), done, stored.fence)

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

    def _seat(
        self, course: Course, secret: seats.Secrets, done: dict[str, int], fence: int = FIRST_FENCE
    ) -> Authority:
        made = Authority(
            course, secret, done, self.store, self._computers, self.coaching, self.let_go, fence
        )
        self._live[course.id] = made
        return made

    def let_go(self, table: Authority) -> None:
        """Somebody has gone from a table; perhaps it need not stay in memory."""
        name = table.course.id
        if self._live.get(name) is not table:
            return
        if table.closed:
            del self._live[name]
            self._idle.pop(name, None)
        elif table.idle:
            self._idle[name] = table
            self._idle.move_to_end(name)
            while len(self._idle) > self.limits.idle:
                gone, left = self._idle.popitem(last=False)
                del self._live[gone]
                self._release(left)

    # --- several servers -----------------------------------------------------------------------------

    async def _adopt(self, table: str) -> None:
        """Go on where a computer is to move and no server lets it."""
        if table not in self._live:
            with suppress(Refusal, Held):  # it is in the log of the server, or another was quicker
                (await self.table(table)).go_on()

    def _keep(self, held: Mapping[str, int]) -> None:
        """Close the tables that another server has taken over."""
        for name, table in tuple(self._live.items()):
            if held.get(name) != table.fence:
                metrics.TALLY.taken_over += 1
                table.close()
                self.let_go(table)

    def _release(self, table: Authority) -> None:
        """Let other servers have a table that is no longer in memory."""
        if self.store.lease is not None:
            task = asyncio.create_task(self._released(table.course.id, table.fence))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _released(self, table: str, fence: int) -> None:
        with suppress(StoreError):  # it comes free when this server ends
            await self.store.release(table, fence)

    # --- making tables -------------------------------------------------------------------------------

    async def make(self, wish: NewTable) -> MadeTable:
        """Make a table; Refusal says what is wrong with the wish."""
        wishes = list(wish.seats)
        if wish.draw_lots:
            secrets.SystemRandom().shuffle(wishes)
        try:
            game = find_game(wish.game).agree(len(wishes), wish.options)
        except PaschError as error:
            raise Refusal.because("illegal", error) from None
        chairs, tokens, invitations = _chairs(wishes, self.bots.names)
        watch, maker = seats.new_token(), seats.new_token()
        coach, chairs = _coach(wish.coach, chairs)
        table, secret = secrets.token_urlsafe(9), seats.Secrets.new()
        agreement = Agreement(
            game=game.id,
            options=game.options.json(),
            chairs=chairs,
            coach=coach,
            dice=wish.dice,
            made=int(self._clock()),
            watch=seats.hashed(watch),
            maker=seats.hashed(maker),
            commitment=commitment(secret.seed) if wish.dice == "pasch" else None,
            given=len(wish.events),
        )
        # thousands of events take a while to check
        course = await asyncio.to_thread(_begun, table, agreement, game, secret.seed, wish.events)
        entries = [LogEntry(line.encode()) for line, _ in course.lines]
        document = msgspec.json.encode(agreement)
        try:
            await self.store.create(table, document, secret.pack(), entries, course.standing.due)
        except StoreError as error:
            logger.error("not made", extra={"fields": {"problem": error.reason}})
            raise Refusal("storage", "the log could not be written; nothing has changed") from None
        made = self._seat(course, secret, {})
        made.go_on()
        self.let_go(made)
        return MadeTable(table, tokens, invitations, watch, maker)


def read_course(stored: StoredTable) -> Course:
    """A table's course from its log."""
    try:
        course = Course(stored.id, msgspec.json.decode(stored.document, type=Agreement))
        for entry in stored.entries:
            course.read(entry.body)
    except (PaschError, msgspec.DecodeError) as problem:
        logger.error("not understood", extra={"fields": {"table": stored.id, "problem": str(problem)}})
        raise Refusal("storage", "the log of this table cannot be read") from None
    return course


def _chairs(
    wishes: list[SeatWish], bots: tuple[str, ...]
) -> tuple[tuple[Chair, ...], dict[str, str], dict[str, str]]:
    """The chairs, and the tokens and invitations that belong to them, by the seat's number."""
    chairs: list[Chair] = []
    tokens: dict[str, str] = {}
    invitations: dict[str, str] = {}
    for seat, wish in enumerate(wishes):
        name = " ".join(wish.name.split())
        if not name.isprintable():
            raise Refusal("malformed", "a name has letters, and no signs that cannot be seen")
        if wish.kind == "computer":
            if wish.level in bots:
                name = name or wish.level
            elif wish.level not in levels():
                raise Refusal("illegal", "there is no computer player {name!r}", name=wish.level)
            chairs.append(Chair(kind="computer", name=name, level=wish.level))
        elif wish.kind == "here":
            tokens[str(seat)] = seats.new_token()
            chairs.append(Chair(kind="here", name=name, token=seats.hashed(tokens[str(seat)])))
        else:
            invitations[str(seat)] = seats.new_token()
            hashed = seats.hashed(invitations[str(seat)])
            chairs.append(Chair(kind="open", name=name, invitation=hashed))
    return tuple(chairs), tokens, invitations


def _coach(wished: CoachMode, chairs: tuple[Chair, ...]) -> tuple[CoachMode, tuple[Chair, ...]]:
    """Hints are for all or for none, so that those who come by a link have to be asked first."""
    if wished != "hints" or not any(chair.kind == "open" for chair in chairs):
        return wished, chairs
    asked = (
        msgspec.structs.replace(chair, wish=wished) if chair.kind == "here" else chair for chair in chairs
    )
    return "after", tuple(asked)


def _begun(
    table: str, agreement: Agreement, game: Game[Any, Any], seed: bytes, events: tuple[dict[str, Any], ...]
) -> Course:
    """A table's course from its first events on, with what then comes by itself."""
    course = Course(table, agreement, game)
    try:
        for written in events:
            course.add(play(course.standing, game.read_event(written)))
    except PaschError as error:
        raise Refusal(
            "illegal", "event {number}: {problem}", number=course.version + 1, problem=error.reason
        ) from None
    for step in automatic(course, course.standing, seed, len(course.events) + 1):
        course.add(step)
    return course
