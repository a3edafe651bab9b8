"""A server keeps its tables whatever the log does meanwhile, and learns which it has lost."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pasch.store.base import StoreError
from pasch.store.sqlite import SqliteStore
from pasch.table.lease import Lease
from pasch.table.lobby import Lobby
from pasch.web.app import App
from tests.table.test_lobby import until
from tests.web.asgi import NO_LIMITS, Browser, Clock, Closed, ScriptedHelper


class Scripted(SqliteStore):
    """A log whose renewals go as written."""

    lease = 0.02

    def __init__(self, path: Path, script: list[bool | Exception]) -> None:
        super().__init__(path)
        self.script = script
        self.done = asyncio.Event()

    async def renew(self) -> bool:
        if not self.script:
            self.done.set()
            return True
        now = self.script.pop(0)
        if isinstance(now, Exception):
            raise now
        return now

    async def due(self) -> tuple[str, ...]:
        return ("due",)


async def test_it_continues_after_any_failure_and_looks_until_it_knows_what_was_lost(
    tmp_path: Path,
) -> None:
    class Away(Scripted):
        asked = 0

        async def held(self) -> Mapping[str, int]:
            self.asked += 1
            if self.asked < 3:
                raise StoreError("away")
            return {"kept": 3}

    kept: list[Mapping[str, int]] = []
    adopted: list[str] = []
    looked = asyncio.Event()

    async def adopt(table: str) -> None:
        adopted.append(table)
        if kept:
            looked.set()

    script: list[bool | Exception] = [True, StoreError("away"), ZeroDivisionError(), TimeoutError(), False]
    store = Away(tmp_path / "log.sqlite", script)
    lease = Lease(store, kept.append, adopt)
    lease.start()
    await asyncio.wait_for(store.done.wait(), 60)
    await asyncio.wait_for(looked.wait(), 60)
    # only the renewal that came too late is a reason to look
    assert kept == [{"kept": 3}] and store.asked == 3
    assert set(adopted) == {"due"}
    await lease.stop()


async def test_what_has_to_be_looked_after_never_holds_a_renewal_up(tmp_path: Path) -> None:
    adopting = asyncio.Event()

    async def adopt(table: str) -> None:
        adopting.set()
        await asyncio.Event().wait()

    store = Scripted(tmp_path / "log.sqlite", [True] * 5)
    lease = Lease(store, lambda held: None, adopt)
    lease.start()
    await asyncio.wait_for(store.done.wait(), 60)
    assert adopting.is_set()
    await lease.stop()


async def test_a_server_that_was_paused_shows_nothing_until_it_knows_what_it_has_lost(
    tmp_path: Path,
) -> None:
    """It used to welcome people with its old copy of a table with which another server had gone on."""

    class Paused(Scripted):
        """Renews, and says what it holds, only when a test lets it."""

        def __init__(self, path: Path) -> None:
            super().__init__(path, [])
            self.renewals: asyncio.Queue[bool] = asyncio.Queue()
            self.answers = asyncio.Event()

        async def renew(self) -> bool:
            return await self.renewals.get()

        async def held(self) -> Mapping[str, int]:
            await self.answers.wait()
            return {}

        async def due(self) -> tuple[str, ...]:
            return ()

    async def refused(browser: Browser, made: dict[str, Any]) -> None:
        late = browser.open(made["id"])
        assert (await late.hear())["code"] == "storage"
        with pytest.raises(Closed, match="1013"):
            await late.hear()

    clock, store = Clock(), Paused(tmp_path / "log.sqlite")
    lobby = Lobby(store, NO_LIMITS, processes=ScriptedHelper(), monotonic=clock)
    await lobby.open()
    browser = Browser(App(lobby).answering_to(), lobby)
    made = await browser.make("joker1", "here")
    seat = await browser.join(made["id"], made["seats"]["0"])
    old = await lobby.find(made["id"])
    clock.now += 10
    await refused(browser, made)
    with pytest.raises(Closed, match="1012"):
        await seat.hello(made["seats"]["0"])
    store.renewals.put_nowait(False)  # too late
    await until(store.renewals.empty)
    await refused(browser, made)
    store.answers.set()
    store.renewals.put_nowait(True)
    await until(lambda: not lobby.lease.in_doubt)
    await browser.join(made["id"], made["seats"]["0"])
    assert old.closed and await lobby.find(made["id"]) is not old
    await browser.close()
    await lobby.close()
