"""The updates that clients receive."""

from __future__ import annotations

import json

from pasch.table.schema import PROTOCOL
from pasch.web.files import STATIC
from tests.web.asgi import Browser, served
from tests.web.test_commands import two


@served()
async def test_an_update_answers_its_author_and_has_the_position_after_each_event(browser: Browser) -> None:
    _, mine, guest = await two(browser)
    await mine.ask("roll", id="r")
    await guest.hear("update")
    moves = (await mine.hear("update"))["position"]["moves"]
    await mine.ask("move", id="m", event=moves[0]["event"])
    await guest.hear("update")
    for text, other in zip(mine.received[-2:], guest.received[-2:], strict=True):
        update, theirs = json.loads(text), json.loads(other)
        assert update["answers"] in ("r", "m") and theirs["answers"] is None
        for step in update["steps"]:
            assert step["entry"]["version"] == step["position"]["version"]
            assert step["entry"]["events"] == step["position"]["events"]
        assert [s["entry"] for s in theirs["steps"]] == [s["entry"] for s in update["steps"]]


@served()
async def test_the_server_says_what_is_held_and_who_must_agree(browser: Browser) -> None:
    made = await browser.make("crowns", "here", "greedy", options={"round_limit": 2})
    mine = await browser.join(made["id"], made["seats"]["0"])
    welcome = next(m for m in mine.messages if m["type"] == "welcome")
    assert welcome["table"]["must_agree"] == [0]
    await mine.ask("roll")
    position = (await mine.hear("update"))["position"]
    assert not position["held"]
    # the computer's dice wait, so that the move can be taken back
    await mine.ask("move", event=position["moves"][-1]["event"], hold=True)
    assert (await mine.hear("update"))["position"]["held"]
    watching = await browser.open(made["id"]).hello(made["watch"])
    assert not watching["position"]["held"]
    await mine.ask("go")
    assert not (await mine.hear("update"))["position"]["held"]


@served()
async def test_an_old_page_is_asked_to_reload(browser: Browser) -> None:
    made = await browser.make("joker1", "here")
    socket = browser.open(made["id"])
    for old in ({}, {"protocol": PROTOCOL - 1}, {"protocol": PROTOCOL + 1}):
        socket.say({"type": "hello", "tokens": [made["seats"]["0"]], **old})
        assert (await socket.hear("refused", "welcome"))["code"] == "old-page"


def test_the_client_has_the_protocol_of_the_server() -> None:
    texts = [file.read_text("utf-8") for file in STATIC.rglob("*.js")]
    assert any(f"const PROTOCOL = {PROTOCOL};" in text for text in texts)
