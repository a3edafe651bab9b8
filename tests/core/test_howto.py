"""How a game goes, in a few sentences: those that hold with the table's options."""

from __future__ import annotations

import pytest

from pasch.core.languages import languages
from pasch.core.options import option_specs, read_options
from pasch.core.registry import AnyGame, all_games
from pasch.core.texts import Step, howto
from pasch.core.texts import _step as read_step


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
