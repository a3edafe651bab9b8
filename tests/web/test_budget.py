"""Every request has a price and bounds: one budget for each address, and limits before anything is parsed."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pasch.core.bounds import DEPTH
from pasch.core.registry import all_games, find_game
from pasch.table import messages
from pasch.table.limits import (
    MAX_BOX_BYTES,
    WORK,
    Budgets,
    Limits,
    Price,
    Rate,
    RateLimiter,
    TooFast,
    address_key,
    is_too_large,
)
from pasch.table.schema import PROTOCOL, MadeTable, NewTable
from pasch.web import api, files, security
from pasch.web.http import Request
from tests.web.asgi import NO_LIMITS, Browser, server
from tests.web.test_http import finished

MINE, OTHER = "10.0.0.1", "10.0.0.2"
#: pieces of long work of one address, with the one that is being done
ADDRESS_WORK = 1 + WORK.max_each


def limited(milliseconds: float, **more: Any) -> Limits:
    """A budget that does not fill up again."""
    return msgspec.structs.replace(NO_LIMITS, address=Rate(0, milliseconds), **more)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refusals are not held back."""
    monkeypatch.setattr(security, "REFUSAL_DELAY_SECONDS", 0.0)


PATHS = """
/ /static/index.html /static/none.js /static/games/crowns/board.js /nowhere /i18n/de.json /api/openapi.json /api/games
/api/rules/crowns /api/components/crowns /api/tables/none/record
"""


@pytest.mark.settings(limits=limited(3 * Price.REQUEST))
async def test_every_request_is_charged_to_its_address(browser: Browser) -> None:
    for number, path in enumerate(PATHS.split()):
        mine = {"client": f"10.0.1.{number}"}
        for _ in range(3):
            assert (await browser.get(path, **mine)).status != 429
        refused = await browser.get(path, **mine)
        assert refused.status == 429 and refused.json["code"] == "too-fast"
        assert int(refused.headers["retry-after"]) >= 1
    # also one that is refused for its host
    for status in (400, 400, 400, 429):
        assert (await browser.get("/", headers={"host": "a b"})).status == status


@pytest.mark.settings(limits=limited(3.5 * Price.HANDSHAKE))
async def test_a_handshake_is_refused_before_it_is_accepted(browser: Browser) -> None:
    made = await browser.make("joker1", "here")
    for status in (None, None, None, 429):
        socket = browser.open(made["id"], client=OTHER)
        first = await socket.raw()
        assert first.get("status") == status
        assert (first["type"] == "websocket.accept") is (status is None)


@pytest.mark.settings(limits=limited(100 * Price.WELCOME, messages=Rate(0, Price.WELCOME_MESSAGES + 2)))
async def test_messages_and_welcomes_are_charged(browser: Browser) -> None:
    made = await browser.make("joker1", "here")
    socket = browser.open(made["id"], client=OTHER)
    hello = {"type": "hello", "tokens": [made["watch"]], "since": None, "protocol": PROTOCOL}
    socket.say(hello)
    assert (await socket.hear())["type"] == "welcome"
    # there is enough for a message, but not for another welcome
    socket.say(hello)
    refused = await socket.hear()
    assert (refused["type"], refused["code"]) == ("refused", "too-fast")
    assert (await socket.ask("why", tokens=[]))["code"] != "too-fast"
    assert (await socket.ask("why", tokens=[]))["code"] == "too-fast"
    # all connections of an address share its messages
    assert (await browser.open(made["id"], client=OTHER).hello(made["watch"]))["code"] == "too-fast"
    assert (await browser.open(made["id"]).hello(made["watch"]))["type"] == "welcome"


@pytest.mark.settings(limits=limited(1e6))
async def test_loading_a_table_is_charged_by_its_length(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await finished(browser)
    monkeypatch.setattr(Price, "EVENT", 1e6)
    browser.lobby._live.clear()
    browser.lobby._idle.clear()
    assert (await browser.open(table, client=OTHER).raw())["type"] == "websocket.accept"
    while (await browser.get("/", client=OTHER)).status != 429:
        await asyncio.sleep(0)


@pytest.mark.settings(limits=limited(5, monitoring=Rate(0, 3 * Price.REQUEST)))
async def test_who_runs_the_server_reaches_it_during_a_flood(browser: Browser) -> None:
    while (await browser.get("/")).status != 429:
        pass
    for path in ("/healthz", "/metrics"):
        assert (await browser.get(path)).status == 200
    assert [(await browser.get("/healthz")).status for _ in range(2)] == [200, 429]


@pytest.mark.settings(limits=limited(1.8 * (Price.REQUEST + 401 * Price.BODY)))
async def test_bodies_are_charged_by_their_length(browser: Browser) -> None:
    body = b" " * 400 * 1024
    assert (await browser.post("/api/tables", body=body)).status == 400
    assert (await browser.post("/api/tables", body=body)).status == 429


@pytest.mark.settings(limits=msgspec.structs.replace(NO_LIMITS, bodies=1000))
async def test_the_bodies_that_an_address_sends_at_once_are_bounded(browser: Browser) -> None:
    begun, more = asyncio.Event(), asyncio.Event()

    async def slow() -> dict[str, Any]:
        if begun.is_set():
            await more.wait()
            return {"type": "http.request", "body": b"]", "more_body": False}
        begun.set()
        return {"type": "http.request", "body": b"[" + b" " * 900, "more_body": True}

    path, body = "/api/components/crowns", b"[" + b" " * 200 + b"]"
    sending = asyncio.create_task(browser.post(path, receive=slow))
    await begun.wait()
    await asyncio.sleep(0)
    assert (await browser.post(path, body=body)).status == 429
    assert (await browser.post(path, body=body, client=OTHER)).status == 200
    more.set()
    assert (await sending).status == 200
    assert (await browser.post(path, body=body)).status == 200


async def test_a_refused_body_takes_nothing_off_those_that_are_being_read() -> None:
    budgets = Budgets(msgspec.structs.replace(NO_LIMITS, body=1000, bodies=4000))
    with budgets.reading(MINE) as count:
        count(3000)
        for size in (2000, 900):
            with pytest.raises(TooFast if size == 2000 else RuntimeError), budgets.reading(MINE) as more:
                more(size)
                raise RuntimeError("gone")
            assert budgets._bodies.level(MINE) == 1000
    assert budgets._bodies.level(MINE) == 4000


async def test_what_takes_longer_than_its_price_is_charged_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter(range(1000))
    monkeypatch.setattr("pasch.table.limits._thread_time", lambda: float(next(clock)))
    async with server(tmp_path, limits=limited(500)) as browser:
        table = await finished(browser)
        # by this clock every piece of work takes a second
        assert (await browser.get(f"/api/tables/{table}/replay", client=OTHER)).status == 200
        assert (await browser.get("/", client=OTHER)).status == 429


@pytest.mark.settings(limits=limited(500))
async def test_a_long_game_is_paid_for_before_the_work_begins(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    # half of the budget is enough to begin, so half of it has to be gone
    for _ in range(260):
        assert (await browser.get("/", client=OTHER)).status == 200
    monkeypatch.setattr(Price, "EVENT", 1000.0)
    monkeypatch.setattr(Price, "POSITION", 1000.0)
    table, begun = await finished(browser), list[Any]()
    monkeypatch.setattr("pasch.table.limits._timed", begun.append)
    for what in ("record", "replay", "receipt?coach=no"):
        answer = await browser.get(f"/api/tables/{table}/{what}", client=OTHER)
        assert answer.status == 429 and not begun, what


def test_what_costs_more_than_a_whole_budget_leaves_a_debt() -> None:
    now = 0.0
    addresses = RateLimiter(Rate(10, 100), lambda: now)
    addresses.spend("a", 300)
    with pytest.raises(TooFast) as refused:
        addresses.spend("a", 1)
    assert refused.value.after == 21
    now = 21.0
    addresses.spend("a", 1)


async def test_long_work_is_done_one_after_the_other_for_an_address_and_few_at_once() -> None:
    running: list[str] = []
    gate, loop, workers = asyncio.Event(), asyncio.get_running_loop(), Budgets(NO_LIMITS)

    def work(name: str) -> str:
        running.append(name)
        assert sorted(running) == sorted(set(running)) and len(running) <= WORK.places
        asyncio.run_coroutine_threadsafe(gate.wait(), loop).result()
        running.remove(name)
        return name

    names = [*"a" * ADDRESS_WORK, *"bcd"]
    asked = [asyncio.create_task(workers.run(name, 1, partial(work, name))) for name in names]
    while len(running) < WORK.places:
        await asyncio.sleep(0.001)
    with pytest.raises(TooFast):
        await workers.run("a", 1, lambda: "one too many")
    gate.set()
    assert await asyncio.gather(*asked) == names


@pytest.mark.settings(limits=limited(1.5))
async def test_refusals_are_held_back_but_not_without_end(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(security, "REFUSAL_DELAY_SECONDS", 1000.0)
    monkeypatch.setattr(security, "MAX_HELD_BACK", 3)
    assert (await browser.get("/")).status == 200
    held = [asyncio.create_task(browser.get("/")) for _ in range(3)]
    await asyncio.sleep(0)
    # those beyond are answered immediately
    assert (await browser.get("/")).status == 429
    assert not any(task.done() for task in held)
    for task in held:
        task.cancel()
    await asyncio.gather(*held, return_exceptions=True)
    assert browser.app._held_back == {}


async def test_the_bytes_of_answers_that_are_kept_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "MAX_KEPT_BYTES", 100)
    answers, made = api.CoachAnswers(Budgets(NO_LIMITS)), ""

    async def ask(name: str, size: int = 40) -> None:
        async def work(address: str) -> bytes:
            nonlocal made
            made += name
            return bytes(size)

        await answers.get(Request(), name, 0, work)

    for name in "abcbdbc":
        await ask(name)
    # the one used longest ago is made again
    assert made == "abcdc" and answers.kept_bytes == 80
    await ask("e", 101)
    assert answers.kept_bytes == 0


def test_a_school_class_behind_one_address_gets_in() -> None:
    """Thirty devices load everything at once, sit down and say hello."""
    # all modules and style sheets; beside them the page, texts, games, rules, and what a game brings along
    requests = sum(file.suffix in (".js", ".css") for file in files.STATIC.rglob("*")) + 10
    each = requests * Price.REQUEST + Price.HANDSHAKE + Price.WELCOME
    limits = Limits()
    assert 30 * each < limits.address.burst
    # they then play: a message every second each, and now and then a reconnection
    assert 30 * (each / 60) < limits.address.second
    assert limits.messages.second > 30 * (1 + Price.PING_MESSAGES / 2)
    assert limits.address_websockets > 30 and limits.messages.burst > 30 * Price.WELCOME_MESSAGES


DEEP = "[" * (DEPTH + 1) + "]" * (DEPTH + 1)


def wish(**more: Any) -> dict[str, Any]:
    return {"game": "joker1", "seats": [{"kind": "here"}], **more}


async def test_a_message_has_bounds_before_it_is_parsed(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, mine = await browser.alone()
    monkeypatch.setattr(messages, "_decoder", None)  # nobody gets as far as this
    for event, words in ((DEEP, "deep"), ("[" + "[]," * 2000 + "[]]", "objects and lists")):
        mine.say('{"type":"move","id":"x","version":0,"event":{"seat":' + event + "}}")
        answer = await mine.hear("refused")
        assert answer["code"] == "malformed" and words in answer["reason"]["details"]["detail"]


async def test_a_request_has_bounds_before_it_is_parsed(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def parsed(*_: Any, **__: Any) -> None:
        pytest.fail("it was parsed")

    monkeypatch.setattr(msgspec.json, "decode", parsed)
    for body in (DEEP, json.dumps(wish()).replace("{", '{"options":{"rounds":' + DEEP + "},", 1)):
        answer = await browser.post("/api/tables", body=body.encode())
        assert answer.status == 400 and "deep" in answer.json["reason"]["details"]["detail"]
    answer = await browser.post("/api/components/joker1", body=b" " * (MAX_BOX_BYTES + 1))
    assert answer.status == 413


def large_box(combinations: int) -> dict[str, Any]:
    """A box for the first Würfel Joker with this many combinations, which can be played with."""
    box: dict[str, Any] = msgspec.to_builtins(find_game("joker1").default_components())
    box["combinations"] = [{**box["combinations"][0], "name": f"{n}"} for n in range(combinations)]
    return box


async def make_with_any_box(browser: Browser, wanted: dict[str, Any]) -> MadeTable:
    """A table whose box may be larger than a printed one, as on the user's own device."""
    lobby, usual = browser.lobby, browser.lobby.limits
    lobby.limits = msgspec.structs.replace(usual, large_boxes=True)
    try:
        return await lobby.make(msgspec.convert(wanted, NewTable))
    finally:
        lobby.limits = usual


@pytest.mark.settings(
    limits=msgspec.structs.replace(NO_LIMITS, messages=Rate(0, 3 * Price.WELCOME_MESSAGES + 10))
)
async def test_a_box_is_sent_and_paid_for_once_per_connection(browser: Browser) -> None:
    wanted = wish(options={"components": large_box(300)})
    assert (await browser.post("/api/tables", wanted)).status == 413
    made = await make_with_any_box(browser, wanted)
    mine = browser.open(made.id)
    hello = {"type": "hello", "tokens": [made.seats["0"]], "since": None, "protocol": PROTOCOL}
    mine.say(hello)
    first = (await mine.hear("welcome"))["table"]
    mine.say(hello)
    again = (await mine.hear("welcome"))["table"]
    assert len(first["components"]["combinations"]) == 300 and again["components"] == {}
    assert first["box"] == again["box"]
    # on another connection it is sent again, and paid for again
    another = browser.open(made.id)
    another.say(hello)
    assert (await another.hear("refused", "welcome"))["code"] == "too-fast"


async def test_boxes_of_strangers_are_no_larger_than_printed_ones(browser: Browser) -> None:
    box = large_box(28)
    answer = await browser.post("/api/tables", wish(options={"components": box}))
    assert answer.status == 413 and answer.json["reason"]["details"]["most"] == 27
    checked = (await browser.post("/api/components/joker1", box)).json
    assert (checked["ok"], checked["place"]) == (False, "combinations")
    # an older Pasch took it; there are no values for it
    made = await make_with_any_box(browser, wish(options={"components": box}))
    assert is_too_large((await browser.lobby.find(made.id)).live.game)


def test_every_real_box_is_well_below_the_limit() -> None:
    for game in all_games():
        assert 2 * len(msgspec.json.encode(game.default_components())) < MAX_BOX_BYTES, game.id


def test_an_ipv6_network_counts_as_one_address() -> None:
    assert address_key("2001:db8:1:2:3:4:5:6") == address_key("2001:db8:1:2::9") == "2001:db8:1:2::/64"
    assert address_key("2001:db8:1:3::9") != address_key("2001:db8:1:2::9")
    assert address_key("::ffff:192.0.2.7") == address_key("192.0.2.7") == "192.0.2.7"
    assert address_key("fe80::1%eth0") == "fe80::/64"
    assert address_key("testclient") == "testclient"
