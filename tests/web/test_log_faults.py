"""A log that fails: what clients receive, and what the health check says. How a server ends: test_chaos.py."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pasch.store.base import LATE_SECONDS, OutcomeUnknown, Store, StoreError
from pasch.web.answers import Health
from tests.store.faults import plan_faults
from tests.web.asgi import Browser, Closed, server


async def health(browser: Browser) -> tuple[int, str | None]:
    answer = await browser.get("/healthz")
    said = msgspec.json.decode(answer.body, type=Health)
    assert (said.status == "ok") is (answer.status == 200)
    return answer.status, said.reason


async def test_the_health_check_fails_while_nothing_can_be_written(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = browser.lobby.store
    assert await health(browser) == (200, None)
    for seconds, problem in ((LATE_SECONDS, None), (LATE_SECONDS + 0.1, "the log does not answer")):
        with monkeypatch.context() as slow:
            slow.setattr(type(store), "lag_seconds", seconds)
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
        _, mine = await browser.alone("joker1", "here", "here")
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
    made, mine = await browser.alone("joker1", "here", "here")
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
