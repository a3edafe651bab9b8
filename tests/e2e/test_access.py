"""axe-core looks at every page, by day on a large screen and by night on a small one."""

from __future__ import annotations

import pytest

from tests.e2e.conftest import Visit

pytestmark = pytest.mark.xdist_group("e2e-access")

GAMES = ("crowns", "joker1", "joker2", "lines", "fiese15", "sixbysix")


def test_home_settings_and_a_page_that_is_not_there(visit: Visit) -> None:
    person = visit()
    person.go("/")
    person.check_access()
    person.page.locator("[data-key=settings]").click()
    person.page.get_by_role("dialog").wait_for()
    person.check_access()
    person.go("/rules/nothing")
    person.check_access()
    person.problems.clear()  # the browser says that it was not found


@pytest.mark.parametrize("game", GAMES)
def test_set_up_table_and_rules_of_each_game(game: str, visit: Visit) -> None:
    person = visit()
    person.go(f"/rules/{game}")
    person.check_access()
    person.go(f"/new/{game}")
    person.open_folds()
    person.check_access()
    person.set_table(game, ("here", "here"))
    while not person.page.locator(".touchable.possible").count():
        person.step()
    person.page.locator(".touchable.possible").first.click()
    person.check_access()


def test_the_menu_of_a_table_and_the_report(visit: Visit) -> None:
    person = visit()
    person.set_table("joker1", ("here",), {"rounds": 1})
    person.page.locator("[data-key=menu]").click()
    person.page.get_by_role("dialog").wait_for()
    person.check_access()
    person.page.keyboard.press("Escape")
    person.play()
    person.primary.click()
    person.page.get_by_role("heading", name="The game again").wait_for()
    person.check_access()
