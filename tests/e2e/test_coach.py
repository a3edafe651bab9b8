"""The coach in the browser: marks on the board, and one number wherever it stands."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from pasch import find_game
from pasch.core.chance import seed_key
from pasch.core.match import Match
from pasch.players.arena import play_game
from pasch.players.base import player
from tests.e2e.browser import PHONE
from tests.e2e.conftest import Visit

#: notes everything that is said in the bar
STATUSES = """
window.statuses = [];
new MutationObserver(() => {
  statuses.push(document.querySelector(".dock .ask")?.textContent);
}).observe(document.querySelector(".dock"), { childList: true, subtree: true, characterData: true });
"""


def games(options: dict[str, Any]) -> Match:
    return play_game(
        find_game("joker1").agree(2, options), [player("greedy"), player("random")], seed_key(4)
    )


def test_a_hint_is_marked_on_the_board_and_not_under_the_bar(visit: Visit) -> None:
    match = games({})
    choices = (
        n for n, event in enumerate(match.events) if match.at(n).actor == 0 and event.json().get("push")
    )
    until = next(n for n in choices if len(match.at(n).moves()) > 1)
    person = visit(size=PHONE)
    events = [event.json() for event in match.events[:until]]
    person.set_table("joker1", ("here", "greedy"), events=events, coach="hints")
    page = person.page
    page.locator(".touchable.can").first.wait_for()
    expect(page.locator(".advised")).to_have_count(0)
    page.evaluate(STATUSES)
    mark = page.locator(".play .advised").first
    # the coach may have to build its tables first; a client that receives that answer asks again
    while not mark.count():
        with person.hearing("advice", "refused"):
            page.locator("[data-key=hint]").click()
    expect(page.locator(".ask")).to_contain_text("Best:")
    assert "The coach is thinking …" in page.evaluate("statuses")
    (box, *_), (bar,) = person.boxes(".play .advised"), person.boxes(".dock")
    assert box["y"] >= 0 and box["y"] + box["height"] <= bar["y"]


def test_list_and_replay_show_the_same_number(visit: Visit) -> None:
    events = [event.json() for event in games({"rounds": 2}).events]
    person = visit()
    table = person.set_table("joker1", ("here", "greedy"), {"rounds": 2}, events=events)
    page = person.go(f"/report/{table}")
    shows = page.locator("[data-key^=show-]")
    shows.first.wait_for()
    for place in range(shows.count()):
        card = shows.nth(place).locator("xpath=ancestor::*[self::li or self::article][1]")
        listed = card.inner_text()
        shows.nth(place).click()
        dear = page.locator(".moment .dear")
        dear.wait_for()
        assert dear.inner_text() in listed
        page.locator("[data-key=to-report]").click()
        shows.first.wait_for()
