"""A table is set by hand: house rules stay out of newcomers' way; a plan is chosen by its picture."""

from __future__ import annotations

import pytest

from pasch import find_game
from pasch.core.options import option_specs
from pasch.core.registry import game_ids
from tests.e2e.browser import PHONE
from tests.e2e.conftest import Visit


@pytest.mark.parametrize(
    "game",
    [game if game == "lines" else pytest.param(game, marks=pytest.mark.exhaustive) for game in game_ids()],
)
def test_house_rules_are_folded_away_and_all_else_is_to_be_seen(game: str, visit: Visit) -> None:
    person = visit(size=PHONE)
    page = person.go(f"/new/{game}")
    specs = option_specs(find_game(game).Options)
    for spec in specs:
        assert page.locator(f"#about-{spec.name}").is_visible() == (not spec.house), spec.name
    house = page.locator("[data-key=house]")
    assert house.count() == any(spec.house for spec in specs)
    if house.count():
        assert house.locator("summary").inner_text() == "House rules"
        house.locator("summary").click()
        for spec in specs:
            assert page.locator(f"#about-{spec.name}").is_visible()
    person.check_reachable()


def test_what_is_set_by_hand_holds(visit: Visit) -> None:
    person = visit()
    page = person.go("/new/lines")
    page.locator("[data-key^=name-]").fill("Anna")
    page.locator("[data-key=add-here]").click()
    page.locator("[data-key^=name-]").nth(1).fill("Ben")
    page.locator(".seat-wish").nth(1).locator("select").select_option("easy")
    person.open_folds()
    page.get_by_role("button", name="Add Plan 3", exact=True).click()
    page.locator("fieldset.field").get_by_role("button", name="Remove").first.click()
    page.locator("[name=plan_choice]").select_option(label="chosen by whoever begins")
    page.locator("[name=target]").fill("3")
    page.locator("label:has(input[name=dice][value=real])").click()
    page.locator("label:has(input[name=coach][value=hints])").click()
    page.locator("[data-key=play]").click()
    page.wait_for_url("**/t/*")
    page.locator(".bar .main > *").first.wait_for()
    told = person.welcome()["table"]
    assert told["options"] == {"plans": [3], "plan_choice": "chosen", "target": 3}
    assert (told["dice"], told["coach"]) == ("real", "hints")
    seats = [(seat["kind"], seat["name"], seat["level"]) for seat in told["seats"]]
    assert [seats[0], seats[2]] == [("here", "Anna", None), ("here", "Ben", None)]
    assert (seats[1][0], seats[1][2]) == ("computer", "easy")


def test_a_plan_is_chosen_by_its_picture(visit: Visit) -> None:
    person = visit(size=PHONE)
    person.set_table("lines", ("here", "here"), {"plans": [2, 3], "plan_choice": "chosen"})
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
    person.check_access()
    cards.nth(1).locator("button").focus()
    page.keyboard.press("Enter")
    assert page.locator(".plan-card.taken").count() == 1, "one changes one's mind"
    assert person.primary.inner_text() == "Choose plan 3"
    person.primary.click()
    page.locator(".drawing.lines").first.wait_for()
    assert page.locator(".plan-card").count() == 0
    assert "Plan 3°: every line adds up to 34" in page.locator(".on-table").inner_text()
