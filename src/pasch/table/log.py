"""A table's log: what was agreed when it was made, and the lines since. All that a table is follows."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import msgspec

from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.record import Record
from pasch.core.registry import find_game
from pasch.core.state import CHANCE, State
from pasch.table.schema import CoachMode, DiceMode, Seat, TableInfo
from pasch.table.touch import touch

Kind = Literal["event", "sit", "contribute", "name", "computer", "person", "coach", "adjudicate"]
Phase = Literal["waiting", "playing", "over", "adjudicated"]


class Chair(msgspec.Struct, frozen=True, kw_only=True):
    """A seat: who sits there, and which tokens belong to it (their hashes)."""

    kind: Literal["here", "link", "open", "computer"]
    name: str = ""
    level: str | None = None
    token: str | None = None
    invitation: str | None = None
    #: while the computer plays for a person: what kind of person
    lender: Literal["here", "link"] | None = None
    wish: CoachMode | None = None

    @property
    def person(self) -> bool:
        """Whether a person is to act for this seat."""
        return self.kind in ("here", "link")


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """What was agreed when the table was made."""

    game: str
    options: dict[str, Any]
    chairs: tuple[Chair, ...]
    coach: CoachMode
    dice: DiceMode
    made: int
    #: hashes of the tokens to watch, and of whoever made the table
    watch: str
    maker: str
    #: what is published of the seed; None with real dice
    commitment: str | None = None
    #: so many events came from another game
    given: int = 0

    def agreed(self) -> Game[Any, Any]:
        """The game itself."""
        return find_game(self.game).agree(len(self.chairs), self.options)


_encoder = msgspec.json.Encoder()


class Line(msgspec.Struct, frozen=True):
    """One line of the log: an event of the game, or what happened beside it."""

    kind: Kind
    #: an event's own JSON, or the fields of the line, encoded
    body: msgspec.Raw

    def encode(self) -> bytes:
        return _encoder.encode(self)

    @staticmethod
    def decode(written: bytes) -> Line:
        return _line_decoder.decode(written)

    def fields(self) -> dict[str, Any]:
        read: dict[str, Any] = msgspec.json.decode(self.body)
        return read

    @classmethod
    def of(cls, kind: Kind, **fields: Any) -> Line:
        return cls(kind, msgspec.Raw(_encoder.encode(fields)))

    @classmethod
    def event(cls, event: Event) -> Line:
        return cls("event", event_json(event))


_line_decoder = msgspec.json.Decoder(Line)


def event_json(event: Event) -> msgspec.Raw:
    """An event as the record writes it, encoded."""
    # most events are written just as they are, which is much quicker than by way of plain values
    plain = type(event).json is Event.json
    return msgspec.Raw(_encoder.encode(event if plain else event.json()))


class Standing(msgspec.Struct, frozen=True):
    """Where a table stands: the game's state, who sits where, what has been settled beside the game."""

    state: State
    chairs: tuple[Chair, ...]
    coach: CoachMode
    phase: Phase
    dice: DiceMode
    #: what each person has added to the dice; once the game has begun nothing changes here
    contributions: tuple[str | None, ...]
    #: whether nobody has to press for the roll that comes next
    rolls_on: bool = False
    #: how a game ended early was decided
    verdict: dict[str, Any] | None = None

    @property
    def winners(self) -> tuple[int, ...]:
        return self.state.winners() if self.verdict is None else tuple(self.verdict["winners"])

    @property
    def roller(self) -> int | None:
        """The seat whose dice or cards come next; None if they are nobody's, or a choice comes."""
        if self.state.actor != CHANCE:
            return None
        seat: int | None = getattr(self.state.chance().pick(0), "seat", None)
        return seat

    @property
    def complete(self) -> bool:
        """Whether everybody sits, and every person has added to the dice of Pasch."""
        return not any(
            chair.kind == "open" or (chair.person and self.dice == "pasch" and contribution is None)
            for chair, contribution in zip(self.chairs, self.contributions, strict=True)
        )

    @property
    def due(self) -> bool:
        """Whether a computer is to choose."""
        actor = self.state.actor
        return actor >= 0 and self.chairs[actor].kind == "computer" and self.phase == "playing"

    def play(self, event: Event) -> Standing:
        """After an event of the game; Illegal if the rules forbid it."""
        before = self.state
        after = before.apply(event)
        goes_on = after.actor == CHANCE and touch(before.game.id).goes_on(before, event)
        phase = "over" if after.over else self.phase
        chairs, contributions = self.chairs, self.contributions
        return Standing(after, chairs, self.coach, phase, self.dice, contributions, goes_on, self.verdict)

    def change(self, line: Line) -> Standing:
        """After a line that is no event of the game."""
        fields = line.fields()
        if line.kind == "adjudicate":
            return msgspec.structs.replace(self, verdict=fields, phase="adjudicated")
        if line.kind == "coach":
            return self._wish(fields)
        if line.kind == "contribute":
            return self._contribute(fields)
        seat = fields["seat"]
        chair = self.chairs[seat]
        changes: dict[str, Any]
        if line.kind == "sit":
            changes = {"kind": "link", "name": fields["name"], "token": fields["token"]}
        elif line.kind == "name":
            changes = {"name": fields["name"]}
        elif line.kind == "computer":
            lender = chair.kind if chair.person else chair.lender
            changes = {"kind": "computer", "level": fields["level"], "lender": lender, "wish": None}
        else:
            changes = {"kind": chair.lender, "level": None, "lender": None}
        return self._seated({seat: changes})

    def _wish(self, fields: dict[str, Any]) -> Standing:
        if fields["settled"]:
            settled = self._seated({seat: {"wish": None} for seat in range(len(self.chairs))})
            return msgspec.structs.replace(settled, coach=fields["coach"])
        return self._seated({seat: {"wish": fields["coach"]} for seat in fields["seats"]})

    def _contribute(self, fields: dict[str, Any]) -> Standing:
        contributions = list(self.contributions)
        for seat in fields["seats"]:
            contributions[seat] = fields["contribution"]
        return msgspec.structs.replace(self, contributions=tuple(contributions)).begun()

    def _seated(self, changes: dict[int, dict[str, Any]]) -> Standing:
        chairs = list(self.chairs)
        for seat, fields in changes.items():
            chairs[seat] = msgspec.structs.replace(chairs[seat], **fields)
        return msgspec.structs.replace(self, chairs=tuple(chairs)).begun()

    def begun(self) -> Standing:
        """The game begins as soon as nothing is missing any more."""
        begins = self.phase == "waiting" and self.complete
        return msgspec.structs.replace(self, phase="playing") if begins else self


class Step(NamedTuple):
    """A line that may be added, what it says if it is an event, and where the table stands after it."""

    line: Line
    event: Event | None
    after: Standing


def play(standing: Standing, event: Event) -> Step:
    """The step that an event is; Illegal if the rules forbid it."""
    return Step(Line.event(event), event, standing.play(event))


def change(standing: Standing, kind: Kind, **fields: Any) -> Step:
    """The step that something beside the game is."""
    line = Line.of(kind, **fields)
    return Step(line, None, standing.change(line))


class Course:
    """A table with all that has happened at it."""

    def __init__(self, table: str, agreement: Agreement, game: Game[Any, Any] | None = None) -> None:
        self.id = table
        self.agreement = agreement
        self.game = game or agreement.agreed()
        #: each line of the log and, if it is one, the event that it says
        self.lines: list[tuple[Line, Event | None]] = []
        #: the events of the game alone
        self.events: list[Event] = []
        chairs, nobody = agreement.chairs, (None,) * len(agreement.chairs)
        state = self.game.start()
        self.standing = Standing(state, chairs, agreement.coach, "waiting", agreement.dice, nobody).begun()
        #: whether seats know different things in this game
        self.secret = type(self.standing.state).view is not State.view

    @property
    def version(self) -> int:
        return len(self.lines)

    @property
    def state(self) -> State:
        return self.standing.state

    def add(self, step: Step) -> None:
        self.lines.append((step.line, step.event))
        if step.event is not None:
            self.events.append(step.event)
        self.standing = step.after

    def read(self, written: bytes) -> None:
        """Go on by one line of the log."""
        line = Line.decode(written)
        if line.kind == "event":
            event = self.game.read_event(line.fields())
            self.add(Step(line, event, self.standing.play(event)))
        else:
            self.add(Step(line, None, self.standing.change(line)))

    def info(self, online: frozenset[int]) -> TableInfo:
        """What everybody may know of the table."""
        standing, agreement, game = self.standing, self.agreement, self.game
        return TableInfo(
            id=self.id,
            game=game.id,
            title=game.title,
            players=game.players,
            options={name: value for name, value in game.options.json().items() if name != "components"},
            components=msgspec.to_builtins(game.components),
            seats=tuple(
                Seat(number, c.kind, c.name, c.level, number in online, c.lender is not None, c.wish)
                for number, c in enumerate(standing.chairs)
            ),
            coach=standing.coach,
            dice=agreement.dice,
            phase=standing.phase,
            made=agreement.made,
            commitment=agreement.commitment,
            contributions=standing.contributions,
            given=agreement.given,
        )

    def record(self) -> Record:
        """The record of the game."""
        return Record.of(self.game, self.events, self.state)
