"""Computers at a table: they move by themselves, see only their seat's view, and never stop a game."""

from __future__ import annotations

import asyncio
import logging
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from pasch.core.events import Event
from pasch.core.state import State
from pasch.players import base
from pasch.store.base import LogEntry, StoreError
from pasch.table.authority import RETRY_DELAY_SECONDS
from pasch.table.log import LogLine
from tests.web.asgi import Browser, server


@pytest.mark.parametrize("problem", ["raises", "forbidden", "nonsense"])
@pytest.mark.parametrize("levels", [("random",), ("random", "greedy")], ids=["one", "fallback-too"])
async def test_one_that_fails_is_replaced_and_it_is_logged(
    problem: str,
    levels: tuple[str, ...],
    browser: Browser,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Broken:
        def choose(self, view: State, generator: Any) -> Event:
            if problem == "raises":
                raise ZeroDivisionError
            if problem == "forbidden":
                return view.game.read_event({"seat": 0, "push": [[6], [6]]})
            return None  # type: ignore[return-value]

    for level in levels:
        monkeypatch.setitem(base._makers, level, Broken)
    caplog.set_level(logging.WARNING)
    await browser.watch(await browser.make("joker1", "random", options={"rounds": 1}))
    said = {record.message for record in caplog.records}
    assert "computer failed" in said and ("fallback failed" in said) is ("greedy" in levels)


async def test_a_light_one_is_given_only_its_view(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a strong one is given, which chooses in a helper, test_noninterference.py compares."""
    given: list[State] = []

    class Watched:
        def choose(self, view: State, generator: Any) -> Event:
            given.append(view)
            return view.moves()[0]

    monkeypatch.setitem(base._makers, "random", Watched)
    await browser.watch(await browser.make("sixbysix", "random", "random", options={"round_limit": 1}))
    assert len(given) == 12 and all(view == view.view(view.actor) for view in given)


async def test_a_computers_choice_after_a_restart_is_the_same(tmp_path: Path) -> None:
    moves: list[Event] = []
    for _ in range(2):
        async with server(tmp_path) as browser:
            monkey = pytest.MonkeyPatch()
            monkey.setattr("pasch.table.authority.Authority.start_computer", lambda self: None)
            if not moves:
                made = await browser.make("crowns", "random")
            table = await browser.lobby.find(made["id"])
            moves.append((await browser.lobby.computers.choose(table.live)).event)
            monkey.undo()
    assert moves[0] == moves[1]


async def test_a_table_tries_again_when_a_move_was_not_found_or_not_written(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert RETRY_DELAY_SECONDS > 0.5
    monkeypatch.setattr("pasch.table.authority.RETRY_DELAY_SECONDS", 0.001)
    choose, chosen = browser.lobby.computers.choose, count(1)
    append, written = browser.lobby.store.append, count(1)

    async def fail_twice(*details: Any) -> Any:
        if next(chosen) < 3:
            raise ZeroDivisionError
        return await choose(*details)

    def sometimes_full(*details: Any) -> Any:
        if next(written) % 3 == 0:
            return append(*details)
        failed = asyncio.get_running_loop().create_future()
        failed.set_exception(StoreError("disk full"))
        return failed

    monkeypatch.setattr(browser.lobby.computers, "choose", fail_twice)
    monkeypatch.setattr(browser.lobby.store, "append", sometimes_full)
    made = await browser.make("joker1", "random", "greedy", options={"rounds": 1})
    assert (await browser.watch(made))[1]["winners"]
    assert next(chosen) > 3 and next(written) > 4


async def test_a_table_written_to_by_another_server_is_given_up(browser: Browser) -> None:
    made = await browser.make("joker1", "here", "here")
    mine = await browser.join(made["id"], *made["seats"].values())
    line = LogLine.of("name", seat=0, name="Other")
    await browser.lobby.store.append(made["id"], mine.version, [LogEntry(line.encode())], False)
    seen = mine.version
    mine.send("roll")
    # not answered, because this server's state is out of date; the client may reconnect and repeat it
    await mine.ended()
    again = await browser.join(made["id"], *made["seats"].values())
    assert again.version == seen + 1
    assert (await again.ask("roll"))["type"] == "accepted"
