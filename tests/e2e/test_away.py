"""A player goes away: all see it, the computer stands in, and on return its moves are shown; a server goes, too."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.browser import PHONE, Server
from tests.e2e.conftest import Visit
from tests.e2e.test_online import invited


def test_the_computer_stands_in_for_who_is_away_also_after_a_power_cut_and_shows_it_on_return(
    visit: Visit, mortal: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, guest = visit(at=mortal, breaks=True), visit(at=mortal, size=PHONE, breaks=True)
    host.set_table("joker1", ("here", "link"), {"rounds": 3})
    invited(host, guest)
    # the host's turn, then it is the guest's
    host.play_until("Bert")
    link = guest.page.url
    guest.page.goto("about:blank")
    page = host.page
    page.get_by_role("heading", name="Bert is away").wait_for()
    lend = page.locator("[data-key=away] [data-key=lend-1]")
    assert lend.is_disabled() and page.get_by_text("This is possible after a minute.").is_visible()
    assert page.locator(".dock .ask").inner_text() == "Bert is away."
    host.check_reachable()
    # the server is killed and started again; then the minute has passed
    boards, scores = host.boards(), host.scores()
    mortal.kill()
    page.get_by_text("No connection").wait_for()
    monkeypatch.setattr(mortal, "lend_after", 0)
    mortal.start()
    page.get_by_text("No connection").wait_for(state="detached")
    page.locator("[data-key=lend-1]:enabled").wait_for()
    assert (host.boards(), host.scores()) == (boards, scores)
    # the level is the one set for the table
    assert lend.inner_text() == "Let the computer play (Strong)"
    host.check_access()
    page.locator("[data-key=menu]").click()
    expect(page.get_by_role("dialog").locator("[data-key=lend-1]")).to_be_enabled()
    page.keyboard.press("Escape")
    lend.click()
    page.locator("[data-key=away]").wait_for(state="detached")
    page.get_by_text("Bert is away. The computer (Strong) plays on.").first.wait_for(state="attached")
    # it plays its turn, and the host's comes
    host.next_click()
    back = guest.page
    back.goto(link)
    banner = back.locator("[data-key=stand-in-1]")
    banner.wait_for()
    made = re.search(
        r"While you were away, the computer \(Strong\) made (\d+) moves? for you", banner.inner_text()
    )
    assert made is not None
    guest.check_reachable()
    marked = back.locator(".log .tag", has_text="by the computer")
    expect(marked).to_have_count(int(made[1]))
    guest.check_access()
    back.locator("[data-key=take-back-1]").click()
    banner.wait_for(state="detached")
    expect(marked).to_have_count(int(made[1]))


def test_a_card_about_the_stand_in_can_be_closed_and_older_lines_are_loaded_on_demand(visit: Visit) -> None:
    person = visit()
    turn = ({"roll": [1, 2, 4]}, {"push": [[1], [2], [4]]}, {"next": "stop"})
    events = [{"seat": seat, **event} for _ in range(60) for seat in (0, 1) for event in turn]
    person.set_table("joker1", ("here", "greedy"), {"rounds": 61}, events=events)
    lines, earlier = person.page.locator(".log li"), person.page.locator("[data-key=earlier]")
    earlier.wait_for()
    assert lines.count() == 40
    while earlier.count():
        shown = lines.count()
        earlier.click()
        lines.nth(shown).wait_for(state="attached")
    # all of them; the rest was not in the welcome
    assert lines.count() >= len(events)
    asked = [frame for frame in person.frames if frame.startswith('{"type":"entries"')]
    assert 1 <= len(asked) <= 4
    person.page.locator("[data-key=menu]").click()
    person.page.get_by_role("dialog").get_by_role("button", name="Let the computer play").click()
    card = person.page.locator("[data-key=stand-in-0]")
    card.locator("[data-key=seen-0]").click()
    card.wait_for(state="detached")
