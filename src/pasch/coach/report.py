"""The report of a finished game: what was luck, and what was skill."""

from __future__ import annotations

from collections.abc import Callable, Container

import msgspec

from pasch.coach.judge import judge
from pasch.coach.layout import Chances, EventReport, Noted, Report, SeatReport, lay_out
from pasch.coach.ledger import Ledger, LedgerEntry, keep_ledger
from pasch.core.errors import PaschError
from pasch.core.events import Event
from pasch.core.match import Match
from pasch.core.record import Record
from pasch.core.rules import EQUAL
from pasch.core.state import State
from pasch.core.words import say
from pasch.solve.valuer import valuer

FORMAT = "pasch-report/1"

#: describes an event in words; the state is the one before it
Tell = Callable[[State, Event], str]

#: the number of moves and rolls picked out
MAX_NOTED = 3
#: if all scores are below this, points have two decimals
SMALL = 20


def report(
    game: Match | Record,
    *,
    tell: Tell | None = None,
    chances: bool = False,
    to_win: Container[int] = (),
    early_winners: tuple[int, ...] | None = None,
) -> Report:
    """The report of a finished game; RecordError or PaschError if there is none.

    `tell` describes events in words; `chances` adds the chances to win, which takes longer. The moves of the seats in
    `to_win`, which play to win, are judged by chances to win where these are known; a record does not say who does.
    For a game that was ended early, `early_winners` are those of its verdict.
    """
    match = _match(game, finished=early_winners is None)
    values = valuer(match.game)
    ledger = keep_ledger(match, values)
    winning = None
    if any(seat in to_win for seat in range(match.game.players)) and values.worth(match.at(0)).win:
        winning = keep_ledger(match, values, to_win=to_win)
    state = match.state
    made = _Maker(match, ledger, winning, to_win, tell or _fields)
    course = (ledger.start, *(entry.points for entry in ledger.entries))
    seats = tuple(made.seat(seat) for seat in range(match.game.players))
    expensive = [note for seat in seats for note in seat.expensive]
    if early_winners is not None:
        said = say("The game was ended early. The result is the score that each player could expect then.")
    elif ledger.exact:
        said = say("All values are exact: luck and costs add up to the result, nothing is left over.")
    else:
        said = say("The values are estimates, and so are luck and costs.")
    body = Report(
        format=FORMAT,
        game=match.game.id,
        title=match.game.title,
        options=match.game.options.json(),
        players=match.game.players,
        scores=state.scores(),
        winners=state.winners() if early_winners is None else early_winners,
        exact=ledger.exact,
        error=None if ledger.exact else values.worth(match.at(0)).error,
        statement=said,
        tables=values.tables,
        seats=seats,
        turns=ledger.turns,
        expensive=tuple(sorted(expensive, key=lambda note: (-note.points, note.number))[:MAX_NOTED]),
        course=course,
        chances=_chances(match, ledger) if chances else None,
        events=tuple(map(EventReport.of, ledger.entries)),
        rounds=any(abs(more) > EQUAL for entry in ledger.entries for more in entry.entering_expectation),
        digits=2 if ledger.exact and max(abs(points) for each in course for points in each) < SMALL else 1,
    )
    return msgspec.structs.replace(body, layout=lay_out(body))


def _match(game: Match | Record, finished: bool) -> Match:
    if isinstance(game, Record):
        if finished:
            game.verify()
        return Match(game.configured_game(), game.events)
    if finished and not game.state.over:
        raise PaschError("there is no report yet: the game is not over")
    return game


def _fields(state: State, event: Event) -> str:
    """An event's fields, for games without their own words."""
    return ", ".join(f"{key} {value}" for key, value in event.fields().items())


class _Maker:
    """Makes the parts of a report that are about single seats and events."""

    def __init__(
        self, match: Match, ledger: Ledger, winning: Ledger | None, to_win: Container[int], tell: Tell
    ) -> None:
        self._match, self._ledger, self._tell = match, ledger, tell
        self._winning, self._to_win = winning, to_win

    def seat(self, seat: int) -> SeatReport:
        by_win = self._winning if seat in self._to_win else None
        points, judged = self._ledger.seats[seat], (by_win or self._ledger).seats[seat]
        return SeatReport(
            seat=seat,
            account=points.account,
            net_luck=points.net_luck,
            accuracy=judged.accuracy,
            decisions=judged.decisions,
            mistakes=judged.mistakes,
            score=self._match.state.scores()[seat],
            without_luck=points.account.without_luck,
            expensive=tuple(
                self._move(entry, by_win is not None)
                for entry in (by_win or self._ledger).expensive(MAX_NOTED, seat)
            ),
            luckiest=tuple(self._roll(entry, seat) for entry in self._ledger.lucky(seat, MAX_NOTED)),
            unluckiest=tuple(self._roll(entry, seat) for entry in self._ledger.unlucky(seat, MAX_NOTED)),
            to_win=None if by_win is None else judged.account,
        )

    def _move(self, entry: LedgerEntry, by_win: bool) -> Noted:
        before, event = self._match.at(entry.number - 1), self._match.events[entry.number - 1]
        best = self._match.game.read_event(entry.best)
        judged = judge(self._match, entry.number, chances=by_win)
        return Noted(
            entry.number,
            entry.seat,
            "move",
            entry.event,
            self._tell(before, event),
            self._ledger.entries[entry.number - 1].cost,
            entry.best,
            self._tell(before, best),
            # the first sentence explains why another move scores more
            judged.sentences[1:] if by_win else judged.sentences,
            entry.cost if by_win else None,
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
