"""A game that has ended can be looked at again, position by position; before that it stays closed."""

from __future__ import annotations

from pathlib import Path

from pasch.core.registry import find_game
from tests.web.asgi import Browser, with_server

SHORT = {"round_limit": 1}


async def ended(browser: Browser) -> str:
    made = await browser.make("sixbysix", "random", "random", options=SHORT)
    watcher = browser.open(made["id"])
    position = (await watcher.hello(made["watch"]))["position"]
    while position["actor"] != -2:
        position = (await watcher.hear("update"))["position"]
    return str(made["id"])


def test_a_game_that_is_over_is_shown_position_by_position(tmp_path: Path) -> None:
    async def run(browser: Browser) -> None:
        answer = await browser.get(f"/api/tables/{await ended(browser)}/replay")
        assert answer.status == 200
        shown = answer.json
        game = find_game("sixbysix").agree(2, shown["options"])
        state = game.start()
        assert [p["version"] for p in shown["positions"]] == list(range(len(shown["events"]) + 1))
        for number, written in enumerate(shown["events"], 1):
            state = state.apply(game.read_event(written))
            position = shown["positions"][number]
            assert position["scores"] == list(state.scores())
            assert position["actor"] == state.actor
        assert shown["positions"][-1]["winners"] == list(state.winners())
        # nothing is hidden any longer
        assert None not in shown["positions"][1]["snapshot"]["hands"][0]

    with_server(tmp_path, run)


def test_a_game_that_is_being_played_is_not_shown_openly(tmp_path: Path) -> None:
    async def run(browser: Browser) -> None:
        made = await browser.make("sixbysix", "here", "greedy")
        answer = await browser.get(f"/api/tables/{made['id']}/replay")
        assert (answer.status, answer.json["code"]) == (409, "not-now")

    with_server(tmp_path, run)


def test_a_person_who_mistypes_an_address_gets_a_page(tmp_path: Path) -> None:
    async def run(browser: Browser) -> None:
        answer = await browser.get("/nowhere", headers={"accept": "text/html,*/*"})
        assert answer.status == 404
        assert answer.headers["content-type"].startswith("text/html")

    with_server(tmp_path, run)
