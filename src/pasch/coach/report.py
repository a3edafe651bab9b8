"""The report of a finished game: what was luck, and what was skill."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from pasch.coach.judge import judge
from pasch.coach.layout import Section, lay_out
from pasch.coach.ledger import Ledger, LedgerEntry, keep_ledger
from pasch.coach.report_parts import (
    Chances,
    EventReport,
    Noted,
    ReportBody,
    SeatReport,
    TurnReport,
)
from pasch.core.errors import PaschError
from pasch.core.events import Event
from pasch.core.match import Match
from pasch.core.record import Record
from pasch.core.rules import EQUAL
from pasch.core.state import State
from pasch.core.words import Sentence, say
from pasch.solve.valuer import valuer

FORMAT = "pasch-report/1"

#: describes an event in words; the state is the one before it
Tell = Callable[[State, Event], str]

#: how many moves and rolls are picked out
MAX_NOTED = 3
#: if all scores are below this, points have two decimals
SMALL = 20


class Report(ReportBody, frozen=True):
    """The whole game, and how it is shown."""

    layout: tuple[Section, ...] = ()


def report(
    game: Match | Record,
    *,
    tell: Tell | None = None,
    chances: bool = False,
    early_winners: tuple[int, ...] | None = None,
) -> Report:
    """The report of a finished game; RecordError or PaschError if there is none.

    `tell` describes events in words; `chances` adds the chances to win, which takes longer. For a game that was ended
    early, `early_winners` are those of its verdict.
    """
    match = _match(game, finished=early_winners is None)
    values = valuer(match.game)
    ledger = keep_ledger(match, values)
    state = match.state
    made = _Maker(match, ledger, tell or _fields)
    course = (ledger.start, *(entry.points for entry in ledger.entries))
    error = None if ledger.exact else values.worth(match.at(0)).error
    body = ReportBody(
        FORMAT,
        match.game.id,
        match.game.title,
        match.game.options.json(),
        match.game.players,
        state.scores(),
        state.winners() if early_winners is None else early_winners,
        ledger.exact,
        error,
        _statement(ledger.exact) if early_winners is None else _ended_early(),
        values.tables,
        tuple(made.seat(seat) for seat in range(match.game.players)),
        tuple(TurnReport(t.seat, t.first, t.last, t.account) for t in ledger.turns),
        tuple(map(made.move, ledger.expensive(MAX_NOTED))),
        course,
        _chances(match, ledger) if chances else None,
        tuple(map(EventReport.of, ledger.entries)),
        any(abs(stake) > EQUAL for entry in ledger.entries for stake in entry.stakes),
        2 if ledger.exact and max(abs(points) for each in course for points in each) < SMALL else 1,
    )
    return Report(**msgspec.structs.asdict(body), layout=lay_out(body))


def _match(game: Match | Record, finished: bool) -> Match:
    if isinstance(game, Record):
        if finished:
            game.verify()
        return Match(game.agreed(), game.events)
    if finished and not game.state.over:
        raise PaschError("there is no report yet: the game is not over")
    return game


def _fields(state: State, event: Event) -> str:
    """An event's fields, for games without words of their own."""
    return ", ".join(f"{key} {value}" for key, value in event.json().items() if key != "seat")


def _statement(exact: bool) -> Sentence:
    if exact:
        return say("All values are exact: luck and costs add up to the result, nothing is left over.")
    return say("The values are estimates, and so are luck and costs.")


def _ended_early() -> Sentence:
    return say("The game was ended early. The result is the score that each player could expect then.")


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
            ledger.account,
            ledger.net_luck,
            ledger.accuracy,
            ledger.account.without_luck,
            ledger.decisions,
            ledger.mistakes,
            tuple(map(self.move, self._ledger.expensive(MAX_NOTED, seat))),
            tuple(self._roll(entry, seat) for entry in self._ledger.lucky(seat, MAX_NOTED)),
            tuple(self._roll(entry, seat) for entry in self._ledger.unlucky(seat, MAX_NOTED)),
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
