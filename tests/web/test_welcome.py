"""Nobody is locked out of a table, whatever was written into its log."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import msgspec
import pytest
from tools.fuzz.targets import MemoryStore

from pasch.core.registry import all_games
from pasch.core.state import CHANCE
from pasch.store.base import LogEntry
from pasch.table.lobby import Lobby, LobbyLimits
from pasch.table.log import LiveTable, LogLine
from pasch.table.presence import TableLimits
from pasch.table.redact import MAX_PAGE_BYTES, Redactor, Viewer
from pasch.table.schema import MAX_ENTRIES, PROTOCOL, Judgement
from pasch.web.app import App
from tests.table.test_redact import live_table
from tests.web.asgi import NO_LIMITS, Browser, ScriptedHelper, Socket

#: what a welcome may hold beside the box's own data, in bytes
MAX_WELCOME_BYTES = 384 * 1024
#: the largest box
BOX = 256 * 1024


def write(live: LiveTable, kind: Any, **fields: Any) -> None:
    live.apply(live.change(kind, **fields))


def play(live: LiveTable, events: int) -> None:
    """Play a random game up to this number of events, or to its end."""
    random = Random(5)
    while len(live.events) < events and not live.state.over:
        state = live.state
        chance = state.actor == CHANCE
        live.apply(live.play(state.chance().sample(random) if chance else random.choice(state.moves())))


def versions(live: LiveTable, **which: Any) -> tuple[int, list[int]]:
    """From where on a page was made, and what is on it."""
    page = Redactor(live).page(Viewer((0,)), **which)
    return page.first, [entry.version for entry in page.entries]


# --- what is sent -------------------------------------------------------------------------------------


def test_a_page_ends_where_it_was_asked_to() -> None:
    live = live_table("joker1", 2)
    for number in range(18):
        write(live, "name", seat=0, name=f"N{number}")
    assert versions(live) == (1, [*range(1, 19)])
    assert versions(live, since=16) == (17, [17, 18])
    assert versions(live, before=3) == (1, [1, 2])
    assert versions(live, before=19, limit=2) == (17, [17, 18])
    assert versions(live, since=18) == (19, [])
    assert versions(live, before=0) == versions(live, before=1) == (1, [])
    assert versions(live, before=99) == versions(live)


def test_long_entries_fill_a_page_sooner() -> None:
    live = live_table("joker1", 2)
    for number in range(300):
        # far longer than any line that a client can cause
        line = LogLine.of("contribute", seats=[0], contribution=f"{number:x>1000}")
        live.lines.append(line)
        live.event_counts.append(0)
    page = Redactor(live).page(Viewer())
    assert 60 <= len(page.entries) <= 64 and page.entries[-1].version == 300
    assert sum(len(bytes(msgspec.json.encode(entry.body))) for entry in page.entries) <= MAX_PAGE_BYTES


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_a_welcome_has_bounds(game: Any) -> None:
    """Positions of random games: the drawing, all legal moves and a full page of the log."""
    largest = 0
    for seed in range(3):
        random, live = Random(seed), live_table(game.id, game.seats[-1])
        for _ in range(400):
            state = live.state
            if state.over:
                break
            chance = state.actor == CHANCE
            moves = () if chance else state.moves()
            live.apply(live.play(state.chance().sample(random) if chance else random.choice(moves)))
            if len(moves) > 100 or live.version % 100 == 0:
                redactor, viewer = Redactor(live), Viewer((max(live.state.actor, 0),))
                shown = (redactor.position(viewer), redactor.page(viewer))
                largest = max(largest, len(msgspec.json.encode(shown)))
    box = len(msgspec.json.encode(msgspec.to_builtins(live.game.components)))
    assert largest < MAX_WELCOME_BYTES and box < BOX


# --- who is welcomed ----------------------------------------------------------------------------------


async def test_a_log_with_ten_thousand_names_of_an_older_version_locks_nobody_out() -> None:
    store = MemoryStore()
    lobby = Lobby(store, processes=ScriptedHelper())
    await lobby.open()
    browser = Browser(App(lobby).answering_to(), lobby)
    made = await browser.make("joker1", "here", "here")
    names = [
        LogEntry(LogLine.of("name", seat=number % 2, name=f"{number:x>24}").encode(), f"0:{number}")
        for number in range(10_000)
    ]
    await store.append(made["id"], (await store.load(made["id"])).version, names, False)
    lobby._live.clear()
    lobby._idle.clear()
    for token in (*made["seats"].values(), made["maker"], made["watch"]):
        socket = browser.open(made["id"])
        socket.say({"type": "hello", "tokens": [token], "protocol": PROTOCOL})
        text = await socket.text()
        welcome = json.loads(text)
        assert welcome["type"] == "welcome" and len(text) < 200_000
        assert len(welcome["entries"]) <= MAX_ENTRIES and welcome["position"]["version"] == 10_000
    mine = browser.open(made["id"])
    await mine.hello(*made["seats"].values(), contribute=False)
    assert (await mine.ask("name", seat=0, name="Ada"))["code"] == "not-now"
    # what is there can still be asked for
    page = await mine.ask("earlier", before=5_000, count=200)
    assert [entry["version"] for entry in page["entries"]] == [*range(4_800, 5_000)]
    assert (await mine.ask("contribute", contribution="5a" * 32))["type"] == "accepted"
    await browser.close()
    await lobby.close()


@pytest.mark.settings(limits=msgspec.structs.replace(NO_LIMITS, backlog=500))
async def test_the_first_answer_is_never_too_long(browser: Browser) -> None:
    made, _, _ = await browser.two()
    welcome = await browser.open(made["id"]).hello(made["seats"]["0"])
    assert welcome["type"] == "welcome" and len(json.dumps(welcome)) > 500


async def test_a_gap_is_announced_and_filled_page_by_page(browser: Browser) -> None:
    given = live_table("joker1", 6, rounds=20)
    play(given, 450)
    events = [event.json() for event in given.events]
    made = await browser.make("joker1", *["here"] * 6, options={"rounds": 20}, events=events)
    table = await browser.lobby.find(made["id"])
    table.coach.judgements = [Judgement(version, 0, "roll", 1.0) for version in range(1, 451)]
    back = browser.open(made["id"])
    assert MAX_ENTRIES == 450 - 250
    for since, first in ((None, 251), (3, 251), (250, 251), (440, 441), (450, 451), (999, 451)):
        welcome = await back.hello(made["watch"], since=since)
        assert welcome["first"] == first
        for reply in (welcome["entries"], welcome["judgements"]):
            assert [one["version"] for one in reply] == list(range(first, 451))
    before = 251
    while before > 1:
        page = await back.ask("earlier", before=before, count=60)
        assert page["first"] == max(1, before - 60)
        for reply in (page["entries"], page["judgements"]):
            assert [one["version"] for one in reply] == list(range(page["first"], before))
        assert [one["body"] for one in page["entries"]] == events[page["first"] - 1 : before - 1]
        before = page["first"]
    await browser.open(made["id"]).refused("not-yours", "earlier", before=3)
    assert (await back.ask("earlier", before=3, count=201))["code"] == "malformed"


# --- what may be written ------------------------------------------------------------------------------


@pytest.mark.settings(lobby_limits=LobbyLimits(table=TableLimits(max_non_moves=20)))
async def test_what_is_no_move_has_an_end_for_each_seat(browser: Browser) -> None:
    _, mine, guest = await browser.two()

    async def do(person: Socket, kind: str, **fields: Any) -> str:
        answer = await person.ask(kind, **fields)
        for one in (mine, guest) if answer["type"] == "accepted" else ():
            await one.hear("update")
        return str(answer.get("code", "accepted"))

    # it is not the guest's turn, so nothing else happens
    for _ in range(5):
        assert await do(guest, "computer", seat=1, level="greedy") == "accepted"
        assert await do(guest, "person", seat=1) == "accepted"
    names = [await do(guest, "name", seat=1, name=f"N{number}") for number in range(16)]
    assert names == ["accepted"] * 15 + ["not-now"]
    for kind, fields in (
        ("coach", {"coach": "hints"}),
        ("adjudicate", {}),
        ("computer", {"level": "hard"}),
    ):
        seat = {"seat": 1} if kind == "computer" else {}
        assert await do(guest, kind, **fields, **seat) == "not-now"
    # each seat for itself, and moves are no part of it
    assert await do(mine, "name", seat=0, name="Ada") == "accepted"
    assert await do(mine, "roll") == "accepted"


@pytest.mark.settings(lobby_limits=LobbyLimits())
async def test_the_same_name_again_writes_nothing(browser: Browser) -> None:
    _, mine, _ = await browser.two()
    for _ in range(30):
        answer = await mine.ask("name", seat=0, name=" P0 ")
        assert (answer["type"], answer["version"]) == ("accepted", mine.version)
