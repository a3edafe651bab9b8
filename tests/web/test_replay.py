"""A game that has ended can be looked at again, position by position; before that it stays closed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from pasch.core.registry import find_game
from pasch.table import replay
from pasch.table.log import LiveTable
from tests.web.asgi import Browser, served

SHORT = {"round_limit": 1}


async def ended(browser: Browser) -> str:
    made = await browser.make("sixbysix", "random", "random", options=SHORT)
    watcher = browser.open(made["id"])
    position = (await watcher.hello(made["watch"]))["position"]
    while position["actor"] != -2:
        position = (await watcher.hear("update"))["position"]
    return str(made["id"])


async def pages(browser: Browser, table: str) -> AsyncIterator[Any]:
    first: int | None = 0
    while first is not None:
        answer = await browser.get(f"/api/tables/{table}/replay?from={first}")
        assert answer.status == 200
        assert answer.json["first"] == first
        yield answer.json
        first = answer.json["next"]


@served()
async def test_a_game_that_is_over_is_shown_position_by_position(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "PAGE", 7)
    table = await ended(browser)
    shown = [page async for page in pages(browser, table)]
    steps = [step for page in shown for step in page["steps"]]
    assert [len(page["steps"]) for page in shown[:-1]] == [7] * (len(shown) - 1)
    assert len(shown) > 2 and len(steps) == shown[0]["events"] + 1
    game = find_game("sixbysix").agree(2, shown[0]["options"])
    state = game.start()
    assert [step["position"]["version"] for step in steps] == list(range(len(steps)))
    assert steps[0]["event"] is None
    for step in steps[1:]:
        state = state.apply(game.read_event(step["event"]))
        assert step["position"]["scores"] == list(state.scores())
        assert step["position"]["actor"] == state.actor
    assert steps[-1]["position"]["winners"] == list(state.winners())
    # nothing is hidden any longer
    assert None not in steps[1]["position"]["snapshot"]["hands"][0]
    # any position gives its page; -1 is the last one
    for number, page in ((8, shown[1]), (-1, shown[-1]), (10**9, shown[-1])):
        assert (await browser.get(f"/api/tables/{table}/replay?from={number}")).json == page
    assert (await browser.get(f"/api/tables/{table}/replay?from=x")).status == 400


@served()
async def test_a_page_is_made_once_and_not_sent_twice(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "PAGE", 7)
    applied = 0

    def counted(live: LiveTable, page: int) -> Any:
        nonlocal applied
        applied += 1
        return replay.replay_page(live, page)

    monkeypatch.setattr("pasch.web.archive.replay_page", counted)
    path = f"/api/tables/{await ended(browser)}/replay?from=-1"
    first = await browser.get(path, headers={"accept-encoding": "gzip"})
    # what belongs to a table is never compressed
    assert "content-encoding" not in first.headers
    again = await browser.get(path, headers={"if-none-match": first.headers["etag"]})
    assert (again.status, again.body, applied) == (304, b"", 1)
    await asyncio.gather(*(browser.get(path, client=f"10.0.1.{n}") for n in range(5)))
    assert applied == 1


@served()
async def test_a_person_who_mistypes_an_address_gets_a_page(browser: Browser) -> None:
    answer = await browser.get("/nowhere", headers={"accept": "text/html,*/*"})
    assert answer.status == 404
    assert answer.headers["content-type"].startswith("text/html")
