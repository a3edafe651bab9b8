"""Several people at one table, each at a browser of their own."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.e2e.browser import Person, served
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
    while playing:
        person = next((one for one in playing if one.can_act()), None)
        if person is None:
            playing[0].page.wait_for_timeout(20)
        elif not person.step():
            playing.remove(person)


def told(person: Person) -> dict[int, Any]:
    """Every entry of the log that a person was told, by its number; never differently."""
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
        assert person.page.locator(".seat .who").all_inner_texts() == ["Anna0", "Bert"]
        events = [entry["body"] for entry in told(person).values() if entry["kind"] == "event"]
        assert events == record["events"]
    assert told(host) == told(guest) == told(watcher)
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
    while not person.page.locator(".touchable.possible").count():
        person.step()
    # a touch is not sent yet; what was rolled stays
    person.page.locator(".touchable.possible").first.click()
    boards, score = person.boards(), person.scores()
    person.page.reload()
    person.page.locator(".touchable.possible").first.wait_for()
    assert person.page.locator(".touchable.chosen").count() == 0
    person.page.locator(".touchable.possible").first.click()
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


def test_a_server_killed_in_mid_game_goes_on_where_it_was(
    visit: Visit, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with served(tmp_path_factory.mktemp("killed")) as server:
        host, guest = visit(at=server, breaks=True), visit(at=server, breaks=True)
        host.set_table("joker2", ("here", "link"), {"rounds": 1})
        invited(host, guest)
        for _ in range(3):
            host.step()
        boards, scores = host.boards(), host.scores()
        server.kill()
        for person in (host, guest):
            person.page.get_by_text("No connection").wait_for()
        server.start()
        for person in (host, guest):
            person.page.get_by_text("No connection").wait_for(state="detached")
        assert (host.boards(), host.scores()) == (boards, scores)
        in_turn(host, guest)
        record = server.record(host.table)
        assert told(host) == told(guest)
        assert host.scores() == guest.scores() == record["scores"]


# --- hidden hands ---------------------------------------------------------------------------------


def read_cards(person: Person, *cards: int) -> None:
    """Tap the cards that lie on the real table, hand by hand."""
    for card in cards:
        if person.primary.is_enabled():
            person.primary.click()
        person.page.locator(f".faces.next [data-value='{card}']").click()
    person.primary.click()
    person.page.locator(".reader").wait_for(state="detached")


def lay(person: Person, card: int, field: int) -> None:
    for token in (f"card:{card}", f"field:{field}"):
        person.page.locator(f'[data-token="{token}"].possible').first.click()
    person.primary.click()


def heard(visit: Visit, dealt: tuple[int, int], drawn: tuple[int, int]) -> tuple[list[str], list[str]]:
    """All that reaches seat 0 and a spectator while seat 1 has and draws these cards and lays a 9."""
    host, guest, watcher = visit(), visit(), visit()
    host.set_table("sixbysix", ("here", "link"), dice="real")
    invited(host, guest)
    watcher_of(host, watcher)
    read_cards(host, 3, 8, *dealt)
    lay(host, 3, 1)
    read_cards(host, 5, 6)
    lay(guest, 9, 6)
    read_cards(guest, *drawn)
    lay(guest, 9, 5)
    read_cards(guest, 1, 2)
    host.page.locator('[data-token="card:5"].possible').wait_for()
    watcher.page.locator(".seat.turn", has_text="Anna0").wait_for()
    return alike(host), alike(watcher)


def alike(person: Person) -> list[str]:
    """What was heard, less the names by chance of a table and its commands, and the time."""
    uuid = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    pattern = re.compile(rf'{re.escape(person.table)}|{uuid}|(?<="made":)[0-9]+')
    # signs of life come by the clock, and are all alike
    frames = [frame for frame in person.frames if frame != '{"type":"pong"}']
    return [pattern.sub("?", frame) for frame in frames]


def test_not_one_byte_that_reaches_a_seat_depends_on_anothers_hand(visit: Visit) -> None:
    first = heard(visit, (7, 9), (4, 9))
    second = heard(visit, (2, 9), (8, 9))
    assert [len(frames) for frames in first] == [len(frames) for frames in second]
    assert first == second
    # and yet it was told what everybody saw
    assert any('"card":9' in frame for frame in first[0])
    assert any('"card":9' in frame for frame in first[1])
