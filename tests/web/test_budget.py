"""Every request has a price, which is taken from the one budget of its address."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pasch.table.limits import MAX_ADDRESS_WORK, Budgets, Limits, Price, Rate, RateLimiter, TooFast
from pasch.table.schema import PROTOCOL
from pasch.web import files, security
from pasch.web.http import ByteCache, Kept
from tests.web.asgi import NO_LIMITS, Browser, looped, served, server, with_server
from tests.web.test_http import finished

MINE, OTHER = "10.0.0.1", "10.0.0.2"


def limited(milliseconds: float, **more: Any) -> Limits:
    """A budget that does not fill up again."""
    return msgspec.structs.replace(NO_LIMITS, address=Rate(0, milliseconds), **more)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refusals are not held back."""
    monkeypatch.setattr(security, "REFUSAL_DELAY_SECONDS", 0.0)


PATHS = (
    "/",
    "/static/index.html",
    "/static/none.js",
    "/static/games/crowns/board.js",
    "/nowhere",
    "/i18n/de.json",
    "/api/openapi.json",
    "/api/games",
    "/api/rules/crowns",
    "/api/components/crowns",
    "/api/tables/none/record",
)


@pytest.mark.parametrize("path", PATHS)
@served(limits=limited(3 * Price.REQUEST))
async def test_every_request_is_charged(browser: Browser, path: str) -> None:
    for _ in range(3):
        assert (await browser.get(path)).status != 429
    refused = await browser.get(path)
    assert refused.status == 429 and refused.json["code"] == "too-fast"
    assert int(refused.headers["retry-after"]) >= 1
    assert (await browser.get(path, client=OTHER)).status != 429


@served(limits=limited(2 * Price.REQUEST))
async def test_a_request_that_is_refused_for_its_host_is_charged_too(browser: Browser) -> None:
    for status in (400, 400, 429):
        assert (await browser.get("/", headers={"host": "a b"})).status == status


@served(limits=limited(3.5 * Price.HANDSHAKE))
async def test_a_handshake_is_refused_before_it_is_accepted(browser: Browser) -> None:
    made = await browser.make("joker1", "here")
    for status in (None, None, None, 429):
        socket = browser.open(made["id"], client=OTHER)
        first = await socket.raw()
        assert first.get("status") == status
        assert (first["type"] == "websocket.accept") is (status is None)


@served(limits=limited(Price.HANDSHAKE + Price.WELCOME, messages=Rate(0, Price.WELCOME_MESSAGES + 2)))
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


@served(limits=limited(1e6))
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


@served(limits=limited(5, monitoring=Rate(0, 3 * Price.REQUEST)))
async def test_who_runs_the_server_reaches_it_during_a_flood(browser: Browser) -> None:
    while (await browser.get("/")).status != 429:
        pass
    for path in ("/healthz", "/metrics"):
        assert (await browser.get(path)).status == 200
    assert [(await browser.get("/healthz")).status for _ in range(2)] == [200, 429]


@looped
async def test_bodies_are_charged_by_their_length(tmp_path: Path) -> None:
    price = Price.REQUEST + 401 * Price.BODY
    async with server(tmp_path, limits=limited(1.8 * price)) as browser:
        body = b" " * 400 * 1024
        assert (await browser.post("/api/tables", body=body)).status == 400
        assert (await browser.post("/api/tables", body=body)).status == 429


@asynccontextmanager
async def body_under_way(browser: Browser, path: str) -> AsyncIterator[list[dict[str, Any]]]:
    """An address has sent 901 bytes of a body and sends the rest after the block; yields what it is answered."""
    begun, more = asyncio.Event(), asyncio.Event()
    got: list[dict[str, Any]] = []

    async def slow() -> dict[str, Any]:
        if begun.is_set():
            await more.wait()
            return {"type": "http.request", "body": b"]", "more_body": False}
        begun.set()
        return {"type": "http.request", "body": b"[" + b" " * 900, "more_body": True}

    async def send(message: dict[str, Any]) -> None:
        got.append(message)

    scope = {
        "type": "http", "method": "POST", "path": path, "query_string": b"",
        "headers": [(b"host", b"table.test")], "client": (MINE, 1),
    }  # fmt: skip
    task = asyncio.create_task(browser.app(scope, slow, send))
    await begun.wait()
    await asyncio.sleep(0)
    yield got
    more.set()
    await task


@served(limits=msgspec.structs.replace(NO_LIMITS, bodies=1000))
async def test_an_address_sends_so_many_bytes_of_bodies_at_once(browser: Browser) -> None:
    body = b"[" + b" " * 200 + b"]"
    async with body_under_way(browser, "/api/components/crowns") as got:
        assert (await browser.post("/api/components/crowns", body=body)).status == 429
        assert (await browser.post("/api/components/crowns", body=body, client=OTHER)).status == 200
    assert got[0]["status"] == 200
    assert (await browser.post("/api/components/crowns", body=body)).status == 200


@looped
async def test_a_refused_body_takes_nothing_off_those_that_are_being_read() -> None:
    budgets = Budgets(msgspec.structs.replace(NO_LIMITS, body=1000, bodies=4000))
    with budgets.reading(MINE) as count:
        count(3000)
        for size in (2000, 900):
            with (
                pytest.raises(TooFast if size == 2000 else RuntimeError),
                budgets.reading(MINE) as more,
            ):
                more(size)
                raise RuntimeError("gone")
            assert budgets._reading == {MINE: 3000}
    assert budgets._reading == {}


@served(limits=msgspec.structs.replace(NO_LIMITS, body=2000, bodies=1000))
async def test_a_body_over_its_limit_leaves_the_account_as_it_was(browser: Browser) -> None:
    """A piece that was refused before it was counted was once taken off the account all the same."""
    async with body_under_way(browser, "/api/tables"):
        assert (await browser.post("/api/tables", body=b" " * 2001)).status == 413
        # those 901 bytes still count
        assert (await browser.post("/api/tables", body=b" " * 200)).status == 429


@looped
async def test_what_takes_longer_than_its_price_is_charged_afterwards(tmp_path: Path) -> None:
    clock = iter(range(1000))
    async with server(tmp_path, limits=limited(500), cpu=lambda: float(next(clock))) as browser:
        table = await finished(browser)
        # by this clock every piece of work takes a second
        assert (await browser.get(f"/api/tables/{table}/replay", client=OTHER)).status == 200
        assert (await browser.get("/", client=OTHER)).status == 429
        # it was computed once; later requests pay only for its bytes
        assert (await browser.get(f"/api/tables/{table}/replay", client="10.0.0.3")).status == 200
        assert (await browser.get("/", client="10.0.0.3")).status == 200


@pytest.mark.parametrize("what", ["record", "replay", "receipt?coach=no"])
def test_a_long_game_is_paid_for_before_the_work_begins(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Price, "EVENT", 1000.0)
    monkeypatch.setattr(Price, "POSITION", 1000.0)
    begun = []

    async def run(browser: Browser) -> None:
        table = await finished(browser)
        monkeypatch.setattr(Budgets, "_timed", lambda self, work: begun.append(work))
        answer = await browser.get(f"/api/tables/{table}/{what}", client=OTHER)
        assert answer.status == 429 and not begun

    limits = limited(500)
    # half of the budget is enough to begin, so half of it has to be gone
    with_server(tmp_path, lambda browser: _spent(browser, run), limits=limits)


async def _spent(browser: Browser, test: Any) -> None:
    for _ in range(260):
        assert (await browser.get("/", client=OTHER)).status == 200
    await test(browser)


def test_what_costs_more_than_a_whole_budget_leaves_a_debt() -> None:
    now = 0.0
    addresses = RateLimiter(Rate(10, 100), lambda: now)
    addresses.spend("a", 300)
    with pytest.raises(TooFast) as refused:
        addresses.spend("a", 1)
    assert refused.value.after == 21
    now = 21.0
    addresses.spend("a", 1)


@looped
async def test_long_work_is_done_one_after_the_other_for_an_address_and_few_at_once() -> None:
    running: list[str] = []
    most = {"all": 0, "one": 0}
    gate, loop = asyncio.Event(), asyncio.get_running_loop()
    workers = Budgets(NO_LIMITS)

    def work(name: str) -> str:
        running.append(name)
        most["all"] = max(most["all"], len(running))
        most["one"] = max(most["one"], running.count("a"))
        asyncio.run_coroutine_threadsafe(gate.wait(), loop).result()
        running.remove(name)
        return name

    asked = [
        asyncio.create_task(workers.run(name, 1, lambda name=name: work(name)))  # type: ignore[misc]
        for name in [*"a" * MAX_ADDRESS_WORK, *"bcd"]
    ]
    while len(running) < 2:
        await asyncio.sleep(0.001)
    with pytest.raises(TooFast):
        await workers.run("a", 1, lambda: "one too many")
    gate.set()
    assert await asyncio.gather(*asked) == [*"a" * MAX_ADDRESS_WORK, *"bcd"]
    assert most == {"all": 2, "one": 1} and not workers._turns


@served(limits=limited(1.5))
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


@looped
async def test_many_websockets_of_an_address_do_not_speak_at_once(tmp_path: Path) -> None:
    rate = Rate(0, 2.5 * Price.WELCOME_MESSAGES)
    async with server(tmp_path, limits=msgspec.structs.replace(NO_LIMITS, messages=rate)) as browser:
        made = await browser.make("joker1", "here")
        sockets = [browser.open(made["id"], client=OTHER) for _ in range(3)]
        for socket in sockets:
            socket.say({"type": "hello", "tokens": [made["watch"]], "since": None, "protocol": PROTOCOL})
        codes = [(await socket.hear("welcome", "refused")).get("code") for socket in sockets]
        assert codes == [None, None, "too-fast"]
        assert (await (browser.open(made["id"])).hello(made["watch"]))["type"] == "welcome"


def test_answers_are_kept_up_to_so_many_bytes() -> None:
    cache = ByteCache(100)
    for name in "abc":
        cache.put(name, Kept.of(name.encode() * 40))
    assert cache.get("a") is None and cache.size == 80
    assert cache.get("b") is not None
    cache.put("d", Kept.of(b"d" * 40))
    assert cache.get("c") is None and cache.get("b") is not None and cache.size == 80
    cache.put("d", Kept.of(b"d" * 10))
    assert cache.size == 50
    cache.put("e", Kept.of(b"e" * 101))
    assert cache.get("e") is None and cache.size == 0


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
