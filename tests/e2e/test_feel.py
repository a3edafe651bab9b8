"""What people see and when, with a clock that the test turns: double taps, staging, taking back, the end."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page

from tests.e2e.browser import DESKTOP, NEXT_CLICK, PHONE, Person
from tests.e2e.conftest import Visit

#: after the first tap, in milliseconds
TAPS = (120, 250, 400)
SEEN = 600


def sit(
    visit: Visit, game: str, seats: tuple[str, ...], size: tuple[int, int] = PHONE, **options: Any
) -> Person:
    """Somebody without a name at a new table, where no time passes by itself."""
    person = visit(size=size, haste=False)
    page = person.go("/")
    page.clock.install(time="2026-01-01T12:00:00")
    # without a name
    wishes = [{"kind": "here"} if seat == "here" else {"kind": "computer", "level": seat} for seat in seats]
    person.set_table(game, options=options, seats=wishes)
    page.clock.pause_at("2026-01-01T13:00:00")
    return person


def sent(person: Person) -> list[str]:
    """The kinds of the events that have come, in order."""
    updates = [json.loads(frame) for frame in person.frames if '"type":"update"' in frame]
    entries = [step["entry"] for update in updates for step in update["steps"]]
    return ["/".join(sorted(one["body"])) if one["kind"] == "event" else one["kind"] for one in entries]


def events(person: Person) -> list[str]:
    return [kind for kind in sent(person) if "/" in kind]


def heard(person: Person, number: int) -> None:
    """Wait until this many events have come."""
    person.until(lambda: len(events(person)) >= number)


def press(person: Person) -> tuple[float, float]:
    """Press the big button, once it has been seen; where it was."""
    person.primary.wait_for()
    person.page.clock.run_for(SEEN + 10)
    (box,) = person.boxes(".bar [data-key=primary]")
    at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    person.page.mouse.click(*at)
    return at


def tap_again(person: Person, at: tuple[float, float], expected: int) -> None:
    """Tap at the same place some moments after the bar has changed: nothing happens."""
    heard(person, expected)
    person.page.locator(".bar [aria-busy=false]").wait_for(state="attached")
    passed = 0
    for moment in TAPS:
        person.page.clock.run_for(moment - passed)
        passed = moment
        person.page.mouse.click(*at)
    assert not person.page.locator(".bar [aria-busy=true]").count(), "nothing was sent"
    assert len(events(person)) == expected
    assert person.page.locator("dialog").count() == 0


def act(person: Person, wish: str) -> None:
    """Do the next thing, if there is one."""
    click = person.page.evaluate(NEXT_CLICK, ["Look at the game", [wish]])
    if isinstance(click, list):
        person.page.mouse.click(*click[1:])
        person.page.locator(".bar [aria-busy=false]").wait_for(state="attached")
    person.page.wait_for_timeout(20)


def touch(page: Page) -> None:
    page.locator(".touchable.possible").first.click()


def test_a_double_tap_confirms_nothing_that_was_not_seen(visit: Visit) -> None:
    crowns = sit(visit, "crowns", ("here", "here"))
    tap_again(crowns, press(crowns), 1)
    page = crowns.page
    # passing stands aside, and asks
    assert page.locator(".bar .main").inner_text() == "Choose first"
    page.locator(".bar .status [data-key=pass]").click()
    assert page.locator("[data-key=pass-anyway]").is_disabled()
    page.locator("[data-key=not-pass]").click()
    # a double tap chooses a field, and does not give it up again; a later touch does
    field = page.locator(".touchable.possible").first
    token = page.locator(f'[data-token="{field.get_attribute("data-token")}"]')
    token.dblclick()
    assert token.get_attribute("aria-pressed") == "true"
    page.clock.run_for(SEEN)
    token.click()
    assert token.get_attribute("aria-pressed") == "false"
    touch(page)
    tap_again(crowns, press(crowns), 2)
    # a second after it has been seen, it counts
    press(crowns)
    heard(crowns, 3)

    lines = sit(visit, "lines", ("here", "here"))
    number = len(events(lines))
    tap_again(lines, press(lines), number + 1)

    joker = sit(visit, "joker2", ("here", "here"))
    tap_again(joker, press(joker), 1)
    touch(joker.page)
    if joker.primary.is_disabled():
        joker.page.locator(".tokens .possible").first.click()
    tap_again(joker, press(joker), 2)


def shown(page: Page) -> str:
    """The seat whose board is in sight."""
    return page.locator(".place").get_attribute("data-seat") or ""


def test_a_phone_shows_the_move_of_a_computer_until_it_was_seen(visit: Visit) -> None:
    person = sit(visit, "crowns", ("here", "greedy"))
    page = person.page
    page.get_by_text("You", exact=True).first.wait_for()
    press(person)
    heard(person, 1)
    touch(page)
    # the dice that are used turn and lie back
    used = page.locator(".middle .die.used")
    assert used.count() >= 1
    token = page.locator(".touchable.chosen").get_attribute("data-token") or ""
    _, value, count = token.split(":")
    assert used.count() == int(count) and {one.get_attribute("data-face") for one in used.all()} == {value}
    press(person)
    heard(person, 2)

    # what we did can be taken back before anything else happens
    page.locator(".bar .scene-caption", has_text=f"You: {count}×{value}").wait_for()
    page.clock.run_for(1500)
    assert len(events(person)) == 2
    page.locator("[data-key=take-back]").click()
    page.locator(".touchable.possible").first.wait_for()
    assert sent(person)[-1] == "undo" and page.locator(".log s").count() == 1
    page.clock.run_for(20_000)
    assert len(events(person)) == 2

    touch(page)
    press(person)
    heard(person, 3)
    page.locator("[data-key=take-back]").wait_for()
    page.clock.run_for(2210)
    heard(person, 5)
    # the computer rolls and moves on its own board
    assert shown(page) == "1"
    assert not page.locator("[data-key=take-back]").is_visible()
    page.clock.run_for(910)
    page.locator(".bar .scene-caption", has_text="Computer: ").wait_for()
    assert shown(page) == "1" and page.locator(".place .fresh").count() >= 1
    page.clock.run_for(1380)
    assert shown(page) == "1" and page.locator("[data-key=skip]").is_visible()
    page.clock.run_for(30)
    page.locator(".place[data-seat='0']").wait_for()
    assert person.primary.inner_text() == "Roll" and page.locator(".log").inner_text().count("You roll")


def test_a_roll_that_loses_the_turn_says_why_before_the_next_one_rolls(visit: Visit) -> None:
    person = sit(visit, "fiese15", ("here", "greedy"))
    page = person.page
    lost = page.locator(".middle.lost")
    while not lost.count():
        page.clock.run_for(SEEN // 2)
        act(person, "next:roll")
    mine = len(events(person))
    reason = lost.locator(".happened").inner_text()
    assert "no die is valid" in reason and lost.locator("[data-face]").count() >= 1
    page.clock.run_for(1800)
    mine_lost = page.locator(".middle.lost", has_text=reason)
    assert mine_lost.is_visible()
    # a touch would skip it, and so does the time
    page.locator(".middle").click()
    # (the next player may lose a turn as well)
    mine_lost.wait_for(state="detached")
    assert len(events(person)) >= mine


def test_the_end_is_counted_and_the_boards_stay(visit: Visit) -> None:
    person = sit(visit, "joker1", ("here", "greedy"), DESKTOP, rounds=1)
    page = person.page
    counted = page.get_by_text("now it is counted")
    while not counted.count():
        page.clock.run_for(SEEN // 2)
        act(person, "next:stop")
    assert person.scores() == [0, 0] and page.locator(".tray").is_visible()
    page.clock.run_for(10_000)
    page.locator(".ending.done").wait_for()
    assert person.scores() == person.server.record(person.table)["scores"]
    assert page.locator(".tray").is_visible() and page.locator(".place").count() == 2
    # whoever comes back sees the same
    page.reload()
    page.locator(".ending.done").wait_for()
    page.locator(".tray").wait_for()
    assert person.scores() == person.server.record(person.table)["scores"]


def test_with_others_a_move_is_taken_back_when_all_agree(visit: Visit) -> None:
    host, guest = visit(), visit()
    host.set_table("crowns", ("here", "link"))
    link = host.page.locator(".notice input").first.input_value()
    guest.go(link)
    guest.page.locator("[data-key=sit-name]").fill("Ben")
    guest.page.locator("[data-key=sit]").click()
    for _ in range(3):
        host.step()
    host.page.locator("[data-key=take-back]").click()
    guest.page.locator("[data-key=refuse-undo]").click()
    host.page.get_by_text("The last move stands.").first.wait_for()
    host.page.locator("[data-key=take-back]").click()
    guest.page.locator("[data-key=agree-to-undo]").click()
    host.page.locator(".touchable.possible").first.wait_for()
    guest.page.locator(".log s").wait_for()


def test_six_short_names_stay_apart_on_a_phone_and_sounds_have_a_switch(visit: Visit) -> None:
    person = sit(visit, "crowns", ("here", *["greedy"] * 5))
    page = person.page
    names = page.locator(".seat .who")
    assert names.all_inner_texts() == ["You", "C2", "C3", "C4", "C5", "C6"]
    assert all(name.evaluate("one => one.scrollWidth <= one.clientWidth") for name in names.all())
    switch = page.locator("[data-key=sound]")
    assert switch.get_attribute("aria-pressed") == "true"
    switch.click()
    assert switch.get_attribute("aria-pressed") == "false"
    page.locator("[data-key=settings]").click()
    page.locator("label:has(input[value=quick])").click()
    assert json.loads(page.evaluate("localStorage['pasch.settings']"))["pace"] == "quick"


def test_a_double_tap_on_the_menu_leaves_it_open(visit: Visit) -> None:
    person = visit()
    person.set_table("joker1", ("here", "here"))
    person.page.locator("[data-key=menu]").dblclick()
    assert person.page.locator("dialog[open]").count() == 1
    # a tap beside it closes it, once it has been seen
    opened = person.page.evaluate("performance.now()")
    person.page.wait_for_function("opened => performance.now() > opened + 600", arg=opened)
    person.page.mouse.click(5, 5)
    person.page.locator("dialog").wait_for(state="detached")
