"""Every language has everything: adding one is adding its files and nothing else."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest

from pasch.core.options import option_specs, read_options
from pasch.core.registry import AnyGame, all_games, find_file
from pasch.core.texts import Step, best_language, howto, languages, rules_markdown, translated
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
    assert other != english and translated(game.pitch, language, game.id) != game.pitch

    def headings(text: str) -> list[str]:
        return re.findall("^#+", text, re.MULTILINE)

    def names(text: str) -> set[str]:
        """Options, values of options and commands, which are the same everywhere."""
        return set(re.findall(r"`([^`]+)`", text))

    assert headings(other) == headings(english)
    assert names(other) == names(english)
    assert len(re.findall("^- ", other, re.MULTILINE)) == len(re.findall("^- ", english, re.MULTILINE))


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


def card(game: AnyGame, language: str, players: int, **options: Any) -> tuple[str, ...]:
    settings = game.agree(players, options).options.json()
    return tuple(step.text for step in howto(game.id, language) if step.holds(settings, players))


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_every_agreement_has_a_card_of_three_to_six_sentences(game: AnyGame) -> None:
    choices = {
        spec.name: spec.choices or (False, True)
        for spec in option_specs(game.Options)
        if spec.kind in ("switch", "choice")
    }
    for language in languages():
        for players, *chosen in product(game.seats, *choices.values()):
            options = dict(zip(choices, chosen, strict=True))
            assert 3 <= len(card(game, language, players, **options)) <= 6, (players, options, language)
        for name, values in choices.items():
            cards = {card(game, language, n, **{name: value}) for value in values for n in game.seats[:2]}
            assert len(cards) >= 2, f"the option {name} does not change the card in {language}"
