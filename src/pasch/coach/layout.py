"""The layout of a report: what it says, in which order and in which words, for every renderer.

The browser, the page that stands alone and the terminal only draw it. A sentence's detail may be a seat, as
`{"seat": 0}`: the renderer knows the players' names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import msgspec

from pasch.coach.ledger import Account
from pasch.coach.report_parts import Noted, ReportBody, SeatReport
from pasch.core.words import Sentence, say

#: columns are left out if all their numbers are smaller than this
VISIBLE = 0.005
#: how many moves and rolls are listed
MAX_LISTED = 5


class Words(msgspec.Struct, frozen=True, tag_field="block", tag="words"):
    """Some sentences: `key` for what matters most, `soft` for what matters less."""

    sentences: tuple[Sentence, ...]
    kind: Literal["key", "soft"]


class Column(msgspec.Struct, frozen=True):
    """One term of the sums: `start` and `result` are totals, whatever lies between is added up."""

    label: Sentence
    kind: Literal["start", "luck", "costs", "others", "estimates", "result"]
    meaning: Sentence


class SumRow(msgspec.Struct, frozen=True):
    """A seat's sum: an amount for each column, and remarks on it."""

    seat: int
    amounts: tuple[float, ...]
    #: the standard error of what is in the column `estimates`
    error: float
    remarks: tuple[Sentence, ...] = ()


class Sums(msgspec.Struct, frozen=True, tag_field="block", tag="sums"):
    """How every seat's result came about."""

    columns: tuple[Column, ...]
    rows: tuple[SumRow, ...]


class Course(msgspec.Struct, frozen=True, tag_field="block", tag="course"):
    """The picture of the report's `course`, with these moments marked."""

    label: Sentence
    marks: tuple[Noted, ...]


class Moments(msgspec.Struct, frozen=True, tag_field="block", tag="moments"):
    """A list of moves or rolls; `none` is said if there are none."""

    notes: tuple[Noted, ...]
    none: Sentence


class Chances(msgspec.Struct, frozen=True, tag_field="block", tag="chances"):
    """The report's chances to win."""

    label: Sentence


class Turns(msgspec.Struct, frozen=True, tag_field="block", tag="turns"):
    """The report's turns, folded: by turn what could be expected before it, an amount per column, and after it."""

    label: Sentence
    columns: tuple[Column, ...]
    rows: tuple[tuple[float, ...], ...]


Block: TypeAlias = Words | Sums | Course | Moments | Chances | Turns


class Section(msgspec.Struct, frozen=True):
    """A part of a report."""

    title: Sentence
    blocks: tuple[Block, ...]


def lay_out(report: ReportBody) -> tuple[Section, ...]:
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
        sections.append(Section(say("Chances to win"), (Chances(label),)))
    return (*sections, Section(say("Every turn"), (_turns(report),)))


def _turns(report: ReportBody) -> Turns:
    shown = columns(report)
    label = say("What each player could expect before and after every turn")
    return Turns(label, shown[1:-1], tuple(amounts(turn.ledger, shown) for turn in report.turns))


def _size(note: Noted) -> tuple[float, int]:
    return -abs(note.points), note.number


def _own_rolls(seat: SeatReport) -> list[Noted]:
    return [note for note in (*seat.luckiest, *seat.unluckiest) if note.seat == seat.seat]


def _course_words(report: ReportBody) -> Sentence:
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


def columns(report: ReportBody) -> tuple[Column, ...]:
    """The terms of the report's sums; those that are nothing for everybody are left out."""
    sums = [seat.ledger for seat in report.seats]
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
            "The coach can only estimate here. This is what its estimates were off, neither luck nor skill."
        )
        found.append(Column(say("Left over by estimates"), "estimates", meaning))
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


def _sums(report: ReportBody) -> Sums:
    shown = columns(report)
    rows = [
        SumRow(
            seat.seat,
            amounts(seat.ledger, shown),
            seat.ledger.estimates_error,
            _remarks(seat, report.digits),
        )
        for seat in report.seats
    ]
    return Sums(shown, tuple(rows))


def _remarks(seat: SeatReport, digits: int) -> tuple[Sentence, ...]:
    said = [say("With average luck: {points} points.", points=fixed(seat.without_luck, digits))]
    if seat.accuracy is not None:
        said.append(say("How well played: {percent} %.", percent=round(seat.accuracy)))
    said.append(
        say(
            "{best} of {decisions} decisions were the best possible.",
            best=seat.decisions - seat.mistakes,
            decisions=seat.decisions,
        )
    )
    return tuple(said)


def fixed(value: float, digits: int) -> dict[str, Any]:
    """A number that the renderer writes with exactly this many digits after the point."""
    return {"number": round(value, digits) + 0.0, "digits": digits}


def _in_short(seats: Sequence[SeatReport]) -> tuple[Sentence, ...]:
    """The result in one or two sentences."""
    best, *others = sorted(seats, key=lambda seat: (-seat.score, seat.seat))
    if not others:
        return _alone(best)
    luckiest = max(seats, key=lambda seat: (seat.ledger.luck, -seat.seat))
    careful = min(seats, key=lambda seat: (seat.ledger.costs, seat.seat))
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
    luck, costs = seat.ledger.luck, seat.ledger.costs
    dice = say("Luck was with you.") if luck >= 0 else say("Luck was against you.")
    moves = (
        say("No move could have been better.")
        if costs < VISIBLE
        else say("Some moves could have been better.")
    )
    return dice, moves
