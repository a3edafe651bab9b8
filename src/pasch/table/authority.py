"""The authority over one live table.

Commands are handled one after the other: who is it, do the rules allow it, is it durably in the log; only
then is everybody told. What waits for the disk holds up this table alone. Nothing here runs for long:
whatever might is left to tasks, which come back with a command of their own.
"""

from __future__ import annotations

import asyncio
import logging
from asyncio import Future
from collections import deque
from collections.abc import Callable, Coroutine
from functools import partial
from time import perf_counter
from typing import Any, Final, NamedTuple, Protocol

import msgspec

from pasch.core.errors import PaschError
from pasch.core.events import Event
from pasch.players.bots import BotFailed
from pasch.store.base import FIRST_FENCE, Conflict, LogEntry, Store, StoreError, Uncertain
from pasch.table import metrics, schema, seats
from pasch.table.coaching import Coaching, NotYet
from pasch.table.commands import (
    Asking,
    Decision,
    Refusal,
    adjudicated,
    check_adjudicate,
    decide,
    followed,
    invitation_holder,
)
from pasch.table.computers import FALLBACK, Computers
from pasch.table.helper import HelperFailed
from pasch.table.log import Course, Step, change, play
from pasch.table.redact import Eyes, Telling, told_judgements
from pasch.table.touch import touch

logger = logging.getLogger("pasch.table")
#: commands that may wait while one is being written
MOST_WAITING: Final = 64
#: how long to wait before a computer tries again to write its move, in seconds
RETRY: Final = 2.0


class Client(Protocol):
    """Somebody who looks at a table: one connection."""

    eyes: Eyes
    #: whether it has been welcomed, and so is told what happens
    welcome: bool

    def send(self, message: bytes) -> None:
        """Send when possible; never waits."""

    def close(self) -> None:
        """End the connection; the client comes back by itself."""


#: a message as it is sent
encode: Final[Callable[[schema.Message], bytes]] = msgspec.json.Encoder().encode


def refused(refusal: Refusal, command: str | None = None, version: int | None = None) -> bytes:
    """A refusal as a message."""
    metrics.TALLY.refusals[refusal.code] += 1
    reason = schema.Sentence(refusal.template, refusal.details)
    return encode(schema.Refused(command, refusal.code, reason, version))


class Writing(NamedTuple):
    """Steps on their way to the log, and who has to be answered when they are there."""

    steps: list[Step]
    decision: Decision | None = None
    client: Client | None = None
    command: schema.Command | None = None
    #: when the command came
    at: float | None = None
    #: by what the command is recognised when it comes again
    name: str | None = None


class Authority:
    """One live table."""

    def __init__(
        self,
        course: Course,
        secrets: seats.Secrets,
        done: dict[str, int],
        store: Store,
        computers: Computers,
        coaching: Coaching,
        left: Callable[[Authority], None],
        fence: int = FIRST_FENCE,
    ) -> None:
        self.course = course
        #: all who are connected, and those of them who were welcomed
        self._there: set[Client] = set()
        self.clients: list[Client] = []
        #: the seats of which somebody is connected
        self.online: frozenset[int] = frozenset()
        self.judgements: list[schema.Judgement] = []
        self._secrets = secrets
        #: the commands carried out, by who gave them and the id, with the version that each led to
        self._done = done
        self._store = store
        #: by which the log knows that this server has the table, and not another
        self.fence = fence
        self._computers = computers
        self._coaching = coaching
        #: tells the hall that nobody may need this table any more
        self._left = left
        self._writing = False
        self._waiting: deque[Callable[[], None]] = deque()
        self._tasks: set[asyncio.Task[None]] = set()
        self._thinking = False
        self._judging = False
        #: the coach has nothing to say about this game
        self._silent = False
        #: how many lines the coach has looked at
        self._judged = 0
        #: after the log could not be written, computers wait a little
        self._resting = False
        self.closed = False

    @property
    def idle(self) -> bool:
        """Whether nobody looks and nothing is under way, so that it may leave memory."""
        return not (self._there or self._writing or self._tasks or self.course.standing.due)

    @property
    def seed(self) -> bytes:
        """What the dice followed from. It is shown when nothing follows from it any more, never before."""
        if self.course.standing.phase not in ("over", "adjudicated"):
            raise Refusal("not-now", "the game is not over yet")
        return self._secrets.seed

    @property
    def waiting(self) -> int:
        """How many commands wait for their turn."""
        return len(self._waiting)

    def close(self) -> None:
        """Stop; what was sent to the log stays there, and nothing more is begun."""
        self.closed = True
        for task in self._tasks:
            task.cancel()
        for client in tuple(self._there):
            client.close()
        self.clients.clear()

    # --- coming and going ----------------------------------------------------------------------------

    def hello(self, client: Client, hello: schema.Hello) -> None:
        """Welcome a client, if one of its tokens allows it to look."""
        shown = seats.hashes(hello.tokens)
        chairs, agreement = self.course.standing.chairs, self.course.agreement
        mine = tuple(seat for seat, chair in enumerate(chairs) if seats.fits(shown, chair.token))
        invited = tuple(
            seat
            for seat, chair in enumerate(chairs)
            if seats.fits(shown, chair.invitation) and chair.kind == "open"
        )
        maker, watch = seats.fits(shown, agreement.maker), seats.fits(shown, agreement.watch)
        if not (mine or invited or maker or watch):
            raise Refusal("not-yours", "this is no link to this table, or it has been used")
        client.eyes, client.welcome = Eyes(mine, maker), True
        if client not in self.clients:
            self.clients.append(client)
        changed = self._count()
        since = hello.since or 0
        entries, position = Telling(self.course).told(client.eyes, min(since, self.course.version))
        client.send(
            encode(
                schema.Welcome(
                    table=self.course.info(self.online),
                    yours=mine,
                    invited=invited,
                    maker=maker,
                    position=position,
                    entries=entries,
                    judgements=self._told_judgements(client.eyes, self.judgements),
                )
            )
        )
        if changed:
            self._tell_table(but=client)
        self._judge()
        self.go_on()

    def enter(self, client: Client) -> None:
        """Somebody stands at the door; what they may see depends on what they say."""
        self._there.add(client)

    def leave(self, client: Client) -> None:
        """A client has gone."""
        self._there.discard(client)
        if client in self.clients:
            self.clients.remove(client)
            if self._count():
                self._tell_table()
        self._left(self)

    def _count(self) -> bool:
        """Count anew of which seats somebody is connected; whether that has changed."""
        before = self.online
        self.online = frozenset([seat for client in self.clients for seat in client.eyes.seats])
        return self.online != before

    # --- commands ------------------------------------------------------------------------------------

    def submit(self, client: Client, command: schema.Command) -> None:
        """Handle a command, in its turn. The answer goes to the client."""
        at = perf_counter()
        if not self._writing:
            self._handle(client, command, at)
        elif len(self._waiting) < MOST_WAITING:
            self._waiting.append(partial(self._handle, client, command, at))
        else:
            client.send(refused(Refusal("too-fast", "too many commands wait at this table"), command.id))

    def _handle(self, client: Client, command: schema.Command, at: float) -> None:
        try:
            if self._again(client, command):
                return
            self._check(client, command)
            if isinstance(command, schema.Why):
                self._why(client, command)
            elif isinstance(command, schema.Hint):
                self._hint(client, command)
            elif isinstance(command, schema.Adjudicate):
                check_adjudicate(self._asking(client))
                self._begin(self._adjudicate(client, command))
            else:
                self._carry_out(client, command, decide(self._asking(client), command), at)
        except Refusal as refusal:
            self._refuse(client, command, refusal)

    def _refuse(self, client: Client, command: schema.Command, refusal: Refusal) -> None:
        # how far the table is concerns only those who may look at it
        client.send(refused(refusal, command.id, self.course.version if client.welcome else None))

    def _check(self, client: Client, command: schema.Command) -> None:
        """What holds for every command, whatever it is."""
        if self.closed:
            raise Refusal("storage", "the server is stopping; try again in a moment")
        if isinstance(command, schema.Sit):
            return
        if not client.welcome:
            raise Refusal("not-yours", "say hello first")
        if isinstance(command, schema.Contribute):
            return
        if command.version != self.course.version:
            raise Refusal("old-version", "the table has gone on meanwhile")

    def _asking(self, client: Client) -> Asking:
        return Asking(self.course, self._secrets, client.eyes, self.online)

    def _known(self, client: Client, command: schema.Command) -> int | None:
        """The version that this very command has led to before."""
        done, name = self._done, command.id
        if type(command) is schema.Sit:
            return done.get(f"{invitation_holder(command)}:{name}")
        for seat in client.eyes.seats:
            version = done.get(f"{seat}:{name}")
            if version is not None:
                return version
        return done.get(f"maker:{name}") if client.eyes.maker else None

    def _again(self, client: Client, command: schema.Command) -> bool:
        """Answer a command that was carried out before as it was answered then."""
        version = self._known(client, command)
        if version is None:
            return False
        seat = token = None
        if isinstance(command, schema.Sit):
            token = seats.seat_token(self._secrets.tokens, command.invitation, command.id)
            kept = [chair.token for chair in self.course.standing.chairs]
            seat = kept.index(seats.hashed(token))
            self._sits(client, seat)
        client.send(encode(schema.Accepted(command.id, version, seat, token)))
        return True

    def _sits(self, client: Client, seat: int) -> None:
        """Who has just taken a seat has it at once, on this connection too."""
        if seat not in client.eyes.seats:
            client.eyes = Eyes(tuple(sorted((*client.eyes.seats, seat))), client.eyes.maker)
            self._count()

    # --- the log -------------------------------------------------------------------------------------

    def _carry_out(
        self, client: Client, command: schema.Command, decision: Decision, at: float | None = None
    ) -> None:
        name = f"{decision.holder}:{command.id}"
        self._write(Writing(decision.steps, decision, client, command, at, name))

    def _write(self, writing: Writing) -> None:
        """Write steps to the log; when they are there, take them, answer and tell everybody."""
        steps = writing.steps
        entries = [LogEntry(step.line.encode()) for step in steps[:-1]]
        # with the last one, whose version is the command's
        entries.append(LogEntry(steps[-1].line.encode(), writing.name))
        self._writing = True
        written = self._store.append(
            self.course.id, self.course.version, entries, steps[-1].after.due, self.fence
        )
        written.add_done_callback(partial(self._written, writing))

    def _written(self, writing: Writing, written: Future[int]) -> None:
        self._writing = False
        error = written.exception()
        if error is not None:
            self._not_written(writing, error)
        else:
            self._take(writing)
        while self._waiting and not self._writing:
            self._waiting.popleft()()
        self.go_on()

    def _take(self, writing: Writing) -> None:
        """What is in the log has happened."""
        course = self.course
        first, before, steps = course.version, course.standing, writing.steps
        events = 0
        for step in steps:
            course.add(step)
            events += step.event is not None
        client, command, decision = writing.client, writing.command, writing.decision
        if client is not None and command is not None and decision is not None:
            assert writing.name is not None
            self._done[writing.name] = course.version
            if decision.seat is not None:
                self._sits(client, decision.seat)
            client.send(encode(schema.Accepted(command.id, course.version, decision.seat, decision.token)))
            if writing.at is not None:
                metrics.TALLY.took(perf_counter() - writing.at)
        metrics.TALLY.events += events
        # what is no event of the game changes who sits where; so does its beginning and its end
        if events < len(steps) or course.standing.phase != before.phase:
            self._tell_table()
        self._tell(first)

    def _not_written(self, writing: Writing, error: BaseException) -> None:
        problem = error.reason if isinstance(error, StoreError) else repr(error)
        logger.error("not written", extra={"fields": {"table": self.course.id, "problem": problem}})
        if isinstance(error, Conflict | Uncertain):
            # another server has the table, or the log may be further than we know: what is here is out of
            # date. Clients come back and repeat what was not answered, which is then done once
            self.close()
            self._left(self)
            return
        if writing.client is not None and writing.command is not None:
            refusal = Refusal("storage", "the log could not be written; nothing has changed")
            self._refuse(writing.client, writing.command, refusal)
        if not self._resting:
            self._resting = True
            asyncio.get_running_loop().call_later(RETRY, self._rested)

    def _rested(self) -> None:
        self._resting = False
        self.go_on()

    # --- telling -------------------------------------------------------------------------------------

    def _tell(self, first: int) -> None:
        """Tell everybody what is new since the first `first` entries; each kind of eyes is encoded once."""
        telling = Telling(self.course)
        messages: dict[Eyes, bytes] = {}
        for client in tuple(self.clients):
            message = messages.get(client.eyes)
            if message is None:
                message = encode(schema.Update(*telling.told(client.eyes, first)))
                messages[client.eyes] = message
            client.send(message)
        self._judge()

    def _tell_table(self, but: Client | None = None) -> None:
        message = encode(schema.Table(self.course.info(self.online)))
        for client in tuple(self.clients):
            if client is not but:
                client.send(message)

    # --- computers -----------------------------------------------------------------------------------

    def go_on(self) -> None:
        """Let the computer whose turn it is think, if there is one."""
        busy = self._thinking or self._writing or self._resting or self.closed
        if not busy and self.course.standing.due:
            self._thinking = True
            self._begin(self._think())

    async def _think(self) -> None:
        standing = self.course.standing
        try:
            event = await self._computers.choose(self.course, self._secrets.tokens)
            done = partial(self._computer_moves, standing.state, event)
        except BotFailed as error:
            done = partial(self._bot_leaves, standing.state, error.kind)
        finally:
            self._thinking = False
        if self._writing:
            self._waiting.append(done)
        else:
            done()

    def _computer_moves(self, state: Any, event: Event) -> None:
        standing = self.course.standing
        # a person may have taken the seat back meanwhile, or the game may have been ended
        if self.closed or standing.state is not state or not standing.due:
            self.go_on()
            return
        asking = Asking(self.course, self._secrets, Eyes(), frozenset())
        self._write(Writing(followed(asking, play(standing, event))))

    def _bot_leaves(self, state: Any, why: str) -> None:
        """A program that failed has no seat any more; everybody is told who plays on for it."""
        standing = self.course.standing
        if self.closed or standing.state is not state or not standing.due:
            self.go_on()
            return
        step = change(standing, "computer", seat=state.actor, level=FALLBACK, failed=why)
        self._write(Writing([step]))

    # --- what takes time -----------------------------------------------------------------------------

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            problem = repr(task.exception())
            logger.error("task failed", extra={"fields": {"table": self.course.id, "problem": problem}})
        self._left(self)

    def _why(self, client: Client, command: schema.Why) -> None:
        actor = self.course.state.actor
        if actor not in client.eyes.seats:
            raise Refusal("not-now", "it is not your turn to choose")
        error = touch(self.course.game.id).why(self.course.state.view(actor), command.tokens)
        client.send(encode(schema.Because(command.id, schema.Sentence(error.template, error.details))))

    def _hint(self, client: Client, command: schema.Hint) -> None:
        if self.course.standing.coach != "hints":
            raise Refusal("not-agreed", "hints have not been agreed on at this table")
        if self.course.state.actor not in client.eyes.seats or self.course.standing.phase != "playing":
            raise Refusal("not-now", "it is not your turn to choose")
        self._begin(self._advise(client, command))

    async def _advise(self, client: Client, command: schema.Hint) -> None:
        try:
            client.send(encode(await self._coaching.hint(self.course, command.id)))
        except HelperFailed as error:
            logger.warning("no hint", extra={"fields": {"table": self.course.id, "problem": error.reason}})
            later = isinstance(error, NotYet)
            refusal = Refusal(
                "not-ready",
                error.template if later else "the coach cannot say anything about this position",
            )
            self._refuse(client, command, refusal)

    async def _adjudicate(self, client: Client, command: schema.Adjudicate) -> None:
        verdict = await self._coaching.verdict(self.course)
        self._waiting.append(partial(self._adjudicated, client, command, verdict))
        if not self._writing:
            self._waiting.popleft()()

    def _adjudicated(self, client: Client, command: schema.Adjudicate, verdict: dict[str, Any]) -> None:
        try:
            if not self._again(client, command):
                self._check(client, command)
                self._carry_out(client, command, adjudicated(self._asking(client), verdict))
        except Refusal as refusal:
            self._refuse(client, command, refusal)

    def _judge(self) -> None:
        """Let the coach follow, if it is asked to and somebody looks."""
        wanted = self.course.standing.coach in ("moves", "hints") and not self._silent
        if wanted and self.clients and not self._judging and self._judged < self.course.version:
            self._judging = True
            self._begin(self._follow())

    async def _follow(self) -> None:
        try:
            while self._judged < self.course.version and self.clients:
                first, upto = self._judged, self.course.version
                try:
                    found = await self._coaching.judge(self.course, first)
                except NotYet:
                    await asyncio.sleep(RETRY)
                    continue
                found = [judgement for judgement in found if judgement.version <= upto]
                self._judged = upto
                self.judgements += found
                for client in tuple(self.clients):
                    told = self._told_judgements(client.eyes, found)
                    if told:
                        client.send(encode(schema.Coached(told)))
        except PaschError as error:
            # it will not be asked again while the table is open
            self._silent = True
            logger.warning("no coach", extra={"fields": {"table": self.course.id, "problem": error.reason}})
        finally:
            self._judging = False

    def _told_judgements(
        self, eyes: Eyes, judgements: list[schema.Judgement]
    ) -> tuple[schema.Judgement, ...]:
        return told_judgements(self.course, eyes, judgements)
