"""Every game and every variant, played to its end by clicking."""

from __future__ import annotations

from typing import Any

import pytest

from tests.e2e.conftest import Visit

Case = tuple[str, tuple[str, ...], dict[str, Any], tuple[str, ...]]
#: game, seats, options, the buttons that are preferred to others; other tests play the other games
GAMES: tuple[Case, ...] = (
    ("crowns", ("here",), {"round_limit": 3}, ()),
    ("joker1", ("here", "here"), {"rounds": 1}, ("next:jokers", "next:stop")),
    ("fiese15", ("here",), {}, ("next:stop",)),
)
VARIANTS: tuple[Case, ...] = (
    ("crowns", ("here", "greedy"), {"round_limit": 2}, ()),
    ("crowns", ("here",), {"round_limit": 3, "solo_minimum": 2}, ()),
    ("crowns", ("here", "here"), {"round_limit": 1, "split": True}, ()),
    ("joker1", ("here", "greedy"), {"rounds": 1}, ()),
    ("joker1", ("here",), {"rounds": 2, "first_six": "busts"}, ("next:jokers", "next:roll")),
    ("joker2", ("here", "greedy"), {"rounds": 1}, ()),
    ("joker2", ("here",), {"rounds": 1, "five_penalty": "pushed"}, ("forgo", "next:stop")),
    ("joker2", ("here",), {"rounds": 2, "five_dice": "always"}, ("next:stop",)),
    ("lines", ("here", "greedy"), {"target": 1}, ()),
    # whoever takes the first move that there is rarely completes a line: the computer ends the game
    ("lines", ("here", "greedy"), {"target": 1, "plans": [2]}, ()),
    ("lines", ("here", "greedy"), {"target": 1, "plans": [3]}, ()),
    ("lines", ("here", "greedy"), {"target": 1, "plans": [4]}, ()),
    ("lines", ("here", "greedy", "greedy"), {"target": 4, "plans": [3, 1]}, ()),
    ("lines", ("here", "greedy"), {"target": 4, "plans": [3, 1], "plan_choice": "chosen"}, ()),
    ("fiese15", ("here", "random"), {"handicap": True}, ("next:stop",)),
    ("fiese15", ("here",), {"gambler": True}, ("next:stop",)),
    ("sixbysix", ("here", "greedy"), {"round_limit": 1}, ()),
    ("sixbysix", ("here", "greedy", "greedy"), {"round_limit": 1, "streets": True}, ()),
)


def check_case(case: Case, visit: Visit) -> None:
    game, seats, options, wishes = case
    person = visit()
    person.set_table(game, seats, options)
    person.play(wishes)
    record = person.server.record(person.table)
    assert (record["game"], record["players"]) == (game, len(seats))
    assert person.scores() == record["scores"]


@pytest.mark.parametrize("case", GAMES, ids=lambda case: case[0])
def test_a_game_is_played_to_its_end_by_clicking(case: Case, visit: Visit) -> None:
    check_case(case, visit)


@pytest.mark.exhaustive
@pytest.mark.parametrize("case", VARIANTS, ids=lambda case: case[0])
def test_a_variant_is_played_to_its_end_by_clicking(case: Case, visit: Visit) -> None:
    check_case(case, visit)
