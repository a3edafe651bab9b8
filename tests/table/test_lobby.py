"""Tables in memory: how many, what is loaded when, and where."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import msgspec
import pytest

from pasch.core.registry import find_game
from pasch.store.base import StoredTable, StoreError
from pasch.table.authority import Authority
from pasch.table.log import LiveTable
from tests.web.asgi import NO_LIMITS, Browser, server


async def until(condition: Any) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.005)


async def test_serving_begins_before_any_table_is_adopted(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as monkey:
        monkey.setattr(Authority, "start_computer", lambda self: None)
        async with server(tmp_path) as browser:
            for _ in range(30):
                # the computer moves first
                table = await browser.make("joker1", "random", "here")
                await (await browser.join(table["id"], table["seats"]["1"])).vanish()
            assert len(await browser.lobby.store.due()) == 30
    async with server(tmp_path) as browser:
        assert browser.lobby.live == 0 and (await browser.get("/")).status == 200
        async with asyncio.timeout(60):
            while await browser.lobby.store.due():
                await asyncio.sleep(0.01)


async def test_computers_alone_wait_until_somebody_looks(browser: Browser) -> None:
    made = await browser.make("joker1", "random", "random", options={"rounds": 1})
    lobby = browser.lobby
    assert await lobby.store.due() == () and lobby.idle == lobby.live == 1
    version = (await lobby.read(made["id"])).version
    await asyncio.sleep(0.02)
    assert (await lobby.read(made["id"])).version == version
    watcher = await browser.join(made["id"], made["watch"])
    await watcher.hear("update")
    await watcher.vanish()
    await until(lambda: lobby.idle == 1)
    stopped = (await lobby.read(made["id"])).version
    await asyncio.sleep(0.02)
    assert (await lobby.read(made["id"])).version == stopped > version
    watcher = await browser.join(made["id"], made["watch"])
    while (await watcher.hear("update"))["position"]["actor"] != -2:
        pass


async def test_tables_of_computers_alone_in_an_older_log_are_adopted_once(tmp_path: Path) -> None:
    async with server(tmp_path) as browser:
        made = await browser.make("joker1", "random", "random")
        version = (await browser.lobby.read(made["id"])).version
        await browser.lobby.store.append(made["id"], version, [], True)
    async with server(tmp_path) as browser:
        async with asyncio.timeout(60):
            while await browser.lobby.store.due():
                await asyncio.sleep(0.01)
        await until(lambda: browser.lobby.idle == 1)
        assert (await browser.lobby.read(made["id"])).version == version


@pytest.mark.settings(limits=msgspec.structs.replace(NO_LIMITS, idle=0))
async def test_a_log_is_replayed_in_a_thread_and_a_long_one_holds_up_no_other(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    short, long = await browser.make("joker1", "here"), await browser.make("joker1", "here")
    mine = await browser.join(long["id"], long["seats"]["0"])
    await mine.ask("name", seat=0, name="Ada")
    await mine.vanish()
    assert browser.lobby.live == 0
    threads, real, go_on = list[str](), LiveTable.load, threading.Event()

    def load(stored: StoredTable) -> LiveTable:
        threads.append(threading.current_thread().name)
        if stored.version > 1:
            go_on.wait(60)
        return real(stored)

    monkeypatch.setattr(LiveTable, "load", load)
    waiting = [asyncio.create_task(browser.lobby.find(long["id"])) for _ in range(2)]
    try:
        # the event loop keeps running, and other tables load
        await asyncio.wait_for(browser.lobby.read(short["id"]), 60)
        assert not any(task.done() for task in waiting)
    finally:
        go_on.set()
    first, second = await asyncio.gather(*waiting)
    assert first is second
    assert len(threads) == 2 and all(thread.startswith("pasch-load") for thread in threads)


@pytest.mark.settings(limits=msgspec.structs.replace(NO_LIMITS, live=3))
async def test_tables_are_bounded_and_idle_ones_leave_first(
    browser: Browser,
) -> None:
    made = [await browser.make("joker1", "here") for _ in range(4)]
    assert browser.lobby.live == 3  # nobody is there, so that the first one was evicted
    await browser.join(made[1]["id"], made[1]["seats"]["0"])
    # also when several are made at once
    wish = {"game": "joker1", "seats": [{"kind": "here"}]}
    answers = await asyncio.gather(*[browser.post("/api/tables", wish) for _ in range(5)])
    assert sorted(answer.status for answer in answers) == [201, 201, 503, 503, 503]
    for table in [answer.json for answer in answers if answer.status == 201]:
        await browser.join(table["id"], table["seats"]["0"])
    refused = await browser.post("/api/tables", wish)
    assert (refused.status, refused.json["code"]) == (503, "full")
    assert (await browser.open(made[0]["id"]).hear())["code"] == "full"


@pytest.mark.settings(limits=msgspec.structs.replace(NO_LIMITS, idle_entries=2))
async def test_long_tables_leave_memory_sooner(browser: Browser) -> None:
    rolls = [{"seat": 0, "roll": [1, 2, 4]}]
    for _ in range(4):
        await browser.make("joker1", "here", events=rolls)
    assert browser.lobby.live == 2


async def test_a_log_that_cannot_be_read_does_not_stop_the_server(
    browser: Browser, caplog: pytest.LogCaptureFixture
) -> None:
    lobby: Any = browser.lobby
    lobby.store.due = lobby.store.size = AsyncMock(side_effect=StoreError("away"))
    await lobby.lease._check_tables()
    house = asyncio.create_task(lobby._run_maintenance())
    await until(lambda: any(record.message == "failed to measure the log" for record in caplog.records))
    house.cancel()
    assert any(record.message == "failed to resume tables" for record in caplog.records)
    assert (await browser.get("/")).status == 200


async def test_a_table_with_a_box_that_is_too_large_is_readable_but_has_no_rematch(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = msgspec.to_builtins(find_game("joker1").default_components())
    made = await browser.make("joker1", "here", options={"components": box})
    mine = await browser.join(made["id"], *made["seats"].values())
    await mine.done("adjudicate")
    monkeypatch.setattr("pasch.table.limits.MAX_BOX_BYTES", 100)
    answer = await mine.ask("rematch")
    assert (answer["type"], answer["code"]) == ("refused", "too-large")
    again = await browser.open(made["id"]).hello(made["watch"])
    assert again["table"]["own_box"] and again["table"]["phase"] == "adjudicated"
    monkeypatch.undo()
    assert (await mine.ask("rematch"))["type"] == "accepted"
