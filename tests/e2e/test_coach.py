"""The coach in the browser: marks on the board, and one number wherever it stands."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from playwright.sync_api import TimeoutError, expect

from pasch import find_game
from pasch.core.chance import seed_key
from pasch.core.match import Match
from pasch.players.arena import play_game
from pasch.players.base import player
from tests.e2e.browser import PHONE, Person, Server
from tests.e2e.conftest import Visit


def games(options: dict[str, Any]) -> Match:
    return play_game(
        find_game("joker1").agree(2, options), [player("greedy"), player("random")], seed_key(4)
    )


def sit(person: Person, server: Server, options: dict[str, Any], events: list[Any]) -> str:
    seats = [{"kind": "here", "name": "Anna"}, {"kind": "computer", "level": "greedy"}]
    wish = {"game": "joker1", "seats": seats, "options": options, "events": events, "coach": "hints"}
    made = server.ask("/api/tables", wish)
    known = {
        "id": made["id"],
        "game": "joker1",
        "title": "Joker",
        "tokens": made["seats"],
        "maker": made["maker"],
    }
    person.go("/")
    tables = json.dumps({made["id"]: {**known, "names": ["Anna"], "over": False, "seen": 0}})
    person.page.evaluate("(tables) => localStorage.setItem('pasch.tables', tables)", tables)
    table: str = made["id"]
    return table


#: notes everything that is said in the bar
STATUSES = """
window.statuses = [];
new MutationObserver(() => {
  statuses.push(document.querySelector(".bar .status > span")?.textContent);
}).observe(document.querySelector(".bar"), { childList: true, subtree: true, characterData: true });
"""


def test_a_hint_is_marked_on_the_board_and_not_under_the_bar(visit: Visit, server: Server) -> None:
    match = games({})
    choices = (
        n for n, event in enumerate(match.events) if match.at(n).actor == 0 and event.json().get("push")
    )
    until = next(n for n in choices if len(match.at(n).moves()) > 1)
    person = visit(size=PHONE)
    table = sit(person, server, {}, [event.json() for event in match.events[:until]])
    page = person.page
    page.goto(f"/t/{table}")
    page.locator(".touchable.possible").first.wait_for()
    expect(page.locator(".advised")).to_have_count(0)
    page.evaluate(STATUSES)
    mark = page.locator(".boards .advised").first
    # the coach may have to make its tables first, and says so
    for _ in range(200):
        page.locator("[data-key=hint]").click()
        with suppress(TimeoutError):
            mark.wait_for(timeout=1500)
            break
    expect(page.locator(".status")).to_contain_text("Best:")
    assert "The coach is thinking …" in page.evaluate("statuses")
    box, bar = mark.bounding_box(), page.locator(".bar").bounding_box()
    assert box is not None and bar is not None and box["y"] >= 0 and box["y"] + box["height"] <= bar["y"]


def test_list_and_replay_show_the_same_number(visit: Visit, server: Server) -> None:
    match = games({"rounds": 2})
    person = visit()
    table = sit(person, server, {"rounds": 2}, [event.json() for event in match.events])
    page = person.page
    page.goto(f"/report/{table}")
    page.locator(".ledger").first.wait_for(timeout=300_000)
    rolls = page.locator("section", has_text="Where luck mattered most").locator(".moments button")
    rolls.first.wait_for()
    for place in range(rolls.count()):
        roll = rolls.nth(place)
        roll.click()
        expect(page.locator(".replay .told .tag")).to_have_text(roll.locator(".tag").inner_text())
    start = page.locator(".sum dd").first.inner_text()
    page.locator(".replay-bar button").first.click()
    expect(page.locator(".replay .row .tag").first).to_contain_text(start)
