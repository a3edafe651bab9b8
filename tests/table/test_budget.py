"""What is written to the log is paid for by an address, and the log has a size that it does not exceed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pasch.table import authority
from pasch.table.limits import Limits, Rate
from tests.web.asgi import NO_LIMITS, Browser, Clock, Socket, server

DAY = 86_400
#: more than any of these servers takes
MANY = 1_000


def shares(second: float, burst: float, reserve: int = 0) -> tuple[Clock, dict[str, Any]]:
    """A clock that a test sets, and the settings of a server that counts by it."""
    clock = Clock()
    limits = msgspec.structs.replace(NO_LIMITS, log=Rate(second, burst), reserve=reserve)
    return clock, {"monotonic": clock, "limits": limits}


async def make_until_refused(browser: Browser, **more: Any) -> tuple[list[dict[str, Any]], Any]:
    """The tables that could be made, and the refusal of the next."""
    made: list[dict[str, Any]] = []
    while len(made) < MANY:
        wish = {"game": "joker1", "seats": [{"kind": "here"}, {"kind": "here"}], **more}
        answer = await browser.post("/api/tables", wish)
        if answer.status != 201:
            return made, answer
        made.append(answer.json)
    raise AssertionError("no end of tables")


async def take_seat(browser: Browser, made: dict[str, Any]) -> tuple[Socket, authority.Authority]:
    """A client with the seats of a table that was made, and the table."""
    mine = await browser.join(made["id"], *made["seats"].values())
    return mine, await browser.lobby.find(made["id"])


async def do(mine: Socket, table: authority.Authority) -> dict[str, Any]:
    """Roll or make the first move that is possible, and the answer."""
    moves = table.live.state.moves() if table.live.state.actor >= 0 else ()
    event = {"event": moves[0].json()} if moves else {}
    return await mine.ask("move" if moves else "roll", version=table.live.version, **event)


async def test_an_address_that_has_used_up_its_share_plays_on_and_does_nothing_without_end(
    tmp_path: Path,
) -> None:
    clock, more = shares(10, 10_000, 10**6)
    async with server(tmp_path, **more) as browser:
        made, refused = await make_until_refused(browser)
        assert 3 < len(made) < 20
        assert refused.status == 429 and refused.json["code"] == "too-fast"
        assert "share of the disk" in refused.json["reason"]["template"]
        wish = {"game": "joker1", "seats": [{"kind": "here"}]}
        assert (await browser.post("/api/tables", wish, client="10.0.0.2")).status == 201
        mine, table = await take_seat(browser, made[0])
        for _ in range(10):
            assert (await do(mine, table))["type"] == "accepted"
        await mine.reach(table.live.version)
        for command in (
            {"kind": "name", "seat": 0, "name": "Ada"},
            {"kind": "computer", "seat": 0, "level": "random"},
            {"kind": "coach", "coach": "moves"},
        ):
            await mine.refused("too-fast", **command)
        clock.now += 2000
        # at most one may go beyond, so that afterwards there may be one less
        assert len((await make_until_refused(browser))[0]) >= len(made) - 1


async def test_what_one_address_writes_in_a_day_is_bounded_in_bytes_of_the_disk(tmp_path: Path) -> None:
    # the usual limits, with everything four thousand times smaller
    usual = Limits()
    rate, reserve = Rate(usual.log.second / 4000, usual.log.burst / 4000), usual.reserve // 4000
    clock, more = shares(rate.second, rate.burst, reserve)
    async with server(tmp_path, **more) as browser:
        store: Any = browser.lobby.store

        async def on_disk() -> int:
            store._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return await browser.lobby.store.size()

        empty = await on_disk()
        first = await browser.make("joker1", "here", "here", options={"rounds": 1000})
        mine, table = await take_seat(browser, first)
        name = "\N{PILE OF POO}" * 24
        tables = 1
        for _ in range(5):
            # as much of everything as is accepted, cheap and dear
            for _ in range(30):
                await mine.ask("name", version=table.live.version, seat=0, name=name)
            tables += len((await make_until_refused(browser))[0])
            for _ in range(MANY):
                if (await do(mine, table))["type"] == "refused":
                    break
            else:
                raise AssertionError("no end of moves")
            clock.now += DAY / 4
        growth = await on_disk() - empty
        # the last write before a refusal may go beyond the limit
        bound = rate.burst + reserve + rate.second * DAY + 4_000
        assert tables > 5 and bound / 2 < growth <= bound + 3 * 4096, (growth, bound)


async def test_computers_alone_pause_when_nobody_can_pay_and_continue_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(authority, "UNPAID_DELAY_SECONDS", 0.01)
    clock, more = shares(1, 1_500, 10**6)
    async with server(tmp_path, **more) as browser:
        made = await browser.make("joker1", "random", "random", options={"rounds": 3})
        watcher = await browser.join(made["id"], made["watch"])
        table = await browser.lobby.find(made["id"])
        while table._pause is None:
            assert (await watcher.hear("update"))["position"]["actor"] != -2
        version = table.live.version
        await asyncio.sleep(0.05)
        assert table.live.version == version and not table.live.state.over
        clock.now += 10**6
        while not table.live.state.over:
            await watcher.hear("update")
            clock.now += 10**6


async def test_a_stranger_whose_share_is_used_up_does_not_stop_the_others_at_the_table(
    tmp_path: Path,
) -> None:
    _, more = shares(0, 4_000)
    async with server(tmp_path, **more) as browser:
        made = await browser.make("joker1", "here", "random")
        await make_until_refused(browser)
        other = browser.open(made["id"], client="10.0.0.2")
        await other.hello(made["seats"]["0"])
        table = await browser.lobby.find(made["id"])
        assert table.payer == "10.0.0.1"
        while table.payer == "10.0.0.1":  # until it was the computer's turn
            assert (await do(other, table))["type"] == "accepted"
            while table.live.current.computer_to_move:
                await other.hear("update")


@pytest.mark.settings(limits=msgspec.structs.replace(NO_LIMITS, log_bytes=100_000))
async def test_a_full_log_takes_no_tables_and_games_continue(browser: Browser) -> None:
    made, refused = await make_until_refused(browser)
    assert made and refused.status == 503 and refused.json["code"] == "full"
    mine, table = await take_seat(browser, made[0])
    assert (await do(mine, table))["type"] == "accepted"
    renamed = await mine.ask("name", version=table.live.version, seat=0, name="Ada")
    assert renamed["type"] == "accepted"


async def test_the_log_is_measured_in_the_background_and_shown(browser: Browser) -> None:
    while not browser.lobby.budgets.log_size:
        await asyncio.sleep(0.01)
    assert browser.lobby.budgets.log_size == await browser.lobby.store.size()
    assert b"pasch_log_bytes" in (await browser.get("/metrics")).body
