"""Every message between browser and server; docs/protocol.md and the client's types are generated from this.

Browser and server speak JSON over one WebSocket per open table. Each message is an object whose `type` says
which of the structs below it is. Every command carries the client's own `id` and the `version` of the
table it was made for. It is answered with the `update` that it causes, whose `answers` is its id; with
`accepted` if it changes nothing, was carried out before, or was `sit`; with `refused`; or `hint` with `advice`,
`why` with `because`, `earlier` with `entries`, `preview` with `verdict`.
The same `id` sent twice, even to a server that was restarted in between, is carried out once. The answer comes
after the command is stored durably in the table's log.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from pasch.core.position import FieldKind
from pasch.core.words import Sentence
from pasch.table.refusals import Code

#: the version of this protocol; a page with another one is asked to reload
PROTOCOL = 2
#: longest message a browser may send, in bytes
MAX_MESSAGE_BYTES = 64 * 1024
#: events that a new table may begin with: several times the length of a long game of any of the six
MAX_GIVEN = 4000
#: entries of the log in one message, at most
MAX_ENTRIES = 200
#: the level of computers that stand in for absent people, unless the table sets another
STAND_IN = "hard"

Id = Annotated[str, Meta(min_length=1, max_length=64, description="the client's own name for a command")]
Version = Annotated[int, Meta(ge=0, description="how many entries the table's log has")]
SeatNumber = Annotated[int, Meta(ge=0, le=5)]
Name = Annotated[str, Meta(min_length=1, max_length=24)]
Token = Annotated[str, Meta(min_length=16, max_length=64)]
Level = Annotated[
    str, Meta(min_length=1, max_length=24, description="a computer player, as `GET /api/games` lists")
]
Contribution = Annotated[
    str, Meta(pattern="^[0-9a-f]{64}$", description="32 random bytes, in lower-case hexadecimal")
]
CoachMode = Literal["off", "after", "moves", "hints"]
DiceMode = Literal["pasch", "real"]
#: how long a person has been away: "long" is a minute or more, "gone" a quarter of an hour (see `Seat.away`)
Away = Literal["short", "long", "gone"]
#: kinds of lines in a table's log
Kind = Literal[
    "event",
    "sit",
    "contribute",
    "name",
    "computer",
    "person",
    "coach",
    "end",
    "undo",
    "adjudicate",
    "again",
    "next",
]
#: what people can say at a table, each drawn as a picture; there is no free text
Reaction = Literal["hello", "bravo", "laugh", "oh-no", "luck", "moment"]


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Base of all messages."""


# --- what both sides talk about ------------------------------------------------------------------


class StandIn(msgspec.Struct, frozen=True):
    """What the computer has done on a seat since it was lent."""

    #: the version at which the computer took over
    since: Version
    #: the moves that it has made
    moves: int
    #: whether others lent the seat because its person was away
    absent: bool


class Seat(msgspec.Struct, frozen=True):
    """One seat at the table."""

    seat: int
    #: "here": a person at the device that made the table; "link": one who came by a link; "open": waits for one
    kind: Literal["here", "link", "open", "computer"]
    name: str
    #: of a computer, its level
    level: str | None = None
    #: whether a client with this seat's token is connected
    online: bool = False
    #: of a computer: it plays for a person, who may take the seat back
    lent: bool = False
    #: the coach mode that this person has asked for, while not all have agreed to it yet
    wish: CoachMode | None = None
    #: whether this person has asked for the game to end now, while not all have agreed
    ends: bool = False
    #: whether this person has asked for the last move to be taken back, while not all have agreed
    undoes: bool = False
    #: whether this person has asked for another game after this one, while not all have agreed
    again: bool = False
    #: of a person's seat, also of a lent one, how long nobody has been connected: "short"; "long": for a minute or
    #: more, so that the others may let the computer play; "gone": for a quarter of an hour or more, so that they agree
    #: to a coach, to the end or to another game without them; null: a client is connected
    away: Away | None = None
    #: of a lent seat, what the computer has done for its person
    stand_in: StandIn | None = None
    #: of a computer: a simpler player made its last move: its own values are not there yet, or the server was busy
    simplified: bool = False


class TableInfo(msgspec.Struct, frozen=True):
    """What every client may know about a table, except the game's position."""

    id: str
    game: str
    title: str
    players: int
    options: dict[str, Any]
    #: the box's data (fields, strips, plans …), for drawing; empty if this connection was sent it before, as `box` says
    components: dict[str, Any]
    seats: tuple[Seat, ...]
    coach: CoachMode
    dice: DiceMode
    #: "waiting": a seat is open, or a contribution to the dice is missing; "adjudicated": ended early, by value
    phase: Literal["waiting", "playing", "over", "adjudicated"]
    #: when the table was made, seconds since 1970
    made: int
    #: what the server has bound itself to before the first roll (see docs/fairness.md); null with real dice
    commitment: str | None = None
    #: what each person's browser has added to the dice, by seat
    contributions: tuple[str | None, ...] = ()
    #: number of events copied from another game, from whose position this one began
    given: int = 0
    #: of a game of the day, the day: its dice are the same for everybody who plays it
    day: str = ""
    #: the level of a computer that plays for an absent person
    stand_in: str = STAND_IN
    #: the table at which the same people play again; the tokens of this one are good there, too
    next: str | None = None
    #: whether the box is not the one that Pasch knows
    own_box: bool = False
    #: the hash of the box's data
    box: str = ""
    #: the seats, open ones too, that have to agree before the coach changes, a move is undone or a game ends or begins
    must_agree: tuple[int, ...] = ()
    #: what the rules declare of the position's fields, for drawing a game that brings no board
    fields: tuple[FieldKind, ...] = ()


class Choice(msgspec.Struct, frozen=True):
    """A legal move and the tokens (a field, a die, a card) that a person touches to choose it."""

    event: dict[str, Any]
    tokens: tuple[str, ...]
    #: for each die on the table the face that this move uses it as, 0: not used; null: the game does not say
    uses: tuple[int, ...] | None = None


class Ask(msgspec.Struct, frozen=True):
    """What a person has to read off the real table: one value for each part."""

    #: what each part is: "die", a colour, "strip", "card"; for cards with its seat, as in "card 0"
    parts: tuple[str, ...]
    #: the values that a part may have: faces, cards, or the numbers of the strips not drawn yet
    values: tuple[int, ...]


class Position(msgspec.Struct, frozen=True):
    """Where the game stands, as one client may know it."""

    version: Version
    #: the number of events of the game so far: that of the last one in the record
    events: int
    #: the seat to choose; -1: dice or cards come next; -2: over
    actor: int
    #: the seat whose view this is; None: a spectator's
    as_seat: int | None
    #: the state's fields, for drawing
    snapshot: dict[str, Any]
    #: what the drawing marks because of the rules (see `pasch.table.show`)
    marks: dict[str, Any]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    #: the legal moves, if one of this client's seats is to choose
    moves: tuple[Choice, ...] = ()
    #: "roll": this client has to press for the roll; "read": it has to read the real dice
    awaits: Literal["roll", "read"] | None = None
    #: the seat that is to roll, when dice come next
    roller: int | None = None
    ask: Ask | None = None
    #: the person's seat whose last move may still be taken back: neither dice nor cards have come since
    undo: int | None = None
    #: whether dice or cards that come by themselves wait for this client's `go`, and the last move can be taken back
    held: bool = False


class Entry(msgspec.Struct, frozen=True):
    """One line of the table's log, as one client may know it."""

    version: Version
    #: "event": of the game; the others change who sits where or how the table ends
    kind: Kind
    #: of an event, its JSON as the record has it, less what this client must not know; "sit" and "name": seat, name;
    #: "contribute": seats, contribution; "computer": seat, level, and if a program that a user has written has lost
    #: its seat by it, `failed` ("error", "illegal", "slow", "gone"), and if others lent it because its person was
    #: away, `absent` (in older logs `by_maker`); "person": seat; "coach": seats, coach, settled (whether all have
    #: agreed now); "end" and "again": seats, agree; "undo": seats, agree, settled (the last event is taken back: the
    #: game continues without it); "adjudicate": winners, value (expected final score per seat or null), win
    #: (chances or null), by ("chances", "value" or "scores"); "next": table
    body: dict[str, Any]
    #: whether a computer made this move for a person who was away
    stand_in: bool = False
    #: the number of events of the game after it: of an event, its number in the record
    events: int = 0


class Step(msgspec.Struct, frozen=True):
    """An entry of the log, and the position after it."""

    entry: Entry
    position: Position


class Judgement(msgspec.Struct, frozen=True):
    """What the coach says of one move or roll."""

    version: Version
    seat: int
    kind: Literal["move", "roll"]
    #: of a move, what it gave away; of a roll, its luck, in points of expected score
    points: float
    best: dict[str, Any] | None = None
    sentences: tuple[Sentence, ...] = ()
    exact: bool = True


# --- from the browser ----------------------------------------------------------------------------


class Hello(Message, frozen=True, tag="hello"):
    """The first message: who is there, and which version was seen last. It may be repeated.

    Without a right to look it is refused as `not-yours`; the connection stays open, for `sit`.
    """

    #: the tokens this device holds for this table: of seats, the maker's, to watch, an unused invitation
    tokens: Annotated[tuple[Token, ...], Meta(max_length=12)]
    since: Version | None = None
    #: the version of the protocol that the page was made for
    protocol: int = 1


class Command(Message, frozen=True):
    """Base of all commands."""

    id: Id
    version: Version


class Move(Command, frozen=True, tag="move"):
    """Make a move: an event as `moves` offered it."""

    event: dict[str, Any]
    #: dice and cards that come by themselves wait some seconds for `go`, if all people at the table sit at this device
    hold: bool = False


class Go(Command, frozen=True, tag="go"):
    """Let the dice or cards come that wait because of `hold`."""


class Undo(Command, frozen=True, tag="undo"):
    """Agree to take the last move back, for all your seats: the person who made it asks first.

    The move is taken back once every person has agreed who has not been away for a quarter of an hour. It is too
    late when dice or cards have come since, or the game is over.
    """

    #: false: the move stands
    agree: bool = True


class Roll(Command, frozen=True, tag="roll"):
    """Let Pasch roll the dice."""


class Read(Command, frozen=True, tag="read"):
    """The faces or cards that lie on the real table, in the order of `ask.parts`."""

    values: Annotated[tuple[int, ...], Meta(max_length=16)]


class Sit(Command, frozen=True, tag="sit"):
    """Take an open seat. The answer carries the seat's token; the connection has the seat immediately.

    Its `version` does not matter, and it needs no `hello` before it.
    """

    invitation: Token
    name: Name


class Contribute(Command, frozen=True, tag="contribute"):
    """Add to the dice, for all your seats that have not yet; the first roll waits for everybody's.

    It has to be made at random after the table's `commitment` was seen. Its `version` does not matter.
    """

    contribution: Contribution


class Rename(Command, frozen=True, tag="name"):
    """Change one of your names."""

    seat: SeatNumber
    name: Name


class HandOver(Command, frozen=True, tag="computer"):
    """Let the computer play one of your seats from now on.

    The maker of a table may also do this with an open seat; every player may do it with the seat of a person who has
    been away for a minute, where the computer plays at the table's level (`stand_in`).
    """

    seat: SeatNumber
    level: Level


class TakeBack(Command, frozen=True, tag="person"):
    """Play a seat that one handed over oneself again."""

    seat: SeatNumber


class Adjudicate(Command, frozen=True, tag="adjudicate"):
    """Agree to end the game now, decided by the value of the position, for all your seats.

    It ends once every person has agreed who has not been away for a quarter of an hour; if there is no such
    person, the table's maker may end it. When a person moves instead, all agreements lapse.
    """

    #: false takes one's agreement back
    agree: bool = True


class Preview(Command, frozen=True, tag="preview"):
    """Ask how the game would be decided if it ended now."""


class Rematch(Command, frozen=True, tag="rematch"):
    """Agree to play again when the game is over, for all your seats.

    Once every person has agreed who has not been away for a quarter of an hour, there is a new table with the
    same seats, options and levels, for which the tokens of this one are good; `TableInfo.next` names it.
    """

    #: false takes one's agreement back
    agree: bool = True


class React(Command, frozen=True, tag="react"):
    """Show those who play a reaction. It is no part of the log. Its `version` does not matter."""

    seat: SeatNumber
    reaction: Reaction


class SetCoach(Command, frozen=True, tag="coach"):
    """Agree to a coach mode, for all your seats; it changes once every person has agreed to it."""

    coach: CoachMode


class Earlier(Command, frozen=True, tag="earlier"):
    """Ask for older entries of the log: the last ones below the version `before`. Its `version` does not matter."""

    before: Version
    count: Annotated[int, Meta(ge=1, le=MAX_ENTRIES)] = MAX_ENTRIES


class Hint(Command, frozen=True, tag="hint"):
    """Ask for the values of one's moves."""


class Why(Command, frozen=True, tag="why"):
    """Ask why what was touched is not possible."""

    tokens: Annotated[tuple[Annotated[str, Meta(max_length=40)], ...], Meta(max_length=16)]


class Ping(Message, frozen=True, tag="ping"):
    """Ask for a sign of life, which is `pong`; a broken connection is noticed by its absence."""


#: every message of a client
FromBrowser: Any = reduce(or_, (Hello, Ping, *Command.__subclasses__()))


# --- from the server -----------------------------------------------------------------------------


class Welcome(Message, frozen=True, tag="welcome"):
    """The answer to `hello`: everything needed to draw the table, and the latest entries."""

    table: TableInfo
    #: the seats whose tokens this client showed
    yours: tuple[int, ...]
    #: the open seats to which its invitations invite
    invited: tuple[int, ...]
    #: whether this client made the table
    maker: bool
    position: Position
    #: the latest entries after `since`
    entries: tuple[Entry, ...]
    #: the version of the first; if it is above `since` + 1, ask for what is missing with `earlier`
    first: Version
    #: what the coach has said of these
    judgements: tuple[Judgement, ...] = ()


class Entries(Message, frozen=True, tag="entries"):
    """The answer to `earlier`."""

    id: str
    entries: tuple[Entry, ...]
    #: the version of the first; 1: there is nothing earlier
    first: Version
    judgements: tuple[Judgement, ...] = ()


class Update(Message, frozen=True, tag="update"):
    """What has happened: each new entry with the position after it."""

    steps: tuple[Step, ...]
    #: of the client whose command this was, the command's id
    answers: str | None = None


class Table(Message, frozen=True, tag="table"):
    """Who sits where has changed, or who is connected."""

    table: TableInfo


class Accepted(Message, frozen=True, tag="accepted"):
    """The command has changed nothing, or it is in the log; see `update`."""

    id: str
    version: Version
    #: of `sit`: the seat and its token
    seat: int | None = None
    token: str | None = None


class Refused(Message, frozen=True, tag="refused"):
    """The command changed nothing."""

    id: str | None
    code: Code
    reason: Sentence
    version: Version | None = None


class Advice(Message, frozen=True, tag="advice"):
    """The answer to `hint`: each move with its value, best first."""

    id: str
    version: Version
    #: each with event, points (the mover's expected final score) and win (its chance to win, or null)
    moves: tuple[dict[str, Any], ...]
    sentences: tuple[Sentence, ...] = ()
    exact: bool = True


class Because(Message, frozen=True, tag="because"):
    """The answer to `why`."""

    id: str
    reason: Sentence


class Coached(Message, frozen=True, tag="coached"):
    """What the coach says of the last events."""

    judgements: tuple[Judgement, ...]


class Verdict(Message, frozen=True, tag="verdict"):
    """The answer to `preview`: how the game would be decided, by what everybody can see."""

    id: str
    version: Version
    winners: tuple[int, ...]
    #: expected final score per seat, if it is known
    value: tuple[float, ...] | None
    #: chance to win per seat, if it is known
    win: tuple[float, ...] | None
    #: what decides: the chances to win, the expected final scores, or the scores as they stand
    by: Literal["chances", "value", "scores"]


class Reacted(Message, frozen=True, tag="reacted"):
    """A player shows a reaction."""

    seat: int
    reaction: Reaction


class Pong(Message, frozen=True, tag="pong"):
    """The answer to `ping`."""


#: every message of the server
FromServer: Any = reduce(
    or_, [kind for kind in Message.__subclasses__() if kind not in (Hello, Ping, Command)]
)


# --- HTTP ----------------------------------------------------------------------------------------


class SeatRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who shall sit on a seat of a new table."""

    kind: Literal["here", "link", "computer"]
    name: Annotated[str, Meta(max_length=24)] = ""
    level: Level | None = None


class NewTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`POST /api/tables`: make a table."""

    game: str
    seats: Annotated[tuple[SeatRequest, ...], Meta(min_length=1, max_length=6)]
    options: dict[str, Any] = {}
    coach: CoachMode = "after"
    dice: DiceMode = "pasch"
    #: start from these events (4000 at most), to try something from a position of another game
    events: tuple[dict[str, Any], ...] = ()
    #: seat 0 is drawn by lot among the seats; otherwise they stay as given
    draw_lots: bool = False
    #: the level of a computer that plays for an absent person
    stand_in: Level = STAND_IN
    #: play the game of this day, as 2026-12-24, alone: its dice are the same for everybody
    day: Annotated[str, Meta(pattern=r"^(\d{4}-\d\d-\d\d)?$")] = ""


class MadeTable(msgspec.Struct, frozen=True):
    """Its answer. Tokens are shown this once."""

    id: str
    #: the token of each seat of kind "here", by its number
    seats: dict[str, str]
    #: the invitation for each seat of kind "link", by its number
    invitations: dict[str, str]
    #: lets its holder watch
    watch: str
    #: proves who made the table
    maker: str
