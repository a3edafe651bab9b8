"""The coach marks its hint on the board."""

from __future__ import annotations

from playwright.sync_api import expect

from pasch import find_game
from pasch.core.chance import seed_key
from pasch.players.arena import play_game
from pasch.players.base import player
from tests.e2e.browser import PHONE
from tests.e2e.conftest import Visit


def test_a_hint_is_marked_on_the_board_and_not_under_the_bar(visit: Visit) -> None:
    match = play_game(find_game("joker1").agree(2), [player("greedy"), player("random")], seed_key(4))
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
    mark = page.locator(".play .advised").first
    # the coach may have to build its tables first; a client that receives that answer asks again
    while not mark.count():
        with person.receiving("advice", "refused"):
            page.locator("[data-key=hint]").click()
        person.drawn()
    expect(page.locator(".ask")).to_contain_text("Best:")
    (box, *_), (bar,) = person.boxes(".play .advised"), person.boxes(".dock")
    assert box["y"] >= 0 and box["y"] + box["height"] <= bar["y"]
