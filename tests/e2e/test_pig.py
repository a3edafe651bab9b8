"""A game of somebody else's, with no drawing of its own, is played in the browser by clicking."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.browser import Server, served
from tests.e2e.conftest import Visit
from tests.games_of_others.installing import PIG, beside, install

pytestmark = pytest.mark.exhaustive


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    site = install(PIG, tmp_path_factory.mktemp("site"))
    with beside(site), served(tmp_path_factory.mktemp("server")) as server:
        yield server


def test_pig_is_listed_explained_and_played_to_its_end(visit: Visit) -> None:
    person = visit()
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
    person.page.locator("[data-key=check]").click()
    said = person.page.locator(".verdict").inner_text()
    assert "Only “pasch verify” can check the rolls of this game." in said
    assert "added to the dice is in them" in said
