"""Bots written by the operator sit at the server's tables, and cannot stop them."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pasch.players.bots import BotError
from pasch.table.bots import Bots, name_bots
from tests.web.asgi import Browser, served, with_server

EXAMPLE = Path(__file__).parents[2] / "examples" / "mybot.py"

FAILING = {
    "error": "raise ValueError(f'I am lost with {view.hands[view.actor]}')",
    "illegal": "return 7",
    "slow": "import time; time.sleep(3600)",
}


def program(folder: Path, body: str) -> dict[str, str]:
    file = folder / "written.py"
    file.write_text(f"def Bot(view, generator):\n    {body}\n", "utf-8")
    return {"Bot": f"{file}:Bot"}


async def until_over(browser: Browser, made: dict[str, Any]) -> list[dict[str, Any]]:
    """Watch a table until its game is over; the entries of its log."""
    watcher = browser.open(made["id"])
    received = await watcher.hello(made["watch"])
    entries = list(received["entries"])
    while received["position"]["actor"] != -2:
        received = await watcher.hear("update")
        entries += received["entries"]
    return entries


@served(bots=Bots({"MyBot": f"{EXAMPLE}:MyBot"}, seconds=600))
async def test_a_program_can_be_chosen_by_its_name_and_plays_by_itself(browser: Browser) -> None:
    games = (await browser.get("/api/games")).json
    assert [level["name"] for level in games[0]["levels"] if level["bot"]] == ["MyBot"]
    made = await browser.make("fiese15", "greedy", "MyBot")
    assert "computer" not in [entry["kind"] for entry in await until_over(browser, made)]
    seats = (await browser.get(f"/api/tables/{made['id']}/replay")).json["table"]["seats"]
    assert (seats[1]["name"], seats[1]["level"]) == ("MyBot", "MyBot")


@pytest.mark.parametrize("why", FAILING)
def test_one_that_fails_is_reported_and_loses_its_seat(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, why: str
) -> None:
    async def run(browser: Browser) -> None:
        made = await browser.make("sixbysix", "greedy", "Bot", options={"round_limit": 1})
        entries = await until_over(browser, made)
        bodies = [entry["body"] for entry in entries if entry["kind"] == "computer"]
        # once, and without a word of what the program may have known
        assert bodies == [{"seat": 1, "level": "greedy", "failed": why}]

    bots = Bots(program(tmp_path, FAILING[why]), seconds=0.5 if why == "slow" else 600)
    with caplog.at_level(logging.WARNING, "pasch.table"):
        with_server(tmp_path, run, bots=bots)
    fields = next(vars(one)["fields"] for one in caplog.records if one.getMessage() == "bot failed")
    assert fields["player"] == "Bot" and fields["problem"]
    position = json.loads(fields["position"])
    # as its seat sees it: the other hand is hidden
    assert position["hands"][0][0] is None and position["hands"][1][0] is not None


def test_a_program_that_is_not_there_any_more_loses_its_seat(tmp_path: Path) -> None:
    async def begin(browser: Browser) -> dict[str, Any]:
        return await browser.make("joker1", "here", "MyBot", options={"rounds": 1})

    async def go_on(browser: Browser, made: dict[str, Any]) -> None:
        mine = await browser.join(made["id"], made["seats"]["0"], made["maker"])
        assert (await mine.ask("computer", seat=0, level="random"))["type"] == "accepted"
        entries = await until_over(browser, made)
        bodies = [entry["body"] for entry in entries if entry["kind"] == "computer"]
        assert {"seat": 1, "level": "greedy", "failed": "gone"} in bodies

    made = with_server(tmp_path, begin, bots=Bots({"MyBot": f"{EXAMPLE}:MyBot"}))
    with_server(tmp_path, lambda browser: go_on(browser, made))


@served()
async def test_nobody_in_a_browser_can_bring_a_program(browser: Browser) -> None:
    for level in ("MyBot", "examples/mybot.py:MyBot"):
        wish = {"game": "fiese15", "seats": [{"kind": "here"}, {"kind": "computer", "level": level}]}
        answer = await browser.post("/api/tables", wish)
        assert answer.json["code"] == "illegal"


def test_what_cannot_be_loaded_is_said_before_anything_is_served(tmp_path: Path) -> None:
    with pytest.raises(BotError, match=r"FILE\.py:NAME"):
        name_bots(("mybot.py",))
    with pytest.raises(BotError, match="a player named greedy already"):
        name_bots(("mybot.py:greedy",))
    with pytest.raises(BotError, match="a player named Bot already"):
        name_bots(("one.py:Bot", "other.py:Bot"))

    async def check() -> None:
        bots = Bots({"Bot": f"{tmp_path / 'nowhere.py'}:Bot"})
        try:
            await bots.check()
        finally:
            await bots.close()

    with pytest.raises(BotError, match="there is no file"):
        asyncio.run(check())


def test_the_command_line_sets_a_table_for_me_and_my_program(tmp_path: Path) -> None:
    command = ["-m", "pasch", "play", "fiese15", "--seats", f"me,{EXAMPLE}:MyBot", "--browser"]
    own = {"PASCH_DATA": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    without_screen = {name: value for name, value in os.environ.items() if "DISPLAY" not in name}
    with subprocess.Popen(
        [sys.executable, *command], stdout=subprocess.PIPE, text=True, env={**without_screen, **own}
    ) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(3)]
        process.send_signal(signal.SIGTERM)
    assert said[0].startswith("Pasch is at ")
    assert re.fullmatch(r"Sit down at http://localhost:\d+/t/[\w-]+#invite=[\w-]+\n", said[1])
    assert re.fullmatch(r"Watch at http://localhost:\d+/t/[\w-]+#watch=[\w-]+\n", said[2])
