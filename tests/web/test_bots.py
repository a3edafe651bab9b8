"""Bots written by the operator sit at the server's tables, and cannot stop them."""

from __future__ import annotations

import json
import logging
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pasch.players.bots import BotError
from pasch.table.bots import Bots, name_bots
from tests.web.asgi import Browser, server

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


@pytest.mark.settings(bots=Bots({"MyBot": f"{EXAMPLE}:MyBot"}, seconds=600))
async def test_a_program_can_be_chosen_by_its_name_and_plays_by_itself(browser: Browser) -> None:
    games = (await browser.get("/api/games")).json
    assert [level["name"] for level in games[0]["levels"] if level["bot"]] == ["MyBot"]
    made = await browser.make("fiese15", "greedy", "MyBot")
    assert "computer" not in [entry["kind"] for entry in (await browser.watch(made))[0]]
    seats = (await browser.get(f"/api/tables/{made['id']}/replay")).json["table"]["seats"]
    assert (seats[1]["name"], seats[1]["level"]) == ("MyBot", "MyBot")


@pytest.mark.parametrize("why", FAILING)
async def test_one_that_fails_is_reported_and_loses_its_seat(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, why: str
) -> None:
    caplog.set_level(logging.WARNING, "pasch.table")
    bots = Bots(program(tmp_path, FAILING[why]), seconds=0.5 if why == "slow" else 600)
    async with server(tmp_path, bots=bots) as browser:
        made = await browser.make("sixbysix", "greedy", "Bot", options={"round_limit": 1})
        entries, _ = await browser.watch(made)
        bodies = [entry["body"] for entry in entries if entry["kind"] == "computer"]
        # once, and without a word of what the program may have known
        assert bodies == [{"seat": 1, "level": "greedy", "failed": why}]
    fields = next(vars(one)["fields"] for one in caplog.records if one.getMessage() == "bot failed")
    assert fields["player"] == "Bot" and fields["problem"]
    position = json.loads(fields["position"])
    # as its seat sees it: the other hand is hidden
    assert position["hands"][0][0] is None and position["hands"][1][0] is not None


async def test_a_program_that_is_not_there_any_more_loses_its_seat(tmp_path: Path) -> None:
    async with server(tmp_path, bots=Bots({"MyBot": f"{EXAMPLE}:MyBot"})) as browser:
        made = await browser.make("joker1", "here", "MyBot", options={"rounds": 1})
    async with server(tmp_path) as browser:
        mine = await browser.join(made["id"], made["seats"]["0"], made["maker"])
        assert (await mine.ask("computer", seat=0, level="random"))["type"] == "accepted"
        entries, _ = await browser.watch(made)
        bodies = [entry["body"] for entry in entries if entry["kind"] == "computer"]
        assert {"seat": 1, "level": "greedy", "failed": "gone"} in bodies


async def test_what_cannot_be_loaded_is_said_before_anything_is_served(tmp_path: Path) -> None:
    for programs, problem in (
        (["mybot.py"], r"FILE\.py:NAME"),
        (["mybot.py:greedy"], "a player named greedy already"),
        (["one.py:Bot", "other.py:Bot"], "a player named Bot already"),
    ):
        with pytest.raises(BotError, match=problem):
            name_bots(tuple(programs))
    bots = Bots({"Bot": f"{tmp_path / 'nowhere.py'}:Bot"})
    with pytest.raises(BotError, match="there is no file"):
        await bots.check()
    await bots.close()


def test_the_command_line_sets_a_table_for_me_and_my_program(tmp_path: Path) -> None:
    command = ["-m", "pasch", "play", "fiese15", "--seats", f"me,{EXAMPLE}:MyBot", "--browser"]
    own = {"PASCH_DATA": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    without_screen = {name: value for name, value in os.environ.items() if "DISPLAY" not in name}
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, *command], stdout=pipe, stderr=pipe, text=True, env={**without_screen, **own}
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        said = [process.stdout.readline() for _ in range(3)]
        process.send_signal(signal.SIGTERM)
        assert "{" not in process.stderr.read(), "at home there are no JSON lines"
    assert said[0].startswith("Pasch is at ")
    assert re.fullmatch(r"Sit down at http://localhost:\d+/t/[\w-]+#invite=[\w-]+\n", said[1])
    assert re.fullmatch(r"Watch at http://localhost:\d+/t/[\w-]+#watch=[\w-]+\n", said[2])
