"""Old tables are deleted by age and state, and never one that is in use or younger than was promised."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

from pasch.core.errors import PaschError
from pasch.store.sqlite import SqliteStore
from pasch.table import retention
from pasch.table.limits import DAY, Limits, Retention
from pasch.table.retention import read_age, read_keep, read_size
from tests.store.contract import entries
from tests.web.asgi import NO_LIMITS, Browser, Clock, server

#: finished games are kept for ever
LEAST = msgspec.structs.replace(NO_LIMITS, keep=Retention(waiting=1 * DAY, unfinished=10 * DAY))


async def three(browser: Browser) -> dict[str, dict[str, Any]]:
    """A table in each state, with nobody there."""
    made = {
        "waiting": await browser.make("joker1", "here", "link"),
        "unfinished": await browser.make("joker1", "here"),
        "finished": await browser.make("joker1", "here"),
    }
    for state in ("unfinished", "finished"):
        mine = await browser.join(made[state]["id"], made[state]["seats"]["0"], made[state]["maker"])
        if state == "finished":
            assert (await mine.ask("adjudicate"))["type"] == "accepted"
        await mine.vanish()
    return made


async def left(browser: Browser, made: dict[str, dict[str, Any]]) -> set[str]:
    """The names of the tables that can still be opened."""
    found = set()
    for state, table in made.items():
        answer = await browser.open(table["id"]).hello(table["watch"], contribute=False)
        if answer["type"] == "welcome":
            found.add(state)
        else:
            assert answer["code"] == "no-table"
    await browser.close()
    return found


@pytest.mark.settings(limits=LEAST)
async def test_each_state_is_kept_as_long_as_was_said_and_no_longer(
    browser: Browser, wall: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    made, began = await three(browser), wall.now
    for days, there in (
        (1, {"waiting", "unfinished", "finished"}),
        (1.1, {"unfinished", "finished"}),
        (10, {"unfinished", "finished"}),
        (10.1, {"finished"}),
        (10_000, {"finished"}),
    ):
        wall.now = began + days * DAY
        await browser.lobby.sweep()
        assert await left(browser, made) == there
    assert await browser.lobby.store.tables() == (made["finished"]["id"],)
    records: list[Any] = [record for record in caplog.records if record.message == "old tables deleted"]
    assert [(record.fields["state"], record.fields["tables"]) for record in records] == [
        ("waiting", 1),
        ("unfinished", 1),
    ]
    assert all(record.fields["bytes"] > 500 for record in records)


@pytest.mark.settings(limits=LEAST)
async def test_a_table_that_somebody_uses_stays_and_playing_makes_it_younger(
    browser: Browser, wall: Clock
) -> None:
    made = await three(browser)
    wall.now += 20 * DAY
    guest = await browser.join(made["waiting"]["id"], made["waiting"]["watch"])
    mine = await browser.join(made["unfinished"]["id"], made["unfinished"]["seats"]["0"])
    assert (await mine.ask("roll"))["type"] == "accepted"
    await mine.vanish()
    await browser.lobby.sweep()
    assert set(await browser.lobby.store.tables()) == {table["id"] for table in made.values()}
    await guest.vanish()
    await browser.lobby.sweep()
    assert await left(browser, made) == {"unfinished", "finished"}


async def test_a_server_looks_for_old_tables_when_it_starts(tmp_path: Path) -> None:
    wall = Clock()
    async with server(tmp_path, wall=wall) as browser:
        made = await three(browser)
    wall.now += 2 * DAY
    async with server(tmp_path, limits=LEAST, wall=wall) as browser:
        async with asyncio.timeout(60):
            while made["waiting"]["id"] in await browser.lobby.store.tables():
                await asyncio.sleep(0.01)
        assert await left(browser, made) == {"unfinished", "finished"}


async def test_much_is_deleted_in_small_transactions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "BATCH_DELAY_SECONDS", 0.0)
    async with SqliteStore(tmp_path / "log.sqlite") as store:
        for number in range(70):
            await store.create(f"t{number}", b"{}", b"key", entries("a"), False)
        with patch.object(store, "delete", wraps=store.delete) as delete:
            done = await retention.delete(store, await store.summaries(), 2**40)
        assert done.tables == 70 and done.bytes > 70 * len(b"{}keya")
        assert {len(call.args[0]) for call in delete.call_args_list} == {retention.BATCH_TABLES}
        assert await store.tables() == ()


def test_how_long_to_keep_is_read_as_it_is_written() -> None:
    assert read_keep("waiting=14d,unfinished=180d,finished=forever") == Limits().keep == Retention()
    assert read_keep("finished=2w") == Retention(finished=14 * DAY)
    assert read_keep(" waiting = 12h , unfinished=forever") == Retention(waiting=DAY // 2, unfinished=None)
    for wrong in ("", "waiting", "waiting=", "everything=1d", "waiting=1d,", "waiting=-1d"):
        with pytest.raises(PaschError):
            read_keep(wrong)


def test_ages_and_sizes_are_read_as_people_write_them() -> None:
    ages = {"12h": DAY // 2, "90d": 90 * DAY, "2w": 14 * DAY, "1y": 365 * DAY}
    assert {age: read_age(age) for age in ages} == ages
    sizes = {"500KB": 500_000, "1.5 gb": 1_500_000_000, "10GB": 10 * 10**9, "2TB": 2 * 10**12}
    assert {size: read_size(size) for size in sizes} == sizes
    for wrong in ("", "0d", "1", "d", "1.5d", "-1d", "1m", "٣d", "forever", "9" * 20 + "d"):
        with pytest.raises(PaschError):
            read_age(wrong)
    for wrong in ("", "0GB", "10", "GB", "1e3GB", "-1GB", "nan GB"):
        with pytest.raises(PaschError):
            read_size(wrong)
