"""Games are played to their end: by clients that know no rules, by bots of the operator, and in a browser's worker."""

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
from random import Random
from typing import Any

import pytest

from pasch.core.errors import PaschError
from pasch.core.record import Record
from pasch.store.browser import BrowserStore
from pasch.table.bots import Bots, name_bots
from pasch.table.schema import PROTOCOL
from pasch.web.worker import Bridge
from tests.store.rows import MemoryDatabase, Rows
from tests.web.asgi import Browser, ScriptedHelper, Socket, server

#: each game, short
SHORT: dict[str, dict[str, Any]] = {
    "crowns": {"round_limit": 3},
    "fiese15": {},
    "joker1": {"rounds": 2},
    "joker2": {"rounds": 2},
    "lines": {"target": 2, "plans": [1, 3]},
    "sixbysix": {"round_limit": 1},
}


async def play(socket: Socket, welcome: dict[str, Any], random: Random) -> dict[str, Any]:
    """Choose at random among what is offered, until the game is over."""
    position: dict[str, Any] = welcome["position"]
    while position["actor"] != -2:
        if position["moves"]:
            choice = random.choice(position["moves"])
            socket.send("move", event=choice["event"])
        elif position["awaits"] == "roll":
            socket.send("roll")
        elif position["awaits"] == "read":
            ask = position["ask"]
            socket.send("read", values=[random.choice(ask["values"]) for _ in ask["parts"]])
        message = await socket.hear("update", "refused")
        if message["type"] == "refused":
            # real cards that were read may not be there any more
            assert position["awaits"] == "read" and message["code"] == "illegal", message
            continue
        while message["position"]["version"] < socket.version:
            message = await socket.hear("update")
        position = message["position"]
    return position


@pytest.mark.parametrize("game", SHORT)
async def test_two_by_link_one_watching_and_a_computer(browser: Browser, game: str) -> None:
    made = await browser.make(game, "here", "link", "greedy", options=SHORT[game])
    mine = browser.open(made["id"])
    hello = await mine.hello(made["seats"]["0"], made["maker"])
    assert hello["yours"] == [0] and hello["maker"] and hello["table"]["phase"] == "waiting"
    watcher = await browser.join(made["id"], made["watch"])
    guest, welcome = await browser.sit(made)
    assert welcome["table"]["phase"] == "playing"

    async def watch() -> dict[str, Any]:
        seen = []
        while True:
            update = await watcher.hear("update")
            seen += update["entries"]
            if update["position"]["actor"] == -2:
                versions = [entry["version"] for entry in seen]
                assert versions == list(range(versions[0], versions[0] + len(versions)))
                assert all(not message.get("position", {}).get("moves") for message in watcher.messages)
                position: dict[str, Any] = update["position"]
                return position

    # the first player's own connection may be behind by what happened since
    again = await mine.hello(made["seats"]["0"], made["maker"])
    ends = await asyncio.gather(play(mine, again, Random(1)), play(guest, welcome, Random(2)), watch())
    assert ends[0]["scores"] == ends[1]["scores"] == ends[2]["scores"]
    assert ends[0]["winners"] == ends[1]["winners"] == ends[2]["winners"] != []
    answer = await browser.get(f"/api/tables/{made['id']}/record")
    record = Record.from_json(answer.body)
    record.verify()
    assert record.scores == ends[0]["scores"] and record.players == 3


@pytest.mark.parametrize("game", SHORT)
async def test_round_one_screen_with_real_dice(browser: Browser, game: str) -> None:
    made = await browser.make(game, "here", "here", "random", options=SHORT[game], dice="real")
    socket = browser.open(made["id"])
    welcome = await socket.hello(*made["seats"].values())
    end = await play(socket, welcome, Random(3))
    assert end["winners"]
    answer = await browser.get(f"/api/tables/{made['id']}/record")
    Record.from_json(answer.body).verify()


# --- bots cannot stop a table -------------------------------------------------------------------------

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
        with pytest.raises(PaschError, match=problem):
            name_bots(tuple(programs))
    bots = Bots({"Bot": f"{tmp_path / 'nowhere.py'}:Bot"})
    with pytest.raises(PaschError, match="there is no file"):
        await bots.check()
    await bots.close()


def test_at_home_the_address_is_printed_and_no_json_lines(tmp_path: Path) -> None:
    own = {"PASCH_DATA": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    without_screen = {name: value for name, value in os.environ.items() if "DISPLAY" not in name}
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-m", "pasch"], stdout=pipe, stderr=pipe, text=True, env={**without_screen, **own}
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        said = process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        assert "{" not in process.stderr.read(), "at home there are no JSON lines"
    assert re.match(r"Pasch is at http://localhost:\d+/ ", said)


# --- in a browser's worker ----------------------------------------------------------------------------


async def local(rows: Rows) -> Bridge:
    """The application without a server."""
    bridge = Bridge(BrowserStore(MemoryDatabase(rows)), ScriptedHelper(), lambda value: value)
    await bridge.lobby.open()
    return bridge


async def asked(here: Bridge, method: str, path: str, data: Any = None) -> tuple[int, Any]:
    answer = await here.request(method, path, b"" if data is None else json.dumps(data).encode())
    return answer.status_code, json.loads(answer.body)


WISH = {"game": "joker1", "seats": [{"kind": "here", "name": "A"}], "options": {"rounds": 1}}


async def test_a_worker_makes_tables_that_are_there_after_a_restart() -> None:
    rows, messages = Rows(), asyncio.Queue[Any]()
    here = await local(rows)
    status, made = await asked(here, "POST", "/api/tables", WISH)
    assert status == 201
    assert await here.open("a", made["id"], messages.put_nowait) == 0
    contribute = {"type": "contribute", "id": "12345678", "version": 0, "contribution": "00" * 32}
    hello = {"type": "hello", "tokens": [made["seats"]["0"]], "protocol": PROTOCOL}
    for message in (hello, contribute, "nonsense"):
        here.text("a", json.dumps(message))
    kinds: set[str] = set()
    while not {"welcome", "refused", "update"} <= kinds:
        kinds.add(json.loads(await asyncio.wait_for(messages.get(), 60))["type"])
    assert (await asked(here, "GET", f"/api/tables/{made['id']}/record"))[0] == 409
    assert (await asked(here, "GET", "/metrics"))[0] == 404
    here.disconnect("a")
    await here.lobby.close()
    again = await local(rows)
    assert (await again.lobby.read(made["id"])).current.phase == "playing"
    missing: list[str | None] = []
    assert await again.open("b", "none", missing.append) == 4404
    assert missing and "no-table" in (missing[0] or "")
    await again.lobby.close()


async def test_all_tables_go_to_a_file_and_come_back() -> None:
    first, other = await local(Rows()), await local(Rows())
    for _ in range(2):
        assert (await asked(first, "POST", "/api/tables", WISH))[0] == 201
    file = (await first.request("POST", "/api/device/save", b"what the page knows")).body
    for new, known in ((2, 0), (0, 2)):
        answer = await other.request("POST", "/api/device/load", file)
        assert json.loads(answer.body) == {"new": new, "known": known, "note": "what the page knows"}
    store = other.lobby.store
    ids = list(await store.tables())
    assert ids == list(await first.lobby.store.tables())
    # a table with a connected client stays
    assert await first.open("a", ids[0], lambda message: None) == 0
    unknown = "never-there"
    assert await asked(first, "POST", "/api/device/delete", [*ids, unknown]) == (200, [ids[1], unknown])
    assert list(await first.lobby.store.tables()) == ids[:1]
    first.disconnect("a")
    assert await asked(first, "POST", "/api/device/delete", ids) == (200, ids)
    assert (await asked(first, "POST", "/api/device/delete", {"all": True}))[0] == 400
    for broken in (b"", b"nothing", file[: len(file) // 2]):
        assert (await other.request("POST", "/api/device/load", broken)).status_code == 400
    await first.lobby.close()
    await other.lobby.close()
