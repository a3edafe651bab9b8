"""A number that stands twice is the same number: report, replay, list, table, hint and `pasch value` agree."""

from __future__ import annotations

from typing import Any

import pytest

from pasch import find_game
from pasch.coach.blocks import DataTable, NoteList
from pasch.coach.document import document
from pasch.coach.judge import advise, judge
from pasch.coach.layout import Course, Moments, Sums, Turns
from pasch.coach.report import Report, report
from pasch.core.game import Game
from pasch.core.match import Match
from pasch.solve.valuer import valuer
from tests.coach.games import play

pytestmark = pytest.mark.slow

#: every game, alone and with several seats; who plays is weak, because that is where estimates erred most
CASES: list[tuple[str, int, dict[str, Any], str]] = [
    ("fiese15", 1, {}, "random"),
    ("fiese15", 3, {}, "greedy,random"),
    ("joker1", 1, {"rounds": 3}, "random"),
    ("joker1", 2, {"rounds": 3}, "random,easy"),
    ("joker2", 1, {"rounds": 2}, "random"),
    ("joker2", 3, {"rounds": 2}, "random,medium"),
    ("lines", 1, {}, "random"),
    ("lines", 3, {"plans": [1, 2], "plan_choice": "chosen"}, "random"),
    ("crowns", 1, {}, "random"),
    ("crowns", 1, {"solo_minimum": 2}, "random"),
    ("crowns", 2, {}, "greedy,random"),
    ("sixbysix", 2, {"round_limit": 1}, "random,greedy"),
]


def named(case: tuple[str, int, dict[str, Any], str]) -> str:
    return "-".join([*map(str, case[:2]), *case[2]])


@pytest.fixture(scope="module", params=CASES, ids=named)
def game(request: pytest.FixtureRequest) -> tuple[Match, Report]:
    name, seats, options, players = request.param
    agreed = find_game(name).agree(seats, options)
    match = play(agreed, players)
    return match, report(match)


def test_the_sums_add_up_to_the_score_without_a_rest(game: tuple[Match, Report]) -> None:
    _, found = game
    for seat in found.seats:
        sums = seat.ledger
        total = sums.expectation + sums.rounds + sums.luck - sums.costs + sums.others + sums.estimates
        assert total == pytest.approx(sums.result, abs=1e-6) and sums.result == pytest.approx(
            seat.score, abs=1e-6
        )
        assert seat.without_luck == pytest.approx(sums.result - sums.luck, abs=1e-9)
        if found.exact:
            assert abs(sums.estimates) < 1e-6 and sums.estimates_error < 1e-6
        else:
            assert abs(sums.estimates) < 1e-9 or sums.estimates_error > 0


def test_every_event_has_one_number(game: tuple[Match, Report]) -> None:
    """The replay, the lists and the table say the same of an event, and it is what the course did."""
    match, found = game
    for seat in found.seats:
        for note in (
            *seat.expensive,
            *(n for n in (*seat.luckiest, *seat.unluckiest) if n.seat == seat.seat),
        ):
            assert note.points == found.events[note.number - 1].points
    for number, event in enumerate(found.events[:40], 1):
        if event.seat is None:
            continue
        assert judge(match, number, chances=False).points == pytest.approx(event.points, abs=1e-9)
        change = found.course[number][event.seat] - found.course[number - 1][event.seat]
        reported = event.points if event.kind == "roll" else -event.points
        assert change == pytest.approx(reported + event.rounds + event.estimates, abs=1e-9)


def test_a_hint_says_what_a_move_costs_as_the_judgement_and_the_value_do(
    game: tuple[Match, Report],
) -> None:
    match, found = game
    values = valuer(match.game)
    for number in [n for n, event in enumerate(found.events, 1) if event.kind == "move"][:6]:
        state, made = match.at(number - 1), match.events[number - 1]
        view = state.view(state.actor)
        if len(view.moves()) < 2:
            continue
        listed = advise(state, chances=False)
        worth = {entry.move: entry.value for entry in listed.moves}
        best = listed.moves[0].value
        assert best is not None and best - (worth[made] or 0.0) == pytest.approx(
            found.events[number - 1].points, abs=1e-9
        )
        reported = {entry.move: entry.turn for entry in values.moves(view)}
        differences = [(worth[move] or 0) - best for move in worth]
        top = reported[listed.moves[0].move] or 0.0
        assert [(reported[move] or 0.0) - top for move in worth] == pytest.approx(differences, abs=1e-6)


def test_layout_and_document_show_the_numbers_of_the_report(game: tuple[Match, Report]) -> None:
    _, found = game
    blocks = [block for section in found.layout for block in section.blocks]
    sums = next(block for block in blocks if isinstance(block, Sums))
    kinds = [column.kind for column in sums.columns]
    for row, seat in zip(sums.rows, found.seats, strict=True):
        shown = dict(zip(kinds, row.amounts, strict=True))
        assert shown["start"] == seat.ledger.expectation + seat.ledger.rounds
        assert (shown["luck"], shown["costs"], shown["result"]) == (
            seat.ledger.luck,
            -seat.ledger.costs,
            seat.ledger.result,
        )
        assert ("estimates" in shown) <= (not found.exact)
        assert sum(shown.values()) - shown["result"] == pytest.approx(shown["result"], abs=0.02)
    moments = [note for block in blocks if isinstance(block, Moments) for note in block.notes]
    course = next(block for block in blocks if isinstance(block, Course))
    assert list(course.marks) == moments
    turns = next(block for block in blocks if isinstance(block, Turns))
    for amounts, turn in zip(turns.rows, found.turns, strict=True):
        assert amounts[0] == turn.ledger.expectation + turn.ledger.rounds
        assert amounts[-1] == turn.ledger.result
    drawn = document(found).blocks
    table = next(block for block in drawn if isinstance(block, DataTable))
    for cells, row in zip(table.rows, sums.rows, strict=True):
        assert cells[1] == f"{row.amounts[0]:.{found.digits}f}".replace("-", "−")
    listed = [note.amount for block in drawn if isinstance(block, NoteList) for note in block.notes]
    assert len(listed) == len(moments)


def test_the_others_and_estimates_are_explained_where_they_stand() -> None:
    agreed: Game[Any, Any] = find_game("crowns").agree(2)
    found = report(play(agreed, "greedy,random"))
    sums = next(block for section in found.layout for block in section.blocks if isinstance(block, Sums))
    meanings = {column.kind: str(column.meaning) for column in sums.columns}
    assert "moves of the others" in meanings["others"]
    assert "estimate" in meanings.get("estimates", "estimate")
