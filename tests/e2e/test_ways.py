"""The ways to play: from the first page on, with keys, in another language, on a busy server."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import Response, Route, expect

from tests.e2e.browser import PHONE, Person
from tests.e2e.conftest import Visit

#: everything that is sent for the first page, in bytes
MAX_SENT = 100 * 1024


def test_a_game_is_explained_once_and_on_request(visit: Visit) -> None:
    person = visit(size=PHONE)
    page, card = person.page, person.page.locator(".howto")
    person.set_table("lines", ("here",))
    expect(card).to_be_visible()
    person.step()
    expect(card).to_be_hidden()
    person.set_table("lines", ("here",))
    expect(card).to_have_count(0)
    page.locator("[data-key=howto]").click()
    expect(page.get_by_role("dialog").locator("li").nth(2)).to_be_visible()


def test_the_first_page_is_small_and_asks_nobody_else(visit: Visit) -> None:
    person = visit(size=PHONE, language="de")
    answers: dict[str, Response] = {}
    person.page.on("response", lambda answer: answers.update({answer.url: answer}))
    person.go("/")
    person.page.wait_for_load_state("networkidle")
    sent = {url: answer.request.sizes()["responseBodySize"] for url, answer in answers.items()}
    assert len(sent) > 5
    assert sum(sent.values()) < MAX_SENT, sent
    # Person.leave fails if anything else was asked for, or if the browser complained


# --- keys -----------------------------------------------------------------------------------------


def tab_to(person: Person, selector: str) -> None:
    """Go to something as one does without a mouse."""
    for _ in range(80):
        if person.page.evaluate("wanted => document.activeElement?.matches(wanted)", selector):
            return
        person.page.keyboard.press("Tab")
    raise AssertionError(f"{selector} cannot be reached with the Tab key")


def test_from_the_first_page_to_the_second_number_covered_with_the_keyboard_alone(visit: Visit) -> None:
    person = visit()
    keyboard = person.go("/").keyboard
    for selector in ('[data-key="lines"]', "[data-key=play]"):
        person.page.locator(selector).wait_for()
        tab_to(person, selector)
        keyboard.press("Enter")
    person.next_click()
    # a round of bad dice may end with one number covered, but not a whole game
    while person.page.locator(".play .pc").count() < 2:
        click = person.next_click()
        assert click != "over"
        if "data-token" in click:
            keyboard.press("ArrowDown")
            tab_to(person, ".touchable.can")
            keyboard.press("Enter")
        else:
            keyboard.press("r" if person.primary.inner_text().startswith("Roll") else "c")
        person.drawn()


# --- languages ------------------------------------------------------------------------------------


def test_a_german_browser_gets_everything_in_german_and_can_switch(visit: Visit) -> None:
    person = visit(language="de", size=PHONE)
    page = person.go("/rules/fiese15")
    assert page.locator("html").get_attribute("lang") == "de"
    page.get_by_role("heading", name="Optionen").wait_for()
    person.set_table("joker1", ("here",), {"rounds": 1})
    person.play(over="Das Spiel ansehen")
    english = re.compile(r"\b(the|your|roll|stop|points|turn|wins)\b", re.IGNORECASE)
    assert not english.findall(page.locator("body").inner_text())
    page.locator("[data-key=menu]").click()
    page.locator("dialog [data-key=settings]").click()
    page.locator("dialog label", has_text="English").click()
    expect(person.primary).to_have_text("Look at the game")


# --- what else must hold -----------------------------------------------------------------------------


def test_what_a_busy_server_refuses_at_first_is_asked_for_again(visit: Visit) -> None:
    person = visit()
    refused: list[str] = []

    def refuse(route: Route) -> None:
        path = urlsplit(route.request.url).path
        if path in refused:
            route.continue_()
        else:
            refused.append(path)
            route.fulfill(
                status=429, headers={"Retry-After": "1"}, json={"type": "refused", "code": "too-fast"}
            )

    modules = ("app/main.js", "app/i18n.js", "pages/rules.js", "crowns/board.js*")
    for pattern in (*modules, "i18n/*.json*", "api/games*"):
        person.page.route(f"**/{pattern}", refuse)
    person.page.goto("/rules/crowns")
    person.page.get_by_role("heading", name="Crowns").first.wait_for()
    person.set_table("crowns")
    assert person.step() and len(refused) == 6, refused
    # browsers complain of every refusal
    assert all("429" in problem or "Failed to fetch" in problem for problem in person.problems)
    person.problems.clear()
