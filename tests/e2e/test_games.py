"""Every game, played to its end by clicking; every variant with `make test-all`.

Other tests play to the end of Joker 1 and 6mal6 (`test_access`), Joker 2 (`test_online`) and Lines (`test_table`).
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.e2e.conftest import Visit

Case = tuple[str, tuple[str, ...], dict[str, Any], tuple[str, ...]]
#: game, seats, options, the buttons that are preferred to others
GAMES: tuple[Case, ...] = (
    ("crowns", ("here",), {"round_limit": 3}, ()),
    ("fiese15", ("here",), {}, ("next:stop",)),
)
VARIANTS: tuple[Case, ...] = (
    ("crowns", ("here", "greedy"), {"round_limit": 2}, ()),
    ("crowns", ("here",), {"round_limit": 3, "solo_minimum": 2}, ()),
    ("crowns", ("here", "here"), {"round_limit": 1, "split": True}, ()),
    ("crowns", ("here", *["greedy"] * 5), {"round_limit": 1}, ()),
    ("joker1", ("here", "here"), {"rounds": 1}, ("next:jokers", "next:stop")),
    ("joker1", ("here",), {"rounds": 2, "first_six": "busts"}, ("next:jokers", "next:roll")),
    ("joker2", ("here", "greedy"), {"rounds": 1}, ("next:stop",)),
    ("joker2", ("here",), {"rounds": 1, "five_penalty": "pushed"}, ("forgo", "next:stop")),
    ("joker2", ("here",), {"rounds": 2, "five_dice": "always"}, ("next:roll",)),
    # always taking the first move rarely completes a line: the computer ends the game
    ("lines", ("here", "greedy"), {"target": 1}, ()),
    ("lines", ("here", "greedy"), {"target": 1, "plans": [2]}, ()),
    ("lines", ("here", "greedy"), {"target": 1, "plans": [4]}, ()),
    ("lines", ("here", "greedy", "greedy"), {"target": 4, "plans": [3, 1]}, ()),
    ("lines", ("here", "greedy"), {"target": 4, "plans": [3, 1], "plan_choice": "chosen"}, ()),
    ("fiese15", ("here", "random"), {"handicap": True}, ("next:stop",)),
    ("fiese15", ("here",), {"gambler": True}, ("next:stop",)),
    ("sixbysix", ("here", "greedy", "greedy"), {"round_limit": 1, "streets": True}, ()),
)


@pytest.mark.parametrize(
    "case",
    [*GAMES, *(pytest.param(case, marks=pytest.mark.exhaustive) for case in VARIANTS)],
    ids=lambda case: case[0],
)
def test_a_game_is_played_to_its_end_by_clicking(case: Case, visit: Visit) -> None:
    game, seats, options, wishes = case
    person = visit()
    person.set_table(game, seats, options)
    person.play(wishes)
    record = person.check_result()
    assert (record["game"], record["players"]) == (game, len(seats))
