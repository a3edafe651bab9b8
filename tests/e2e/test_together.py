"""Several people, each at a browser: links, reactions, an early end, playing again, and who is away or cut off."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import expect

from tests.e2e.browser import PHONE, Person
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

    def act() -> bool:
        for one in playing[:]:
            if one.can_act() and not one.step():
                playing.remove(one)
        return not playing

    people[0].until(act)


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


#: notes every reaction that is shown, for those who look only later
NOTED = """
window.shown = [];
new MutationObserver(() => {
  for (const one of document.querySelectorAll("[data-reaction]")) {
    shown.push(`${one.closest("[data-key]").getAttribute("data-key")} ${one.getAttribute("data-reaction")}`);
  }
}).observe(document, { childList: true, subtree: true });
"""


def test_friends_react_end_early_and_play_again(visit: Visit) -> None:
    host, guest, watcher = visit(), visit(size=PHONE), visit()
    for person in (host, guest):
        person.page.add_init_script(NOTED)
    host.set_table("joker1", ("here", "link"), {"rounds": 2})
    invited(host, guest)
    watcher_of(host, watcher)
    expect(host.page).to_have_title("● Your turn · Würfel Joker 1 · Pasch")
    expect(guest.page).to_have_title("Anna0’s turn · Würfel Joker 1 · Pasch")

    # reactions: seen by who plays, until they do not want to see any
    expect(watcher.page.locator("[data-key=react]")).to_be_hidden()
    host.page.locator("[data-key=react]").click()
    host.page.locator("[data-key=show-reactions]").uncheck()
    host.page.locator("[data-key=react-luck]").click()
    guest.page.wait_for_function("() => shown.includes('seat-0 luck')")
    guest.page.locator("[data-key=react]").click()
    guest.check_access()
    guest.resize(PHONE)
    guest.check_reachable()
    guest.page.locator("[data-key=react-bravo]").click()
    guest.page.wait_for_function("() => shown.includes('seat-1 bravo')")
    # the host, who has muted them, has received it and shows only their own
    host.until(lambda: any('"reacted"' in frame and '"bravo"' in frame for frame in host.frames))
    host.drawn()
    assert not host.page.evaluate("shown.includes('seat-1 bravo')")

    # an early end: everybody sees how it would be decided before they agree
    guest.page.locator("[data-key=menu]").click()
    dialog = guest.page.get_by_role("dialog")
    dialog.get_by_role("button", name="End the game now").click()
    dialog.locator(".standing").wait_for()
    guest.check_reachable()
    dialog.get_by_role("button", name="End it").click()
    expect(host.page.locator("[data-key=asked-to-end] [data-key=verdict]")).to_contain_text("would win")
    host.check_access()
    host.page.locator("[data-key=agree-to-end]").click()
    for person in (host, guest, watcher):
        person.page.get_by_text("The game was ended early.").first.wait_for()

    # all agree to another game
    old = host.table
    expect(watcher.page.locator("[data-key=again]")).to_have_count(0)
    host.page.locator("[data-key=again]").click()
    agree = guest.page.locator("[data-key=agree-again]")
    agree.wait_for()
    guest.check_access()
    agree.click()
    for person in (host, guest, watcher):
        person.page.wait_for_url(lambda url: "/t/" in url and old not in url)
        person.page.locator(".dock .ask").wait_for()
    assert host.table == guest.table == watcher.table
    expect(guest.page.locator(".pad.tall .nm")).to_have_text(["Anna0", "Bert"])


def test_who_comes_back_reads_what_has_happened(visit: Visit) -> None:
    host, guest = visit(), visit(size=PHONE, breaks=True)
    host.set_table("joker1", ("here", "link"), {"rounds": 3})
    invited(host, guest)
    table = guest.page.url
    guest.page.get_by_role("link", name="to the games").click()
    guest.page.wait_for_url("**/")
    host.play_until("Bert")
    # it was longer ago than a test can wait
    guest.page.wait_for_function(
        """id => {
          const all = JSON.parse(localStorage.getItem("pasch.tables"));
          if (!all[id].left) return false;
          all[id].left.at -= 60_000;
          localStorage.setItem("pasch.tables", JSON.stringify(all));
          return true;
        }""",
        arg=urlsplit(table).path.rpartition("/")[2],
    )
    guest.page.goto(table)
    card = guest.page.locator("[data-key=missed]")
    card.get_by_role("heading", name="While you were away").wait_for()
    assert 1 <= card.locator("li").count() <= 5
    guest.check_reachable()
    guest.check_access()
    card.locator("[data-key=missed-seen]").click()
    card.wait_for(state="detached")
    # a moment is no absence
    guest.page.reload()
    guest.next_click()
    assert card.count() == 0


#: a browser that notifies and shares, and says what it was asked for
SYSTEM = """
window.notices = [];
class Notice { constructor(title, how) { window.notices.push(`${title} ${how.body}`); } close() {} }
Notice.permission = "default";
Notice.requestPermission = async () => (Notice.permission = "granted");
window.Notification = Notice;
navigator.share = async ({ url }) => { window.notices.push(url); };
"""


def test_an_invitation_works_for_others_and_who_looks_elsewhere_is_notified(visit: Visit) -> None:
    host, guest = visit(), visit()
    host.page.add_init_script(SYSTEM)
    page = host.page
    host.set_table("joker1", ("here", "link"))
    page.locator("[data-key=only-here]").get_by_text("These links work on this computer only.").wait_for()
    assert page.locator("[data-key=qr]").count() == 0
    # the same at a server that listens for others
    reached = "http://192.168.7.9:8615"
    page.route("**/api/addresses", lambda route: route.fulfill(json={"addresses": [reached], "open": None}))
    page.reload()
    page.locator("[data-key=reached]").wait_for()
    link = page.get_by_label("Link for seat 2")
    assert link.input_value().startswith(f"{reached}/t/{host.table}#invite=")
    page.get_by_role("img", name="QR code for seat 2").wait_for()
    page.get_by_role("button", name="Send").first.click()
    page.wait_for_function("() => notices.length === 1")
    assert page.evaluate("notices")[0] == link.input_value()
    host.check_access()
    # notifications: only when the person wants them
    page.locator("[data-key=notify]").check()
    page.wait_for_function("() => Notification.permission === 'granted'")
    guest.page.goto(link.input_value().replace(reached, host.server.address))
    guest.page.locator("[data-key=sit-name]").fill("Bert")
    guest.page.locator("[data-key=sit]").click()
    host.play_until("Bert")
    page.evaluate("Object.defineProperty(document, 'hidden', { value: true })")
    # until then the guest's page may still show the turn of the host
    guest.next_click()
    guest.play_until("Anna0 is playing …")
    page.wait_for_function("() => notices.length === 2")
    assert page.evaluate("notices")[1] == "It is your turn Würfel Joker 1"


def test_the_computer_stands_in_for_who_is_away_and_shows_it_on_return(visit: Visit) -> None:
    host, guest = visit(), visit(size=PHONE)
    host.set_table("joker1", ("here", "link"), {"rounds": 3})
    invited(host, guest)
    # the host's turn, then it is the guest's
    host.play_until("Bert")
    link = guest.page.url
    guest.page.goto("about:blank")
    page = host.page
    page.get_by_role("heading", name="Bert is away").wait_for()
    # the level is the one set for the table
    lend = page.locator("[data-key=away] [data-key=lend-1]")
    expect(lend).to_have_text("Let the computer play (Strong)")
    expect(page.locator(".dock .ask")).to_have_text("Bert is away.")
    host.check_reachable()
    host.check_access()
    lend.click()
    page.locator("[data-key=away]").wait_for(state="detached")
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
    expect(back.locator(".log .tag", has_text="by the computer")).to_have_count(int(made[1]))
    guest.check_access()
    back.locator("[data-key=take-back-1]").click()
    banner.wait_for(state="detached")


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
