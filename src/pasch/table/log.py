"""A table's log, which is its agreement and the lines since, the state that follows from it, and who is there."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, Final, Literal, NamedTuple, Self

import msgspec

from pasch.core.events import Event
from pasch.core.fair import NOTHING_ADDED, day_table
from pasch.core.game import Game
from pasch.core.position import field_kinds
from pasch.core.record import Record
from pasch.core.registry import find_game
from pasch.core.state import CHANCE, State
from pasch.store.base import StoredTable
from pasch.table.limits import Limits, RateLimiter, box_hash, custom_box
from pasch.table.schema import STAND_IN, Away, CoachMode, DiceMode, Kind, Seat, StandIn, TableInfo
from pasch.table.show import show
from pasch.table.tokens import Secrets

Phase = Literal["waiting", "playing", "over", "adjudicated"]
#: lines of a person that are no moves and can be repeated without end
NON_MOVES: Final = ("name", "coach", "end", "undo", "again", "computer")


class Chair(msgspec.Struct, frozen=True, kw_only=True):
    """A seat: who sits there, and the hashes of the tokens that belong to it."""

    kind: Literal["here", "link", "open", "computer"]
    name: str = ""
    level: str | None = None
    token: str | None = None
    invitation: str | None = None
    #: while the computer plays for a person: what kind of person
    lender: Literal["here", "link"] | None = None
    wish: CoachMode | None = None
    #: whether this person has asked for the end of the game
    ends: bool = False
    #: whether this person has asked for the last move to be taken back
    undoes: bool = False
    #: whether this person has asked for another game after this one
    again: bool = False

    @property
    def person(self) -> bool:
        """Whether a person is to act for this seat."""
        return self.kind in ("here", "link")

    @property
    def owned(self) -> bool:
        """Whether this seat is a person's, though the computer may be playing for them."""
        return self.person or self.lender is not None


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a table, fixed when it is created."""

    game: str
    options: dict[str, Any]
    chairs: tuple[Chair, ...]
    coach: CoachMode
    dice: DiceMode
    made: int
    #: hashes of the tokens of spectators, and of the table's maker
    watch: str
    maker: str
    #: the published commitment to the seed; None with real dice
    commitment: str | None = None
    #: the number of events that came from another game
    given: int = 0
    #: the level of computers that play for absent people
    stand_in: str = STAND_IN
    #: of a game of the day, the day, as 2026-12-24
    day: str = ""


class _StoredLine(msgspec.Struct, frozen=True):
    """A line as it is stored."""

    kind: Kind
    body: msgspec.Raw


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(_StoredLine)


class LogLine(NamedTuple):
    """One line of the log: an event of the game, or another change of the table."""

    kind: Kind
    #: an event's own JSON, or the fields of the line, encoded
    body: msgspec.Raw
    event: Event | None = None

    def encode(self) -> bytes:
        return _encoder.encode(_StoredLine(self.kind, self.body))

    def fields(self) -> dict[str, Any]:
        """The body, decoded."""
        read: dict[str, Any] = msgspec.json.decode(self.body)
        return read

    @classmethod
    def of(cls, kind: Kind, **fields: Any) -> Self:
        """A line that is no event of the game."""
        return cls(kind, msgspec.Raw(_encoder.encode(fields)))


def event_json(event: Event) -> msgspec.Raw:
    """An event as the record writes it, encoded."""
    # most events are encoded just as they are, which is much quicker than by way of plain values
    plain = type(event).json is Event.json
    return msgspec.Raw(_encoder.encode(event if plain else event.json()))


class TableState(msgspec.Struct, frozen=True):
    """The state of a table: the game's state, who sits where, and what people agreed to beside the game."""

    state: State
    chairs: tuple[Chair, ...]
    coach: CoachMode
    phase: Phase
    dice: DiceMode
    #: each person's contribution to the dice; fixed once the game has begun
    contributions: tuple[str | None, ...]
    #: whether the next roll is automatic
    rolls_automatically: bool = False
    #: the verdict on a game that was ended early
    verdict: dict[str, Any] | None = None
    #: the game's states before each of the moves since dice or cards came last: these can be taken back
    past: tuple[State, ...] = ()
    #: the table at which the same people play again
    next: str | None = None

    @property
    def ended(self) -> bool:
        return self.phase in ("over", "adjudicated")

    @property
    def winners(self) -> tuple[int, ...]:
        return self.state.winners() if self.verdict is None else tuple(self.verdict["winners"])

    @property
    def roller(self) -> int | None:
        """The seat whose dice or cards come next; None if they belong to no seat, or a move comes next."""
        return self.state.mover if self.state.actor == CHANCE else None

    @property
    def last_mover(self) -> int | None:
        """The person's seat whose last move may be taken back; None if dice or cards came since, or it is over."""
        seat = self.past[-1].actor if self.past and self.phase == "playing" else None
        return seat if seat is not None and self.chairs[seat].person else None

    @property
    def chance_is_automatic(self) -> bool:
        """Whether dice or cards come next automatically.

        Those belong to no seat, to a computer, or follow directly on a person's own move. With real dice only
        an outcome with a single possibility is automatic.
        """
        if self.state.actor != CHANCE or self.phase != "playing":
            return False
        if self.dice == "real":
            return self.state.chance().total == 1
        roller = self.roller
        return roller is None or not self.chairs[roller].person or self.rolls_automatically

    @property
    def computer_to_move(self) -> bool:
        """Whether a computer is to choose."""
        actor = self.state.actor
        return actor >= 0 and self.chairs[actor].kind == "computer" and self.phase == "playing"

    @property
    def computers_only(self) -> bool:
        """Whether only computers play."""
        return all(chair.kind == "computer" for chair in self.chairs)

    @property
    def server_acts(self) -> bool:
        """Whether a move of a computer comes next, or dice or cards that are automatic."""
        return self.computer_to_move or self.chance_is_automatic

    @property
    def server_must_act(self) -> bool:
        """Whether the server has to act next and a person may be waiting for it, connected or not."""
        return self.server_acts and not self.computers_only

    def play(self, event: Event) -> TableState:
        """The state after an event of the game; Illegal if the rules forbid it."""
        before = self.state
        after = before.apply(event)
        rolls_automatically = after.actor == CHANCE and show(before.game.id).rolls_automatically(
            before, event
        )
        phase = "over" if after.over else self.phase
        chairs = self.chairs
        # requests about the previous position lapse; those for the end only when a person moves
        by_person = before.actor >= 0 and chairs[before.actor].person
        if any(chair.undoes or (chair.ends and by_person) for chair in chairs):
            chairs = tuple(
                msgspec.structs.replace(chair, undoes=False, ends=chair.ends and not by_person)
                for chair in chairs
            )
        past = () if before.actor == CHANCE else (*self.past, before)
        return msgspec.structs.replace(
            self,
            state=after,
            chairs=chairs,
            phase=phase,
            rolls_automatically=rolls_automatically,
            past=past,
        )

    def change(self, line: LogLine) -> TableState:
        """The state after a line that is no event of the game."""
        fields = line.fields()
        if line.kind == "adjudicate":
            return msgspec.structs.replace(self, verdict=fields, phase="adjudicated")
        if line.kind == "coach":
            return self._coach_request(fields)
        if line.kind == "contribute":
            return self._contribute(fields)
        if line.kind == "undo":
            return self._undo(fields)
        if line.kind == "next":
            return msgspec.structs.replace(self, next=fields["table"])
        if line.kind in ("end", "again"):
            request = "ends" if line.kind == "end" else "again"
            return self._seated(fields["seats"], **{request: fields["agree"]})
        seats = [fields["seat"]]
        chair = self.chairs[fields["seat"]]
        if line.kind == "sit":
            return self._seated(seats, kind="link", name=fields["name"], token=fields["token"])
        if line.kind == "name":
            return self._seated(seats, name=fields["name"])
        if line.kind == "computer":
            lender = chair.kind if chair.person else chair.lender
            return self._seated(seats, kind="computer", level=fields["level"], lender=lender)
        return self._seated(seats, kind=chair.lender, level=None, lender=None)

    def _coach_request(self, fields: dict[str, Any]) -> TableState:
        if fields["settled"]:
            settled = self._seated(range(len(self.chairs)), wish=None)
            return msgspec.structs.replace(settled, coach=fields["coach"])
        # asking for the current mode withdraws the request
        request = None if fields["coach"] == self.coach else fields["coach"]
        return self._seated(fields["seats"], wish=request)

    def _undo(self, fields: dict[str, Any]) -> TableState:
        everybody = range(len(self.chairs))
        if fields["settled"]:
            cut = msgspec.structs.replace(
                self, state=self.past[-1], past=self.past[:-1], rolls_automatically=False
            )
            return cut._seated(everybody, undoes=False)
        # one refusal counts for all
        return self._seated(fields["seats"] if fields["agree"] else everybody, undoes=fields["agree"])

    def _contribute(self, fields: dict[str, Any]) -> TableState:
        contributions = list(self.contributions)
        for seat in fields["seats"]:
            contributions[seat] = fields["contribution"]
        return msgspec.structs.replace(self, contributions=tuple(contributions)).begun()

    def _seated(self, seats: Collection[int], **changes: Any) -> TableState:
        """The state after these seats have changed."""
        chairs = [
            msgspec.structs.replace(chair, **changes) if seat in seats else chair
            for seat, chair in enumerate(self.chairs)
        ]
        return msgspec.structs.replace(self, chairs=tuple(chairs)).begun()

    def begun(self) -> TableState:
        """The same state, playing if everybody sits and every person has contributed to the dice."""
        incomplete = any(
            chair.kind == "open" or (chair.person and self.dice == "pasch" and contribution is None)
            for chair, contribution in zip(self.chairs, self.contributions, strict=True)
        )
        if self.phase != "waiting" or incomplete:
            return self
        return msgspec.structs.replace(self, phase="playing")


class Change(msgspec.Struct, frozen=True):
    """A change of a table, to be written: lines for the log, each with the state after it."""

    #: the state after all of them
    after: TableState
    steps: tuple[tuple[LogLine, TableState], ...] = ()
    #: idempotency key: who gave the command, and its id; None if no client did
    key: str | None = None

    def play(self, event: Event) -> Change:
        """This change and then an event of the game; Illegal if the rules forbid it."""
        line = LogLine("event", event_json(event), event)
        after = self.after.play(event)
        return Change(after, (*self.steps, (line, after)), self.key)

    @property
    def events(self) -> list[Event]:
        """The events of the game among the lines."""
        return [line.event for line, _ in self.steps if line.event is not None]


class Presence:
    """Which seats have a connected client, and since when the others have none.

    Counting restarts when a table is loaded: earlier absences are not stored.
    """

    def __init__(
        self, seats: int, limits: Limits | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.limits = limits or Limits()
        self.online: frozenset[int] = frozenset()
        self._clock = clock
        self._since = [clock()] * seats
        self._reactions = RateLimiter(self.limits.reactions, clock)

    def update(self, online: Iterable[int]) -> bool:
        """Update which seats are connected; return whether that has changed."""
        before, self.online = self.online, frozenset(online)
        for seat in before - self.online:
            self.notice(seat)
        return self.online != before

    def notice(self, seat: int) -> None:
        """Count this seat's absence from now on."""
        self._since[seat] = self._clock()

    def take_reaction(self, seat: int) -> bool:
        """Whether a seat may show a reaction now; counts it if so."""
        return self._reactions.take(str(seat))

    def away(self, seat: int) -> Away | None:
        """How long a seat has had no connected client; None if it has one."""
        if seat in self.online:
            return None
        seconds = self._clock() - self._since[seat]
        if seconds >= self.limits.gone_after:
            return "gone"
        return "long" if seconds >= self.limits.lend_after else "short"

    def next_change(self, seats: Iterable[int]) -> float | None:
        """The seconds until the absence of one of these seats reaches a limit; None if it will not."""
        now, limits = self._clock(), (self.limits.lend_after, self.limits.gone_after)
        left = [
            self._since[seat] + limit - now for seat in seats if seat not in self.online for limit in limits
        ]
        return min((seconds for seconds in left if seconds > 0), default=None)


class LiveTable:
    """A table in memory: its log so far, the state that follows from it, its secrets, who is there."""

    def __init__(
        self,
        id: str,
        agreement: Agreement,
        game: Game[Any, Any] | None = None,
        secrets: Secrets | None = None,
    ) -> None:
        self.id = id
        self.agreement = agreement
        self.game = game or find_game(agreement.game).agree(len(agreement.chairs), agreement.options)
        self.secrets = secrets or Secrets(b"", b"")
        self.lines: list[LogLine] = []
        #: the number of events of the game after each line
        self.event_counts: list[int] = []
        #: the events of the game among the lines, except those taken back, and the places of their lines
        self.events: list[Event] = []
        self.places: list[int] = []
        #: the places of the lines with events that were taken back
        self.undone: set[int] = set()
        #: idempotency keys of the commands carried out, with the version that each led to
        self.commands: dict[str, int] = {}
        #: the computers whose last move was chosen by the fallback; not in the log
        self.simplified: frozenset[int] = frozenset()
        #: by seat, the lines with its names and requests, and those that lent it
        self.non_moves: Counter[int] = Counter()
        #: the versions of the moves that the computer has made for people
        self.stood_in: set[int] = set()
        self.presence = Presence(len(agreement.chairs))
        added = (NOTHING_ADDED if agreement.day else None,) * len(agreement.chairs)
        state = self.game.start()
        self.current = TableState(
            state, agreement.chairs, agreement.coach, "waiting", agreement.dice, added
        ).begun()
        #: whether seats know different things in this game
        self.has_secrets = type(state).view is not State.view

    @classmethod
    def load(cls, stored: StoredTable) -> Self:
        """The table that the log holds; PaschError or msgspec.DecodeError if it is not a valid one."""
        agreement = msgspec.json.decode(stored.document, type=Agreement)
        live = cls(stored.id, agreement, secrets=Secrets.unpack(stored.key))
        for entry in stored.entries:
            written = _decoder.decode(entry.body)
            line = LogLine(written.kind, written.body)
            if line.kind == "event":
                line = line._replace(event=live.game.read_event(line.fields()))
            after = live.current.change(line) if line.event is None else live.current.play(line.event)
            live.apply(Change(after, ((line, after),), entry.command))
        return live

    @property
    def version(self) -> int:
        return len(self.lines)

    @property
    def state(self) -> State:
        """The game's state."""
        return self.current.state

    @property
    def dice_name(self) -> str:
        """The name of the table in the key of its dice."""
        return day_table(self.agreement.day) if self.agreement.day else self.id

    @property
    def seed(self) -> bytes:
        """The seed of the dice, which is secret until the game has ended."""
        if not self.current.ended:
            raise ValueError("the game has not ended")
        return self.secrets.seed

    def change(self, kind: Kind, **fields: Any) -> Change:
        """A change that is no event of the game."""
        line = LogLine.of(kind, **fields)
        after = self.current.change(line)
        return Change(after, ((line, after),))

    def play(self, event: Event) -> Change:
        """The change that an event of the game is; Illegal if the rules forbid it."""
        return Change(self.current).play(event)

    def apply(self, change: Change) -> None:
        """Take over a change that is in the log."""
        for _ in self.steps(change):
            pass

    def steps(self, change: Change) -> Iterator[None]:
        """Take over a change that is in the log, one line at a time."""
        if change.key is not None:
            self.commands[change.key] = self.version + len(change.steps)
        for line, after in change.steps:
            mover = self.current.state.actor
            self.lines.append(line)
            if line.event is not None:
                self.events.append(line.event)
                self.places.append(len(self.lines) - 1)
                if mover >= 0 and self.current.chairs[mover].lender is not None:
                    self.stood_in.add(self.version)
            elif line.kind in NON_MOVES:
                fields = line.fields()
                self.non_moves.update(fields["seats"] if "seats" in fields else [fields["seat"]])
                if line.kind == "undo" and fields["settled"]:
                    self.events.pop()
                    self.undone.add(self.places.pop())
            self.event_counts.append(len(self.events))
            self.current = after
            yield

    def stand_in(self, seat: int) -> StandIn | None:
        """What the computer has done on a seat since it was lent; None if it is not lent."""
        if self.current.chairs[seat].lender is None:
            return None
        lent, since, absent = self.agreement.chairs[seat].lender is not None, 0, True
        for version, line in enumerate(self.lines, 1):
            if line.kind in ("computer", "person") and (fields := line.fields())["seat"] == seat:
                if line.kind == "computer" and not lent:
                    since, absent = version, "absent" in fields or "by_maker" in fields
                lent = line.kind == "computer"
        made = [self.lines[version - 1].event for version in self.stood_in if version > since]
        moves = sum(event is not None and event.seat == seat for event in made)
        return StandIn(since, moves, absent)

    def info(self, presence: Presence | None = None, box: bool = True) -> TableInfo:
        """What everybody may know of the table, and who is there; with its box, or only the box's hash."""
        current, agreement, game = self.current, self.agreement, self.game
        return TableInfo(
            id=self.id,
            game=game.id,
            title=game.title,
            players=game.players,
            options={name: value for name, value in game.options.json().items() if name != "components"},
            components=msgspec.to_builtins(game.components) if box else {},
            seats=tuple(self._seat(number, presence) for number in range(len(current.chairs))),
            coach=current.coach,
            dice=agreement.dice,
            phase=current.phase,
            made=agreement.made,
            commitment=agreement.commitment,
            contributions=current.contributions,
            given=agreement.given,
            day=agreement.day,
            stand_in=agreement.stand_in,
            next=current.next,
            own_box=custom_box(game) is not None,
            box=box_hash(game.components),
            must_agree=() if presence is None else tuple(sorted(self.must_agree())),
            fields=field_kinds(game),
        )

    def must_agree(self) -> frozenset[int]:
        """The seats without whose agreement neither the coach changes, nor the game ends early, nor another begins.

        A person counts who is away or whose seat the computer plays, until they have been away for long. A seat
        that is still open counts too: who takes it was not asked.
        """
        return frozenset(
            seat
            for seat, chair in enumerate(self.current.chairs)
            if chair.kind == "open" or (chair.owned and self.presence.away(seat) != "gone")
        )

    def _seat(self, number: int, presence: Presence | None) -> Seat:
        chair = self.current.chairs[number]
        return Seat(
            number,
            chair.kind,
            chair.name,
            chair.level,
            online=presence is not None and number in presence.online,
            lent=chair.lender is not None,
            wish=chair.wish,
            ends=chair.ends,
            undoes=chair.undoes,
            again=chair.again,
            away=presence.away(number) if presence is not None and chair.owned else None,
            stand_in=self.stand_in(number),
            simplified=chair.kind == "computer" and number in self.simplified,
        )

    def record(self) -> Record:
        """The record of the game."""
        return Record.of(self.game, self.events, self.state)
