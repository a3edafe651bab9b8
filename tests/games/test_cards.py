"""The card of how a game goes says what holds at the table, whatever the options are."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from pasch.core.languages import languages
from pasch.core.options import option_specs
from pasch.core.registry import AnyGame, all_games, find_game
from pasch.core.texts import howto


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


#: game, players, options; words of the card; words that would teach another game
CASES: list[tuple[str, int, dict[str, Any], dict[str, tuple[str, str | None]]]] = [
    ("crowns", 2, {}, {"en": ("the most crowns wins", "lose one"), "de": ("die meisten Kronen", "verlierst")}),
    ("crowns", 1, {}, {"en": ("at least one chip", "two do not"), "de": ("mindestens einen Chip", "zwei nicht")}),
    ("crowns", 1, {"solo_minimum": 2}, {"en": ("two chips", "at least"), "de": ("zwei Chips", "mindestens")}),
    # the titles do not fit the game with one chip a roll: it is not called strong there
    ("crowns", 1, {}, {"en": ("made for two chips", "strong"), "de": ("für zwei Chips", "stark")}),
    ("crowns", 1, {"solo_minimum": 2}, {"en": ("strong", "typical"), "de": ("stark", "üblich")}),
    ("crowns", 1, {"split": True}, {"en": ("shared out", None), "de": ("aufteilen", None)}),
    ("crowns", 2, {}, {"en": ("2×", "shared out"), "de": ("2×", "aufteilen")}),
    ("fiese15", 2, {}, {"en": ("targets of the dice", "nothing"), "de": ("die Vorgaben der", "Zug nichts")}),
    ("fiese15", 2, {"gambler": True}, {"en": ("scores nothing", "targets of"), "de": ("Zug nichts", "die Vorgaben")}),
    ("fiese15", 3, {"handicap": True}, {"en": ("further behind", None), "de": ("weiter du hinten", None)}),
    ("fiese15", 1, {"handicap": True}, {"en": ("always the 1", "behind"), "de": ("immer die 1", "hinten")}),
    ("fiese15", 2, {}, {"en": ("target", "tile"), "de": ("Vorgabe", "Plättchen")}),
    ("joker1", 1, {}, {"en": ("neither a 1 nor a 6", "needs a 1"), "de": ("ohne 1 und ohne 6", "braucht eine 1")}),
    ("joker1", 2, {"first_six": "busts"}, {"en": ("needs a 1", "neither"), "de": ("braucht eine 1", "ohne 6")}),
    ("joker2", 2, {}, {"en": ("double", "from then on"), "de": ("Pasch", "von da an")}),
    ("joker2", 2, {"five_penalty": "pushed"}, {"en": ("from then on", "if you do"), "de": ("von da an", "Aber dann")}),
    ("joker2", 2, {"five_dice": "bust"}, {"en": ("five times", "even if"), "de": ("fünffach", "auch wenn")}),
    ("joker2", 2, {}, {"en": ("even if you stop", None), "de": ("auch wenn du aufhörst", None)}),
    ("lines", 2, {}, {"en": ("highest total", "chooses"), "de": ("höchste Summe", "sucht den Plan")}),
    ("lines", 2, {"plan_choice": "chosen"}, {"en": ("chooses", None), "de": ("sucht den Plan", None)}),
    ("sixbysix", 2, {}, {"en": ("lowest card", "street"), "de": ("niedrigste Karte", "Straße")}),
    ("sixbysix", 2, {"streets": True}, {"en": ("Only streets count", "lowest"), "de": ("nur Straßen", "niedrigste")}),
    ("sixbysix", 2, {"streets": True}, {"en": ("street", "5 chips back"), "de": ("Straße", "5 Chips zurück")}),
]  # fmt: skip


@pytest.mark.parametrize(("game", "players", "options", "wanted"), CASES, ids=str)
def test_a_card_teaches_the_game_with_its_options(
    game: str, players: int, options: dict[str, Any], wanted: dict[str, tuple[str, str | None]]
) -> None:
    for language, (said, unsaid) in wanted.items():
        text = " ".join(card(game, language, players, **options))
        assert said in text
        assert unsaid is None or unsaid not in text
