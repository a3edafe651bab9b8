"""House rules stay out of newcomers' way; a plan is chosen by its picture."""

from __future__ import annotations

from typing import Any

import pytest

from pasch import all_games
from pasch.core.options import option_specs
from tests.e2e.browser import DESKTOP, PHONE
from tests.e2e.conftest import Visit

GAMES = [game.id for game in all_games() if game.__module__.startswith("pasch.")]


@pytest.mark.parametrize("game", GAMES)
def test_house_rules_are_folded_away_and_all_else_is_to_be_seen(game: str, visit: Visit) -> None:
    person = visit(size=PHONE)
    page = person.go(f"/new/{game}")
    found = next(one for one in all_games() if one.id == game)
    for spec in option_specs(found.Options):
        control = page.locator(f"#about-{spec.name}")
        assert control.is_visible() == (not spec.house), spec.name
    house = page.locator("[data-key=house]")
    assert house.count() == any(spec.house for spec in option_specs(found.Options))
    if house.count():
        assert house.locator("summary").inner_text() == "House rules"
        house.locator("summary").click()
        for spec in option_specs(found.Options):
            assert page.locator(f"#about-{spec.name}").is_visible()
    person.check_reachable()


def test_a_house_rule_set_in_the_fold_holds(visit: Visit) -> None:
    person = visit()
    person.set_table("joker2", ("here",), {"rounds": 1, "five_dice": "count on stopping too"})
    person.play()
    assert person.server.record(person.table)["options"]["five_dice"] == "always"


def test_the_fold_is_german_for_germans(visit: Visit) -> None:
    page = visit(language="de").go("/new/lines")
    assert page.locator("[data-key=house] > summary").inner_text() == "Hausregeln"
    page.locator("[data-key=house] > summary").click()
    assert "sucht aus, wer beginnt" in page.locator("select[name=plan_choice]").inner_text()


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_plan_is_chosen_by_its_picture(size: tuple[int, int], visit: Visit) -> None:
    person = visit(size=size)
    options: dict[str, Any] = {"plans": [2, 3], "plan_choice": "chosen by whoever begins"}
    person.set_table("lines", ("here", "here"), options)
    person.next_click()
    page = person.page
    cards = page.locator(".plan-card")
    assert cards.locator("button").all_inner_texts() == [
        "Plan 2: 1 to 14, 7 lines, 3 dice",
        "Plan 3: 1 to 16, 10 lines, 4 dice",
    ]
    assert person.primary.is_disabled(), "first a plan has to be touched"
    person.check_reachable()
    cards.nth(0).locator(".plan-picture").click()
    assert person.primary.inner_text() == "Choose plan 2"
    cards.nth(1).locator("button").focus()
    page.keyboard.press("Enter")
    assert page.locator(".plan-card.taken").count() == 1, "one changes one's mind"
    assert person.primary.inner_text() == "Choose plan 3"
    person.primary.click()
    page.locator(".drawing.lines").first.wait_for()
    assert page.locator(".plan-card").count() == 0
    assert "Plan 3: every line adds up to 34" in page.locator(".on-table").inner_text()


def test_everybody_can_use_the_pictures_of_plans(visit: Visit) -> None:
    person = visit()
    person.set_table("lines", ("here",), {"plans": [1, 4], "plan_choice": "chosen by whoever begins"})
    person.next_click()
    person.page.locator(".plan-card button").first.click()
    person.check_access()
