"""Every registered game passes one suite, whatever its rules.

`make test-all` tries all options with all numbers of players: run it after a change of rules or of `pasch.core`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pasch.core.errors import OptionError
from pasch.core.options import option_specs
from pasch.core.registry import AnyGame, find_game, game_ids
from pasch.terminal.conformance import PROPERTIES, Case, Property, cases, check, sample_cases


@pytest.mark.parametrize("wanted", PROPERTIES, ids=lambda wanted: wanted.__name__)
@pytest.mark.parametrize("game", game_ids())
@pytest.mark.parametrize("which", [sample_cases, pytest.param(cases, marks=pytest.mark.exhaustive)])
def test_every_game(which: Callable[[AnyGame], list[Case]], game: str, wanted: Property) -> None:
    check(wanted, which(find_game(game)))


@pytest.mark.parametrize("game", game_ids())
def test_wrong_options_are_refused(game: str) -> None:
    kind = find_game(game)
    for players in (kind.seats[0] - 1, kind.seats[-1] + 1):
        with pytest.raises(OptionError):
            kind.agree(players)
    wrong: list[tuple[str, Any]] = [("nonsense", 1)]
    for spec in option_specs(kind.Options):
        wrong += [(spec.name, None), (spec.name, "nonsense"), (spec.name, {})]
        if spec.kind == "number":
            wrong += [
                (spec.name, value) for value in ((spec.least or 0) - 1, (spec.most or 0) + 1, 1.5, True)
            ]
        if spec.kind == "switch":
            wrong += [(spec.name, 1)]
    for name, value in wrong:
        with pytest.raises(OptionError, match=name):
            kind.agree(kind.seats[0], {name: value})
