"""Fair dice at a table: sealed before anybody adds to them, mixed once, opened when the game has ended."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pasch.coach.figures import check_figures
from pasch.core.fair import commitment, day_seed
from pasch.core.receipt import Receipt
from tests.web.asgi import Browser, Clock, Socket, server
from tests.web.test_playing import play

ONE, TWO = "11" * 32, "22" * 32


async def join(browser: Browser, made: dict[str, Any], *tokens: str) -> tuple[Socket, dict[str, Any]]:
    """A client that does not contribute to the dice automatically."""
    socket = browser.open(made["id"])
    return socket, await socket.hello(*tokens, contribute=False)


async def receipt(browser: Browser, table: str) -> Receipt:
    answer = await browser.get(f"/api/tables/{table}/receipt")
    assert answer.status == 200, answer.json
    return Receipt.from_json(answer.body)


async def test_the_game_of_a_day_has_the_same_dice_at_every_table_and_its_receipt_fits(
    browser: Browser,
) -> None:
    rolls = []
    for day in ("2026-12-24", "2026-12-24", "2026-12-25"):
        wish = {"game": "fiese15", "seats": [{"kind": "here"}], "day": day}
        answer = await browser.post("/api/tables", wish)
        assert answer.status == 201, answer.json
        socket, welcome = await join(browser, answer.json, answer.json["seats"]["0"])
        assert welcome["table"]["phase"] == "playing" and welcome["table"]["day"] == day
        await play(socket, welcome, Random(1))
        ended = await receipt(browser, answer.json["id"])
        assert ended.findings() == [] and ended.table == f"day-{day}"
        assert ended.seed == day_seed(day, "fiese15").hex()
        rolls.append(next(event for event in ended.record["events"] if "roll" in event))
    assert rolls[0] == rolls[1] != rolls[2]
    for seats in (["here", "here"], ["computer"]):
        wish = {"game": "fiese15", "day": "2026-12-24", "seats": [{"kind": kind} for kind in seats]}
        assert (await browser.post("/api/tables", wish)).status == 422


async def test_nothing_is_rolled_before_everybody_has_added_to_the_dice(browser: Browser) -> None:
    made = await browser.make("fiese15", "here", "link", "greedy")
    mine, welcome = await join(browser, made, made["seats"]["0"])
    seal = welcome["table"]["commitment"]
    assert len(seal) == 64 and welcome["table"]["contributions"] == [None] * 3
    guest, _ = await browser.sit(made, 1, contribute=False)
    assert (await guest.ask("contribute", contribution=TWO))["type"] == "accepted"
    reply = (await guest.hear("table"))["table"]
    assert reply["phase"] == "waiting" and reply["contributions"] == [None, TWO, None]
    assert (await guest.ask("roll", version=2))["code"] == "not-now"
    # the last one opens the game, and the strip that is nobody's comes at once
    assert (await mine.ask("contribute", contribution=ONE))["type"] == "accepted"
    kinds = []
    while mine.version < 4:
        kinds += [entry["kind"] for entry in (await mine.hear("update"))["entries"]]
    assert kinds[-2:] == ["contribute", "event"]
    table = await browser.lobby.find(made["id"])
    info = table.live.info()
    assert (info.phase, info.commitment) == ("playing", seal)
    assert info.contributions == (ONE, TWO, None)


async def test_the_seed_is_shown_only_when_the_game_has_ended(
    browser: Browser, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    made = await browser.make("joker1", "here", "greedy", options={"rounds": 1})
    mine, welcome = await join(browser, made, made["seats"]["0"], made["maker"])
    watcher = await browser.join(made["id"], made["watch"])
    position = await mine.done("contribute", contribution=ONE)
    early = await browser.get(f"/api/tables/{made['id']}/receipt")
    assert (early.status, early.json["code"]) == (409, "not-now")
    await play(mine, {"position": position}, Random(2))
    sent = json.dumps([mine.messages, watcher.messages, early.json])
    opened = await receipt(browser, made["id"])
    assert opened.findings() == [] and opened.contributions == [ONE, None]
    assert opened.seed is not None and opened.seed not in sent + caplog.text
    # and it is the one that was sealed
    assert opened.commitment == welcome["table"]["commitment"] == commitment(bytes.fromhex(opened.seed))


async def test_who_may_contribute_what_and_how_often(browser: Browser) -> None:
    made = await browser.make("joker1", "here", "here", "link")
    watcher, _ = await join(browser, made, made["watch"])
    assert (await watcher.ask("contribute", contribution=ONE))["code"] == "not-yours"
    # people round one screen add once, for all of them
    mine, _ = await join(browser, made, *made["seats"].values(), made["maker"])
    for malformed in ("", "AB" * 32, "ab" * 33, 7):
        assert (await mine.ask("contribute", contribution=malformed))["code"] == "malformed"
    assert (await mine.ask("contribute", contribution=ONE))["type"] == "accepted"
    assert (await mine.ask("contribute", contribution=TWO))["code"] == "not-now"
    guest, _ = await browser.sit(made, 2, contribute=False)
    assert (await guest.ask("contribute", contribution=TWO))["type"] == "accepted"
    table = await browser.lobby.find(made["id"])
    assert table.live.current.contributions == (ONE, ONE, TWO)


async def test_for_an_absent_person_the_computer_needs_to_add_nothing(
    browser: Browser, clock: Clock
) -> None:
    made = await browser.make("joker1", "here", "link", options={"rounds": 1}, stand_in="greedy")
    mine, _ = await join(browser, made, made["seats"]["0"], made["maker"])
    await mine.ask("contribute", contribution=ONE)
    guest, _ = await browser.sit(made, 1, contribute=False)
    await guest.vanish()
    await mine.hello(made["seats"]["0"], made["maker"])
    clock.now += 60
    assert (await mine.ask("computer", seat=1, level="greedy"))["type"] == "accepted"
    welcome = await mine.hello(made["seats"]["0"], made["maker"])
    assert welcome["table"]["phase"] == "playing"
    # the person comes back into a game whose dice are mixed
    back, _ = await join(browser, made, made["seats"]["1"])
    assert (await back.ask("contribute", contribution=TWO))["code"] == "not-now"
    await play(mine, welcome, Random(3))
    opened = await receipt(browser, made["id"])
    assert opened.findings() == [] and opened.contributions == [ONE, None]


async def test_a_server_that_was_started_anew_continues_with_the_same_dice(tmp_path: Path) -> None:
    # from the position of another game, whose events are nothing to prove
    events = [{"seat": 0, "roll": [1, 2, 4]}, {"seat": 0, "push": [[1], [2], [4]]}]
    async with server(tmp_path) as browser:
        made = await browser.make("joker1", "here", "here", options={"rounds": 1}, events=events)
        mine, welcome = await join(browser, made, *made["seats"].values())
        await mine.ask("contribute", contribution=ONE)
    async with server(tmp_path) as browser:
        mine, again = await join(browser, made, *made["seats"].values())
        assert again["table"]["commitment"] == welcome["table"]["commitment"]
        await play(mine, again, Random(4))
        opened = await receipt(browser, made["id"])
        assert opened.given == 2 and opened.findings() == []


async def test_a_game_that_was_ended_early_is_opened_too(browser: Browser) -> None:
    made = await browser.make("crowns", "here", "here")
    mine, _ = await join(browser, made, *made["seats"].values(), made["maker"])
    await mine.done("contribute", contribution=ONE)
    await mine.done("roll")
    assert (await mine.ask("adjudicate"))["type"] == "accepted"
    opened = await receipt(browser, made["id"])
    assert opened.ended == "adjudicated" and opened.verdict is not None
    assert len(opened.chance) == 1 and opened.findings() == []


async def test_real_dice_need_nobodys_contribution(browser: Browser) -> None:
    made = await browser.make("crowns", "here", options={"round_limit": 1}, dice="real")
    mine, welcome = await join(browser, made, made["seats"]["0"])
    assert (welcome["table"]["phase"], welcome["table"]["commitment"]) == ("playing", None)
    assert (await mine.ask("contribute", contribution=ONE))["code"] == "not-now"
    await mine.ask("read", values=[1, 2, 3, 4, 5, 6])
    await play(mine, await mine.hear("update"), Random(5))
    opened = await receipt(browser, made["id"])
    assert (opened.dice, opened.seed) == ("real", None) and opened.findings() == []


def figures(asked: dict[str, Any]) -> dict[str, Any]:
    ledger = {
        "expectation": 1.23456789, "rounds": 0.0, "luck": -0.0, "costs": 0.5, "others": 0.0, "estimates": 0.0,
        "result": 0.75,
    }  # fmt: skip
    return {"game": "joker1", "exact": True, "tables": ["joker1-turn-0"], "seats": [{"ledger": ledger}]}


async def test_the_coachs_numbers_are_on_the_receipt(browser: Browser) -> None:
    answers: list[Any] = [None, figures({})]  # the values are built first
    browser.helper.answers["report"] = lambda asked: answers.pop(0)
    made = await browser.make("joker1", "random", options={"rounds": 1})
    watcher, welcome = await join(browser, made, made["watch"])
    await play(watcher, welcome, Random(6))
    path = f"/api/tables/{made['id']}/receipt"
    # who only wants to check the dice need not wait for the coach
    assert Receipt.from_json((await browser.get(path + "?coach=no")).body).coach is None
    opened = await receipt(browser, made["id"])
    assert opened.coach is not None and opened.coach["solver"] == "pasch.solve.joker1"
    assert opened.coach["seats"][0] == {
        "expectation": 1.234568, "luck": 0.0, "costs": 0.5, "others": 0.0, "result": 0.75, "estimates": 0.0,
    }  # fmt: skip
    # tables of other sources with the same numbers are as good
    assert check_figures(opened, {**figures({}), "tables": ["joker1-turn-1"]}) == []
