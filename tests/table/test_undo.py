"""Taking a sent move back: until dice or cards have come, through the log, and with others only if all agree."""

from __future__ import annotations

import asyncio
from typing import Any

from pasch.core.state import CHANCE
from pasch.table import authority
from pasch.table.log import LiveTable
from pasch.table.replay import receipt
from tests.web.asgi import Browser, Socket, served
from tests.web.test_commands import two


async def until(socket: Socket, version: int) -> list[dict[str, Any]]:
    """The updates up to a version."""
    received = []
    while socket.version < version:
        received.append(await socket.hear("update"))
    return received


async def roll(socket: Socket) -> dict[str, Any]:
    """Roll; the position after it."""
    answer = await socket.ask("roll")
    assert answer["type"] == "accepted", answer
    position: dict[str, Any] = (await until(socket, answer["version"]))[-1]["position"]
    return position


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


@served()
async def test_a_held_move_is_taken_back_before_the_computers_dice_come(browser: Browser) -> None:
    made = await browser.make("crowns", "here", "greedy", options={"round_limit": 2})
    mine = await browser.join(made["id"], made["seats"]["0"])
    position = await roll(mine)
    assert position["undo"] is None
    assert (await mine.ask("undo"))["code"] == "not-now"
    first, other = position["moves"][-1]["event"], position["moves"][-2]["event"]
    (held,) = await ask(mine, "move", event=first, hold=True)
    assert held["position"]["undo"] == 0 and held["position"]["actor"] == CHANCE
    live = (await browser.lobby.find(made["id"])).live
    assert live.current.server_must_act
    (back,) = await ask(mine, "undo")
    assert back["entries"][0]["body"] == {"seats": [0], "agree": True, "settled": True}
    assert back["position"]["moves"] == position["moves"] and back["position"]["events"] == 1
    assert live.record().events == [{"seat": 0, "roll": position["snapshot"]["rolled"]}]
    await ask(mine, "move", event=other, hold=True)
    # the computer rolls when the client says so, and then it is too late
    dice, *_ = await ask(mine, "go")
    assert dice["entries"][0]["body"]["seat"] == 1 and dice["position"]["undo"] is None
    assert (await mine.ask("undo"))["code"] in ("not-now", "old-version")
    while live.state.actor != CHANCE or live.current.roller != 0:
        await mine.hear("update")
    reloaded(live, await browser.lobby.store.load(live.id))


@served()
async def test_dice_that_nobody_lets_come_come_after_a_while(browser: Browser, monkeypatch: Any) -> None:
    monkeypatch.setattr(authority, "HOLD_SECONDS", 0.01)
    made = await browser.make("crowns", "here", "greedy")
    mine = await browser.join(made["id"], made["seats"]["0"])
    position = await roll(mine)
    await ask(mine, "move", event=position["moves"][-1]["event"], hold=True)
    await asyncio.wait_for(until(mine, mine.version + 1), 60)


@served()
async def test_with_others_a_move_is_taken_back_when_all_agree(browser: Browser) -> None:
    made, mine, guest = await two(browser, "crowns", options={"round_limit": 1})
    position = await roll(mine)
    event = position["moves"][-1]["event"]
    await ask(mine, "move", event=event, hold=True)
    await until(guest, mine.version)
    assert (await guest.ask("undo"))["code"] == "not-yours"
    await ask(mine, "undo")
    await until(guest, mine.version)
    live = (await browser.lobby.find(made["id"])).live
    assert [seat.undoes for seat in live.info().seats] == [True, False]
    # one who says no has said it for all
    await ask(guest, "undo", agree=False)
    assert not any(seat.undoes for seat in live.info().seats) and len(live.events) == 2
    await until(mine, guest.version)
    await ask(mine, "undo")
    await until(guest, mine.version)
    await ask(guest, "undo")
    assert len(live.events) == 1 and not any(seat.undoes for seat in live.info().seats)
    await until(mine, guest.version)
    # what was wished is forgotten with the next event, and after the end it is too late
    await ask(mine, "move", event=event)
    await ask(mine, "undo")
    await until(guest, mine.version)
    last = (await roll(guest))["moves"][0]["event"]
    assert not any(seat.undoes for seat in live.info().seats)
    await ask(guest, "move", event=last)
    assert live.current.ended and (await guest.ask("undo"))["code"] == "not-now"
    reloaded(live, await browser.lobby.store.load(live.id))
    assert receipt(live).findings() == []
