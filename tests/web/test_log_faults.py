"""A log that fails: what clients receive, what the health check says, and how the server ends."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tools.chaos.servers import Server
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from pasch.store.base import LATE_SECONDS, Backlog, OutcomeUnknown, Store, StoreError
from pasch.table.schema import PROTOCOL
from pasch.web.answers import Health, NoStorage
from tests.store.faults import plan_faults
from tests.web.asgi import CONTRIBUTION, Browser, Closed, server


async def health(browser: Browser) -> tuple[int, str | None]:
    answer = await browser.get("/healthz")
    if answer.status == 200:
        assert msgspec.json.decode(answer.body, type=Health).status == "ok"
        return 200, None
    return answer.status, msgspec.json.decode(answer.body, type=NoStorage).reason


async def test_the_health_check_fails_while_nothing_can_be_written(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = browser.lobby.store
    assert await health(browser) == (200, None)
    for seconds, problem in ((LATE_SECONDS, None), (LATE_SECONDS + 0.1, "the log does not answer")):
        with monkeypatch.context() as slow:
            slow.setattr(type(store), "backlog", Backlog(1, seconds))
            assert await health(browser) == (503 if problem else 200, problem)
    with monkeypatch.context() as away:
        away.setattr(type(browser.lobby.lease), "expired", True)
        assert await health(browser) == (503, "the lease has expired")
    assert await health(browser) == (200, None)


async def test_a_writer_that_dies_is_reported_to_people_and_to_the_health_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = plan_faults(monkeypatch)
    async with server(tmp_path) as browser:
        made = await browser.make("joker1", "here", "here")
        mine = await browser.join(made["id"], *made["seats"].values())
        plan.arm(MemoryError("no memory"), {0: "before"}, counted="BEGIN IMMEDIATE")
        for name in ("a", "b"):
            answer = await asyncio.wait_for(mine.ask("roll", id=name), 60)
            assert (answer["type"], answer["code"]) == ("refused", "storage")
        wish = {"game": "joker1", "seats": [{"kind": "here"}] * 2}
        assert (await browser.post("/api/tables", wish)).json["code"] == "storage"
        status, reason = await health(browser)
        # what went wrong is for the operator alone
        assert status == 503 and reason is not None and "memory" not in reason
        assert browser.lobby.store.failed == "no memory"


def failing(store: Store, name: str, written: bool) -> Callable[..., Any]:
    """The store's method, whose first call ends in doubt, whether it has written or not."""
    real, calls = getattr(store, name), []

    def call(*details: Any) -> Any:
        calls.append(1)
        if len(calls) > 1:
            return real(*details)
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        doubt = OutcomeUnknown("the connection broke")
        if written:
            real(*details).add_done_callback(lambda _: answer.set_exception(doubt))
        else:
            asyncio.get_running_loop().call_soon(answer.set_exception, doubt)
        return answer

    return call


@pytest.mark.parametrize("written", [False, True])
async def test_a_command_in_doubt_is_repeated_and_done_once(
    browser: Browser, written: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await browser.make("joker1", "here", "here")
    mine = await browser.join(made["id"], *made["seats"].values())
    store, before = browser.lobby.store, mine.version
    monkeypatch.setattr(store, "append", failing(store, "append", written))
    # the second waits while the first is being written
    mine.send("roll", id="r")
    mine.send("roll", id="r")
    with pytest.raises(Closed):
        while True:
            # no client receives a refusal, for the command may have been carried out
            assert (await mine.hear())["type"] not in ("accepted", "refused")
    again = await browser.join(made["id"], *made["seats"].values(), since=before)
    answer = await again.ask("roll", id="r", version=before)
    assert answer["type"] == "accepted" and answer["version"] > before
    stored = await store.load(made["id"])
    assert [entry.command for entry in stored.entries].count("0:r") == 1


@pytest.mark.parametrize("kind", [StoreError, OutcomeUnknown])
async def test_that_nothing_has_changed_is_said_only_if_it_is_so(
    browser: Browser, kind: type[StoreError], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*details: Any) -> Any:
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        answer.set_exception(kind("it broke"))
        return answer

    monkeypatch.setattr(browser.lobby.store, "create", fail)
    answer = await browser.post("/api/tables", {"game": "joker1", "seats": [{"kind": "here"}] * 2})
    said = answer.json["reason"]["template"]
    assert answer.status == 503 and ("nothing has changed" in said) == (kind is StoreError)


def test_a_server_whose_log_has_failed_ends_and_continues_when_it_is_started_again(tmp_path: Path) -> None:
    fault, log = tmp_path / "fault", tmp_path / "server.log"
    server = Server(log, {"CHAOS_FAULT": str(fault)}, "--data", str(tmp_path))

    def ask(path: str, data: Any = None) -> Any:
        body = None if data is None else json.dumps(data).encode()
        request = urllib.request.Request(f"http://localhost:{server.port}{path}", body)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    async def run() -> None:
        await server.start()
        seats = [{"kind": "here"}, {"kind": "here"}]
        made = await asyncio.to_thread(ask, "/api/tables", {"game": "joker1", "seats": seats})
        address = f"ws://localhost:{server.port}/ws/{made['id']}"
        hello = json.dumps({"type": "hello", "tokens": list(made["seats"].values()), "protocol": PROTOCOL})
        command = {"type": "contribute", "id": "c", "contribution": CONTRIBUTION}
        async with connect(address) as socket:
            await socket.send(hello)
            welcome = json.loads(await socket.recv())
            fault.write_text("writer")
            await socket.send(json.dumps({**command, "version": welcome["position"]["version"]}))
            with pytest.raises(ConnectionClosed):
                while True:
                    said = json.loads(await socket.recv())
                    assert (said["type"], said["code"]) == ("refused", "storage")
        # the supervisor sees that the server exited on its own, with an error
        async with asyncio.timeout(60):
            while not server.codes:
                await asyncio.sleep(0.02)
        assert server.codes == [1] and "start Pasch again" in log.read_text()
        assert (await asyncio.to_thread(ask, "/healthz"))["status"] == "ok"
        async with connect(address) as socket:
            await socket.send(hello)
            assert json.loads(await socket.recv())["position"]["version"] == welcome["position"]["version"]

    try:
        asyncio.run(run())
    finally:
        server.kill()
