"""The ways to play: hands, keys, real dice, languages, screens large and small."""

from __future__ import annotations

import json
import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Response, Route, expect

from pasch.core.languages import languages
from tests.e2e.browser import DESKTOP, PHONE, Person
from tests.e2e.conftest import Visit

GAMES = ("crowns", "joker1", "lines", "fiese15", "sixbysix")
#: everything that is sent for the first page, in bytes: less than half of what may be
MOST_SENT = 75 * 1024


def test_three_clicks_lead_to_the_first_roll_against_a_computer(visit: Visit) -> None:
    person = visit()
    person.go("/").locator("[data-game=joker1] h2 a").click()
    person.page.locator("[data-key=play]").click()
    person.page.get_by_role("button", name="Roll", exact=True).click()
    person.page.locator(".touchable.possible").first.wait_for()
    seats = person.welcome()["table"]["seats"]
    assert [(seat["kind"], seat["level"]) for seat in seats] == [("here", None), ("computer", "medium")]


def test_a_game_is_explained_once_and_whenever_somebody_asks(visit: Visit) -> None:
    person = visit(size=PHONE)
    page = person.page
    card = page.locator(".howto")
    person.set_table("lines", ("here",))
    expect(card).to_have_attribute("open", "")
    person.step()
    # one line is left of it, and can be unfolded again
    expect(card).not_to_have_attribute("open", "")
    (folded,) = person.boxes(".howto")
    assert 40 <= folded["height"] <= 48
    card.locator("summary").click()
    card.locator("[data-key=understood]").click()
    expect(card).to_have_count(0)
    person.set_table("lines", ("here",))
    expect(card).to_have_count(0)
    page.locator("[data-key=howto]").click()
    assert page.get_by_role("dialog").locator("li").count() > 2


def test_the_first_page_is_small_and_asks_nobody_else(visit: Visit) -> None:
    person = visit(size=PHONE, language="de")
    answers: dict[str, Response] = {}
    person.page.on("response", lambda answer: answers.update({answer.url: answer}))
    person.go("/")
    person.page.wait_for_load_state("networkidle")
    sent = {url: answer.request.sizes()["responseBodySize"] for url, answer in answers.items()}
    assert len(sent) > 5
    assert sum(sent.values()) < MOST_SENT, sent
    # Person.leave fails if anything else was asked for, or if the browser complained


def test_unfinished_games_are_continued_and_finished_ones_looked_at(visit: Visit) -> None:
    person = visit()
    person.set_table("joker1", ("here",), {"rounds": 1})
    table = person.table
    person.step()
    person.go("/").get_by_role("link", name="Go on").click()
    person.play()
    person.go("/").get_by_role("link", name="Look at it").click()
    person.page.wait_for_url(f"**/report/{table}")
    person.page.get_by_role("heading", name="The game again").wait_for()


def test_round_one_screen_a_hand_is_hidden_until_its_owner_says_so(visit: Visit) -> None:
    person = visit()
    person.set_table("sixbysix", ("here", "here"), {"round_limit": 1})
    for name in ("Anna0", "Anna1"):
        me = person.page.get_by_role("button", name=f"It’s me, {name}")
        me.wait_for()
        assert person.page.get_by_text(f"Hand the screen to {name}").is_visible()
        assert person.page.locator('.dock [data-token^="card:"]').count() == 0
        me.click()
        assert person.page.locator('.dock [data-token^="card:"]').count() > 0
        while person.next_click() != "over" and not person.page.locator(".cover").count():
            person.step()
    person.play()


def test_touching_what_is_not_possible_says_why_and_a_touch_can_be_undone(visit: Visit) -> None:
    person = visit()
    person.set_table("fiese15")
    dimmed, possible, chosen = (
        person.page.locator(f".touchable.{how}") for how in ("dimmed", "possible", "chosen")
    )
    while person.next_click(()) and (chosen.count() or not dimmed.count() or not possible.count()):
        person.step(())
    dimmed.first.click()
    assert person.page.locator(".bar [role=alert]").inner_text()
    possible.first.click()
    assert chosen.count() > 0
    person.page.locator("[data-key=undo]").click()
    assert chosen.count() == 0


# --- keys -----------------------------------------------------------------------------------------


def tab_to(person: Person, selector: str) -> None:
    """Go to something as one does without a mouse."""
    for _ in range(80):
        if person.page.evaluate("wanted => document.activeElement?.matches(wanted)", selector):
            return
        person.page.keyboard.press("Tab")
    raise AssertionError(f"{selector} cannot be reached with the Tab key")


def test_a_whole_game_from_the_first_page_on_with_the_keyboard_alone(visit: Visit) -> None:
    person = visit()
    keyboard = person.go("/").keyboard
    tab_to(person, '[data-key="lines"]')
    keyboard.press("Enter")
    person.page.wait_for_url("**/new/lines")
    person.page.locator("[data-key=play]").wait_for()
    tab_to(person, "[data-key^=remove]:nth-of-type(1):not([disabled])")
    tab_to(person, "input[name=target]")
    keyboard.type("1")
    keyboard.press("Enter")
    person.page.wait_for_url("**/t/*")
    while (click := person.next_click()) != "over":
        if "data-token" in click:
            keyboard.press("ArrowDown")
            tab_to(person, ".touchable.possible")
            keyboard.press("Enter")
            person.page.locator(".touchable.chosen").first.wait_for()
        else:
            keyboard.press("r" if person.primary.inner_text() == "Roll" else "c")
            person.page.wait_for_function("() => document.querySelector('.bar [aria-busy=false]')")
    keyboard.press("c")
    person.page.get_by_role("heading", name="The game again").wait_for()


# --- languages ------------------------------------------------------------------------------------


def test_a_german_browser_gets_everything_in_german_and_can_switch(visit: Visit) -> None:
    person = visit(language="de")
    page = person.go("/")
    german = person.server.ask("/i18n/de.json")["templates"]
    assert page.locator("h1").inner_text() == german["What shall we play?"]
    assert page.locator("html").get_attribute("lang") == "de"
    choice = page.locator("[data-key=language] option")
    assert "Deutsch" in choice.all_inner_texts() and choice.count() == len(languages())
    page.locator("[data-game=fiese15] .rules").click()
    page.get_by_role("heading", name="Optionen").wait_for()
    page.locator("[data-key=settings]").click()
    page.locator("label", has_text="English").click()
    page.get_by_role("heading", name="Options", exact=True).wait_for(state="attached")
    page.reload()
    page.get_by_role("heading", name="Options", exact=True).wait_for()


def test_a_game_in_german(visit: Visit) -> None:
    person = visit(language="de", size=PHONE)
    person.set_table("joker1", ("here",), {"rounds": 1})
    person.play(over="Das Spiel ansehen")
    english = re.compile(r"\b(the|your|roll|stop|points|turn|wins)\b", re.IGNORECASE)
    assert not english.findall(person.page.locator("body").inner_text())


# --- screens --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game", ["joker2", *(pytest.param(game, marks=pytest.mark.exhaustive) for game in GAMES)]
)
def test_a_table_fits_every_screen_and_its_button_is_in_sight(game: str, visit: Visit) -> None:
    person = visit(size=PHONE)
    person.go(f"/new/{game}")
    in_sight(person, "[data-key=play]")
    person.set_table(game, ("here", "here"))
    for _ in range(4):
        person.next_click()
        in_sight(person, ".bar .main > :last-child")
        person.step()


def in_sight(person: Person, selector: str) -> None:
    """On a small screen and on a large one."""
    for width, height in (DESKTOP, PHONE):
        person.resize((width, height))
        person.check_reachable()
        box, *_ = person.boxes(selector)
        assert box["x"] >= 0 and box["x"] + box["width"] <= width, (selector, box)
        assert box["y"] >= 0 and box["y"] + box["height"] <= height, (selector, box)
        assert box["height"] >= 44, (selector, box)


def test_nothing_moves_for_those_who_do_not_want_it(visit: Visit) -> None:
    still, lively = visit(still=True), visit(still=False)
    moving: list[bool] = []
    for person in (still, lively):
        person.set_table("joker1", ("here",), {"rounds": 1})
        person.primary.click()
        person.page.locator(".touchable.possible").first.wait_for()
        names = "[...document.querySelectorAll('*')].map(one => getComputedStyle(one).animationName)"
        moving.append(any(name != "none" for name in person.page.evaluate(names)))
    assert moving == [False, True]
    lively.play()


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

    for pattern in ("**/app/main.js", "**/app/i18n.js", "**/pages/rules.js", "**/i18n/*.json*", "**/api/*"):
        person.page.route(pattern, refuse)
    person.page.goto("/rules/crowns")
    person.page.get_by_role("heading", name="Crowns").first.wait_for()
    assert len(refused) == 5, refused
    # browsers complain of every refusal
    assert all("429" in problem or "Failed to fetch" in problem for problem in person.problems)
    person.problems.clear()


# --- the table of combinations ----------------------------------------------------------------------


def test_the_combinations_can_be_read_at_any_time_on_a_phone(visit: Visit) -> None:
    person = visit(size=PHONE)
    person.set_table("joker1", ("here",))
    for _ in range(4):
        expect(person.page.locator(".combinations tr")).to_have_count(9)
        box, *_ = person.boxes(".combinations")
        assert box["x"] >= 0 and box["x"] + box["width"] <= PHONE[0]
        person.step()
    # a large screen shows them without scrolling
    person.resize(DESKTOP)
    person.next_click()
    (box,), (bar,) = person.boxes(".combinations"), person.boxes(".bar")
    assert box["y"] + box["height"] <= bar["y"]


def test_combinations_of_ones_own_box_are_corrected_added_and_removed(visit: Visit) -> None:
    person = visit(size=PHONE)
    page = person.go("/rules/joker1")
    form = page.locator(".box-form")
    form.locator("summary").first.click()
    rows = form.locator("fieldset.thing")
    expect(rows).to_have_count(9)
    form.get_by_role("button", name="Remove Parade").click()
    expect(rows).to_have_count(8)
    form.get_by_role("button", name="Add Combinations").click()
    expect(rows).to_have_count(9)
    new = rows.last
    new.get_by_role("textbox").fill("my own")
    new.get_by_role("button", name="Slides: one less").click()
    new = rows.last
    new.get_by_role("spinbutton", name="Value").fill("11")
    expect(form.get_by_role("status")).to_have_text("You can play with this box.")
    form.get_by_role("button", name="Save on this device").click()
    # the server has looked at it once more before it is saved
    found = page.wait_for_function(
        "() => Object.values({...localStorage}).find((one) => one.includes('my own'))"
    )
    saved = found.json_value()
    box = json.loads(saved)
    assert "Parade" not in saved and "my own" in json.dumps(box)
    person.check_reachable()
