"""Where the coach's numbers on a receipt come from."""

from __future__ import annotations

from typing import Any

import pytest

from pasch.core.registry import find_game
from pasch.solve.valuer import valuer

#: the number of players, and an option on which values depend
OTHERWISE: dict[str, tuple[int, dict[str, Any]]] = {
    "crowns": (1, {"solo_minimum": 2}),
    "fiese15": (2, {"gambler": True}),
    "joker2": (2, {"five_penalty": "pushed"}),
    "lines": (2, {"plans": [2]}),
    "sixbysix": (2, {"streets": True}),
}


@pytest.mark.parametrize("name", OTHERWISE)
def test_the_tables_are_named_by_what_their_numbers_follow_from(name: str) -> None:
    players, options = OTHERWISE[name]
    game = find_game(name)
    tables, others = valuer(game.agree(players)).tables, valuer(game.agree(players, options)).tables
    assert tables and all(len(table.rpartition("-")[2]) == 20 for table in tables)
    assert set(tables) != set(others)
