"""Every game with all its pages and its variants, played to its end by clicking; games that bring no drawing, too."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Route

from tests.e2e.browser import PHONE, SHORT
from tests.e2e.conftest import Visit, each_game, exhaustive

Case = tuple[str, tuple[str, ...], dict[str, Any], tuple[str, ...]]
#: game, seats, options, the buttons that are preferred to others
VARIANTS: tuple[Case, ...] = (
    ("crowns", ("here",), {"round_limit": 3, "solo_minimum": 2}, ()),
    ("crowns", ("here", "here"), {"round_limit": 1, "split": True}, ()),
    ("crowns", ("here", *["greedy"] * 5), {"round_limit": 1}, ()),
    ("joker1", ("here", "here"), {"rounds": 1}, ("next:jokers", "next:stop")),
    ("joker1", ("here",), {"rounds": 2, "first_six": "busts"}, ("next:jokers", "next:roll")),
    ("joker2", ("here",), {"rounds": 1, "five_penalty": "pushed"}, ("forgo", "next:stop")),
    ("joker2", ("here",), {"rounds": 2, "five_dice": "always"}, ("next:roll",)),
    # always taking the first move rarely completes a line: the computer ends the game
    ("lines", ("here", "greedy"), {"target": 1, "plans": [2]}, ()),
    ("lines", ("here", "greedy"), {"target": 1, "plans": [4]}, ()),
    ("lines", ("here", "greedy"), {"target": 4, "plans": [3, 1], "plan_choice": "chosen"}, ()),
    ("fiese15", ("here", "random"), {"handicap": True}, ("next:stop",)),
    ("fiese15", ("here",), {"gambler": True}, ("next:stop",)),
    ("sixbysix", ("here", "greedy", "greedy"), {"round_limit": 1, "streets": True}, ()),
)


@each_game("crowns", "fiese15", "sixbysix")
def test_axe_finds_nothing_on_the_pages_of_a_game(game: str, visit: Visit) -> None:
    person = visit()
    person.go(f"/rules/{game}")
    person.check_access()
    person.go(f"/new/{game}")
    person.open_folds()
    person.check_access()
    person.set_table(game, ("here", "greedy"), SHORT[game])
    person.page.locator("[data-key=menu]").click()
    person.page.get_by_role("dialog").wait_for()
    person.check_access()
    person.page.keyboard.press("Escape")
    person.next_click()
    person.check_access()  # the first turn, with the game explained
    person.to_choice()
    person.page.locator(".play .can >> visible=true").first.click()
    person.check_access()  # in the middle of a turn
    person.play()
    person.check_access()  # the end
    person.check_result()
    person.open_report()
    person.check_access()


@exhaustive
@pytest.mark.parametrize("case", VARIANTS, ids=lambda case: case[0])
def test_a_variant_is_played_to_its_end_by_clicking(case: Case, visit: Visit) -> None:
    game, seats, options, wishes = case
    person = visit()
    person.set_table(game, seats, options)
    person.play(wishes)
    record = person.check_result()
    assert (record["game"], record["players"]) == (game, len(seats))


# --- games without a drawing ----------------------------------------------------------------------


def test_a_game_without_a_board_is_drawn_by_what_its_rules_declare(visit: Visit) -> None:
    person = visit(size=PHONE)
    page = person.page

    def strip(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=[{**game, "files": []} for game in answer.json()])

    page.route("**/api/games*", strip)
    person.set_table("joker1", ("here", "greedy"), {"rounds": 1})
    person.to_choice(())
    person.check_reachable()
    person.check_access()
    assert page.locator(".play .token.can").count() > 0 and page.locator(".any .cells.set").count() > 0
    person.play()
    person.check_result()
