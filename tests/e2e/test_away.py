"""Somebody goes away: everybody sees it, the computer stands in, and on return it is shown what it did."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.e2e.browser import PHONE, Server, served
from tests.e2e.conftest import Visit
from tests.e2e.test_online import invited


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with served(tmp_path_factory.mktemp("away"), (2.0, 6.0)) as server:
        yield server


def test_who_is_away_is_stood_in_for_and_sees_it_on_return(visit: Visit) -> None:
    host, guest = visit(), visit(size=PHONE, breaks=True)
    host.set_table("joker1", ("here", "link"), {"rounds": 3})
    invited(host, guest)
    # the host's turn, then it is the guest's
    while "Bert" not in host.page.locator(".bar .status").inner_text():
        host.step(("next:stop",))
    link = guest.page.url
    guest.page.goto("about:blank")
    page = host.page
    page.get_by_role("heading", name="Bert is away").wait_for()
    lend = page.locator("[data-key=away] [data-key=lend-1]")
    assert lend.is_disabled() and page.get_by_text("This is possible after a minute.").is_visible()
    assert page.locator(".bar .status > span").first.inner_text() == "Bert is away."
    host.check_reachable()
    # after a while it is possible; the level is the one that was agreed
    page.locator("[data-key=lend-1]:enabled").wait_for()
    assert lend.inner_text() == "Let the computer play (Strong)"
    host.check_access()
    page.locator("[data-key=menu]").click()
    assert page.get_by_role("dialog").locator("[data-key=lend-1]").is_enabled()
    page.keyboard.press("Escape")
    lend.click()
    page.locator("[data-key=away]").wait_for(state="detached")
    page.get_by_text("Bert is away. The computer (Strong) plays on.").first.wait_for()
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
    assert back.locator(".log .tag", has_text="by the computer").count() == int(made[1])
    guest.check_access()
    back.locator("[data-key=take-back-1]").click()
    banner.wait_for(state="detached")
    assert back.locator(".log .tag", has_text="by the computer").count() == int(made[1])


def test_a_card_about_the_stand_in_can_be_closed(visit: Visit) -> None:
    person = visit()
    person.set_table("joker1", ("here", "greedy"))
    person.page.locator("[data-key=menu]").click()
    person.page.get_by_role("dialog").get_by_role("button", name="Let the computer play").click()
    card = person.page.locator("[data-key=stand-in-0]")
    card.wait_for()
    card.locator("[data-key=seen-0]").click()
    card.wait_for(state="detached")


def test_all_have_to_agree_to_the_end_unless_they_are_gone(visit: Visit) -> None:
    host, guest = visit(), visit(breaks=True)
    host.set_table("joker1", ("here", "link"), {"rounds": 3})
    invited(host, guest)

    def ask() -> None:
        guest.page.locator("[data-key=menu]").click()
        dialog = guest.page.get_by_role("dialog")
        dialog.get_by_role("button", name="End the game now").click()
        dialog.get_by_role("button", name="End it").click()

    ask()
    host.page.locator("[data-key=asked-to-end]").wait_for()
    guest.page.locator("[data-key=menu]").click()
    dialog = guest.page.get_by_role("dialog")
    dialog.get_by_text("Still to agree: Anna0").wait_for()
    guest.check_access()
    dialog.get_by_role("button", name="Go on playing").click()
    host.page.locator("[data-key=asked-to-end]").wait_for(state="detached")
    ask()
    host.page.locator("[data-key=agree-to-end]").click()
    for person in (host, guest):
        person.page.get_by_text("The game was ended early").first.wait_for()


def test_older_lines_are_fetched_when_somebody_wants_to_see_them(visit: Visit) -> None:
    person = visit()
    events = []
    for _ in range(60):
        for seat in (0, 1):
            events += [
                {"seat": seat, "roll": [1, 2, 4]},
                {"seat": seat, "push": [[1], [2], [4]]},
                {"seat": seat, "next": "stop"},
            ]
    wish = {
        "game": "joker1",
        "seats": [{"kind": "here"}, {"kind": "here"}],
        "options": {"rounds": 100},
        "events": events,
    }
    made = person.server.ask("/api/tables", wish)
    person.page.goto(f"/t/{made['id']}#watch={made['watch']}")
    lines, earlier = person.page.locator(".log li"), person.page.locator("[data-key=earlier]")
    earlier.wait_for()
    assert lines.count() == 41
    for count in (81, 121, 161, 201, 241, 281, 321):
        earlier.click()
        person.page.wait_for_function("n => document.querySelectorAll('.log li').length === n", arg=count)
    earlier.click()
    # all of them; the rest was not in the welcome
    earlier.wait_for(state="detached")
    assert lines.count() == len(events)
    asked = [frame for frame in person.frames if frame.startswith('{"type":"entries"')]
    assert 1 <= len(asked) <= 4
