"""Nobody is locked out of a table, whatever was written into its log."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from tools.fuzz.targets import MemoryStore

from pasch.core.registry import all_games
from pasch.core.state import CHANCE
from pasch.store.base import LogEntry
from pasch.table.limits import Limits
from pasch.table.lobby import Lobby, LobbyLimits
from pasch.table.log import Agreement, Chair, LiveTable, LogLine
from pasch.table.presence import TableLimits
from pasch.table.redact import MAX_PAGE_BYTES, Redactor, Viewer
from pasch.table.schema import MAX_ENTRIES, PROTOCOL, Judgement
from pasch.web.app import make_app
from tests.web.asgi import NO_LIMITS, Browser, Clock, ScriptedHelper, Socket, looped, served, with_server
from tests.web.test_commands import refused, two

#: what a welcome may hold beside the box's own data, in bytes; both together are far below the backlog
MAX_WELCOME_BYTES = 384 * 1024
#: the largest box
BOX = 256 * 1024


def live_table(game: str = "joker1", players: int = 2, **options: Any) -> LiveTable:
    chairs = tuple(Chair(kind="here", name=f"P{seat}") for seat in range(players))
    agreement = Agreement(
        game=game, options=options, chairs=chairs, coach="off", dice="real", made=0, watch="", maker=""
    )
    return LiveTable("t", agreement)


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


def test_of_what_was_superseded_before_the_next_event_only_the_last_is_sent() -> None:
    live = live_table()
    for number in range(5):
        for seat in (0, 1):
            write(live, "name", seat=seat, name=f"N{number}")
    assert versions(live) == (1, [9, 10])
    live.apply(live.play(live.game.read_event({"seat": 0, "roll": [1, 2, 4]})))
    write(live, "name", seat=0, name="Z")
    write(live, "computer", seat=0, level="greedy")
    write(live, "person", seat=0)
    write(live, "coach", seats=[1], coach="hints", settled=False)
    write(live, "coach", seats=[1], coach="moves", settled=False)
    write(live, "end", seats=[1], agree=True)
    write(live, "end", seats=[1], agree=False)
    assert versions(live) == (1, [9, 10, 11, 12, 14, 16, 18])
    # what was seen already is not sent, and an older page ends where it was asked to
    assert versions(live, since=10) == (11, [11, 12, 14, 16, 18])
    assert versions(live, before=10) == (1, [8, 9])
    assert versions(live, before=19, most=2) == (16, [16, 18])
    assert versions(live, since=18) == (19, [])
    assert versions(live, before=0) == versions(live, before=1) == (1, [])
    assert versions(live, before=99) == versions(live)


def test_pages_have_bounds_and_together_they_are_the_whole_log() -> None:
    live = live_table("joker1", 6, rounds=20)
    play(live, 900)
    first, found = versions(live)
    assert len(found) == MAX_ENTRIES and found[-1] == live.version > 400
    while first > 1:
        before = first
        first, more = versions(live, before=before, most=70)
        assert len(more) <= 70 and more[-1] == before - 1
        found = more + found
    assert found == list(range(1, live.version + 1))


def test_long_entries_fill_a_page_sooner() -> None:
    live = live_table()
    for number in range(300):
        # far longer than any line that a client can cause
        line = LogLine.of("contribute", seats=[0], contribution=f"{number:x>1000}")
        live.lines.append(line)
        live.event_counts.append(0)
    page = Redactor(live).page(Viewer())
    assert 60 <= len(page.entries) <= 64 and page.entries[-1].version == 300
    assert sum(len(bytes(msgspec.json.encode(entry.body))) for entry in page.entries) <= MAX_PAGE_BYTES


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_a_welcome_is_far_smaller_than_the_backlog(game: Any) -> None:
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
    assert Limits().backlog > 1.5 * (MAX_WELCOME_BYTES + BOX)


# --- who is welcomed ----------------------------------------------------------------------------------


async def everybody_is_welcome(browser: Browser, made: dict[str, Any], seats: dict[str, str]) -> None:
    """Each token opens the table, and what is sent has bounds."""
    live = (await browser.lobby.find(made["id"])).live
    for token in (*seats.values(), made["maker"], made["watch"]):
        before = live.version
        socket = browser.open(made["id"])
        socket.say({"type": "hello", "tokens": [token], "protocol": PROTOCOL})
        text = await socket.text()
        welcome = json.loads(text)
        assert welcome["type"] == "welcome" and len(text) < 200_000
        assert len(welcome["entries"]) <= MAX_ENTRIES
        # the computer may move at any moment
        assert before <= welcome["position"]["version"] <= live.version
        await socket.vanish()


def any_command(random: Random, live: LiveTable, who: int) -> tuple[str, dict[str, Any]]:
    seat, level = random.randrange(2), random.choice(["greedy", "random"])
    if random.random() < 0.6:
        return "name", {"seat": seat, "name": random.choice("abcdef") * random.randint(1, 24)}
    others: list[tuple[str, dict[str, Any]]] = [
        ("coach", {"coach": random.choice(["off", "after", "moves", "hints"])}),
        ("computer", {"seat": seat, "level": level}),
        ("person", {"seat": seat}),
        ("adjudicate", {"agree": who == 0 and random.random() < 0.5}),  # never both
        ("roll", {}),
        ("move", {"event": random.choice([move.json() for move in live.state.moves()] or [{}])}),
    ]
    return random.choice(others)


@pytest.mark.parametrize(
    ("seed", "commands"), [(1, 2_000), pytest.param(2, 10_000, marks=pytest.mark.exhaustive)]
)
@looped
async def test_whatever_is_written_everybody_is_welcome(seed: int, commands: int) -> None:
    """Commands as fast as they are allowed and faster, while people come, go and come back."""
    random, clock = Random(seed), Clock()
    limits = LobbyLimits(table=TableLimits(gone_after=1e9))
    lobby = Lobby(MemoryStore(), limits, processes=ScriptedHelper(), monotonic=clock)
    await lobby.open()
    browser = Browser(make_app(lobby, NO_LIMITS), lobby)
    made, mine, guest = await two(browser, stand_in="random", options={"rounds": 10})
    live, seats, answers = (await lobby.find(made["id"])).live, made["seats"], Counter[str]()
    people: list[Socket] = [mine, guest]
    for number in range(commands):
        clock.now += random.choice([0, 1, 10])
        who = random.randrange(2)
        if random.random() < 0.005:
            await people[who].vanish()
            clock.now += random.choice([0, 70])
            tokens = (seats[str(who)], made["maker"])[: 2 - who]
            people[who] = browser.open(made["id"])
            assert (await people[who].hello(*tokens))["type"] == "welcome"
        kind, fields = any_command(random, live, who)
        answer = await people[who].ask(kind, version=live.version, **fields)
        answers[f"{kind} {answer.get('code', answer['type'])}"] += 1
        if number % 1_000 == 0:
            await everybody_is_welcome(browser, made, seats)
    # names and wishes are bounded, changes of computers only as the game advances
    limit = limits.table.max_non_moves
    assert all(live.non_moves[seat] <= limit for seat in (0, 1)) and answers["name not-now"] > 100
    lines = Counter(line.kind for line in live.lines)
    assert lines["computer"] <= 20 * (lines["event"] + 1) and lines["person"] <= lines["computer"]
    await everybody_is_welcome(browser, made, seats)
    await browser.close()
    await lobby.close()


@looped
async def test_a_log_with_ten_thousand_names_of_an_older_version_locks_nobody_out() -> None:
    store = MemoryStore()
    lobby = Lobby(store, processes=ScriptedHelper())
    await lobby.open()
    browser = Browser(make_app(lobby), lobby)
    made = await browser.make("joker1", "here", "here")
    names = [
        LogEntry(LogLine.of("name", seat=number % 2, name=f"{number:x>24}").encode(), f"0:{number}")
        for number in range(10_000)
    ]
    await store.append(made["id"], (await store.load(made["id"])).version, names, False)
    lobby._live.clear()
    lobby._idle.clear()
    await everybody_is_welcome(browser, made, made["seats"])
    mine = browser.open(made["id"])
    await mine.hello(*made["seats"].values(), contribute=False)
    assert (await mine.ask("name", seat=0, name="Ada"))["code"] == "not-now"
    # what is there can still be asked for
    page = await mine.ask("earlier", before=5_000, count=200)
    assert [entry["version"] for entry in page["entries"]] == [4_998, 4_999] and page["first"] == 4_600
    assert (await mine.ask("contribute", contribution="5a" * 32))["type"] == "accepted"
    await browser.close()
    await lobby.close()


@served(limits=msgspec.structs.replace(NO_LIMITS, backlog=500))
async def test_the_first_answer_is_never_too_long(browser: Browser) -> None:
    made, _, _ = await two(browser)
    welcome = await browser.open(made["id"]).hello(made["seats"]["0"])
    assert welcome["type"] == "welcome" and len(json.dumps(welcome)) > 500


@served()
async def test_a_gap_is_announced_and_filled_page_by_page(browser: Browser) -> None:
    given = live_table("joker1", 6, rounds=20)
    play(given, 450)
    events = [event.json() for event in given.events]
    made = await browser.make("joker1", *["here"] * 6, options={"rounds": 20}, events=events)
    table = await browser.lobby.find(made["id"])
    table.coach.judgements = [Judgement(version, 0, "roll", 1.0) for version in range(1, 451)]
    back = browser.open(made["id"])
    for since, first in ((None, 251), (3, 251), (250, 251), (440, 441)):
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
    await refused(browser.open(made["id"]), "not-yours", "earlier", before=3)
    assert (await back.ask("earlier", before=3, count=201))["code"] == "malformed"


# --- what may be written ------------------------------------------------------------------------------


def test_names_and_wishes_are_slow_and_have_an_end(tmp_path: Path) -> None:
    async def run(browser: Browser) -> None:
        _, mine, guest = await two(browser)

        async def rename(person: Socket, seat: int, number: int) -> str:
            answer = await person.ask("name", seat=seat, name=f"N{number}")
            for one in (mine, guest) if answer["type"] == "accepted" else ():
                await one.hear("update")
            return str(answer.get("code", "accepted"))

        assert [await rename(mine, 0, number) for number in range(12)] == ["accepted"] * 10 + [
            "too-fast"
        ] * 2
        # each seat for itself
        assert await rename(guest, 1, 0) == "accepted"
        clock.now += 10
        assert [await rename(mine, 0, 20 + number) for number in range(2)] == ["accepted", "too-fast"]
        # all that is no move counts
        assert (await mine.ask("coach", coach="hints"))["code"] == "too-fast"
        assert (await mine.ask("adjudicate"))["code"] == "too-fast"
        assert (await mine.ask("computer", seat=0, level="greedy"))["code"] == "too-fast"
        assert (await mine.ask("roll"))["type"] == "accepted"
        for one in (mine, guest):
            await one.hear("update")
        clock.now += 1_000
        assert [await rename(mine, 0, 30 + number) for number in range(9)] == ["accepted"] * 9
        assert await rename(mine, 0, 50) == "not-now"
        assert await rename(guest, 1, 1) == "accepted"

    clock = Clock()
    limits = LobbyLimits(table=TableLimits(max_non_moves=20))
    with_server(tmp_path, run, lobby_limits=limits, monotonic=clock)


@served(lobby_limits=LobbyLimits())
async def test_the_same_name_again_writes_nothing(browser: Browser) -> None:
    _, mine, _ = await two(browser)
    for _ in range(30):
        answer = await mine.ask("name", seat=0, name=" P0 ")
        assert (answer["type"], answer["version"]) == ("accepted", mine.version)


@served()
async def test_a_seat_goes_to_and_fro_only_as_the_game_goes_on(browser: Browser) -> None:
    _, mine, guest = await two(browser)

    async def both() -> None:
        for one in (mine, guest):
            await one.hear("update")

    # it is not the guest's turn, so nothing else happens
    for _ in range(2):
        for _ in range(5):
            assert (await guest.ask("computer", seat=1, level="greedy"))["type"] == "accepted"
            await both()
            assert (await guest.ask("person", seat=1))["type"] == "accepted"
            await both()
        await refused(guest, "not-now", "computer", seat=1, level="greedy")
        await (mine.ask("roll") if mine.version < 20 else mine.ask("name", seat=0, name="Ada"))
        await both()
    await refused(guest, "not-now", "computer", seat=1, level="greedy")
