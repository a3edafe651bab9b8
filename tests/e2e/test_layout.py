"""Everything is in reach: docked hands, low screens, the first page, themes, and what is read off a real table."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from pasch import find_game
from pasch.core.chance import seed_key
from pasch.players.arena import play_game
from pasch.players.base import player
from tests.e2e.browser import DESKTOP, PHONE, Person
from tests.e2e.conftest import Visit

exhaustive = pytest.mark.exhaustive

#: a phone on its side, and a laptop's screen at 200 %
LOW = ((667, 375), (640, 400))
#: less than this nobody hits with a finger, in pixels
FINGER = 40


def check_in_sight(person: Person, selector: str, size: tuple[int, int]) -> None:
    """All of them are on the screen, large enough, and nothing lies over them."""
    for box in person.boxes(selector):
        assert box["bare"] and box["y"] >= 0 and box["y"] + box["height"] <= size[1], (selector, size, box)
        assert box["x"] >= 0 and box["x"] + box["width"] <= size[0], (selector, size, box)
        assert min(box["width"], box["height"]) >= FINGER, (selector, size, box)


def to_choice(person: Person) -> None:
    """Play until something on the board can be touched."""
    while not person.page.locator(".touchable.possible").count():
        person.step()


@pytest.mark.parametrize("players", [pytest.param(2, marks=exhaustive), 6])
def test_the_hand_is_docked_at_every_size_and_number_of_players(players: int, visit: Visit) -> None:
    person = visit()
    person.set_table("sixbysix", ("here", *("greedy",) * (players - 1)))
    to_choice(person)
    # the explanation makes room at the first touch; until then the hand is in sight already
    for size in (PHONE, DESKTOP):
        person.resize(size)
        check_in_sight(person, ".dock .touchable", size)
    person.page.locator(".dock .touchable").first.click()
    person.page.locator("[data-key=undo]").click()
    for size in (PHONE, DESKTOP, *LOW):
        person.resize(size)
        person.check_reachable()
        # the cards, the fields that they may go to, and the button, all at once
        for selector in (".dock .touchable", ".plan .touchable", ".bar [data-key=primary]"):
            check_in_sight(person, selector, size)
    card, field = (
        person.page.locator(".dock .touchable").first,
        person.page.locator(".plan .touchable").last,
    )
    card.click()
    field.click()
    person.primary.click()
    expect(person.page.locator(".dock .hand")).to_be_visible()


@pytest.mark.parametrize(
    "game",
    [
        "crowns",
        *(pytest.param(game, marks=exhaustive) for game in ("joker1", "joker2", "lines", "fiese15")),
    ],
)
def test_on_a_low_screen_the_controls_stand_beside_dice_and_board(game: str, visit: Visit) -> None:
    person = visit(size=LOW[0])
    person.set_table(game, ("here", "greedy"))
    to_choice(person)
    for size in LOW:
        person.resize(size)
        person.check_reachable()
        bar, *_ = person.boxes(".bar")
        assert bar["height"] >= size[1] - 1 and bar["x"] > size[0] / 2
        assert all(box["x"] + box["width"] <= bar["x"] for box in person.boxes(".boards .touchable"))
        check_in_sight(person, ".boards .touchable", size)
        for die in person.boxes(".boards .die[data-face]"):
            assert die["y"] >= 0 and die["y"] + die["height"] <= size[1], (size, die)
        check_in_sight(person, ".bar .main > *", size)


@pytest.mark.parametrize(
    ("game", "players"),
    [
        ("lines", 4),
        ("crowns", 6),
        *(pytest.param(game, 2, marks=exhaustive) for game in ("joker1", "joker2")),
    ],
)
def test_what_is_touched_is_as_large_as_a_fingertip(game: str, players: int, visit: Visit) -> None:
    person = visit()
    person.set_table(game, ("here", *("greedy",) * (players - 1)))
    to_choice(person)
    for size in (DESKTOP, PHONE):
        person.resize(size)
        for box in person.boxes(".boards .touchable"):
            assert min(box["width"], box["height"]) >= FINGER, (size, box)
    small, *_ = person.boxes(".boards .touchable")
    # a board grows with the screen, also when the window does
    person.resize((430, 932))
    large, *_ = person.boxes(".boards .touchable")
    assert large["width"] > small["width"]


# --- the end ---------------------------------------------------------------------------------------


def finished(person: Person, game: str, players: int, options: dict[str, Any]) -> str:
    """A table where a whole game has been played, by somebody without a name and computers."""
    match = play_game(find_game(game).agree(players, options), [player("greedy")] * players, seed_key(game))
    seats: list[Any] = [{"kind": "here"}, *["greedy"] * (players - 1)]
    return person.set_table(game, seats, options, events=[event.json() for event in match.events])


#: of every line of the result: the name, what the score is made of and the total do not lie over each other
STANDINGS = """
() => [...document.querySelectorAll(".standings li")].map((line) => {
  const edge = line.getBoundingClientRect();
  const all = [...line.children].map((one) => one.getBoundingClientRect()).filter(({ width }) => width);
  const before = (a, b) => a.right <= b.left + 1 || a.bottom <= b.top + 1;
  const apart = all.every((a, n) => all.slice(n + 1).every((b) => before(a, b) || before(b, a)));
  return apart && all.every(({ left, right }) => left >= edge.left && right <= edge.right);
})
"""
#: texts that are cut off
CUT = """
(selector) => [...document.querySelectorAll(selector)]
  .filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 2)
  .map((one) => one.textContent)
"""


def test_the_end_can_be_read_on_every_screen_and_the_replay_keeps_the_board(visit: Visit) -> None:
    person = visit()
    page = person.page
    table = finished(person, "joker2", 6, {"rounds": 5})
    page.locator(".ending.done").wait_for()
    for size in (PHONE, *LOW, DESKTOP):
        person.resize(size)
        assert page.evaluate(STANDINGS) == [True] * 6, size
        assert page.evaluate(CUT, ".seat .who, .standings .who") == [], size
    for size in (PHONE, *LOW):
        person.resize(size)
        check_in_sight(person, ".brand, #tools > :not([hidden]), [data-key=settings]", size)
    person.resize(PHONE)
    assert page.evaluate(CUT, ".brand span:not(.unseen)") == []
    # the menu leads to the games, and the list of the first page says "You"
    page.locator("[data-key=menu]").click()
    page.locator("[data-key=to-games]").click()
    page.wait_for_url("**/")
    expect(page.locator(".begun li")).to_contain_text("You, C2, ")
    assert page.locator("dialog").count() == 0
    page.goto(f"/report/{table}")
    expect(page.locator(".replay .tray")).to_be_visible()
    expect(page.get_by_role("button", name="Check the dice")).to_be_visible()
    # where no dice are rolled, none are spoken of
    table = finished(person, "sixbysix", 2, {"round_limit": 1})
    page.goto(f"/report/{table}")
    expect(page.get_by_role("button", name="Check the cards")).to_be_visible()
    assert "dice" not in page.locator(".fair h2, .fair > p").all_inner_texts()[0]


# --- the first page -------------------------------------------------------------------------------


def test_play_now_begins_the_last_game_with_the_same_opponents(visit: Visit) -> None:
    person = visit(size=PHONE)
    page = person.go("/")
    # somebody who has played nothing yet gets a game against one computer
    check_in_sight(person, "[data-key=play-now]", PHONE)
    page.locator("[data-key=play-now]").click()
    page.wait_for_url("**/t/*")
    page.locator(".bar .main > *").first.wait_for()
    assert page.locator(".seat").count() == 2
    person.set_table("lines", ("here", "greedy", "random"))
    first = person.table
    page = person.go("/")
    assert "Anna0" in page.locator("#play-what").inner_text()
    page.locator("[data-key=play-now]").click()
    page.wait_for_function(
        "first => location.pathname.startsWith('/t/') && !location.pathname.endsWith(first)", arg=first
    )
    page.locator(".bar .main > *").first.wait_for()
    assert page.locator(".seat").count() == 3
    # what was begun stands above the games
    person.go("/")
    begun, *_ = person.boxes(".begun a.button")
    game, *_ = person.boxes(".game")
    assert begun["y"] < game["y"]


def test_the_first_page_uses_a_large_screen_and_its_links_are_large(visit: Visit) -> None:
    person = visit(size=(1920, 1080))
    person.go("/")
    games = person.boxes(".game")
    assert max(box["y"] + box["height"] for box in games) > 800
    right = max(box["x"] + box["width"] for box in games)
    assert right - min(box["x"] for box in games) > 1500
    # nothing is empty beside what is offered first
    hero, *_ = person.boxes(".hero")
    assert hero["x"] + hero["width"] >= right - 1
    for size in (PHONE, DESKTOP, (1920, 1080)):
        person.resize(size)
        person.check_reachable()
        for box in person.boxes(".game .rules, .top select, .top button"):
            assert box["height"] >= FINGER, box


def test_the_theme_is_the_systems_until_somebody_chooses(visit: Visit) -> None:
    person = visit()
    page = person.go("/")
    background = "getComputedStyle(document.body).backgroundColor"
    page.emulate_media(color_scheme="light")
    light = page.evaluate(background)
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(background)
    assert light != dark
    page.locator("[data-key=theme]").click()
    assert page.evaluate(background) == light
    page.reload()
    page.locator("main h1").wait_for()
    assert page.evaluate(background) == light
    page.locator("[data-key=settings]").click()
    page.locator("label", has_text="Dark").click()
    page.emulate_media(color_scheme="light")
    assert page.evaluate(background) == dark


# --- the board of Crowns --------------------------------------------------------------------------


def test_crowns_lies_as_it_is_printed_and_says_what_its_lines_score(visit: Visit) -> None:
    person = visit(size=PHONE)
    person.set_table("crowns", ("here",))
    person.primary.click()
    page = person.page
    page.locator("[data-token='field:6:6']").wait_for()
    places = {}
    for name in ("6:1", "1:1", "6:6", "1:6"):
        places[name], *_ = person.boxes(f"[data-token='field:{name}']")
    assert places["6:1"]["y"] == places["6:6"]["y"] < places["1:1"]["y"], "the sixes are on top"
    assert places["1:1"]["x"] < places["1:6"]["x"] == places["6:6"]["x"]
    totals = page.locator(".line-total")
    said = [one.get_attribute("aria-label") for one in totals.all()]
    assert len(said) == 12 and "row of 5: 20 crowns" in said and "diagonal 1×1 to 5×5: 12 crowns" in said
    assert totals.first.locator("text").text_content() == "3→"
    assert page.locator(".crown-field", has_text="°").count() == 24, "fields whose crowns are reconstructed"
    expect(page.get_by_text("° our best guess")).to_be_visible()
    assert all(
        box["height"] >= 14 and 0 <= box["x"] <= PHONE[0] - box["width"]
        for box in person.boxes(".line-total")
    )


# --- the rules, names and toasts ------------------------------------------------------------------


def test_the_rules_begin_with_their_contents(visit: Visit) -> None:
    person = visit(size=PHONE)
    page = person.go("/rules/crowns")
    links = page.locator(".contents a")
    assert links.count() == page.locator(".prose h2").count() > 4
    links.last.click()
    page.wait_for_function("() => scrollY > 500")
    heading, *_ = person.boxes("#box")
    assert 0 <= heading["y"] < PHONE[1]
    # the page was not drawn again
    assert page.url.endswith("#box")
    page.locator(".box-form summary").click()
    page.locator("[data-place='rows[4].crowns[0]']").fill("9")
    expect(page.locator(".box-form [role=status]")).to_contain_text("Row of 5: 27 crowns")


def test_a_name_that_is_too_long_says_so_and_toasts_cover_no_button(visit: Visit) -> None:
    person = visit(size=PHONE, haste=False)
    page = person.go("/new/lines")
    page.locator("[data-key^=name-]").fill("x" * 25)
    expect(page.get_by_text("A name has at most 24 characters.")).to_be_visible()
    page.locator("[data-key=play]").click()
    assert page.url.endswith("/new/lines")
    page.locator("[data-key^=name-]").fill("x" * 24)
    page.locator("[data-key=add-link]").click()
    page.locator("[data-key=stand-in]").select_option("easy")
    page.clock.install(time="2026-01-01T12:00:00")
    page.locator("[data-key=play]").click()
    page.get_by_role("button", name="Copy").first.wait_for()
    # it stays until it has been measured
    page.clock.pause_at("2026-01-01T13:00:00")
    page.get_by_role("button", name="Copy").first.click()
    page.locator(".toast").wait_for()
    toast, *_ = person.boxes(".toast")
    bar, *_ = person.boxes(".bar")
    assert toast["y"] + toast["height"] <= bar["y"]
    assert '"stand_in":"easy"' in person.frames[0]


# --- real dice and cards --------------------------------------------------------------------------


def test_a_real_roll_of_six_takes_seven_touches_and_one_more_for_a_misread_die(visit: Visit) -> None:
    person = visit(size=PHONE)
    person.set_table("crowns", ("here",), {"round_limit": 1}, dice="real")
    touches = 0

    def touch(key: str) -> None:
        nonlocal touches
        person.page.locator(f"[data-key={key}]").click()
        touches += 1

    check_in_sight(person, ".matrix button", PHONE)
    # in any order, and the keyboard fills what is missing
    for die, face in ((5, 6), (0, 1), (1, 2), (2, 3)):
        touch(f"face-{die}-{face}")
    for key in "55":
        person.page.keyboard.press(key)
        touches += 1
    expect(person.primary).to_be_enabled()
    person.check_access()
    touch("face-4-4")  # it was misread
    touch("primary")
    person.page.locator(".touchable.possible").first.wait_for()
    assert touches == 6 + 1 + 1
    person.play()
    assert sorted(person.server.record(person.table)["events"][0]["roll"]) == [1, 2, 3, 4, 5, 6]


def test_real_cards_are_entered_hand_by_hand_behind_the_cover(visit: Visit) -> None:
    person = visit(size=PHONE)
    page = person.page
    person.set_table("sixbysix", ("here", "here"), {"round_limit": 1}, dice="real")

    def enter(name: str, *cards: int) -> None:
        expect(page.locator(".reader")).to_have_count(0)
        page.get_by_role("button", name=f"It’s me, {name}").click()
        assert f"card of {name}" in page.locator(".reader").inner_text()
        for card in cards:
            page.locator(f".faces.next [data-value='{card}']").click()
        person.primary.click()

    enter("Anna0", 9, 8)
    # nothing is left of the first hand when the second person looks
    assert not page.locator(".bar .part.read").count()
    enter("Anna1", 3, 3)
    page.get_by_role("button", name="It’s me, Anna0").click()
    held = [one.get_attribute("data-token") for one in page.locator(".dock .touchable").all()]
    assert held == ["card:8", "card:9"]
    # nobody else has seen it
    told = [frame for frame in person.frames if '"deal"' in frame]
    assert told and not any('"deal":[[8,9],[3,3]]' in frame for frame in told)
