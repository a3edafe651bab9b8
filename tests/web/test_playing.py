"""Every game is played to its end over the WebSocket by clients that know no rules."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest

from pasch.core.record import Record
from tests.web.asgi import Browser, Socket

#: each game, short
SHORT: dict[str, dict[str, Any]] = {
    "crowns": {"round_limit": 3},
    "fiese15": {},
    "joker1": {"rounds": 2},
    "joker2": {"rounds": 2},
    "lines": {"target": 2, "plans": [1, 3]},
    "sixbysix": {"round_limit": 1},
}


async def play(socket: Socket, welcome: dict[str, Any], random: Random) -> dict[str, Any]:
    """Choose at random among what is offered, until the game is over."""
    position: dict[str, Any] = welcome["position"]
    while position["actor"] != -2:
        if position["moves"]:
            choice = random.choice(position["moves"])
            socket.send("move", event=choice["event"])
        elif position["awaits"] == "roll":
            socket.send("roll")
        elif position["awaits"] == "read":
            ask = position["ask"]
            socket.send("read", values=[random.choice(ask["values"]) for _ in ask["parts"]])
        message = await socket.hear("update", "refused")
        if message["type"] == "refused":
            # real cards that were read may not be there any more
            assert position["awaits"] == "read" and message["code"] == "illegal", message
            continue
        while message["position"]["version"] < socket.version:
            message = await socket.hear("update")
        position = message["position"]
    return position


@pytest.mark.parametrize("game", SHORT)
async def test_two_by_link_one_watching_and_a_computer(browser: Browser, game: str) -> None:
    made = await browser.make(game, "here", "link", "greedy", options=SHORT[game])
    mine = browser.open(made["id"])
    hello = await mine.hello(made["seats"]["0"], made["maker"])
    assert hello["yours"] == [0] and hello["maker"] and hello["table"]["phase"] == "waiting"
    watcher = await browser.join(made["id"], made["watch"])
    guest, welcome = await browser.sit(made)
    assert welcome["table"]["phase"] == "playing"

    async def watch() -> dict[str, Any]:
        seen = []
        while True:
            update = await watcher.hear("update")
            seen += update["entries"]
            if update["position"]["actor"] == -2:
                versions = [entry["version"] for entry in seen]
                assert versions == list(range(versions[0], versions[0] + len(versions)))
                assert all(not message.get("position", {}).get("moves") for message in watcher.messages)
                position: dict[str, Any] = update["position"]
                return position

    # the first player's own connection may be behind by what happened since
    again = await mine.hello(made["seats"]["0"], made["maker"])
    ends = await asyncio.gather(play(mine, again, Random(1)), play(guest, welcome, Random(2)), watch())
    assert ends[0]["scores"] == ends[1]["scores"] == ends[2]["scores"]
    assert ends[0]["winners"] == ends[1]["winners"] == ends[2]["winners"] != []
    answer = await browser.get(f"/api/tables/{made['id']}/record")
    record = Record.from_json(answer.body)
    record.verify()
    assert record.scores == ends[0]["scores"] and record.players == 3


@pytest.mark.parametrize("game", SHORT)
async def test_round_one_screen_with_real_dice(browser: Browser, game: str) -> None:
    made = await browser.make(game, "here", "here", "random", options=SHORT[game], dice="real")
    socket = browser.open(made["id"])
    welcome = await socket.hello(*made["seats"].values())
    end = await play(socket, welcome, Random(3))
    assert end["winners"]
    answer = await browser.get(f"/api/tables/{made['id']}/record")
    Record.from_json(answer.body).verify()
