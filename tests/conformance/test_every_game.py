"""Every registered game passes one suite, whatever its rules.

`make test-all` tries all options with all numbers of players: run it after a change of rules or of `pasch.core`.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pasch.core.registry import AnyGame, find_game, game_ids
from pasch.terminal.conformance import PROPERTIES, Case, Property, cases, check, sample_cases


@pytest.mark.parametrize("wanted", PROPERTIES, ids=lambda wanted: wanted.__name__)
@pytest.mark.parametrize("game", game_ids())
@pytest.mark.parametrize("which", [sample_cases, pytest.param(cases, marks=pytest.mark.exhaustive)])
def test_every_game(which: Callable[[AnyGame], list[Case]], game: str, wanted: Property) -> None:
    check(wanted, which(find_game(game)))
