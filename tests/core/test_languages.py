"""Every language has everything: adding one is adding its files and nothing else."""

from __future__ import annotations

import re

import pytest

from pasch.core.languages import best_language, languages
from pasch.core.registry import AnyGame, all_games, find_file
from pasch.core.texts import rules_markdown, translated

OURS = [game for game in all_games() if find_file(game.id, "de.md")]
OTHERS = [language for language in languages() if language != "en"]


def test_pasch_speaks_the_languages_of_the_boxes() -> None:
    assert set(languages()) >= {"de", "en", "es", "fr", "it", "nl"}
    assert best_language(["fr-CA", "en"]) == "fr" and best_language(["pt-BR", "es"]) == "es"


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("game", OURS, ids=lambda game: game.id)
def test_every_game_has_its_rules_in_every_language_with_the_same_parts(
    game: AnyGame, language: str
) -> None:
    assert find_file(game.id, f"{language}.md") and find_file(game.id, f"{language}.po")
    english, other = rules_markdown(game.id), rules_markdown(game.id, language)
    assert other != english

    def headings(text: str) -> list[str]:
        return re.findall("^#+", text, re.MULTILINE)

    def names(text: str) -> set[str]:
        """Options, values of options and commands, which are the same everywhere."""
        return set(re.findall(r"`([^`]+)`", text))

    assert headings(other) == headings(english)
    assert names(other) == names(english)
    assert len(re.findall("^- ", other, re.MULTILINE)) == len(re.findall("^- ", english, re.MULTILINE))


@pytest.mark.parametrize("language", OTHERS)
def test_what_a_game_says_of_itself_is_translated(language: str) -> None:
    for game in OURS:
        assert translated(game.pitch, language, game.id) != game.pitch


def test_a_title_is_the_boxs_own_in_each_language() -> None:
    titles = {language: translated("Fiese 15", language, "fiese15") for language in languages()}
    assert titles["it"] == "Attenti al 15" and titles["de"] == "Fiese 15"
