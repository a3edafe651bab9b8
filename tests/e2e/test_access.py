"""axe-core looks at every page, by day on a large screen and by night on a small one."""

from __future__ import annotations

import re
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
    person.page.locator("[data-key=settings]").click()
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
    while not person.page.locator(".touchable.possible").count():
        person.step()
    person.page.locator(".touchable.possible").first.click()
    person.check_access()  # in the middle of a turn
    person.play()
    person.check_access()  # the end
    person.primary.click()
    person.page.get_by_role("heading", name="The game again").wait_for()
    person.check_access()


def test_what_is_possible_is_said_focus_stays_and_the_result_is_announced(visit: Visit) -> None:
    person = visit()
    person.set_table("lines", ("here", "greedy"), {"target": 1})
    while not person.page.locator(".touchable.possible").count():
        person.step()
    for how, words in (("possible", ": possible now"), ("dimmed", ": not possible now")):
        names = person.page.locator(f".touchable.{how}").evaluate_all(
            "all => all.map((one) => one.getAttribute('aria-label'))"
        )
        assert names and all(name.endswith(words) for name in names), names
    # whoever plays with the keyboard is never sent back to the top of the page, also while others play
    person.page.locator(".touchable.possible").first.focus()
    lost = "new MutationObserver(() => { window.lost ||= document.activeElement === document.body; })"
    person.page.evaluate(f"{lost}.observe(document.body, {{ childList: true, subtree: true }})")
    person.play_by_keyboard()
    assert person.page.evaluate("window.lost") is not True
    # when everything has been counted; a win may be shared
    result = re.compile(r"(wins?[.!]|win together\.) .*Anna0: ")
    person.page.locator("#live p", has_text=result).wait_for(state="attached")
