"""What the browser is sent of lessons, of drawings in the rules, of puzzles and of what to practise."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from typing import Any

import msgspec
import pytest

from pasch.coach import puzzle_plan
from pasch.coach.puzzles import Puzzle, make_puzzle
from pasch.coach.reasons import Habit
from pasch.core.lesson import YOU, has_lesson, moments
from pasch.core.record import Record
from pasch.core.registry import AnyGame, all_games, game_ids
from pasch.core.texts import languages, rules_markdown
from pasch.table import jobs
from pasch.table.helpers import describe_game
from pasch.table.lesson import encoded_lesson, scenes
from pasch.table.limits import Price, Rate
from pasch.table.puzzle import MAX_MISTAKES, PracticeInfo, PuzzleInfo, practice_info, puzzle_info
from tests.coach.games import agree, play
from tests.web.asgi import NO_LIMITS, Browser, ScriptedHelper
from tests.web.test_http import finished

LESSONS = [game for game in game_ids() if has_lesson(game)]


def sent(game: str, language: str = "en") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(encoded_lesson(game, language))
    return found


@pytest.mark.parametrize("game", LESSONS)
def test_the_move_asked_for_is_among_those_that_can_be_touched(game: str) -> None:
    for step in sent(game)["steps"]:
        moves = [set(move["tokens"]) for move in step["position"]["moves"]]
        if step["do"] is None:
            assert not moves and step["position"]["awaits"] is None
        elif step["do"]["tokens"]:
            assert set(step["do"]["tokens"]) in moves
        else:
            assert not moves and step["position"]["awaits"] == "roll"
        touchable = {token for move in moves for token in move}
        assert not touchable & step["refused"].keys()


@pytest.mark.parametrize("game", LESSONS)
def test_other_languages_change_nothing_but_words(game: str) -> None:
    english = sent(game)
    for language in languages():
        other = sent(game, language)
        for step, same in zip(other["steps"], english["steps"], strict=True):
            assert language == "en" or step["remark"] != same["remark"]
            step["remark"], step["wrong"] = same["remark"], same["wrong"]
        assert other == english


def test_hands_of_others_stay_hidden_in_lessons() -> None:
    hidden = [game for game in LESSONS if any(m.state.view(YOU) != m.state for m in moments(game))]
    assert hidden
    for game in hidden:
        shown = [step["position"]["snapshot"] for step in sent(game)["steps"]]
        for snapshot, moment in zip(shown, moments(game), strict=True):
            view: Any = moment.state.view(YOU)
            assert snapshot["hands"] == json.loads(json.dumps(view.hands))


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_every_game_is_drawn_in_every_language(game: AnyGame) -> None:
    drawn = {language: scenes(game, language) for language in languages()}
    assert drawn["de"] and len(drawn["de"]) == len(drawn["en"])
    for language, found in drawn.items():
        text = rules_markdown(game.id, language)
        sections = sum(line.startswith("## ") for line in text.splitlines())
        assert all(1 <= scene["section"] <= sections and scene["caption"] for scene in found)
    assert [one["position"] for one in drawn["de"]] == [one["position"] for one in drawn["en"]]


def test_the_examples_come_out_as_the_text_says() -> None:
    games = {game.id: game for game in all_games()}
    scores = [scene["position"].scores for scene in scenes(games["crowns"], "en")]
    assert scores[-1] == (26,)
    # of 25 chips each: Ada pays 11, Ben 9, Cleo 8; Ada and Cleo get 5
    assert scenes(games["sixbysix"], "en")[0]["position"].scores == (19, 16, 22)
    # slides 1 and 6 and no others: the small bridge
    assert scenes(games["joker1"], "en")[0]["position"].marks["worth"] == 7


# --- puzzles ------------------------------------------------------------------------------------------

GAMES = [game for game in ("joker1", "fiese15", "joker2", "lines") if puzzle_plan.has_puzzles(game)]


def plain(struct: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(struct))


@pytest.mark.slow
@pytest.mark.parametrize(
    "game", [GAMES[0], *(pytest.param(game, marks=pytest.mark.exhaustive) for game in GAMES[1:])]
)
def test_every_move_that_can_be_touched_has_its_value(game: str) -> None:
    for seed in range(4):
        found = make_puzzle(game, seed)
        reply = plain(puzzle_info(found))
        moves = reply["position"]["moves"]
        assert len(moves) == len(reply["points"]) == len(reply["reasons"])
        values = {str(move.json()): points for move, points in zip(found.moves, found.points, strict=True)}
        assert [values[str(move["event"])] for move in moves] == reply["points"]
        assert reply["points"][reply["best"]] == max(reply["points"])
        assert moves[reply["obvious"]]["event"] == found.moves[found.obvious].json()
        # the best move needs no reason, every other one has one
        assert [reason >= 0 for reason in reply["reasons"]] == [
            place != reply["best"] for place in range(len(moves))
        ]
        assert all(reason < len(reply["sentences"]) for reason in reply["reasons"])
        # it can be read back as it is described
        assert msgspec.json.decode(msgspec.json.encode(reply), type=PuzzleInfo).id == reply["id"]
        assert reply["position"]["actor"] == 0 and reply["table"]["phase"] == "playing"


@pytest.mark.slow
def test_what_is_learned_from_a_game_is_about_the_seats_asked_for() -> None:
    match = play(agree(("joker1", 2, {"rounds": 4})), "greedy,random")
    reply = practice_info(match.record(), [1], given=3)
    (seat,) = reply.seats
    assert seat.figures.seat == 1 and reply.given == 3 and reply.exact and reply.players == 2
    assert 1 <= len(seat.mistakes) <= MAX_MISTAKES
    least = puzzle_plan.puzzle_plan("joker1").mistake
    for puzzle in seat.mistakes:
        assert puzzle.points[puzzle.best] - puzzle.points[puzzle.obvious] >= least
        assert puzzle.position.actor == 1 and puzzle.table.seats[1].kind == "here"
    assert len({puzzle.id for puzzle in seat.mistakes}) == len(seat.mistakes)
    assert msgspec.json.decode(msgspec.json.encode(reply), type=PracticeInfo).title == reply.title


def test_hands_of_others_stay_hidden_in_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    match = play(agree(("sixbysix", 3, {"round_limit": 1})), "random")
    number = next(number for number in range(8, len(match)) if match.at(number).actor == 1)
    moves = match.at(number).view(1).moves()
    points = tuple(map(float, range(len(moves))))
    found = Puzzle(
        match.branch(number), 1, moves, points, len(moves) - 1, 0, Habit("Lays"), 1.0, "easy", False
    )
    # without values, which take long to build
    monkeypatch.setattr(Puzzle, "reason", lambda puzzle, place: None)
    reply = plain(puzzle_info(found))
    assert reply["position"]["as_seat"] == 1
    mine, theirs = (plain(match.at(number).view(seat).snapshot()) for seat in (1, 0))
    assert reply["position"]["snapshot"] == mine != theirs
    assert len(reply["position"]["moves"]) == len(reply["points"])


# --- the endpoints --------------------------------------------------------------------------------


def puzzle_for(asked: dict[str, Any]) -> Any:
    return {"puzzle": {"for": asked["seed"]}}


async def test_the_puzzle_of_a_day_follows_from_the_date_alone(browser: Browser) -> None:
    browser.helper.answers["puzzle"] = puzzle_for
    for _ in range(2):
        answer = await browser.get("/api/puzzles?date=2026-12-24")
        assert answer.status == 200 and answer.json == {"for": "2026-12-24"}
    # the second one came from memory
    ((do, asked),) = browser.helper.asked
    game, difficulty = puzzle_plan.of_the_day(date(2026, 12, 24))
    assert (do, asked["game"], asked["difficulty"], asked["kind"]) == ("puzzle", game, difficulty, None)
    today = datetime.now(UTC).date()
    said = (await browser.get("/api/puzzles")).json["for"]
    assert said in (today.isoformat(), datetime.now(UTC).date().isoformat())
    for wrong in ("yesterday", "2026-13-01", "99999-01-01"):
        assert (await browser.get(f"/api/puzzles?date={wrong}")).status == 400


async def test_puzzles_of_a_game(browser: Browser) -> None:
    browser.helper.answers["puzzle"] = puzzle_for
    path = "/api/puzzles/joker1?seed=a&difficulty=hard&kind=spoils-it"
    assert (await browser.get(path)).status == 200
    asked = browser.helper.asked[-1][1]
    assert [asked[name] for name in ("seed", "difficulty", "kind")] == ["a", "hard", "spoils-it"]
    assert (await browser.get("/api/puzzles/crowns")).status == 404
    assert (await browser.get("/api/puzzles/nonsense")).status == 404
    for wrong in ("difficulty=extreme", "kind=NO%20KIND", f"seed={'x' * 65}", f"kind={'x' * 121}"):
        assert (await browser.get(f"/api/puzzles/joker1?{wrong}")).status == 400
    games = {game["id"]: game["puzzles"] for game in (await browser.get("/api/games")).json}
    assert {game for game, offered in games.items() if offered} == set(GAMES)
    for page in ("/puzzle", "/puzzle/joker1", "/progress"):
        assert (await browser.get(page)).status == 200


async def test_none_of_that_kind_one_after_building_and_none_at_all(browser: Browser) -> None:
    answers: list[Any] = [
        {"refused": {"template": "no such puzzle of {title} was found", "details": {"title": "X"}}},
        None,
        {"puzzle": {"after": "building"}},
    ]
    browser.helper.answers["puzzle"] = lambda asked: answers.pop(0)
    none = await browser.get("/api/puzzles/joker1?kind=a")
    assert none.status == 404 and none.json["reason"]["details"] == {"title": "X"}
    # its values are built first
    assert (await browser.get("/api/puzzles/joker1?seed=1")).json == {"after": "building"}
    assert browser.helper.built == ["puzzle"]
    browser.helper.answers.clear()
    failed = await browser.get("/api/puzzles/lines?seed=1")
    assert failed.status == 501 and failed.json["code"] == "not-ready"


@pytest.mark.settings(
    helper=ScriptedHelper(
        practice=lambda asked: {"seats": asked["seats"]}, report=lambda asked: {"report": True}
    )
)
async def test_what_to_practise_is_worked_out_once_for_the_people_of_a_finished_game(
    browser: Browser,
) -> None:
    table = await finished(browser)
    for _ in range(2):
        answer = await browser.get(f"/api/tables/{table}/practice")
        # there are only computers, which learn nothing
        assert answer.status == 200 and answer.json["seats"] == []
    # the report is another thing
    assert (await browser.get(f"/api/tables/{table}/report")).json == {"report": True}
    assert [do for do, _ in browser.helper.asked] == ["practice", "report"]
    assert browser.helper.asked[0][1]["given"] == 0
    assert (await browser.get("/api/tables/none/practice")).status == 404


@pytest.mark.settings(
    # as much as three requests and two puzzles cost
    limits=msgspec.structs.replace(NO_LIMITS, address=Rate(1e-9, 3 * Price.REQUEST + 2 * Price.PUZZLE))
)
async def test_a_puzzle_has_a_price(browser: Browser) -> None:
    browser.helper.answers["puzzle"] = puzzle_for
    seen = [(await browser.get(f"/api/puzzles/joker1?seed={seed}")).status for seed in range(3)]
    assert seen == [200, 200, 429] and len(browser.helper.asked) == 2


@pytest.mark.slow
def test_the_helper_makes_what_the_endpoints_ask_for() -> None:
    configured = puzzle_plan.puzzle_games("joker1")[0]
    asked = {**describe_game(configured), "seed": "s", "difficulty": None, "kind": None}
    assert jobs.puzzle(asked) == {"puzzle": puzzle_info(make_puzzle("joker1", "s"))}
    refused = jobs.puzzle(
        {**describe_game(agree(("crowns", 1, {}))), "seed": "s", "difficulty": None, "kind": None}
    )
    assert refused["refused"]["details"] == {"title": "Crowns"}
    match = play(agree(("joker1", 1, {"rounds": 3})), "random")
    reply = jobs.practice({"record": match.record().to_json(), "seats": [0], "given": 0})
    assert reply == practice_info(Record.from_json(match.record().to_json()), [0])
