"""Connections: coming back, several at once, slow ones, vanishing ones, and those that talk nonsense."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from pasch.store.base import LogEntry
from pasch.table import schema
from pasch.table.limits import Budgets, Limits, Rate
from pasch.table.log import LogLine
from pasch.table.redact import MAX_PAGE_BYTES, Redactor, Viewer
from pasch.table.schema import MAX_ENTRIES, PROTOCOL, Judgement
from pasch.web.sockets import Connection
from tests.coach.games import agree, play
from tests.table.test_redact import live_table
from tests.web.asgi import NO_LIMITS, Browser, Closed, Socket, server


async def test_two_tabs_are_one_seat(browser: Browser) -> None:
    made, one = await browser.alone()
    two = await browser.join(made["id"], made["seats"]["0"])
    position = await one.done("roll")
    assert await two.reach(one.version) == position
    await two.done("move", event=position["moves"][0]["event"])
    assert await one.reach(two.version) == two.position


async def test_wrong_tokens_open_nothing(browser: Browser) -> None:
    made, _ = await browser.alone()
    other, _ = await browser.alone()
    for tokens in ((), ("x" * 32,), (other["seats"]["0"], other["maker"], other["watch"])):
        socket = browser.open(made["id"])
        answer = await socket.hello(*tokens)
        assert (answer["type"], answer["code"]) == ("refused", "not-yours")
        assert made["id"] not in json.dumps(answer)
        # with the right one the same connection is welcome
        assert (await socket.hello(made["watch"]))["type"] == "welcome"


async def test_a_table_that_is_not_there(browser: Browser) -> None:
    socket = browser.open("nothing")
    assert (await socket.hear())["code"] == "no-table"
    with pytest.raises(Closed, match="4404"):
        await socket.hear()


NONSENSE = [
    "", "{", "[]", "null", "7", '"hello"', "{}", "[" * 20_000, "\ud83d\ude00" * 3,
    '{"type":"dance","id":"x","version":0}',
    '{"type":"roll","id":"x"}',
    '{"type":"roll","id":"","version":0}',
    '{"type":"roll","id":"x","version":-1}',
    '{"type":"roll","id":"x","version":0,"more":1}',
    '{"type":"roll","id":"x","version":1e400}',
    '{"type":"hello","tokens":["short"]}',
    '{"type":"hello","tokens":' + json.dumps(["x" * 20] * 13) + "}",
    '{"type":"move","id":"x","version":0,"event":' + '{"a":' * 5000,
]  # fmt: skip


async def test_nonsense_is_refused_and_the_connection_stays(browser: Browser) -> None:
    _, mine = await browser.alone()
    for text in NONSENSE:
        mine.say(text)
        answer = await mine.hear("refused")
        assert answer["code"] == "malformed" and "Traceback" not in json.dumps(answer), text
    mine.say_bytes(b'{"type":"roll"}')
    assert (await mine.hear("refused"))["code"] == "malformed"
    for letter, length in (("x", schema.MAX_MESSAGE_BYTES), ("ä", schema.MAX_MESSAGE_BYTES // 2)):
        mine.say('"' + letter * length + '"')
        assert (await mine.hear("refused"))["code"] == "too-large"
    # the id of a command that cannot be read is given back
    mine.say({"type": "roll", "id": "mine", "version": "zero"})
    assert (await mine.hear("refused"))["id"] == "mine"
    await mine.done("roll")


async def test_a_client_that_reads_again_in_time_misses_nothing(browser: Browser) -> None:
    made, mine = await browser.alone()
    slow = browser.open(made["id"], slow=True)
    slow.say({"type": "hello", "tokens": [made["seats"]["0"]], "protocol": PROTOCOL})
    for number in range(20):
        await mine.done("name", seat=0, name=f"Ada {number}")
    slow.read_on()
    await slow.hear("welcome")
    await slow.reach(20)


@pytest.mark.settings(limits=msgspec.structs.replace(NO_LIMITS, backlog=4_000))
async def test_a_client_that_does_not_read_is_cut_off_and_holds_up_nobody(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pasch.web.sockets.CLOSE_SECONDS", 0.0)
    made, mine = await browser.alone()
    slow = browser.open(made["id"], slow=True)
    slow.say({"type": "hello", "tokens": [made["watch"]], "protocol": PROTOCOL})
    table = await browser.lobby.find(made["id"])
    while len(table.clients) < 2:
        await asyncio.sleep(0)
    while len(table.clients) > 1:
        assert mine.version < 500
        await mine.done("name", seat=0, name=f"{mine.version:A>24}")


@pytest.mark.settings(limits=msgspec.structs.replace(NO_LIMITS, hello_seconds=0.1))
async def test_a_websocket_without_a_hello_is_closed(browser: Browser) -> None:
    made, mine = await browser.alone()
    silent, wrong = browser.open(made["id"]), browser.open(made["id"])
    assert (await wrong.hello("x" * 32))["code"] == "not-yours"
    for socket in (silent, wrong):
        with pytest.raises(Closed, match="1008"):
            await socket.hear()
    await mine.done("name", seat=0, name="Ada")


async def test_who_is_too_fast_is_refused_and_then_disconnected(tmp_path: Path) -> None:
    now = 0.0
    limits = msgspec.structs.replace(NO_LIMITS, messages=Rate(2, 20), strikes=8)
    async with server(tmp_path, limits=limits, monotonic=lambda: now) as browser:
        _, mine = await browser.alone()
        now += 100.0
        for _ in range(20):
            mine.send("why", tokens=[])
        for _ in range(20):
            assert (await mine.hear("refused"))["code"] == "not-now"
        mine.send("why", tokens=[])
        answer = await mine.hear("refused")
        assert answer["code"] == "too-fast" and answer["id"]
        now += 1.0
        assert (await mine.ask("why", tokens=[]))["code"] == "not-now"
        for _ in range(20):
            mine.send("why", tokens=[])
        with pytest.raises(Closed, match="1008"):
            while True:
                await mine.hear()


@pytest.mark.settings(limits=msgspec.structs.replace(NO_LIMITS, address_websockets=2, tables=Rate(0, 3)))
async def test_one_address_has_limits_of_its_own(browser: Browser) -> None:
    made = await browser.make("joker1", "here")
    for client in ("10.0.0.7", "10.0.0.8"):
        sockets = [browser.open(made["id"], client=client) for _ in range(3)]
        for socket in sockets[:2]:
            assert (await socket.hello(made["watch"]))["type"] == "welcome"
        with pytest.raises(Closed, match="503"):
            await sockets[2].hear()
    tables = [{"game": "joker1", "seats": [{"kind": "here"}]}] * 4
    answers = [(await browser.post("/api/tables", t, client="10.0.0.9")).status for t in tables]
    assert answers == [201, 201, 201, 429]


async def test_other_pages_cannot_use_the_table(browser: Browser) -> None:
    made, _ = await browser.alone()
    wish = {"game": "crowns", "seats": [{"kind": "here"}]}
    for origin in (None, "http://table.test", "https://table.test"):
        own: dict[str, str] = {} if origin is None else {"origin": origin}
        assert (await browser.open(made["id"], headers=own).hello(made["watch"]))["type"] == "welcome"
        assert (await browser.post("/api/tables", wish, headers=own)).status == 201
    for origin in ("https://evil.test", "null", "http://table.test.evil.test"):
        with pytest.raises(Closed, match="403"):
            await browser.open(made["id"], headers={"origin": origin}).hear()
        posted = await browser.post("/api/tables", wish, headers={"origin": origin})
        assert posted.status == 403 and posted.json["code"] == "not-yours"


@pytest.mark.settings(hosts={"localhost", "127.0.0.1", "[::1]"})
async def test_a_name_that_points_here_from_elsewhere_is_refused(browser: Browser) -> None:
    answers = {"localhost:8615": 200, "127.0.0.1": 200, "[::1]:8615": 200, "evil.test": 400, "a b": 400}
    for host, status in answers.items():
        assert (await browser.get("/healthz", headers={"host": host})).status == status


@pytest.mark.settings(limits=msgspec.structs.replace(NO_LIMITS, idle=2))
async def test_tables_nobody_looks_at_leave_memory_and_come_back(browser: Browser) -> None:
    tables = []
    for _ in range(6):
        made, mine = await browser.alone()
        await mine.ask("name", seat=0, name="Ada")
        tables.append((made, mine))
    assert browser.lobby.live == 6
    for _, mine in tables:
        await mine.vanish()
    assert browser.lobby.live == 2
    for made, _ in tables:
        socket = browser.open(made["id"])
        welcome = await socket.hello(made["seats"]["0"])
        assert welcome["table"]["seats"][0]["name"] == "Ada" and welcome["position"]["version"] == 2


async def test_a_stopping_server_lets_everybody_come_back(tmp_path: Path) -> None:
    async with server(tmp_path) as browser:
        made, mine = await browser.alone()
        name = mine.send("name", seat=0, name="Ada")
        await mine.hear("accepted")
        await browser.lobby.close()
        with pytest.raises(Closed, match="1012"):
            while True:
                await mine.hear()
        browser.lobby.close = lambda: asyncio.sleep(0)  # type: ignore[method-assign]
    async with server(tmp_path) as browser:
        again = await browser.join(made["id"], made["seats"]["0"], since=0)
        assert again.version == 2
        # the answer may have been lost: the same command is still known
        again.say({"type": "name", "id": name, "version": 1, "seat": 0, "name": "Ada"})
        answer = await again.hear("accepted", "refused")
        assert (answer["type"], answer["version"]) == ("accepted", 2)


async def test_the_seat_of_a_lost_answer_is_given_again(tmp_path: Path) -> None:
    async with server(tmp_path) as browser:
        made = await browser.make("joker1", "here", "link")
        invitation = made["invitations"]["1"]
        sat = await browser.open(made["id"]).ask("sit", id="s", invitation=invitation, name="Guest")
    async with server(tmp_path) as browser:
        guest = browser.open(made["id"])
        # the invitation has been used, so it opens nothing, but the same command is answered again
        assert (await guest.hello(invitation))["code"] == "not-yours"
        assert await guest.ask("sit", id="s", invitation=invitation, name="Guest") == sat
        await guest.refused("not-yours", "sit", invitation=invitation, name="Late")
        assert (await guest.hello(sat["token"]))["yours"] == [1]


async def test_closing_a_connection_whose_client_has_just_gone_is_no_error() -> None:
    async def send(message: Any) -> None:
        assert message["type"] == "websocket.close"

    async def receive() -> Any:
        asyncio.get_running_loop().call_soon(connection.close)
        return {"type": "websocket.disconnect"}

    connection = Connection(cast(Any, None), send, Budgets(NO_LIMITS), "")
    await connection.run(receive)


async def test_a_connection_that_is_closed_for_what_its_client_said_before_it_left_is_no_error() -> None:
    sent = list[Any]()
    received = iter([{"type": "websocket.receive", "text": "x"}, {"type": "websocket.disconnect"}])

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return next(received)

    limits = msgspec.structs.replace(NO_LIMITS, messages=Rate(0, 0), strikes=1)
    await Connection(cast(Any, None), send, Budgets(limits), "").run(receive)
    assert sent[-1] == {"type": "websocket.close", "code": 1008, "reason": ""}


# --- what is sent -------------------------------------------------------------------------------------


async def test_what_cannot_be_sent_at_once_is_sent_in_order() -> None:
    sent, ready, reads, ended = list[bytes](), list[bool](), asyncio.Event(), asyncio.Event()

    async def send(message: Any) -> None:
        await reads.wait()
        sent.append(message["text"].encode())

    async def receive() -> Any:
        await ended.wait()
        return {"type": "websocket.disconnect"}

    def write(text: bytes) -> bool:
        sent.extend([text] * bool(ready))
        return bool(ready)

    connection = Connection(cast(Any, None), send, Budgets(NO_LIMITS), "")
    connection.write = write
    running = asyncio.create_task(connection.run(receive))
    connection.send(b"first")
    ready.append(True)
    connection.send(b"second")  # the first one still waits
    assert sent == []
    reads.set()
    while connection.unsent:
        await asyncio.sleep(0)
    connection.send(b"third")
    assert sent == [b"first", b"second", b"third"]
    ended.set()
    await running


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


# --- who is welcomed ----------------------------------------------------------------------------------


@pytest.mark.settings(limits=Limits())
async def test_a_log_with_ten_thousand_names_of_an_older_version_locks_nobody_out(browser: Browser) -> None:
    lobby, store = browser.lobby, browser.lobby.store
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


@pytest.mark.settings(limits=msgspec.structs.replace(NO_LIMITS, backlog=500))
async def test_the_first_answer_is_never_too_long(browser: Browser) -> None:
    made, _, _ = await browser.two()
    welcome = await browser.open(made["id"]).hello(made["seats"]["0"])
    assert welcome["type"] == "welcome" and len(json.dumps(welcome)) > 500


async def test_a_gap_is_announced_and_filled_page_by_page(browser: Browser) -> None:
    game = agree(("joker1", 6, {"rounds": 20}))
    events = [event.json() for event in play(game, "random").events[:450]]
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


@pytest.mark.settings(limits=msgspec.structs.replace(NO_LIMITS, max_non_moves=20))
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


@pytest.mark.settings(limits=Limits())
async def test_the_same_name_again_writes_nothing(browser: Browser) -> None:
    _, mine, _ = await browser.two()
    for _ in range(30):
        answer = await mine.ask("name", seat=0, name=" P0 ")
        assert (answer["type"], answer["version"]) == ("accepted", mine.version)
