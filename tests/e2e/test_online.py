"""Several people at one table, each at a browser of their own, or one person at two windows."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import expect

from tests.e2e.browser import Person
from tests.e2e.conftest import Visit


def invited(host: Person, guest: Person, name: str = "Bert") -> str:
    """The guest opens the link that the host sees, and sits down; the link."""
    link = host.page.get_by_label("Link for seat 2").input_value()
    guest.page.goto(link)
    guest.page.locator("[data-key=sit-name]").fill(name)
    guest.page.locator("[data-key=sit]").click()
    guest.page.locator("[data-key=sit-name]").wait_for(state="detached")
    host.page.get_by_role("heading", name="Waiting for others").wait_for(state="detached")
    return link


def watcher_of(host: Person, watcher: Person) -> None:
    """Somebody opens the host's link to watch."""
    host.page.locator("[data-key=menu]").click()
    link = host.page.get_by_role("dialog").get_by_label("Link to watch").input_value()
    host.page.keyboard.press("Escape")
    watcher.page.goto(link)
    watcher.page.get_by_text("You are watching").wait_for()


def in_turn(*people: Person) -> None:
    """All make their moves, until the game is over for everybody."""
    playing = list(people)
    able: list[Person] = []

    def found() -> bool:
        # checked only once: a moment later the page may show something else
        able[:] = [one for one in playing if one.can_act()]
        return bool(able)

    while playing:
        people[0].until(found)
        if not able[0].step():
            playing.remove(able[0])


def entries_of(person: Person) -> dict[int, Any]:
    """Every log entry that a person received, by version; asserts that repeated ones are equal."""
    entries: dict[int, Any] = {}
    for frame in person.frames:
        message = json.loads(frame)
        for entry in (*message.get("entries", ()), *[step["entry"] for step in message.get("steps", ())]):
            assert entries.setdefault(entry["version"], entry) == entry
    return entries


def test_two_play_by_a_link_that_works_once_and_see_the_same_as_a_third_who_watches(visit: Visit) -> None:
    host, guest, watcher = visit(), visit(), visit()
    host.set_table("joker1", ("here", "link"), {"rounds": 2})
    link = invited(host, guest)
    watcher.page.goto(link)
    watcher.page.get_by_role("heading", name="This table is closed to you").wait_for()
    watcher_of(host, watcher)
    in_turn(host, guest)
    watcher.next_click()
    for person in (host, guest, watcher):
        record = person.check_result()
        assert person.page.locator(".pad.tall .nm").all_text_contents() == ["Anna0", "Bert"]
        events = [entry["body"] for entry in entries_of(person).values() if entry["kind"] == "event"]
        assert events == record["events"]
    assert entries_of(host) == entries_of(guest) == entries_of(watcher)
    assert host.boards() == guest.boards() == watcher.boards()


def test_after_a_reload_in_mid_turn_and_in_a_second_window_everything_is_as_it_was(visit: Visit) -> None:
    person = visit()
    page = person.page
    person.set_table("joker2", ("here",), {"rounds": 1})
    person.to_choice()
    # a touch is not sent yet; what was rolled stays
    boards, scores = person.boards(), person.scores()
    page.locator(".touchable.can").first.click()
    page.locator(".touchable.picked").first.wait_for()
    page.reload()
    page.locator(".touchable.can").first.wait_for()
    expect(page.locator(".touchable.picked")).to_have_count(0)
    other = person.second_window()
    other.page.goto(f"/t/{person.table}")
    other.next_click()
    assert (person.boards(), person.scores()) == (boards, scores) == (other.boards(), other.scores())
    for one in (other, person):
        one.play()
        one.check_result()
