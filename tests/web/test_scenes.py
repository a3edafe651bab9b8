"""The drawings of the rules: every game has some, and each stands where the text speaks of it."""

from __future__ import annotations

import pytest

from pasch.core.languages import languages
from pasch.core.registry import AnyGame, all_games
from pasch.core.texts import rules_markdown
from pasch.table.lesson import scenes


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
