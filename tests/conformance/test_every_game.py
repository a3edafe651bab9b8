"""Every registered game passes one suite, whatever its rules.

`make test-all` tries all options with all numbers of players: run it after a change of rules or of `pasch.core`.
"""

from __future__ import annotations

import pytest

from pasch.core.registry import find_game, game_ids
from tests.conformance.cases import cases, few_cases
from tests.conformance.properties import BEGINNING, WHOLE, Property, check

each = pytest.mark.parametrize("wanted", [*WHOLE, *BEGINNING], ids=lambda wanted: wanted.__name__)


@each
@pytest.mark.parametrize("game", game_ids())
def test_every_game(wanted: Property, game: str) -> None:
    check(wanted, few_cases(find_game(game)))


@pytest.mark.exhaustive
@each
@pytest.mark.parametrize("game", game_ids())
def test_every_game_in_every_way(wanted: Property, game: str) -> None:
    check(wanted, cases(find_game(game)))
