"""The updates that clients receive, and taking a sent move back."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from pasch.core.state import CHANCE
from pasch.table import authority
from pasch.table.log import LiveTable
from pasch.table.replay import receipt
from pasch.table.schema import PROTOCOL
from tests.web.asgi import Browser, Socket


async def until(socket: Socket, version: int) -> list[dict[str, Any]]:
    """The updates up to a version."""
    received = []
    while socket.version < version:
        received.append(await socket.hear("update"))
    return received


async def ask(socket: Socket, kind: str, **fields: Any) -> list[dict[str, Any]]:
    """Have a command accepted; the updates that it led to."""
    answer = await socket.ask(kind, **fields)
    assert answer["type"] == "accepted", answer
    return await until(socket, answer["version"])


def reloaded(live: LiveTable, stored: Any) -> None:
    """The log alone leads to the same table."""
    again = LiveTable.load(stored)
    assert (again.events, again.state, again.undone) == (live.events, live.state, live.undone)
    assert again.record() == live.record()


async def test_a_held_move_is_taken_back_before_the_computers_dice_come(browser: Browser) -> None:
    made, mine = await browser.alone("crowns", "here", "greedy", options={"round_limit": 2})
    welcome = next(m for m in mine.messages if m["type"] == "welcome")
    assert welcome["table"]["must_agree"] == [0]
    position = await mine.done("roll")
    assert position["undo"] is None and not position["held"]
    assert (await mine.ask("undo"))["code"] == "not-now"
    first, other = position["moves"][-1]["event"], position["moves"][-2]["event"]
    (held,) = await ask(mine, "move", event=first, hold=True)
    assert held["position"]["undo"] == 0 and held["position"]["actor"] == CHANCE
    watching = await browser.open(made["id"]).hello(made["watch"])
    assert held["position"]["held"] and not watching["position"]["held"]
    live = (await browser.lobby.find(made["id"])).live
    assert live.current.server_must_act
    (back,) = await ask(mine, "undo")
    assert back["entries"][0]["body"] == {"seats": [0], "agree": True, "settled": True}
    assert back["position"]["moves"] == position["moves"] and back["position"]["events"] == 1
    assert live.record().events == [{"seat": 0, "roll": position["snapshot"]["rolled"]}]
    await mine.done("move", event=other, hold=True)
    # the computer rolls when the client says so, and then it is too late
    dice, *_ = await ask(mine, "go")
    assert dice["entries"][0]["body"]["seat"] == 1 and dice["position"]["undo"] is None
    assert not dice["position"]["held"]
    assert (await mine.ask("undo"))["code"] in ("not-now", "old-version")
    while live.state.actor != CHANCE or live.current.roller != 0:
        await mine.hear("update")
    reloaded(live, await browser.lobby.store.load(live.id))


async def test_dice_that_nobody_lets_come_come_after_a_while(browser: Browser, monkeypatch: Any) -> None:
    monkeypatch.setattr(authority, "HOLD_SECONDS", 0.01)
    _, mine = await browser.alone("crowns", "here", "greedy")
    position = await mine.done("roll")
    await mine.done("move", event=position["moves"][-1]["event"], hold=True)
    await asyncio.wait_for(until(mine, mine.version + 1), 60)


async def test_with_others_a_move_is_taken_back_when_all_agree(browser: Browser) -> None:
    made, mine, guest = await browser.two("crowns", options={"round_limit": 1})
    position = await mine.done("roll")
    event = position["moves"][-1]["event"]
    await mine.done("move", event=event, hold=True)
    await guest.reach(mine.version)
    assert (await guest.ask("undo"))["code"] == "not-yours"
    await mine.done("undo")
    await guest.reach(mine.version)
    live = (await browser.lobby.find(made["id"])).live
    assert [seat.undoes for seat in live.info().seats] == [True, False]
    # one who says no has said it for all
    await guest.done("undo", agree=False)
    assert not any(seat.undoes for seat in live.info().seats) and len(live.events) == 2
    await mine.reach(guest.version)
    await mine.done("undo")
    await guest.reach(mine.version)
    await guest.done("undo")
    assert len(live.events) == 1 and not any(seat.undoes for seat in live.info().seats)
    await mine.reach(guest.version)
    # what was wished is forgotten with the next event, and after the end it is too late
    await mine.done("move", event=event)
    await mine.done("undo")
    await guest.reach(mine.version)
    last = (await guest.done("roll"))["moves"][0]["event"]
    assert not any(seat.undoes for seat in live.info().seats)
    await guest.done("move", event=last)
    assert live.current.ended and (await guest.ask("undo"))["code"] == "not-now"
    reloaded(live, await browser.lobby.store.load(live.id))
    assert receipt(live).findings() == []


async def test_an_update_answers_its_author_and_has_the_position_after_each_event(browser: Browser) -> None:
    _, mine, guest = await browser.two()
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


async def test_an_old_page_is_asked_to_reload(browser: Browser) -> None:
    made = await browser.make("joker1", "here")
    socket = browser.open(made["id"])
    for old in ({}, {"protocol": PROTOCOL - 1}, {"protocol": PROTOCOL + 1}):
        socket.say({"type": "hello", "tokens": [made["seats"]["0"]], **old})
        assert (await socket.hear("refused", "welcome"))["code"] == "old-page"
