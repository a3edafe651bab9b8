"""The report of a finished game: what was luck, and what was skill."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import msgspec

from pasch.coach.judge import judge
from pasch.coach.ledger import Account, Ledger, LedgerEntry, keep_ledger
from pasch.core.errors import PaschError
from pasch.core.events import Event
from pasch.core.match import Match
from pasch.core.record import Record
from pasch.core.state import State
from pasch.core.words import Sentence, say
from pasch.solve.valuer import valuer

FORMAT = "pasch-report/1"

#: describes an event in words; the state is the one before it
Tell = Callable[[State, Event], str]

#: how many moves and rolls are picked out
MOST = 3


class LedgerSums(msgspec.Struct, frozen=True):
    """The sums of a seat's ledger: expectation + luck - costs + others = result, less the remainder."""

    expectation: float
    luck: float
    costs: float
    #: what the other seats' moves did
    others: float
    result: float
    remainder: float

    @classmethod
    def of(cls, account: Account) -> LedgerSums:
        return cls(
            account.expectation,
            account.luck,
            account.costs,
            account.others,
            account.result,
            account.remainder,
        )


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
    ledger: LedgerSums


class SeatReport(msgspec.Struct, frozen=True):
    """One seat's game."""

    seat: int
    score: int
    ledger: LedgerSums
    #: luck less the average luck of all seats
    net_luck: float
    #: in per cent; see docs/values.md. None if there was never anything to choose
    accuracy: float | None
    #: the result with the same costs and no luck at all
    without_luck: float
    decisions: int
    mistakes: int
    expensive: tuple[Noted, ...]
    luckiest: tuple[Noted, ...]
    unluckiest: tuple[Noted, ...]


class Chances(msgspec.Struct, frozen=True):
    """Everybody's chance to win after an event."""

    #: after so many events
    after: int
    win: tuple[float, ...]


class Report(msgspec.Struct, frozen=True):
    """The whole game."""

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


def report(game: Match | Record, *, tell: Tell | None = None, chances: bool = False) -> Report:
    """The report of a finished game; RecordError or PaschError if there is none.

    `tell` describes events in words; `chances` adds the chances to win, which takes longer.
    """
    match = _finished(game)
    values = valuer(match.game)
    ledger = keep_ledger(match, values)
    state = match.state
    made = _Maker(match, ledger, tell or _fields)
    error = None if ledger.exact else values.worth(match.at(0)).error
    return Report(
        FORMAT,
        match.game.id,
        match.game.title,
        match.game.options.json(),
        match.game.players,
        state.scores(),
        state.winners(),
        ledger.exact,
        error,
        _statement(ledger.exact, error),
        values.tables,
        tuple(made.seat(seat) for seat in range(match.game.players)),
        tuple(TurnReport(t.seat, t.first, t.last, LedgerSums.of(t.account)) for t in ledger.turns),
        tuple(map(made.move, ledger.expensive(MOST))),
        (ledger.start, *(entry.points for entry in ledger.entries)),
        _chances(match, ledger) if chances else None,
    )


def _finished(game: Match | Record) -> Match:
    if isinstance(game, Record):
        game.verify()
        return Match(game.agreed(), game.events)
    if not game.state.over:
        raise PaschError("there is no report yet: the game is not over")
    return game


def _fields(state: State, event: Event) -> str:
    """An event's fields, for games without words of their own."""
    return ", ".join(f"{key} {value}" for key, value in event.json().items() if key != "seat")


def _statement(exact: bool, error: float | None) -> Sentence:
    if exact:
        return say("All values are exact: luck and costs add up to the result, nothing is left over.")
    if error is None:
        return say("The values are estimates, and so are luck and costs.")
    return say(
        "The values are estimates with a standard error of {error} points, and so are luck and costs.",
        error=error,
    )


class _Maker:
    """Makes the parts of a report that are about single events."""

    def __init__(self, match: Match, ledger: Ledger, tell: Tell) -> None:
        self._match = match
        self._ledger = ledger
        self._tell = tell

    def seat(self, seat: int) -> SeatReport:
        ledger = self._ledger.seats[seat]
        return SeatReport(
            seat,
            self._match.state.scores()[seat],
            LedgerSums.of(ledger.account),
            ledger.net_luck,
            ledger.accuracy,
            ledger.without_luck,
            ledger.decisions,
            ledger.mistakes,
            tuple(map(self.move, self._ledger.expensive(MOST, seat))),
            tuple(self._roll(entry, seat) for entry in self._ledger.lucky(seat, MOST)),
            tuple(self._roll(entry, seat) for entry in self._ledger.unlucky(seat, MOST)),
        )

    def move(self, entry: LedgerEntry) -> Noted:
        before, event = self._match.at(entry.number - 1), self._match.events[entry.number - 1]
        best = None if entry.best is None else self._match.game.read_event(entry.best)
        return Noted(
            entry.number,
            entry.seat,
            "move",
            entry.event,
            self._tell(before, event),
            entry.cost,
            entry.best,
            None if best is None else self._tell(before, best),
            judge(self._match, entry.number, chances=False).sentences,
        )

    def _roll(self, entry: LedgerEntry, seat: int) -> Noted:
        before, event = self._match.at(entry.number - 1), self._match.events[entry.number - 1]
        return Noted(
            entry.number, entry.seat, "roll", entry.event, self._tell(before, event), entry.luck[seat]
        )


def _chances(match: Match, ledger: Ledger) -> tuple[Chances, ...] | None:
    """Chances to win before the game and after every turn; None where they are unknown."""
    values = valuer(match.game)
    found = []
    for after in (0, *(turn.last for turn in ledger.turns)):
        win = values.worth(match.at(after)).win
        if win is None:
            return None
        found.append(Chances(after, win))
    return tuple(found)
