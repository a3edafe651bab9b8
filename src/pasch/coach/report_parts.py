"""The parts of a report: what was luck and what was skill, as numbers."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from pasch.coach.ledger import Account, LedgerEntry
from pasch.core.words import Sentence


class EventReport(msgspec.Struct, frozen=True):
    """The effect of an event on its seat, or on the first seat if it belongs to none."""

    kind: Literal["move", "roll"]
    seat: int | None
    #: of a move, what it gave away; of a roll, its luck
    points: float
    #: what rounds bring that begin with it
    rounds: float
    #: what the estimates corrected in themselves
    estimates: float

    @classmethod
    def of(cls, entry: LedgerEntry) -> EventReport:
        seat = entry.seat or 0
        kind: Literal["move", "roll"] = "move" if entry.kind == "move" else "roll"
        points = entry.cost if kind == "move" else entry.luck[seat]
        return cls(kind, entry.seat, points, entry.stakes[seat], entry.corrections[seat])


class Noted(msgspec.Struct, frozen=True):
    """A move or a roll that the report points out."""

    #: the event's number in the record, counted from 1
    number: int
    seat: int | None
    kind: Literal["move", "roll"]
    event: dict[str, Any]
    #: the event in words
    text: str
    #: of a move, what it gave away; of a roll, its luck for the seat it is noted for
    points: float
    best: dict[str, Any] | None = None
    best_text: str | None = None
    sentences: tuple[Sentence, ...] = ()


class TurnReport(msgspec.Struct, frozen=True):
    """One turn; the expectation is that of the final score before it, the result that after it."""

    seat: int
    #: the numbers of its first and last event
    first: int
    last: int
    ledger: Account


class SeatReport(msgspec.Struct, frozen=True):
    """One seat's game."""

    seat: int
    score: int
    ledger: Account
    #: luck less the average luck of all seats
    net_luck: float
    #: in per cent; see docs/values.md. None if there was never anything to choose
    accuracy: float | None
    #: the result less luck
    without_luck: float
    decisions: int
    mistakes: int
    expensive: tuple[Noted, ...]
    luckiest: tuple[Noted, ...]
    unluckiest: tuple[Noted, ...]


class Chances(msgspec.Struct, frozen=True):
    """Everybody's chance to win after an event."""

    #: after this many events
    after: int
    win: tuple[float, ...]


class ReportBody(msgspec.Struct, frozen=True):
    """The whole game: everything in a report, for any renderer."""

    format: str
    game: str
    title: str
    options: dict[str, Any]
    players: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    #: whether the values are exact; otherwise they are estimates with the standard error `error`, in points
    exact: bool
    error: float | None
    statement: Sentence
    #: the tables that the values come from, by names with hashes; see `pasch.solve.valuer.Valuer.tables`
    tables: tuple[str, ...]
    seats: tuple[SeatReport, ...]
    turns: tuple[TurnReport, ...]
    #: the most expensive moves of all seats
    expensive: tuple[Noted, ...]
    #: each seat's expected final score: before the first event, then after each
    course: tuple[tuple[float, ...], ...]
    #: where they were asked for: chances to win before the first event and after every turn
    chances: tuple[Chances, ...] | None
    #: one for each event
    events: tuple[EventReport, ...]
    #: whether points count to the end of the round under way, because the number of rounds is open
    rounds: bool
    #: the number of decimals of every number
    digits: int
