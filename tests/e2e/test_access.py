"""axe-core checks every page, by day on a large screen and by night on a small one; a game is played on the way."""

from __future__ import annotations

from typing import Any

import pytest

from tests.e2e.conftest import Visit

exhaustive = pytest.mark.exhaustive
#: options by which a game ends soon
GAMES: tuple[Any, ...] = (
    pytest.param("crowns", {"round_limit": 1}, marks=exhaustive),
    ("joker1", {"rounds": 1}),
    pytest.param("joker2", {"rounds": 1}, marks=exhaustive),
    pytest.param("lines", {"target": 1}, marks=exhaustive),
    pytest.param("fiese15", {}, marks=exhaustive),
    ("sixbysix", {"round_limit": 1}),
)


def test_home_settings_and_a_page_that_is_not_there(visit: Visit) -> None:
    person = visit()
    person.go("/")
    person.check_access()
    person.page.locator("[data-key=settings]").first.click()
    person.page.get_by_role("dialog").wait_for()
    person.check_access()
    person.go("/rules/nothing")
    person.check_access()
    person.problems.clear()  # the browser says that it was not found


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_the_pages_of_each_game(game: str, options: dict[str, Any], visit: Visit) -> None:
    person = visit()
    person.go(f"/rules/{game}")
    person.check_access()
    person.go(f"/new/{game}")
    person.open_folds()
    person.check_access()
    person.set_table(game, ("here", "greedy"), options)
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
