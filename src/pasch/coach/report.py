"""The report of a finished game, as data: what was luck, and what was skill.

The browser, the page that stands alone and the terminal only draw it. A sentence's detail may be a seat, as
`{"seat": 0}`, or a number with its digits: the renderer knows the players' names and the language.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from typing import Any, Literal

import msgspec

from pasch.coach.judge import about_winning
from pasch.coach.ledger import Account, Ledger, LedgerEntry, LedgerTurn, SeatLedger, keep_ledger
from pasch.coach.reasons import why
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

#: the numbers of moves and of rolls picked out for each seat
MAX_NOTED = 3
MAX_ROLLS = 5
#: if all scores are below this, points have two decimals
SMALL = 20
#: columns are left out if all their numbers are smaller than this
VISIBLE = 0.005


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
        return cls(kind, entry.seat, points, entry.entering_expectation[seat], entry.corrections[seat])


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
    #: of a move of a seat that plays to win: what it gave away of the chance to win
    win: float | None = None


class SeatReport(SeatLedger, frozen=True, kw_only=True):
    """One seat's game; its ledger is in points, accuracy and mistakes are by what the seat plays for."""

    score: int
    #: the result less luck
    without_luck: float
    expensive: tuple[Noted, ...]
    #: the rolls of this seat with most luck, good or bad
    rolls: tuple[Noted, ...]
    #: of a seat that plays to win: its ledger in chances to win; its moves are judged by these
    to_win: Account | None = None


class Column(msgspec.Struct, frozen=True):
    """One term of the sums: `start` and `result` are totals, the terms between them are summands."""

    label: Sentence
    kind: Literal["start", "luck", "costs", "others", "estimates", "result"]
    meaning: Sentence


class SumRow(msgspec.Struct, frozen=True):
    """A seat's sum: an amount for each column, and remarks on it."""

    seat: int
    amounts: tuple[float, ...]
    #: the standard error of the column `estimates`
    error: float
    remarks: tuple[Sentence, ...] = ()
    #: what stands behind each number: nothing for points, ` %` for chances to win
    unit: str = ""


class Sums(msgspec.Struct, frozen=True):
    """How every seat's result came about."""

    columns: tuple[Column, ...]
    rows: tuple[SumRow, ...]


class Report(msgspec.Struct, frozen=True):
    """The whole game."""

    format: str
    game: str
    title: str
    options: dict[str, Any]
    players: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    #: whether the values are exact; otherwise they are estimates
    exact: bool
    statement: Sentence
    #: the tables that the values come from, by names with hashes; see `pasch.solve.valuer.Valuer.tables`
    tables: tuple[str, ...]
    seats: tuple[SeatReport, ...]
    turns: tuple[LedgerTurn, ...]
    #: each seat's expected final score: before the first event, then after each
    course: tuple[tuple[float, ...], ...]
    #: one for each event
    events: tuple[EventReport, ...]
    #: whether points count to the end of the round under way, because the number of rounds is open
    rounds: bool
    #: the number of decimals of every number
    digits: int
    sums: Sums


# --- making it ----------------------------------------------------------------------------------------


def report(
    game: Match | Record,
    *,
    tell: Tell | None = None,
    to_win: Container[int] = (),
    early_winners: tuple[int, ...] | None = None,
) -> Report:
    """The report of a finished game; RecordError or PaschError if there is none.

    `tell` describes events in words. The moves of the seats in `to_win`, which play to win, are judged by chances to
    win where these are known; a record does not say who does.
    For a game that was ended early, `early_winners` are those of its verdict.
    """
    match = _match(game, finished=early_winners is None)
    values = valuer(match.game)
    ledger = keep_ledger(match, values)
    winning = None
    if any(seat in to_win for seat in range(match.game.players)) and values.worth(match.at(0)).win:
        winning = keep_ledger(match, values, to_win=to_win)
    state = match.state
    course = (ledger.start, *(entry.points for entry in ledger.entries))
    seats = tuple(
        _seat(match, ledger, winning if seat in to_win else None, seat, tell or _fields)
        for seat in range(match.game.players)
    )
    rounds = any(abs(more) > EQUAL for entry in ledger.entries for more in entry.entering_expectation)
    digits = 2 if ledger.exact and max(abs(points) for each in course for points in each) < SMALL else 1
    if early_winners is not None:
        said = say("The game was ended early. The result is the score that each player could expect then.")
    elif ledger.exact:
        said = say("All values are exact: luck and costs add up to the result, nothing is left over.")
    else:
        said = say("The values are estimates, and so are luck and costs.")
    return Report(
        format=FORMAT,
        game=match.game.id,
        title=match.game.title,
        options=match.game.options.json(),
        players=match.game.players,
        scores=state.scores(),
        winners=state.winners() if early_winners is None else early_winners,
        exact=ledger.exact,
        statement=said,
        tables=values.tables,
        seats=seats,
        turns=ledger.turns,
        course=course,
        events=tuple(map(EventReport.of, ledger.entries)),
        rounds=rounds,
        digits=digits,
        sums=_sums(seats, rounds, digits),
    )


def _match(game: Match | Record, finished: bool) -> Match:
    if isinstance(game, Record):
        match = Match.replay(game)
        if finished:
            game.check_end(match.state)
        return match
    if finished and not game.state.over:
        raise PaschError("there is no report yet: the game is not over")
    return game


def _fields(state: State, event: Event) -> str:
    """An event's fields, for games without their own words."""
    return ", ".join(f"{key} {value}" for key, value in event.fields().items())


def _seat(match: Match, ledger: Ledger, winning: Ledger | None, seat: int, tell: Tell) -> SeatReport:
    """A seat's report; with `winning`, the ledger in chances to win, its moves are judged by that."""
    points, judging = ledger.seats[seat], winning or ledger
    kept = msgspec.structs.asdict(judging.seats[seat])
    return SeatReport(
        **kept | {"account": points.account},
        score=match.state.scores()[seat],
        without_luck=points.account.without_luck,
        expensive=tuple(
            _move(match, entry, ledger.entries[entry.number - 1].cost, winning is not None, tell)
            for entry in judging.expensive(MAX_NOTED, seat)
        ),
        rolls=tuple(_roll(match, entry, seat, tell) for entry in ledger.rolls(seat, MAX_ROLLS)),
        to_win=judging.seats[seat].account if winning else None,
    )


def _move(match: Match, entry: LedgerEntry, points: float, by_win: bool, tell: Tell) -> Noted:
    before, event = match.at(entry.number - 1), match.events[entry.number - 1]
    best, view = match.game.read_event(entry.best), before.view(before.actor)
    reasons = about_winning(before, event) if by_win else why(view, event, best, valuer(match.game))[:1]
    return Noted(
        entry.number,
        entry.seat,
        "move",
        entry.event,
        tell(before, event),
        points,
        entry.best,
        tell(before, best),
        tuple(reasons),
        entry.cost if by_win else None,
    )


def _roll(match: Match, entry: LedgerEntry, seat: int, tell: Tell) -> Noted:
    said = tell(match.at(entry.number - 1), match.events[entry.number - 1])
    return Noted(entry.number, entry.seat, "roll", entry.event, said, entry.luck[seat])


# --- sums -----------------------------------------------------------------------------------------


def _sums(seats: Sequence[SeatReport], rounds: bool, digits: int) -> Sums:
    """Every seat's sum; terms that are nothing for everybody are left out."""
    accounts = [seat.to_win or seat.account for seat in seats]
    start = "What somebody who always makes the best move scores on average, from the start."
    if rounds:
        start = (
            "What somebody who always makes the best move scores on average in the rounds that were played."
        )
    luck = "Good rolls and cards raise the score you can expect, bad ones lower it. This is the sum of all of them."
    costs = (
        "For each of your moves the coach works out what the best one would have scored on average. This is "
        "the sum of the differences; 0 is perfect."
    )
    best = "Best play in each round, on average" if rounds else "Best play, on average"
    columns = [
        Column(say(best), "start", say(start)),
        Column(say("Luck"), "luck", say(luck)),
        Column(say("Given away"), "costs", say(costs)),
    ]
    if any(abs(account.others) > VISIBLE for account in accounts):
        meaning = say("What the moves of the others changed for you, such as ending the game sooner.")
        columns.append(Column(say("What the others did"), "others", meaning))
    if any(abs(account.estimates) > VISIBLE for account in accounts):
        meaning = say(
            "The coach can only estimate here. This is how far its estimates were off; it is neither luck nor skill."
        )
        columns.append(Column(say("Error of the estimates"), "estimates", meaning))
    columns.append(Column(say("Result"), "result", say("All lines added up.")))
    return Sums(tuple(columns), tuple(_row(seat, columns, digits) for seat in seats))


def amounts(account: Account, columns: Sequence[Column]) -> tuple[float, ...]:
    """The amounts of an account in these columns."""
    found = {
        "start": account.expectation + account.rounds,
        "luck": account.luck,
        "costs": -account.costs,
        "others": account.others,
        "estimates": account.estimates,
        "result": account.result,
    }
    return tuple(found[column.kind] for column in columns)


def _row(seat: SeatReport, columns: Sequence[Column], digits: int) -> SumRow:
    account, scale, unit = (seat.to_win, 100, " %") if seat.to_win else (seat.account, 1, "")
    scaled = tuple(scale * amount for amount in amounts(account, columns))
    return SumRow(seat.seat, scaled, scale * account.estimates_error, tuple(_remarks(seat, digits)), unit)


def _remarks(seat: SeatReport, digits: int) -> Iterator[Sentence]:
    if seat.to_win:
        yield say("Plays to win and is judged by chances to win, in per cent, instead of points.")
    else:
        number = {"number": round(seat.without_luck, digits) + 0.0, "digits": digits}
        yield say("With average luck: {points} points.", points=number)
    if seat.accuracy is not None:
        yield say("How well played: {percent} %.", percent=round(seat.accuracy))
    best = seat.decisions - seat.mistakes
    yield say(
        "{best} of {decisions} decisions were the best possible.", best=best, decisions=seat.decisions
    )
