"""Games that bring no drawing of their own are drawn and played all the same."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Request, Route

from tests.e2e.browser import PHONE, Person
from tests.e2e.conftest import Visit

#: game, seats, options: with rolls that end turns, with hidden cards, with boards of every seat's own
GAMES: tuple[Any, ...] = (
    ("joker1", ("here", "greedy"), {"rounds": 1}),
    pytest.param("sixbysix", ("here", "greedy"), {"round_limit": 1}, marks=pytest.mark.exhaustive),
    pytest.param("crowns", ("here",), {"round_limit": 2}, marks=pytest.mark.exhaustive),
)


def without_drawings(person: Person) -> Person:
    """To this person every game seems to have nothing but rules and texts."""

    def strip(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=[{**game, "files": []} for game in answer.json()])

    def asked(request: Request) -> None:
        if "/static/games/" in request.url:
            person.problems.append(request.url)

    person.page.route("**/api/games*", strip)
    person.page.on("request", asked)
    return person


def test_a_game_without_a_picture_has_its_letter(visit: Visit) -> None:
    person = without_drawings(visit())
    page = person.go("/")
    letters = page.locator(".game .picture .letter").all_text_contents()
    titles = page.locator(".game h2").all_inner_texts()
    assert letters == [title[0] for title in titles] and len(letters) >= 6


@pytest.mark.parametrize(("game", "seats", "options"), GAMES)
def test_a_game_without_a_board_is_played_to_its_end(
    game: str, seats: tuple[str, ...], options: dict[str, Any], visit: Visit
) -> None:
    person = without_drawings(visit(size=PHONE))
    person.set_table(game, seats, options)
    while "data-token" not in person.next_click(()):
        person.step(())
    person.check_reachable()
    person.check_access()
    assert person.page.locator(".boards .token.possible").count() > 0
    assert game == "sixbysix" or person.page.locator(".boards .die[data-face]").count() > 0
    person.play()
    record = person.server.record(person.table)
    assert person.scores() == record["scores"]
