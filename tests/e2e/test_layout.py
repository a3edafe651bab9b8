"""Everything is in reach at every size, nothing jumps, and what lies on a real table is read off with few touches."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from pasch.core.registry import game_ids
from pasch.core.texts import languages
from tests.e2e.browser import DESKTOP, PHONE, Person
from tests.e2e.conftest import Visit

exhaustive = pytest.mark.exhaustive

#: small phone, phone, tablet upright, phone on its side, laptop
SIZES = (PHONE, (390, 844), (768, 1024), (844, 390), DESKTOP)
LARGE_TEXT_SIZES = (DESKTOP, (768, 1024), PHONE)
#: the smallest touch target in pixels; fields and slides of a small phone stand close together
FINGER = 44
CLOSE = {"crowns": 30, "joker2": 30, "joker1": 30, "lines": 34, "sixbysix": 30, "fiese15": 40}
#: game, players
TABLES: tuple[Any, ...] = (
    ("joker2", 2),
    ("crowns", 2),
    ("lines", 4),
    *(pytest.param(game, 2, marks=exhaustive) for game in ("joker1", "lines", "fiese15", "sixbysix")),
    pytest.param("crowns", 6, marks=exhaustive),
    pytest.param("sixbysix", 6, marks=exhaustive),
)

NAME = "Bartholomäus-Maximilian"
#: whether no name lies over the score beside it; some are for screen readers only
SEPARATE = """() => [...document.querySelectorAll(".seat")].every((seat) => {
  const [a, b] = [".name", ".score"].map((one) => seat.querySelector(one)?.getBoundingClientRect());
  return !a || !b || a.width <= 1 || a.right <= b.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
})"""
#: what is wider than its place, or reaches beyond the screen
CLIPPED = """() => {
  const found = [];
  const texts = "button, .button, select, summary, legend, h1, h2, h3, label, .seat, .lid .meta span, .dock *";
  for (const element of document.querySelectorAll(texts)) {
    if (!element.checkVisibility() || element.closest(".scroll, .unseen, .skip, svg")) continue;
    if (!element.textContent.trim()) continue;
    const { left, right, width } = element.getBoundingClientRect();
    const wide = element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1;
    if (width > 0 && (wide || left < -1 || right > window.innerWidth + 1)) {
      found.push(`${element.tagName}.${element.className}: ${element.textContent.trim().slice(0, 60)}`);
    }
  }
  if (document.documentElement.scrollWidth > window.innerWidth) found.push(`the page itself, ${location.pathname}`);
  return found;
}"""


def check_in_sight(
    person: Person, selector: str, size: tuple[int, int], least: float
) -> list[dict[str, Any]]:
    """All of them are on the screen, large enough, and nothing lies over them."""
    boxes = person.boxes(selector)
    for box in boxes:
        assert box["bare"] and box["y"] >= 0 and box["y"] + box["height"] <= size[1], (selector, size, box)
        assert box["x"] >= 0 and box["x"] + box["width"] <= size[0], (selector, size, box)
        assert min(box["width"], box["height"]) >= least, (selector, size, box)
    return boxes


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_table_fits_every_screen_with_large_text_and_forced_colours_and_nothing_jumps(
    game: str, players: int, visit: Visit
) -> None:
    person = visit(size=PHONE)
    person.set_table(game, ({"kind": "here", "name": NAME}, *("greedy",) * (players - 1)))
    page = person.page
    # the first turn, while the game is still explained
    # in 6mal6 cards can be touched at once, and nothing lies over them
    expect(page.locator(".howto")).to_be_visible(visible=game != "sixbysix")
    for size in SIZES:
        person.resize(size)
        person.check_reachable()
        check_in_sight(person, ".dock [data-key=primary]", size, FINGER)
    person.to_choice()
    places: dict[tuple[int, int], Any] = {}
    for touched in (False, True):
        if touched:
            person.resize(DESKTOP)
            page.locator(".play .can >> visible=true").first.click()
            page.locator(".play .picked").first.wait_for()
        for size in SIZES:
            person.resize(size)
            person.check_reachable()
            assert page.evaluate(SEPARATE), size
            # what was touched may have been all that can be
            if not touched or page.locator(".play .can").count():
                check_in_sight(person, ".play .can", size, CLOSE[game])
            (primary,) = check_in_sight(person, ".dock [data-key=primary]", size, FINGER)
            board, *_ = person.boxes(".play .board > *, .play .place.large")
            found = [round(value) for value in (board["x"], board["y"], primary["y"], primary["height"])]
            assert places.setdefault(size, found) == found, (size, "something jumps")
        if not touched:
            page.emulate_media(forced_colors="active")
            person.check_reachable()
            person.resize(PHONE)
            small, *_ = person.boxes(".play .can")
            person.resize((430, 932))
            large, *_ = person.boxes(".play .can")
            assert large["width"] >= small["width"], "a larger screen shows more"
            ring = "getComputedStyle(document.querySelector('.play .can'), '::after').borderStyle"
            assert page.evaluate(ring) != "none" or game not in ("crowns", "joker1")
            page.emulate_media(forced_colors="none")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    for size in LARGE_TEXT_SIZES:
        person.resize(size)
        person.check_reachable()
        person.primary.scroll_into_view_if_needed()
        expect(person.primary).to_be_visible()


@pytest.mark.parametrize("games", [("crowns", "lines"), pytest.param(tuple(CLOSE), marks=exhaustive)])
def test_pages_with_text_twice_as_large_do_not_overflow_sideways(
    games: tuple[str, ...], visit: Visit
) -> None:
    person = visit()
    page = person.page
    person.set_table("joker2", ("here",), {"rounds": 1})
    person.play()
    report = f"/report/{person.table}"
    boxes = [f"/rules/{game}?box" for game in games]
    for path in ("/", "/new/crowns", "/rules/crowns", *boxes, report, f"{report}?at=2", "/progress"):
        person.go(path)
        page.locator(".lanes, .reel" if "report" in path else "main h1").first.wait_for(state="attached")
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        for size in LARGE_TEXT_SIZES:
            person.resize(size)
            person.check_reachable()


def test_crowns_lies_as_it_is_printed_and_all_boards_are_seen_at_a_glance_on_a_phone(visit: Visit) -> None:
    person = visit(size=PHONE)
    person.set_table("crowns", ("here", *("greedy",) * 5))
    person.to_choice()
    page = person.page
    places = {}
    for name in ("6:1", "1:1", "6:6", "1:6"):
        places[name], *_ = person.boxes(f"[data-token='field:{name}']")
    assert places["6:1"]["y"] == places["6:6"]["y"] < places["1:1"]["y"], "the sixes are on top"
    assert places["1:1"]["x"] < places["1:6"]["x"] == places["6:6"]["x"]
    # fields whose crowns are reconstructed
    expect(page.locator(".place .fd .guess")).to_have_count(24)
    page.locator("[data-key=all-boards]").click()
    expect(page.locator(".overview .mini-b")).to_have_count(6)
    check_in_sight(person, ".overview .seat, .dock [data-key=primary]", PHONE, FINGER)
    person.check_access()
    person.resize(PHONE)
    page.locator(".overview .seat").nth(2).click()
    expect(page.locator(".place.large")).to_have_attribute("data-seat", "2")
    page.locator(".dock [data-key=primary]").click()
    expect(page.locator(".place.large")).to_have_attribute("data-seat", "0")


def test_the_theme_is_the_systems_until_the_person_chooses_and_axe_finds_nothing(visit: Visit) -> None:
    person = visit()
    person.go("/rules/nothing")
    person.check_access()
    person.problems.clear()  # the browser says that it was not found
    page = person.go("/")
    person.check_access()
    ink = "getComputedStyle(document.body).color"
    page.emulate_media(color_scheme="light")
    light = page.evaluate(ink)
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(ink)
    assert light != dark
    page.locator("[data-key=settings]").first.click()
    person.check_access()
    page.locator("label", has_text="Light").click()
    expect(page.locator("body")).to_have_css("color", light)
    page.reload()
    expect(page.locator("body")).to_have_css("color", light)


@pytest.mark.parametrize(
    ("language", "games"),
    # German has the longest words
    [
        ("de", ("crowns", "joker2")),
        *(pytest.param(tag, game_ids(), marks=exhaustive) for tag in languages()),
    ],
)
def test_every_text_fits_its_place_on_a_small_phone(
    language: str, games: tuple[str, ...], visit: Visit
) -> None:
    person = visit(language=language, size=PHONE)
    page = person.go("/")
    assert page.locator("html").get_attribute("lang") == language
    clipped = {"/": page.evaluate(CLIPPED)}
    page.locator("[data-key=settings]").click()
    page.locator("dialog").wait_for()
    clipped["settings"] = page.evaluate(CLIPPED)
    for game in games:
        for kind in ("new", "rules", "learn"):
            person.go(f"/{kind}/{game}")
            if kind == "new":
                person.open_folds()
            clipped[f"{kind} {game}"] = page.evaluate(CLIPPED)
        person.set_table(game, ("here", "greedy"))
        clipped[f"table {game}"] = page.evaluate(CLIPPED)
        page.locator("[data-key=menu]").click()
        page.locator("dialog").wait_for()
        clipped[f"menu {game}"] = page.evaluate(CLIPPED)
    assert {place: texts for place, texts in clipped.items() if texts} == {}


# --- real dice and cards --------------------------------------------------------------------------


def test_a_real_roll_of_six_takes_seven_touches_and_one_more_for_a_misread_die(visit: Visit) -> None:
    person = visit(size=PHONE)
    person.set_table("crowns", ("here",), {"round_limit": 1}, dice="real")
    page = person.page
    slots = page.locator(".dock .slots > *")
    expect(slots).to_have_count(6)
    check_in_sight(person, ".dock .faces [data-value]", PHONE, 39)
    # as fast as one can
    for face in (6, 1, 2):
        page.locator(f".dock .faces [data-value='{face}']").click()
    # the keyboard fills what is missing
    for key in "355":
        page.keyboard.press(key)
    expect(page.locator(".slots .read")).to_have_count(6)
    person.check_access()
    person.resize(PHONE)
    # the last but one was misread: its slot is touched, and filled again
    slots.nth(4).click()
    expect(page.locator(".slots .read")).to_have_count(5)
    page.locator(".dock .faces [data-value='4']").click()
    expect(page.locator(".slots .read")).to_have_count(6)
    person.primary.click()
    page.locator(".play .can").first.wait_for()
    person.play()
    assert sorted(person.server.record(person.table)["events"][0]["roll"]) == [1, 2, 3, 4, 5, 6]


def test_real_cards_are_entered_hand_by_hand_behind_the_cover(visit: Visit) -> None:
    person = visit(size=PHONE)
    page = person.page
    person.set_table("sixbysix", ("here", "here"), {"round_limit": 1}, dice="real")

    def enter(name: str, *cards: int) -> None:
        expect(page.locator(".dock .faces, .hand [data-token]")).to_have_count(0)
        page.get_by_role("button", name=f"It’s me, {name}").click()
        expect(page.locator(".dock .slots .read")).to_have_count(0)
        for number, card in enumerate(cards, 1):
            page.locator(f".dock .faces [data-value='{card}']").click()
            expect(page.locator(".slots .read")).to_have_count(number)
        person.primary.click()

    enter("Anna0", 9, 8)
    # nothing is left of the first hand when the second person looks
    enter("Anna1", 3, 3)
    page.get_by_role("button", name="It’s me, Anna0").click()
    page.locator(".hand .can").first.wait_for()
    held = [one.get_attribute("data-token") for one in page.locator(".hand .touchable").all()]
    assert held == ["card:8", "card:9"]
