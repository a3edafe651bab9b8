"""Every registered game passes one suite, whatever its rules."""

from __future__ import annotations

import pytest

from pasch.core.registry import find_game, game_ids
from tests.conformance.properties import BEGINNING, WHOLE, Property, check


@pytest.mark.parametrize("game", game_ids())
@pytest.mark.parametrize("wanted", [*WHOLE, *BEGINNING], ids=lambda wanted: wanted.__name__)
def test_every_game(wanted: Property, game: str) -> None:
    check(wanted, find_game(game))
