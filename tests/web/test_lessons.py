"""What the browser is sent of a lesson and of the drawings in the rules."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pasch.core.languages import languages
from pasch.core.lesson import YOU, has_lesson, moments
from pasch.core.registry import AnyGame, all_games, game_ids
from pasch.core.texts import rules_markdown
from pasch.table.lesson import encoded_lesson, scenes

GAMES = [game for game in game_ids() if has_lesson(game)]


def sent(game: str, language: str = "en") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(encoded_lesson(game, language))
    return found


@pytest.mark.parametrize("game", GAMES)
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


@pytest.mark.parametrize("game", GAMES)
def test_other_languages_change_nothing_but_words(game: str) -> None:
    english = sent(game)
    for language in languages():
        other = sent(game, language)
        for step, same in zip(other["steps"], english["steps"], strict=True):
            assert language == "en" or step["remark"] != same["remark"]
            step["remark"], step["wrong"] = same["remark"], same["wrong"]
        assert other == english


@pytest.mark.parametrize("game", GAMES)
def test_a_table_can_begin_where_it_ends(game: str) -> None:
    lesson = sent(game)
    assert len(lesson["events"]) == sum(len(moment.events) for moment in moments(game))
    assert lesson["table"]["phase"] == "playing"
    assert [seat["kind"] for seat in lesson["table"]["seats"]][YOU] == "here"


def test_hands_of_others_stay_hidden() -> None:
    hidden = [game for game in GAMES if any(m.state.view(YOU) != m.state for m in moments(game))]
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
