"""Games that bring no drawing of their own are drawn by what their rules declare, and played all the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Request, Route

from tests.e2e.browser import PHONE, Person, Server, served
from tests.e2e.conftest import Visit
from tests.games_of_others.installing import PIG, beside, install

exhaustive = pytest.mark.exhaustive
#: game, seats, options: with rolls that end turns, with hidden cards, with boards of every seat's own
GAMES: tuple[Any, ...] = (
    ("joker1", ("here", "greedy"), {"rounds": 1}),
    pytest.param("sixbysix", ("here", "greedy"), {"round_limit": 1}, marks=exhaustive),
    pytest.param("crowns", ("here",), {"round_limit": 2}, marks=exhaustive),
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


@pytest.mark.parametrize(("game", "seats", "options"), GAMES)
def test_a_game_without_a_board_is_played_to_its_end(
    game: str, seats: tuple[str, ...], options: dict[str, Any], visit: Visit
) -> None:
    person = without_drawings(visit(size=PHONE))
    person.set_table(game, seats, options)
    person.to_choice(())
    person.check_reachable()
    person.check_access()
    assert person.page.locator(".play .token.can").count() > 0
    drawn = {"joker1": ".cells.set", "sixbysix": ".cells.cards .pcard", "crowns": ".cells.set"}[game]
    assert person.page.locator(f".any {drawn}").count() > 0
    person.play()
    assert person.scores() == person.server.record(person.table)["scores"]


@pytest.fixture(scope="module")
def pig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    site = install(PIG, tmp_path_factory.mktemp("site"))
    with beside(site), served(tmp_path_factory.mktemp("server")) as server:
        yield server


@exhaustive
def test_pig_is_listed_explained_and_played_to_its_end(browser: Browser, pig: Server) -> None:
    person = Person(browser, pig)
    assert person.go("/").get_by_text("Pig", exact=True).first.is_visible()
    assert "single die" in person.go("/rules/pig").locator("main").inner_text()
    person.set_table("pig", ("here", "greedy"), {"target": 12})
    person.play(("next:hold",))
    record = person.server.record(person.table)
    assert record["game"] == "pig" and person.scores() == record["scores"]
    person.check_reachable()
    person.check_access()
    # it does not say what its chance events look like, so the page leaves them to those who know the rules
    person.primary.click()
    person.page.locator("details.fair > summary").click()
    person.page.locator("[data-key=check]").click()
    said = person.page.locator(".fair .verdict").inner_text()
    assert "Only “pasch verify” can check the rolls of this game." in said
    person.leave()
