"""What is before and after a game: who plays, one's own box, the game of the day, luck and moves, the game again."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.browser import PHONE
from tests.e2e.conftest import Visit


def test_four_choices_and_then_only_what_belongs_to_them(visit: Visit) -> None:
    person = visit()
    page = person.go("/new/crowns")
    play, about = page.locator("[data-key=play]"), page.locator("#about-solo_minimum")
    expect(play).to_have_text("Play against Duo")
    expect(page.locator("[data-key=solo]")).to_be_visible()
    page.locator("[data-key=lvl-hard]").click()
    page.locator("[data-key=add-computer]").click()
    expect(play).to_have_text("Play against Trix and Trix")
    page.locator("[data-key=kind-alone]").click()
    page.locator(".house summary").click()
    expect(about).to_be_visible()
    page.locator("[data-key=kind-link]").click()
    expect(play).to_have_text("Set the table and invite 1 person")
    expect(about).to_have_count(0)
    person.check_access()
    page.locator("[data-key=kind-here]").click()
    expect(play).to_have_text("Play, 2 at the table")
    names = page.locator(".names input")
    names.nth(0).fill("A\u200bB")
    names.nth(1).fill("Grandma")
    # what is wrong with a name stands beside it
    person.problems.clear()
    play.click()
    expect(names.nth(0)).to_have_attribute("aria-invalid", "true")
    expect(page.locator(".names .error").nth(0)).to_contain_text("invisible")
    person.problems.clear()
    names.nth(0).fill("\U0001f469\u200d\U0001f467")
    play.click()
    page.wait_for_url("**/t/*")
    # names are remembered, and the game waits at the first page
    person.go("/new/lines").locator("[data-key=kind-here]").click()
    expect(names.nth(1)).to_have_value("Grandma")
    person.go("/")
    expect(page.locator("[data-key=your-turn]")).to_contain_text("Crowns")
    page.locator("[data-key=go-on]").click()
    page.wait_for_url("**/t/*")


def test_a_box_of_ones_own_is_the_usual_one_until_it_is_put_away(visit: Visit) -> None:
    person = visit(size=PHONE)
    page = person.go("/new/crowns")
    page.locator("[data-key=own-box]").click()
    chips, saved = page.locator('[data-place="chips.number"]'), page.locator("[data-key=save-box]")
    chips.fill("0")
    expect(chips).to_have_attribute("aria-invalid", "true")
    expect(saved).to_be_disabled()
    chips.fill("12")
    expect(saved).to_be_enabled()
    # on the board, where the crowns are printed
    field = page.locator('.cgrid [data-place="rows[4].crowns[0]"]')
    expect(field).to_have_value("2")
    field.fill("4")
    expect(page.get_by_role("img", name="row of 5: 22 crowns")).to_be_visible()
    person.check_access()
    saved.click()
    expect(page.locator("[data-key=put-away]")).to_have_text("Put my box away")
    person.go("/new/crowns")
    expect(page.locator(".house summary")).to_contain_text("My box")
    page.locator("[data-key=play]").click()
    page.wait_for_url("**/t/*")
    page.locator(".dock .ask").wait_for()
    entered = person.welcome()["table"]["components"]
    assert entered["chips"]["number"] == 12 and entered["rows"][4]["crowns"][0] == 4
    person.go("/rules/crowns?box").locator("[data-key=put-away]").click()
    person.go("/new/crowns")
    expect(page.locator(".house summary")).not_to_contain_text("My box")


def test_the_game_of_the_day_and_what_its_report_shows(visit: Visit) -> None:
    person = visit()
    page = person.page
    # the game of this day is one of those whose values are quick to build
    page.clock.set_fixed_time("2026-11-18T12:00:00")
    person.go("/").locator("[data-key=day]").click()
    page.wait_for_url("**/t/*")
    person.close_explanation()
    person.play()
    person.go("/")
    expect(page.locator(".day")).to_contain_text("of 100 typical games score less.")
    page.locator("[data-key=day]").click()
    expect(page.locator("h1")).to_contain_text("Luck was")
    page.get_by_role("button", name="What do these numbers mean?").click()
    expect(page.locator("table.sums tr.luck")).to_be_visible()
    person.check_access()
    page.keyboard.press("Escape")
    page.locator(".fair > summary").click()
    page.locator("[data-key=check]").click()
    expect(page.locator(".verdict.good")).to_contain_text("The dice are those of this day.")
    # the moment of the move that cost most, with the same number, and another try from there
    show = page.locator("[data-key^=show-]").first
    listed = show.locator("xpath=ancestor::*[self::li or self::article][1]").inner_text()
    show.click()
    expect(page.locator(".reel")).to_be_visible()
    expect(page.locator(".moment .bet")).to_be_visible()
    assert page.locator(".moment .dear").inner_text() in listed
    person.check_access()
    page.go_back()
    page.locator("[data-key=day]").click()
    page.locator(".move .link").nth(1).click()
    page.wait_for_url("**/t/*")
