"""Every game and every variant, set up and played to its end by clicking."""

from __future__ import annotations

from itertools import cycle
from typing import Any

import pytest

from tests.e2e.conftest import Visit

CHOSEN = "chosen by whoever begins"

#: game, seats, options, the buttons that are preferred to others
GAMES: tuple[tuple[str, tuple[str, ...], dict[str, Any], tuple[str, ...]], ...] = (
    ("crowns", ("here", "greedy"), {"round_limit": 2}, ()),
    ("crowns", ("here",), {"round_limit": 3}, ()),
    ("crowns", ("here",), {"round_limit": 3, "solo_minimum": 2}, ()),
    ("crowns", ("here", "here"), {"round_limit": 1, "split": True}, ()),
    ("joker1", ("here", "here"), {"rounds": 1}, ("next:jokers", "next:stop")),
    ("joker1", ("here", "greedy"), {"rounds": 1}, ()),
    (
        "joker1",
        ("here",),
        {"rounds": 2, "first_six": "does not help: a 1 is needed"},
        ("next:jokers", "next:roll"),
    ),
    ("joker2", ("here", "greedy"), {"rounds": 1}, ()),
    ("joker2", ("here",), {"rounds": 1, "five_penalty": "slide 5 is up"}, ("forgo", "next:stop")),
    ("joker2", ("here",), {"rounds": 2, "five_dice": "count on stopping too"}, ("next:stop",)),
    ("lines", ("here", "greedy"), {"target": 1}, ()),
    # whoever takes the first move that there is rarely completes a line: the computer ends the game
    ("lines", ("here", "greedy"), {"target": 1, "plans": [2]}, ()),
    ("lines", ("here", "greedy"), {"target": 1, "plans": [3]}, ()),
    ("lines", ("here", "greedy"), {"target": 1, "plans": [4]}, ()),
    ("lines", ("here", "greedy", "greedy"), {"target": 4, "plans": [3, 1]}, ()),
    ("lines", ("here", "greedy"), {"target": 4, "plans": [3, 1], "plan_choice": CHOSEN}, ()),
    ("fiese15", ("here",), {}, ("next:stop",)),
    ("fiese15", ("here", "random"), {"handicap": True}, ("next:stop",)),
    ("fiese15", ("here",), {"gambler": True}, ("next:stop",)),
    ("sixbysix", ("here", "greedy"), {"round_limit": 1}, ()),
    ("sixbysix", ("here", "greedy", "greedy"), {"round_limit": 1, "streets": True}, ()),
)


def cases() -> list[Any]:
    """Every game in two groups, for two processes."""
    return [
        pytest.param(
            *game, id=f"{game[0]}-{number}", marks=pytest.mark.xdist_group(f"e2e-games-{number % 2}")
        )
        for number, game in enumerate(GAMES)
    ]


@pytest.mark.parametrize(("game", "seats", "options", "wishes"), cases())
def test_a_game_is_played_to_its_end_by_clicking(
    game: str, seats: tuple[str, ...], options: dict[str, Any], wishes: tuple[str, ...], visit: Visit
) -> None:
    person = visit()
    person.set_table(game, seats, options)
    person.play(wishes)
    record = person.server.record(person.table)
    assert record["game"] == game
    assert record["players"] == len(seats)
    laid = [event for event in record["events"] if "plan" in event]
    if options.get("plan_choice") == CHOSEN:
        assert [event["seat"] for event in laid] == [number % len(seats) for number in range(len(laid))]
    else:
        plans = [event["plan"] for event in laid]
        assert plans == [plan for plan, _ in zip(cycle(options.get("plans", [1])), plans, strict=False)]
    assert person.scores() == record["scores"]
