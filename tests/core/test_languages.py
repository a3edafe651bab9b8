"""Every language has everything: adding one is adding its files and nothing else."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest

from pasch.core.languages import best_language, languages
from pasch.core.options import option_specs, read_options
from pasch.core.registry import AnyGame, all_games, find_file, find_game
from pasch.core.texts import Step, howto, rules_markdown, translated
from pasch.core.texts import _step as read_step

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


def test_an_item_may_hold_with_some_options_only() -> None:
    step = read_step("Streets count. <!-- streets=true players=2|3 kind=busts -->")
    assert step == Step("Streets count.", {"streets": [True], "players": [2, 3], "kind": ["busts"]})
    assert step.holds({"streets": True, "kind": "busts"}, 3)
    assert not step.holds({"streets": False, "kind": "busts"}, 3)
    assert not step.holds({"streets": True, "kind": "busts"}, 4)
    assert read_step("Always.") == Step("Always.") and Step("Always.").holds({}, 1)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_conditions_name_options_and_their_values_and_are_the_same_in_every_language(game: AnyGame) -> None:
    wanted = [step.when for step in howto(game.id, "en")]
    specs = {spec.name: spec for spec in option_specs(game.Options)}
    for name, values in [pair for when in wanted for pair in when.items()]:
        for value in values:
            if name == "players":
                assert value in game.seats
            else:
                assert name in specs
                read_options(game.Options, {name: value})
    for language in languages():
        assert [step.when for step in howto(game.id, language)] == wanted, language


# --- the card of how a game is played ---------------------------------------------------------------------


def card(game: str, language: str, players: int, **options: Any) -> list[str]:
    settings = find_game(game).agree(players, options).options.json()
    return [step.text for step in howto(game, language) if step.holds(settings, players)]


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_every_agreement_has_a_card_of_three_to_six_sentences(game: AnyGame) -> None:
    specs = [spec for spec in option_specs(game.Options) if spec.kind in ("switch", "choice")]
    values = [spec.choices or (False, True) for spec in specs]
    for players, *chosen in product(game.seats, *values):
        options = {spec.name: value for spec, value in zip(specs, chosen, strict=True)}
        for language in languages():
            assert 3 <= len(card(game.id, language, players, **options)) <= 6, (players, options, language)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_every_option_of_the_rules_changes_the_card(game: AnyGame) -> None:
    for spec in option_specs(game.Options):
        if spec.kind in ("switch", "choice"):
            for language in languages():
                cards = {
                    tuple(card(game.id, language, players, **{spec.name: value}))
                    for value in spec.choices or (False, True)
                    for players in game.seats[:2]
                }
                assert len(cards) >= 2, (spec.name, language)


#: game, players, options; words of the card; words that would teach another game
CASES: list[tuple[str, int, dict[str, Any], str, str]] = [
    ("crowns", 2, {}, "the most crowns wins", "lose one"),
    ("crowns", 1, {}, "at least one chip", "strong"),
    ("crowns", 1, {"solo_minimum": 2}, "strong", "at least"),
    ("fiese15", 2, {"gambler": True}, "scores nothing", "targets of"),
    ("fiese15", 1, {"handicap": True}, "always the 1", "behind"),
    ("joker1", 2, {"first_six": "busts"}, "needs a 1", "neither"),
    ("joker2", 2, {"five_penalty": "pushed"}, "from then on", "if you do"),
    ("joker2", 2, {"five_dice": "bust"}, "five times", "even if"),
    ("lines", 2, {}, "highest total", "chooses"),
    ("sixbysix", 2, {"streets": True}, "Only streets count", "5 chips back"),
]


@pytest.mark.parametrize(("game", "players", "options", "said", "unsaid"), CASES, ids=str)
def test_a_card_teaches_the_game_with_its_options(
    game: str, players: int, options: dict[str, Any], said: str, unsaid: str
) -> None:
    text = " ".join(card(game, "en", players, **options))
    assert said in text and unsaid not in text
