"""Beside the game: playing again, reactions, an early end, invitations, and who looks elsewhere or is cut off."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import expect

from tests.e2e.browser import PHONE, Person
from tests.e2e.conftest import Visit
from tests.e2e.test_online import invited, watcher_of

#: notes every reaction that is shown, for those who look only later, and what is said of an early end
NOTED = """
window.shown = [];
window.verdicts = [];
new MutationObserver(() => {
  verdicts.push(document.querySelector("[data-key=verdict]")?.textContent ?? "");
  for (const one of document.querySelectorAll("[data-reaction]")) {
    shown.push(`${one.closest("[data-key]").getAttribute("data-key")} ${one.getAttribute("data-reaction")}`);
  }
}).observe(document, { childList: true, subtree: true });
"""


def end_early(person: Person) -> None:
    """Ask for the end of the game, having seen how it would be decided."""
    person.page.locator("[data-key=menu]").click()
    person.page.get_by_role("dialog").get_by_role("button", name="End the game now").click()
    dialog = person.page.get_by_role("dialog")
    dialog.locator(".standing").wait_for()
    person.check_reachable()
    dialog.get_by_role("button", name="End it").click()


def moved_on(person: Person, old: str) -> str:
    """Wait until the next table is shown."""
    person.page.wait_for_function("old => !location.pathname.endsWith(old)", arg=old)
    person.page.locator(".dock .ask").wait_for()
    return person.table


def test_friends_react_end_early_and_play_again_and_the_old_link_leads_there(visit: Visit) -> None:
    host, guest, watcher = visit(), visit(size=PHONE), visit()
    for person in (host, guest):
        person.page.add_init_script(NOTED)
    host.set_table("joker1", ("here", "link"), {"rounds": 2})
    link = invited(host, guest)
    watcher_of(host, watcher)
    expect(host.page).to_have_title("● Your turn · Würfel Joker 1 · Pasch")
    for person in (guest, watcher):
        expect(person.page).to_have_title("Anna0’s turn · Würfel Joker 1 · Pasch")

    # reactions: seen by who plays, until they do not want to see any
    assert watcher.page.locator("[data-key=react]").is_hidden()
    host.page.locator("[data-key=react]").click()
    host.page.locator("[data-key=show-reactions]").uncheck()
    host.page.locator("[data-key=react-luck]").click()
    guest.page.wait_for_function("() => shown.includes('seat-0 luck')")
    guest.page.locator("[data-key=react]").click()
    guest.check_reachable()
    guest.check_access()
    guest.resize(PHONE)
    guest.page.locator("[data-key=react-bravo]").click()
    guest.page.wait_for_function("() => shown.includes('seat-1 bravo')")
    # the host, who has muted them, has received it and shows only their own
    host.page.locator("[data-key=react]").click()
    host.page.locator("[data-key=react-laugh]").click()
    host.page.wait_for_function("() => shown.includes('seat-0 laugh')")
    assert any('"reacted"' in frame and '"bravo"' in frame for frame in host.frames)
    assert not host.page.evaluate("shown.includes('seat-1 bravo')")
    assert not any('"reacted"' in frame for frame in watcher.frames)

    # an early end: everybody sees how it would be decided before they agree
    end_early(guest)
    card = host.page.locator("[data-key=asked-to-end]")
    card.locator(".standing").wait_for()
    for words in ("would win", "Anna0", "wins."):
        expect(card.locator("[data-key=verdict]")).to_contain_text(words)
    assert not any("cannot be said" in said for said in host.page.evaluate("verdicts"))
    host.check_access()
    host.page.locator("[data-key=agree-to-end]").click()
    for person in (host, guest, watcher):
        person.page.get_by_text("The game was ended early.").first.wait_for()

    # all agree to another game; one of them changes his mind once
    old = host.table
    assert watcher.page.locator("[data-key=again]").count() == 0
    host.page.locator("[data-key=again]").click()
    ask = guest.page.locator("[data-key=asked-again]")
    ask.get_by_text("Anna0 would like to play again.").wait_for()
    guest.check_access()
    host.page.locator("[data-key=rather-not]").click()
    ask.wait_for(state="detached")
    guest.page.locator("[data-key=again]").click()
    host.page.locator("[data-key=agree-again]").click()
    tables = {moved_on(person, old) for person in (host, guest, watcher)}
    assert len(tables) == 1
    host.next_click()
    expect(guest.page.locator(".pad.tall .nm")).to_have_text(["Anna0", "Bert"])
    expect(guest.page).to_have_title(re.compile("Anna0"))
    # the invitation of the first game, and the way back, lead to the second one
    guest.page.goto(link)
    guest.page.wait_for_url(f"**/t/{host.table}")
    guest.page.locator(".pad .on", has_text="Anna0").first.wait_for()
    host.step()
    host.page.goto("/")
    host.page.locator("summary", has_text="Finished games").wait_for()


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
    host.resize(PHONE)
    host.check_reachable()
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
    assert page.title().startswith("● Your turn")
