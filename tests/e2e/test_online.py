"""Several people at one table, each at a browser of their own."""

from __future__ import annotations

import json
from typing import Any

from tests.e2e.browser import Person, Server
from tests.e2e.conftest import Visit


def invited(host: Person, guest: Person, name: str = "Bert") -> None:
    """The guest opens the link that the host sees, and sits down."""
    link = host.page.get_by_label("Link for seat 2").input_value()
    guest.page.goto(link)
    guest.page.locator("[data-key=sit-name]").fill(name)
    guest.page.locator("[data-key=sit]").click()
    guest.page.locator("[data-key=sit-name]").wait_for(state="detached")
    host.page.get_by_role("heading", name="Waiting for others").wait_for(state="detached")


def watcher_of(host: Person, watcher: Person) -> None:
    """Somebody opens the host's link to watch."""
    host.page.locator("[data-key=menu]").click()
    link = host.page.get_by_role("dialog").get_by_label("Link to watch").input_value()
    host.page.keyboard.press("Escape")
    watcher.page.goto(link)
    watcher.page.get_by_text("You are watching").wait_for()


def in_turn(*people: Person) -> None:
    """Whoever can do something does it, until the game is over for all."""
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


def test_two_play_by_a_link_and_see_the_same_and_a_third_watches(visit: Visit) -> None:
    host, guest, watcher = visit(), visit(), visit()
    host.set_table("joker1", ("here", "link"), {"rounds": 2})
    invited(host, guest)
    watcher_of(host, watcher)
    in_turn(host, guest)
    watcher.next_click()
    record = host.server.record(host.table)
    for person in (host, guest, watcher):
        assert person.scores() == record["scores"]
        assert person.page.locator(".pad.tall .nm").all_text_contents() == ["Anna0", "Bert"]
        events = [entry["body"] for entry in entries_of(person).values() if entry["kind"] == "event"]
        assert events == record["events"]
    assert entries_of(host) == entries_of(guest) == entries_of(watcher)
    assert host.boards() == guest.boards() == watcher.boards()


def test_an_invitation_works_once(visit: Visit) -> None:
    host, guest, late = visit(), visit(), visit()
    host.set_table("joker1", ("here", "link"))
    link = host.page.get_by_label("Link for seat 2").input_value()
    invited(host, guest)
    late.page.goto(link)
    late.page.get_by_role("heading", name="This table is closed to you").wait_for()


def test_after_a_reload_in_mid_turn_everything_is_as_it_was(visit: Visit) -> None:
    person = visit()
    person.set_table("fiese15", ("here", "here"))
    while not person.page.locator(".touchable.can").count():
        person.step()
    # a touch is not sent yet; what was rolled stays
    person.page.locator(".touchable.can").first.click()
    boards, score = person.boards(), person.scores()
    person.page.reload()
    person.page.locator(".touchable.can").first.wait_for()
    assert person.page.locator(".touchable.picked").count() == 0
    person.page.locator(".touchable.can").first.click()
    assert (person.boards(), person.scores()) == (boards, score)


def test_a_second_window_shows_the_same_seat(visit: Visit) -> None:
    person = visit()
    person.set_table("joker2", ("here",), {"rounds": 1})
    person.step()
    other = person.second_window()
    other.page.goto(f"/t/{person.table}")
    other.next_click()
    assert other.boards() == person.boards()
    other.play()
    person.play()
    assert other.scores() == person.scores() == person.server.record(person.table)["scores"]


def test_a_server_killed_in_mid_game_goes_on_where_it_was(visit: Visit, mortal: Server) -> None:
    host, guest = visit(at=mortal, breaks=True), visit(at=mortal, breaks=True)
    host.set_table("joker2", ("here", "link"), {"rounds": 1})
    invited(host, guest)
    for _ in range(3):
        host.step()
    boards, scores = host.boards(), host.scores()
    mortal.kill()
    for person in (host, guest):
        person.page.get_by_text("No connection").wait_for()
    mortal.start()
    for person in (host, guest):
        person.page.get_by_text("No connection").wait_for(state="detached")
    assert (host.boards(), host.scores()) == (boards, scores)
    in_turn(host, guest)
    record = mortal.record(host.table)
    assert entries_of(host) == entries_of(guest)
    assert host.scores() == guest.scores() == record["scores"]
