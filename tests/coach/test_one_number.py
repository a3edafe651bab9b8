"""A number that stands twice is the same number: report, replay, list, table, hint and `pasch value` agree."""

from __future__ import annotations

from typing import Any

import pytest

from pasch import find_game
from pasch.coach.document import document
from pasch.coach.judge import advise
from pasch.coach.ledger import keep_ledger
from pasch.coach.markdown import number as written_number
from pasch.coach.report import Report, report
from pasch.core.match import Match
from pasch.core.rules import EQUAL
from pasch.solve.valuer import valuer
from tests.coach.games import judged, play

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("little_practice")]

#: every game, alone and with several seats; most players are weak, because that is where estimates erred most
CASES: list[tuple[str, int, dict[str, Any], str]] = [
    ("fiese15", 1, {}, "random"),
    ("fiese15", 3, {"gambler": True}, "greedy,random"),
    ("joker1", 1, {"rounds": 3}, "perfect"),
    ("joker1", 2, {"rounds": 3, "first_six": "busts"}, "random,easy"),
    ("joker2", 1, {"rounds": 2, "five_dice": "always"}, "random"),
    ("joker2", 3, {"rounds": 2, "five_penalty": "pushed"}, "random,medium"),
    ("lines", 1, {"plans": [2], "target": 5}, "random"),
    ("lines", 2, {"plans": [1]}, "perfect"),
    ("lines", 3, {"plans": [1, 2], "plan_choice": "chosen"}, "random"),
    ("crowns", 1, {"solo_minimum": 2}, "random"),
    ("crowns", 2, {"round_limit": 8}, "greedy,random"),
    ("sixbysix", 2, {"round_limit": 1}, "random,greedy"),
]


def named(case: tuple[str, int, dict[str, Any], str]) -> str:
    return "-".join([*map(str, case[:2]), *case[2]])


@pytest.fixture(scope="module", params=CASES, ids=named)
def game(request: pytest.FixtureRequest, little_practice: None) -> tuple[Match, Report]:
    name, seats, options, players = request.param
    configured = find_game(name).agree(seats, options)
    match = play(configured, players)
    return match, report(match)


def test_the_sums_add_up_to_the_score_without_a_rest(
    game: tuple[Match, Report], request: pytest.FixtureRequest
) -> None:
    match, found = game
    ledger = keep_ledger(match)
    assert len(found.course) == len(match) + 1
    assert found.course[-1] == pytest.approx(match.state.scores(), abs=1e-6)
    assert found.exact == ledger.exact == (match.game.id not in ("crowns", "sixbysix"))
    for entry in ledger.entries:
        assert entry.cost >= 0 and (entry.best is not None) == (entry.cost > EQUAL)
    for seat in found.seats:
        sums = seat.account
        total = sums.expectation + sums.rounds + sums.luck - sums.costs + sums.others + sums.estimates
        assert total == pytest.approx(sums.result, abs=1e-6) and sums.result == pytest.approx(
            seat.score, abs=1e-6
        )
        assert seat.without_luck == pytest.approx(sums.result - sums.luck, abs=1e-9)
        if found.exact:
            assert abs(sums.estimates) < 1e-6 and sums.estimates_error < 1e-6
            if match.game.options.json().get("plan_choice") != "chosen":
                assert sums.others == pytest.approx(0, abs=1e-6), "nobody acts on another's score"
        else:
            assert abs(sums.estimates) < 1e-9 or sums.estimates_error > 0
        if request.node.callspec.params["game"][3] == "perfect":
            assert seat.mistakes == 0 and sums.costs == pytest.approx(0, abs=1e-6)
            assert seat.accuracy == pytest.approx(100, abs=1e-4)


def test_every_event_has_one_number(game: tuple[Match, Report]) -> None:
    """The replay, the lists and the table say the same of an event, and it is what the course did."""
    match, found = game
    for seat in found.seats:
        for note in (*seat.expensive, *seat.rolls):
            assert note.points == found.events[note.number - 1].points
            assert note.kind == "roll" or judged(match, note.number).best == note.best
    for number, event in enumerate(found.events[:40], 1):
        if event.seat is None:
            continue
        said = judged(match, number)
        assert (said.number, said.seat, said.kind) == (number, event.seat, event.kind)
        assert said.points == pytest.approx(event.points, abs=1e-9)
        # one sentence of reason, without the cost
        (sentence,) = map(str, said.sentences)
        assert "{" not in sentence and "gives away" not in sentence
        change = found.course[number][event.seat] - found.course[number - 1][event.seat]
        points = event.points if event.kind == "roll" else -event.points
        assert change == pytest.approx(points + event.rounds + event.estimates, abs=1e-9)


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
        assert {*worth} == {*state.moves()} and listed.sentences and listed.exact == found.exact
        best = listed.moves[0].value
        assert best is not None and best - (worth[made] or 0.0) == pytest.approx(
            found.events[number - 1].points, abs=1e-9
        )
        turns = {entry.move: entry.turn for entry in values.moves(view)}
        differences = [(worth[move] or 0) - best for move in worth]
        top = turns[listed.moves[0].move] or 0.0
        assert [(turns[move] or 0.0) - top for move in worth] == pytest.approx(differences, abs=1e-6)


def test_the_document_shows_the_numbers_of_the_report(game: tuple[Match, Report]) -> None:
    _, found = game
    kinds = [column.kind for column in found.sums.columns]
    for row, seat in zip(found.sums.rows, found.seats, strict=True):
        shown, account = dict(zip(kinds, row.amounts, strict=True)), seat.account
        assert shown["start"] == account.expectation + account.rounds
        assert (shown["luck"], shown["costs"], shown["result"]) == (
            account.luck,
            -account.costs,
            account.result,
        )
        assert ("estimates" in shown) <= (not found.exact)
        assert sum(shown.values()) - shown["result"] == pytest.approx(shown["result"], abs=0.02)
    drawn = document(found).text.split("\n\n")
    tables = [block.splitlines()[2:] for block in drawn if block.startswith("|")]
    sums, turns = ([line.strip("| ").split(" | ") for line in rows] for rows in tables)
    for cells, row in zip(sums, found.sums.rows, strict=True):
        assert cells[1] == written_number(row.amounts[0], found.digits)
    for cells, turn in zip(turns, found.turns, strict=True):
        account = turn.account
        assert cells[2] == written_number(account.expectation + account.rounds, found.digits)
        assert cells[-1] == written_number(account.result, found.digits)
