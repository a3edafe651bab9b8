"""The authority over one live table.

Commands are handled one after the other: authenticate, validate against the rules, append to the log
durably, and only then tell the clients. While the log is being written further commands at this table wait;
other tables do not. Nothing here blocks: long work is done by tasks, which come back with a change.
"""

from __future__ import annotations

import asyncio
import logging
from asyncio import Future
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import msgspec

from pasch.core.state import State
from pasch.core.words import Sentence
from pasch.players.bots import BotFailed
from pasch.store.base import FIRST_FENCE, Conflict, LogEntry, OutcomeUnknown, StoreError
from pasch.table import metrics, schema, tokens
from pasch.table.coach import TableCoach
from pasch.table.commands import (
    NeedsAgreement,
    all_agree,
    check_hint,
    check_preview,
    check_reaction,
    command_keys,
    decide,
    roll_on,
    settle,
)
from pasch.table.computers import FALLBACK, Chosen
from pasch.table.limits import stopping
from pasch.table.log import Change, LiveTable
from pasch.table.messages import MAX_WAITING, PONG, Client, decode, encode, encode_refusal, id_of
from pasch.table.redact import Redactor, Viewer
from pasch.table.refusals import Refusal
from pasch.table.show import why

if TYPE_CHECKING:
    from pasch.table.lobby import Lobby

T = TypeVar("T")
logger = logging.getLogger("pasch.table")
#: how long to wait before a computer tries again to write its move, in seconds
RETRY_DELAY_SECONDS: Final = 2.0
#: delay of computers at a table whose budget is used up, in seconds
UNPAID_DELAY_SECONDS: Final = 10.0
#: longest time that dice and cards wait for a client that holds them, in seconds
HOLD_SECONDS: Final = 10.0
#: commands that do not depend on how the game stands
TIMELESS: Final = (schema.Contribute, schema.Earlier, schema.React)


class Request(NamedTuple):
    """A command, who gave it, and when."""

    client: Client
    command: schema.Command
    received: float

    def refuse(self, refusal: Refusal, version: int) -> None:
        """Answer that nothing has changed; the version is only for those who may look at the table."""
        shown = version if self.client.welcomed else None
        self.client.send(encode_refusal(refusal, self.command.id, shown))

    def accept(self, version: int, seat: int | None = None, token: str | None = None) -> None:
        """Answer that the command has led to a version, or has changed nothing."""
        self.reply(schema.Accepted(self.command.id, version, seat, token))

    def reply(self, message: schema.Message) -> None:
        self.client.send(encode(message))


class Authority:
    """One live table, its clients, and the only writer of its log."""

    def __init__(self, live: LiveTable, lobby: Lobby, fence: int = FIRST_FENCE, payer: str = "") -> None:
        self.live = live
        self._lobby = lobby
        #: the address whose budget the computers' moves are taken from: that which made the table or was the
        #: first to come after it was loaded; kept in memory only, because the log has no addresses
        self.payer = payer
        #: the fencing token with which this server writes
        self.fence = fence
        self.closed = False
        #: all connections, in the order in which they came
        self._connections: dict[Client, None] = {}
        self._budgets = lobby.budgets
        self._on_idle = partial(lobby.evict_idle, self)
        self._writing = False
        self._waiting: deque[Callable[[], None]] = deque()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._thinking = False
        self.coach = TableCoach(self, lobby.helpers)
        #: fires when a person's absence reaches the next stage
        self._absence: asyncio.TimerHandle | None = None
        #: while computers, dice and cards wait for a client or after a failure: fires when they have waited long enough
        self._pause: asyncio.TimerHandle | None = None

    @property
    def idle(self) -> bool:
        """Whether the table may leave memory: no client is connected and no work is pending."""
        return not (self._connections or self._writing or self._tasks or self.live.current.server_must_act)

    @property
    def clients(self) -> list[Client]:
        """The connections that were welcomed."""
        return [client for client in self._connections if client.welcomed]

    def close(self) -> None:
        """Stop: cancel all tasks and disconnect all clients. Writes under way may still succeed."""
        self.closed = True
        for task in self._tasks:
            task.cancel()
        for client in tuple(self._connections):
            client.close()
        self._connections.clear()
        self._watch_absence()
        self._end_pause()

    # --- connections ---------------------------------------------------------------------------------

    def connect(self, client: Client) -> None:
        """Register a new connection; what it may see is decided by its `hello`."""
        self._connections[client] = None
        self.payer = self.payer or client.address

    def disconnect(self, client: Client) -> None:
        """Remove a connection that has ended."""
        self._connections.pop(client, None)
        if self._update_online():
            self._send_table()
        self._on_idle()

    def hello(self, client: Client, hello: schema.Hello) -> None:
        """Authenticate a client by its tokens and send it the view they allow; Refusal if there is none."""
        if self._lobby.lease.in_doubt:
            client.close()  # another server may have gone on with the table; the client asks again
            return
        live, shown = self.live, tokens.hash_tokens(hello.tokens)
        chairs, agreement = live.current.chairs, live.agreement
        mine = tuple(seat for seat, chair in enumerate(chairs) if tokens.matches(shown, chair.token))
        invited = tuple(
            seat
            for seat, chair in enumerate(chairs)
            if tokens.matches(shown, chair.invitation) and chair.kind == "open"
        )
        maker, watch = tokens.matches(shown, agreement.maker), tokens.matches(shown, agreement.watch)
        if not (mine or invited or maker or watch):
            raise Refusal("not-yours", "this is not a link to this table, or it has been used")
        client.viewer, client.welcomed = Viewer(mine, maker), True
        changed = self._update_online()
        redactor = Redactor(live)
        page = redactor.page(client.viewer, min(hello.since or 0, live.version))
        table = live.info(live.presence, box=not client.box)
        client.box = table.box
        client.send(
            encode(
                schema.Welcome(
                    table=table,
                    yours=mine,
                    invited=invited,
                    maker=maker,
                    position=redactor.position(client.viewer),
                    entries=page.entries,
                    first=page.first,
                    judgements=self.coach.seen_by(client.viewer, page),
                )
            )
        )
        if changed:
            self._send_table(but=client)
        self.coach.follow()
        self.start_computer()

    def _update_online(self) -> bool:
        """Update which seats have a connected client; return whether that has changed."""
        changed = self.live.presence.update(seat for client in self.clients for seat in client.viewer.seats)
        self._watch_absence()
        return changed

    def _watch_absence(self) -> None:
        """Notify all clients when a person's absence reaches the next stage."""
        if self._absence is not None:
            self._absence.cancel()
            self._absence = None
        owned = [seat for seat, chair in enumerate(self.live.current.chairs) if chair.owned]
        wait = self.live.presence.next_change(owned)
        if wait is not None and self.clients:
            # a little later, because the event loop's clock is not that of the table
            self._absence = asyncio.get_running_loop().call_later(wait + 0.01, self._absent)

    def _absent(self) -> None:
        self._send_table()
        self._watch_absence()

    def _add_seat(self, client: Client, seat: int) -> None:
        """Give a connection the seat that its client has just taken."""
        if seat not in client.viewer.seats:
            client.viewer = Viewer(tuple(sorted((*client.viewer.seats, seat))), client.viewer.maker)
            self.live.presence.notice(seat)
            self._update_online()

    # --- commands ------------------------------------------------------------------------------------

    def receive(self, client: Client, text: bytes | None, pay: Callable[[], None] = lambda: None) -> None:
        """Handle a client's message (None: it was no text), and answer it; `pay` is called before a welcome is made."""
        try:
            message = decode(text)
            if isinstance(message, schema.Hello):
                pay()
                self.hello(client, message)
            elif isinstance(message, schema.Ping):
                client.send(PONG)
            else:
                _check_waiting(len(self._waiting))
                self._in_turn(partial(self._handle, Request(client, message, perf_counter())))
        except Refusal as refusal:
            client.send(encode_refusal(refusal, id_of(text)))

    def _handle(self, request: Request, outcome: dict[str, Any] | None = None) -> None:
        """Answer a command or carry it out; `outcome` is what follows from an agreement."""
        client, command = request.client, request.command
        try:
            if self._answer_repeated(request):
                return
            self._check(client, command)
            if isinstance(command, schema.Hint):
                check_hint(self.live, client.viewer)
                self._work_out(request, partial(self.coach.hint, command.id), request.reply)
            elif isinstance(command, schema.Preview):
                check_preview(self.live, client.viewer)
                self._work_out(request, partial(self.coach.preview, command.id), request.reply)
            elif isinstance(command, schema.Why):
                self._why(request, command)
            elif isinstance(command, schema.Earlier):
                self._earlier(request, command)
            elif isinstance(command, schema.React):
                self._react(request, command)
            elif isinstance(command, NeedsAgreement) and all_agree(self.live, client.viewer, command):
                if outcome is not None:
                    self._carry_out(settle(self.live, command, outcome), request)
                else:
                    ends = isinstance(command, schema.Adjudicate)
                    work = self.coach.verdict if ends else partial(self._next, client.address)
                    self._work_out(
                        request, work, lambda found: self._in_turn(partial(self._handle, request, found))
                    )
            else:
                self._carry_out(decide(self.live, client.viewer, command), request)
        except Refusal as refusal:
            request.refuse(refusal, self.live.version)

    def _carry_out(self, change: Change, request: Request) -> None:
        """Write what a command changes."""
        if not change.steps:
            request.accept(self.live.version)
            return
        self._budgets.check_write(request.client.address, request.command)
        self._append(change, request)

    def _check(self, client: Client, command: schema.Command) -> None:
        """Refuse what no command may do."""
        if self.closed:
            raise stopping()
        if isinstance(command, schema.Sit):
            return
        if not client.welcomed:
            raise Refusal("not-yours", "this connection has not said hello yet")
        if not isinstance(command, TIMELESS) and command.version != self.live.version:
            raise Refusal("old-version", "the game has moved on in the meantime")

    def _answer_repeated(self, request: Request) -> bool:
        """Answer a command that was carried out before as it was answered then; False if it was not."""
        client, command, done = request.client, request.command, self.live.commands
        keys = command_keys(client.viewer, command)
        version = next((done[key] for key in keys if key in done), None)
        if version is None:
            return False
        seat = token = None
        if isinstance(command, schema.Sit):
            token = tokens.seat_token(self.live.secrets.tokens, command.invitation, command.id)
            stored = [chair.token for chair in self.live.current.chairs]
            seat = stored.index(tokens.hash_token(token))
            self._add_seat(client, seat)
        request.accept(version, seat, token)
        return True

    # --- commands that change nothing ----------------------------------------------------------------

    def _earlier(self, request: Request, command: schema.Earlier) -> None:
        viewer = request.client.viewer
        page = Redactor(self.live).page(viewer, before=command.before, limit=command.count)
        judgements = self.coach.seen_by(viewer, page)
        request.reply(schema.Entries(command.id, page.entries, page.first, judgements))

    def _why(self, request: Request, command: schema.Why) -> None:
        actor = self.live.state.actor
        if actor not in request.client.viewer.seats:
            raise Refusal("not-now", "it is not your turn to choose")
        error = why(self.live.state.view(actor), command.tokens)
        request.reply(schema.Because(command.id, Sentence(error.template, error.details)))

    def _react(self, request: Request, command: schema.React) -> None:
        """Show a reaction to those who play; it is not kept."""
        check_reaction(self.live, request.client.viewer, command)
        request.accept(self.live.version)
        message = encode(schema.Reacted(command.seat, command.reaction))
        for other in self.clients:
            if other.viewer.seats:
                other.send(message)

    # --- the log -------------------------------------------------------------------------------------

    def _append(self, change: Change, request: Request | None = None) -> None:
        """Write a change to the log; when it is durable, apply it, answer and tell everybody."""
        store, live, after = self._lobby.store, self.live, change.after
        entries = [LogEntry(line.encode()) for line, _ in change.steps]
        payer = self.payer
        if request is not None:
            # the key is stored with the last line, whose version is the command's
            key = command_keys(request.client.viewer, request.command)[0]
            change = msgspec.structs.replace(change, key=key)
            entries[-1] = LogEntry(entries[-1].body, key)
            payer = request.client.address
        self._budgets.charge_log(payer, store.stored_size(entries))
        self._writing = True
        written = store.append(
            live.id, live.version, entries, after.server_must_act, self.fence, after.phase
        )
        written.add_done_callback(partial(self._appended, change, request))

    def _appended(self, change: Change, request: Request | None, written: Future[int]) -> None:
        self._writing = False
        error = written.exception()
        if error is not None:
            self._append_failed(error, request)
        else:
            self._apply(change, request)
        while self._waiting and not self._writing:
            self._waiting.popleft()()
        self.start_computer()
        if not self._connections:
            self._on_idle()

    def _apply(self, change: Change, request: Request | None) -> None:
        """Apply a change that is in the log, answer its author and tell everybody."""
        live, before, last = self.live, self.live.current, self.live.version + len(change.steps)
        shown = [Redactor(live, live.version < last) for _ in live.steps(change)]
        events = len(change.events)
        if events or change.steps[0][0].kind == "undo":
            self.coach.position_changed()
        self._end_pause()
        if live.current.chance_is_automatic:
            self._wait(HOLD_SECONDS)
        author = request
        if request is not None and isinstance(request.command, schema.Sit):
            self._answer_repeated(request)  # with the seat and its token
            author = None
        metrics.COUNTERS.events += events
        # what is no event of the game changes who sits where; so do its beginning and end, and a request that lapses
        current = live.current
        seats_changed = current.phase != before.phase or current.chairs is not before.chairs
        changed, over = events < len(change.steps) or seats_changed, current.ended and not before.ended
        if changed and not over:
            self._send_table()
        self._send_update(shown, author)
        if request is not None:
            metrics.COUNTERS.took(perf_counter() - request.received)
        # the end of the game is announced after its last event
        if changed and over:
            self._send_table()
        self.coach.follow()

    def _append_failed(self, error: BaseException, request: Request | None) -> None:
        self._log_error("failed to append", error)
        if isinstance(error, Conflict | OutcomeUnknown):
            # another server has the table, or the log may be further than we know: what is in memory is out
            # of date. Clients reconnect and repeat what was not answered, which is then done once
            self.close()
            self._on_idle()
            return
        if request is not None:
            request.refuse(Refusal.unwritten(error), self.live.version)
        self._wait(RETRY_DELAY_SECONDS)

    def _wait(self, seconds: float) -> None:
        """Let computers, dice and cards wait, at most until the next change."""
        if self._pause is None:
            self._pause = asyncio.get_running_loop().call_later(seconds, self._resume)

    def _end_pause(self) -> None:
        if self._pause is not None:
            self._pause.cancel()
            self._pause = None

    def _resume(self) -> None:
        self._end_pause()
        self.start_computer()

    # --- news ----------------------------------------------------------------------------------------

    def _send_update(self, shown: list[Redactor], author: Request | None) -> None:
        """Send the update to all clients; equal viewers get the same bytes, the author also the command's id."""
        messages: dict[tuple[Viewer, str | None], bytes] = {}
        for client in self.clients:
            answers = author.command.id if author is not None and client is author.client else None
            message = messages.get((client.viewer, answers))
            if message is None:
                steps = tuple([redactor.step(client.viewer) for redactor in shown])
                message = messages[client.viewer, answers] = encode(schema.Update(steps, answers))
            client.send(message)

    def _send_table(self, but: Client | None = None) -> None:
        # every welcomed client has the box
        message = encode(schema.Table(self.live.info(self.live.presence, box=False)))
        for client in self.clients:
            if client is not but:
                client.send(message)

    # --- computers -----------------------------------------------------------------------------------

    def start_computer(self) -> None:
        """Let the computer whose turn it is move, or make the rolls and deals that are automatic.

        Where only computers play the game stands still while nobody looks at it.
        """
        current = self.live.current
        busy = self._thinking or self._writing or self._pause is not None or self.closed
        # where only computers play nothing has begun that somebody waits for
        alone = current.computers_only
        if busy or not current.server_acts or (alone and not self.clients):
            return
        addresses = (self.payer, *[client.address for client in self.clients])
        payers = [address for address in addresses if self._budgets.can_write(address, begun=not alone)]
        if not payers or (alone and self._budgets.log_full):
            self._wait(UNPAID_DELAY_SECONDS)
            return
        self.payer = payers[0]
        if current.computer_to_move:
            self._thinking = True
            self.start_task(self._think())
        else:
            self._append(roll_on(self.live, Change(current)))

    async def _think(self) -> None:
        state = self.live.state
        chosen: Chosen | BotFailed | None = None
        try:
            chosen = await self._lobby.computers.choose(self.live, self.payer)
        except BotFailed as error:
            chosen = error
        except Exception as error:  # noqa: BLE001 - the table continues after any error
            self._log_error("failed to choose a move", error)
        finally:
            self._thinking = False
        self._in_turn(partial(self._computer_moves, state, chosen))

    def _in_turn(self, work: Callable[[], None]) -> None:
        """Run something now, or after the write that is under way."""
        if self._writing:
            self._waiting.append(work)
        else:
            work()

    def _computer_moves(self, state: State, chosen: Chosen | BotFailed | None) -> None:
        """Make the move that a computer has chosen in this state; a bot that failed is replaced for the whole game."""
        live, seat = self.live, state.actor
        if chosen is None:
            self._wait(RETRY_DELAY_SECONDS)
        elif self.closed or live.state is not state or not live.current.computer_to_move:
            self.start_computer()  # a person has taken the seat back
        elif isinstance(chosen, BotFailed):
            self._append(live.change("computer", seat=seat, level=FALLBACK, failed=chosen.kind))
        else:
            before = live.simplified
            live.simplified = before | {seat} if chosen.simplified else before - {seat}
            if live.simplified != before:
                self._send_table()
            self._append(roll_on(live, live.play(chosen.event)))

    # --- long work -----------------------------------------------------------------------------------

    def start_task(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run something in the background; it keeps the table in memory, and ends with it."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._task_done)
        return task

    def _task_done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, Refusal):
            self._log_error("task failed", error)
        self._on_idle()

    def _log_error(self, what: str, error: BaseException) -> None:
        problem = error.reason if isinstance(error, StoreError) else repr(error)
        logger.error(what, extra={"fields": {"table": self.live.id, "problem": problem}})

    def _work_out(
        self, request: Request, work: Callable[[], Awaitable[T]], then: Callable[[T], None]
    ) -> None:
        """Continue with a command as soon as something has been worked out for it, or refuse it."""
        _check_waiting(len(self._tasks))

        async def follow() -> None:
            try:
                then(await work())
            except Refusal as refusal:
                request.refuse(refusal, self.live.version)
            except Exception:
                request.refuse(Refusal.failed(), self.live.version)
                raise

        self.start_task(follow())

    async def _next(self, address: str) -> dict[str, Any]:
        """The next table, which is made once however many ask for it at the same time."""
        made = await self.coach.once("next", partial(self._lobby.make_next, self.live, address))
        return {"table": made}


def _check_waiting(number: int) -> None:
    """Refuse a command when too many others wait for their answer at this table."""
    if number >= MAX_WAITING:
        raise Refusal("too-fast", "too much is going on at this table; try again in a moment")
