"""The parts of a report, as data: the numbers, and their order and wording for every renderer.

The browser, the page that stands alone and the terminal only draw the layout. A sentence's detail may be a seat, as
`{"seat": 0}`: the renderer knows the players' names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, TypeAlias

import msgspec

from pasch.coach.ledger import Account, LedgerEntry, LedgerTurn, SeatLedger
from pasch.core.words import Sentence, say

#: columns are left out if all their numbers are smaller than this
VISIBLE = 0.005
#: the number of moves and rolls listed
MAX_LISTED = 5


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
    luckiest: tuple[Noted, ...]
    unluckiest: tuple[Noted, ...]
    #: of a seat that plays to win: its ledger in chances to win; its moves are judged by these
    to_win: Account | None = None


class Chances(msgspec.Struct, frozen=True):
    """Everybody's chance to win after an event."""

    #: after this many events
    after: int
    win: tuple[float, ...]


# --- the layout -------------------------------------------------------------------------------------------


class Words(msgspec.Struct, frozen=True, tag_field="block", tag="words"):
    """Some sentences: `key` for what matters most, `soft` for what matters less."""

    sentences: tuple[Sentence, ...]
    kind: Literal["key", "soft"]


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


class Sums(msgspec.Struct, frozen=True, tag_field="block", tag="sums"):
    """How every seat's result came about."""

    columns: tuple[Column, ...]
    rows: tuple[SumRow, ...]


class Course(msgspec.Struct, frozen=True, tag_field="block", tag="course"):
    """The picture of the report's `course`, with these moments marked."""

    label: Sentence
    marks: tuple[Noted, ...]


class Moments(msgspec.Struct, frozen=True, tag_field="block", tag="moments"):
    """A list of moves or rolls; `none` is the text of an empty one."""

    notes: tuple[Noted, ...]
    none: Sentence


class ChancesPicture(msgspec.Struct, frozen=True, tag_field="block", tag="chances"):
    """The report's chances to win."""

    label: Sentence


class Turns(msgspec.Struct, frozen=True, tag_field="block", tag="turns"):
    """The report's turns, folded: by turn what could be expected before it, an amount per column, and after it."""

    label: Sentence
    columns: tuple[Column, ...]
    rows: tuple[tuple[float, ...], ...]


Block: TypeAlias = Words | Sums | Course | Moments | ChancesPicture | Turns


class Section(msgspec.Struct, frozen=True):
    """A part of a report."""

    title: Sentence
    blocks: tuple[Block, ...]


class Report(msgspec.Struct, frozen=True):
    """The whole game, and how it is shown."""

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
    turns: tuple[LedgerTurn, ...]
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
    layout: tuple[Section, ...] = ()


# --- laying it out ----------------------------------------------------------------------------------------


def lay_out(report: Report) -> tuple[Section, ...]:
    """The sections of a report, in order."""
    moves = sorted((note for seat in report.seats for note in seat.expensive), key=_size)[:MAX_LISTED]
    rolls = sorted((note for seat in report.seats for note in _own_rolls(seat)), key=_size)[:MAX_LISTED]
    sections = [
        Section(
            say("Luck and skill"),
            (Words(_in_short(report.seats), "key"), _sums(report), Words((report.statement,), "soft")),
        ),
        Section(
            say("The course of the game"),
            (
                Words((_course_words(report),), "soft"),
                Course(
                    say("How many points each player could expect, in the course of the game"),
                    (*moves, *rolls),
                ),
            ),
        ),
        Section(say("Expensive moves"), (Moments(tuple(moves), say("Nobody gave anything away.")),)),
        Section(say("Where luck mattered most"), (Moments(tuple(rolls), say("Luck mattered little.")),)),
    ]
    if report.chances and report.players > 1:
        label = say("Every player's chance to win after each turn")
        sections.append(Section(say("Chances to win"), (ChancesPicture(label),)))
    return (*sections, Section(say("Every turn"), (_turns(report),)))


def _turns(report: Report) -> Turns:
    shown = columns(report)
    label = say("What each player could expect before and after every turn")
    return Turns(label, shown[1:-1], tuple(amounts(turn.account, shown) for turn in report.turns))


def _size(note: Noted) -> tuple[float, int]:
    return -abs(note.points), note.number


def _own_rolls(seat: SeatReport) -> list[Noted]:
    return [note for note in (*seat.luckiest, *seat.unluckiest) if note.seat == seat.seat]


def _course_words(report: Report) -> Sentence:
    if report.rounds:
        return say(
            "Each line shows how many points a player could expect after the round. Good rolls raise it; bad "
            "rolls and weak moves lower it."
        )
    return say(
        "Each line shows how many points a player could expect in the end. Good rolls raise it; bad rolls and weak "
        "moves lower it."
    )


# --- sums -----------------------------------------------------------------------------------------


def columns(report: Report) -> tuple[Column, ...]:
    """The terms of the report's sums; those that are nothing for everybody are left out."""
    sums = [seat.to_win or seat.account for seat in report.seats]
    found = [
        _start(report.rounds),
        Column(
            say("Luck"),
            "luck",
            say(
                "Good rolls and cards raise the score you can expect, bad ones lower it. This is the sum of all of "
                "them."
            ),
        ),
        Column(
            say("Given away"),
            "costs",
            say(
                "For each of your moves the coach works out what the best one would have scored on average. This is "
                "the sum of the differences; 0 is perfect."
            ),
        ),
    ]
    if any(abs(one.others) > VISIBLE for one in sums):
        meaning = say("What the moves of the others changed for you, such as ending the game sooner.")
        found.append(Column(say("What the others did"), "others", meaning))
    if any(abs(one.estimates) > VISIBLE for one in sums):
        meaning = say(
            "The coach can only estimate here. This is how far its estimates were off; it is neither luck nor skill."
        )
        found.append(Column(say("Error of the estimates"), "estimates", meaning))
    return (*found, Column(say("Result"), "result", say("All lines added up.")))


def _start(rounds: bool) -> Column:
    if rounds:
        return Column(
            say("Best play in each round, on average"),
            "start",
            say(
                "What somebody who always makes the best move scores on average in the rounds that were played."
            ),
        )
    return Column(
        say("Best play, on average"),
        "start",
        say("What somebody who always makes the best move scores on average, from the start."),
    )


def amounts(sums: Account, shown: Sequence[Column]) -> tuple[float, ...]:
    """The amounts of a sum in these columns."""
    found = {
        "start": sums.expectation + sums.rounds,
        "luck": sums.luck,
        "costs": -sums.costs,
        "others": sums.others,
        "estimates": sums.estimates,
        "result": sums.result,
    }
    return tuple(found[column.kind] for column in shown)


def _sums(report: Report) -> Sums:
    shown = columns(report)
    return Sums(shown, tuple(_row(seat, shown, report.digits) for seat in report.seats))


def _row(seat: SeatReport, shown: Sequence[Column], digits: int) -> SumRow:
    sums, scale, unit = (seat.to_win, 100, " %") if seat.to_win else (seat.account, 1, "")
    scaled = tuple(scale * amount for amount in amounts(sums, shown))
    return SumRow(seat.seat, scaled, scale * sums.estimates_error, tuple(_remarks(seat, digits)), unit)


def _remarks(seat: SeatReport, digits: int) -> Iterator[Sentence]:
    if seat.to_win:
        yield say("Plays to win and is judged by chances to win, in per cent, instead of points.")
    else:
        yield say("With average luck: {points} points.", points=fixed(seat.without_luck, digits))
    if seat.accuracy is not None:
        yield say("How well played: {percent} %.", percent=round(seat.accuracy))
    best = seat.decisions - seat.mistakes
    yield say(
        "{best} of {decisions} decisions were the best possible.", best=best, decisions=seat.decisions
    )


def fixed(value: float, digits: int) -> dict[str, Any]:
    """A number that the renderer writes with exactly this many digits after the point."""
    return {"number": round(value, digits) + 0.0, "digits": digits}


def _in_short(seats: Sequence[SeatReport]) -> tuple[Sentence, ...]:
    """The result in one or two sentences."""
    best, *others = sorted(seats, key=lambda seat: (-seat.score, seat.seat))
    if not others:
        return _alone(best)
    luckiest = max(seats, key=lambda seat: (seat.account.luck, -seat.seat))
    careful = min(seats, key=lambda seat: (seat.account.costs, seat.seat))
    if any(seat.to_win for seat in seats):
        # their losses have no common unit
        careful = max(seats, key=lambda seat: (seat.accuracy or 0.0, -seat.seat))
    names = {"luckiest": {"seat": luckiest.seat}, "careful": {"seat": careful.seat}}
    winner = {"seat": best.seat}
    if best.score == others[0].score or best not in (luckiest, careful):
        return (say("{luckiest} was the luckiest, {careful} made the best moves.", **names),)
    if luckiest == careful:
        return (say("{winner} was luckier and made the better moves too.", winner=winner),)
    if luckiest == best:
        return (say("{careful} made the better moves, but {winner} was luckier.", winner=winner, **names),)
    return (say("{luckiest} was luckier, but {winner} made the better moves.", winner=winner, **names),)


def _alone(seat: SeatReport) -> tuple[Sentence, ...]:
    luck, costs = seat.account.luck, seat.account.costs
    dice = say("Luck was with you.") if luck >= 0 else say("Luck was against you.")
    moves = (
        say("No move could have been better.")
        if costs < VISIBLE
        else say("Some moves could have been better.")
    )
    return dice, moves
