"""Connections: coming back, several at once, slow ones, vanishing ones, and those that talk nonsense."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pasch.table import schema
from pasch.table.limits import Budgets, Rate
from pasch.table.lobby import LobbyLimits
from pasch.table.schema import PROTOCOL
from pasch.web.sockets import Connection
from tests.web.asgi import NO_LIMITS, Browser, Closed, Socket, looped, served, server, with_server
from tests.web.test_commands import EVERY


async def alone(browser: Browser, **more: Any) -> tuple[dict[str, Any], Socket]:
    made = await browser.make("joker1", "here", **more)
    return made, await browser.join(made["id"], made["seats"]["0"])


@served()
async def test_a_gap_is_filled_from_the_version_seen_last(browser: Browser) -> None:
    made, mine = await alone(browser)
    for number in range(3):
        await mine.ask("name", seat=0, name=f"Ada {number}")
        await mine.hear("update")
    # the contribution to the dice, and three names, of which the last one counts
    for since in (None, 0, 1, 2, 4, 99):
        again = browser.open(made["id"])
        welcome = await again.hello(made["seats"]["0"], since=since)
        versions = [entry["version"] for entry in welcome["entries"]]
        assert versions == [version for version in (1, 4) if version > (since or 0)]
        assert welcome["first"] == min(since or 0, 4) + 1
        assert welcome["position"]["version"] == 4 and welcome["yours"] == [0]


@served()
async def test_two_tabs_are_one_seat(browser: Browser) -> None:
    made, one = await alone(browser)
    two = await browser.join(made["id"], made["seats"]["0"])
    assert (await one.ask("roll"))["type"] == "accepted"
    first, second = await one.hear("update"), await two.hear("update")
    assert first == second
    position = second["position"]
    if position["moves"]:
        answer = await two.ask("move", event=position["moves"][0]["event"])
        assert answer["type"] == "accepted"
        assert await one.hear("update") == await two.hear("update")


@served()
async def test_everybody_sees_who_is_there(browser: Browser) -> None:
    made = await browser.make("joker1", "here", "here")
    watcher = await browser.join(made["id"], made["watch"])
    mine = browser.open(made["id"])
    await mine.hello(made["seats"]["0"], contribute=False)
    assert [s["online"] for s in (await watcher.hear("table"))["table"]["seats"]] == [True, False]
    await mine.vanish()
    assert [s["online"] for s in (await watcher.hear("table"))["table"]["seats"]] == [False, False]


@served()
async def test_wrong_tokens_open_nothing(browser: Browser) -> None:
    made, _ = await alone(browser)
    other, _ = await alone(browser)
    for tokens in ((), ("x" * 32,), (other["seats"]["0"], other["maker"], other["watch"])):
        socket = browser.open(made["id"])
        answer = await socket.hello(*tokens)
        assert (answer["type"], answer["code"]) == ("refused", "not-yours")
        assert made["id"] not in json.dumps(answer)
        # with the right one the same connection is welcome
        assert (await socket.hello(made["watch"]))["type"] == "welcome"


@served()
async def test_a_table_that_is_not_there(browser: Browser) -> None:
    socket = browser.open("nothing")
    assert (await socket.hear())["code"] == "no-table"
    with pytest.raises(Closed, match="4404"):
        await socket.hear()


NONSENSE = [
    "",
    "{",
    "[]",
    "null",
    "7",
    '"hello"',
    "{}",
    '{"type":"dance","id":"x","version":0}',
    '{"type":"roll","id":"x"}',
    '{"type":"roll","id":"","version":0}',
    '{"type":"roll","id":"x","version":-1}',
    '{"type":"roll","id":"x","version":0,"more":1}',
    '{"type":"roll","id":"x","version":1e400}',
    '{"type":"hello","tokens":["short"]}',
    '{"type":"hello","tokens":' + json.dumps(["x" * 20] * 13) + "}",
    "[" * 20_000,
    '{"type":"move","id":"x","version":0,"event":' + '{"a":' * 5000,
    "\ud83d\ude00" * 3,
]


@pytest.mark.parametrize("text", NONSENSE, ids=range(len(NONSENSE)))
@served()
async def test_nonsense_is_refused_and_the_connection_stays(browser: Browser, text: str) -> None:
    _, mine = await alone(browser)
    mine.say(text)
    answer = await mine.hear("refused")
    assert answer["code"] == "malformed" and "Traceback" not in json.dumps(answer)
    assert (await mine.ask("roll"))["type"] == "accepted"


@served()
async def test_the_id_of_a_command_that_is_not_understood_is_given_back(browser: Browser) -> None:
    _, mine = await alone(browser)
    mine.say({"type": "roll", "id": "mine", "version": "zero"})
    assert (await mine.hear("refused"))["id"] == "mine"


@served()
async def test_bytes_and_what_is_too_large_are_refused(browser: Browser) -> None:
    _, mine = await alone(browser)
    mine.say_bytes(b'{"type":"roll"}')
    assert (await mine.hear("refused"))["code"] == "malformed"
    mine.say('"' + "x" * schema.MAX_MESSAGE_BYTES + '"')
    assert (await mine.hear("refused"))["code"] == "too-large"
    mine.say('"' + "ä" * (schema.MAX_MESSAGE_BYTES // 2) + '"')
    assert (await mine.hear("refused"))["code"] == "too-large"


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)
_kinds = st.sampled_from(["hello", *EVERY])
_fields = st.fixed_dictionaries(
    {"type": _kinds},
    optional={
        "id": st.just("x") | _json,
        "version": st.just(0) | _json,
        "event": st.dictionaries(
            st.sampled_from(["seat", "roll", "push", "next", "x"]), _json | st.just(0), max_size=4
        ),
        "values": st.lists(st.integers(-5, 2**70), max_size=4) | _json,
        "tokens": st.lists(st.text(max_size=45), max_size=5) | _json,
        "since": st.integers() | _json,
        "seat": st.integers(-1, 7) | _json,
        "name": st.text(max_size=30) | _json,
        "level": st.sampled_from(["greedy", "random", ""]) | _json,
        "coach": st.sampled_from(["off", "hints", "maybe"]) | _json,
        "invitation": st.text(min_size=10, max_size=70) | _json,
        "contribution": st.text("0123456789abcdef", min_size=63, max_size=65) | _json,
    },
)


@settings(max_examples=10, deadline=None)
@given(st.lists(st.text(max_size=60) | _json.map(json.dumps) | _fields.map(json.dumps), max_size=12))
def test_whatever_is_said_is_answered(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    async def run(browser: Browser) -> None:
        made = await browser.make("joker1", "here", "random")
        mine = await browser.join(made["id"], made["seats"]["0"], made["maker"])
        for text in texts:
            mine.say(text)
        # one good question at the end shows that the table is well
        mine.say({"type": "hello", "tokens": [made["seats"]["0"]], "since": None, "protocol": PROTOCOL})
        while (await mine.hear())["type"] != "welcome":
            pass
        for text in mine.received:
            msgspec.json.decode(text, type=schema.FromServer)

    with_server(tmp_path_factory.mktemp("table"), run)


@served(limits=msgspec.structs.replace(NO_LIMITS, backlog=10_000_000, address_backlog=400_000))
async def test_the_clients_of_an_address_leave_only_so_much_unread(browser: Browser) -> None:
    made, mine = await alone(browser)
    watchers = [browser.open(made["id"], slow=True, client="10.0.0.9") for _ in range(8)]
    other = browser.open(made["id"], slow=True, client="10.0.0.8")
    for watcher in (*watchers, other):
        watcher.say({"type": "hello", "tokens": [made["watch"]], "protocol": PROTOCOL})
    for number in range(90):
        assert (await mine.ask("name", seat=0, name=f"Ada {number}"))["type"] == "accepted"
        await mine.hear("update")
    table = await browser.lobby.find(made["id"])
    unread: dict[str, int] = {}
    for client in table.clients:
        assert isinstance(client, Connection)
        unread[client.address] = unread.get(client.address, 0) + client.unsent
    # each is within its own limit, and clients at other addresses have received everything
    assert unread["10.0.0.9"] < 600_000 < len(watchers) * unread["10.0.0.8"]


@served()
async def test_a_client_that_reads_again_in_time_misses_nothing(browser: Browser) -> None:
    made, mine = await alone(browser)
    slow = browser.open(made["id"], slow=True)
    slow.say({"type": "hello", "tokens": [made["seats"]["0"]], "protocol": PROTOCOL})
    for number in range(20):
        await mine.ask("name", seat=0, name=f"Ada {number}")
        await mine.hear("update")
    slow.read_on()
    while slow.version < 20:
        await slow.hear("update", "welcome")


@served()
async def test_a_client_that_vanishes_in_the_middle_of_a_command(browser: Browser) -> None:
    made, mine = await alone(browser)
    for _ in range(20):
        gone = await browser.join(made["id"], made["seats"]["0"])
        gone.send("name", seat=0, name="Eve")
        await gone.vanish()
    mine.say({"type": "hello", "tokens": [made["seats"]["0"]], "protocol": PROTOCOL})
    assert (await mine.ask("name", seat=0, name="Ada", version=99))["code"] == "old-version"
    table = await browser.lobby.find(made["id"])
    assert len(table.clients) == 1


@looped
async def test_who_is_too_fast_is_told_so_and_then_cut_off(tmp_path: Path) -> None:
    now = 0.0
    limits = msgspec.structs.replace(NO_LIMITS, messages=Rate(2, 20), strikes=8)
    async with server(tmp_path, limits=limits, clock=lambda: now) as browser:
        _, mine = await alone(browser)
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


@served(
    limits=msgspec.structs.replace(NO_LIMITS, address_websockets=2, tables=Rate(0, 3)), clock=lambda: 0.0
)
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


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (None, None),
        ("http://table.test", None),
        ("https://table.test", None),
        ("https://evil.test", "403"),
        ("null", "403"),
        ("http://table.test.evil.test", "403"),
    ],
)
@served()
async def test_other_pages_cannot_use_the_table(
    browser: Browser, origin: str | None, status: str | None
) -> None:
    made, _ = await alone(browser)
    headers = {} if origin is None else {"origin": origin}
    socket = browser.open(made["id"], headers=headers)
    posted = await browser.post(
        "/api/tables", {"game": "crowns", "seats": [{"kind": "here"}]}, headers=headers
    )
    if status is None:
        assert (await socket.hello(made["watch"]))["type"] == "welcome" and posted.status == 201
    else:
        with pytest.raises(Closed, match=status):
            await socket.hear()
        assert posted.status == 403 and posted.json["code"] == "not-yours"


@served(hosts={"localhost", "127.0.0.1", "[::1]"})
async def test_a_name_that_points_here_from_elsewhere_is_refused(browser: Browser) -> None:
    for host, status in (
        ("localhost:8615", 200),
        ("127.0.0.1", 200),
        ("[::1]:8615", 200),
        ("evil.test", 400),
        ("a b", 400),
    ):
        assert (await browser.get("/healthz", headers={"host": host})).status == status


@served(lobby_limits=LobbyLimits(idle=2))
async def test_tables_nobody_looks_at_leave_memory_and_come_back(browser: Browser) -> None:
    tables = []
    for _ in range(6):
        made, mine = await alone(browser)
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


@served(lobby_limits=LobbyLimits(live=2, idle=0))
async def test_a_full_hall_says_so(browser: Browser) -> None:
    await alone(browser)
    other, two = await alone(browser)
    await two.vanish()
    third = await browser.make("joker1", "here")
    socket = browser.open(third["id"])
    await socket.hello(third["watch"])
    assert (await browser.open(other["id"]).hear())["code"] == "full"


@looped
async def test_a_stopping_server_lets_everybody_come_back(tmp_path: Path) -> None:
    async with server(tmp_path) as browser:
        made, mine = await alone(browser)
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


def test_the_seat_of_a_lost_answer_is_given_again(tmp_path: Path) -> None:
    sat: dict[str, Any] = {}
    made: dict[str, Any] = {}

    async def first(browser: Browser) -> None:
        made.update(await browser.make("joker1", "here", "link"))
        guest = browser.open(made["id"])
        sat.update(await guest.ask("sit", id="s", invitation=made["invitations"]["1"], name="Guest"))

    async def second(browser: Browser) -> None:
        guest = browser.open(made["id"])
        # the invitation has been used, so it opens nothing, but the same command is answered again
        assert (await guest.hello(made["invitations"]["1"]))["code"] == "not-yours"
        again = await guest.ask("sit", id="s", invitation=made["invitations"]["1"], name="Guest")
        assert again == sat
        assert (await guest.hello(again["token"]))["yours"] == [1]

    with_server(tmp_path, first)
    with_server(tmp_path, second)


@looped
async def test_closing_a_connection_whose_client_has_just_gone_is_no_error() -> None:
    async def send(message: Any) -> None:
        assert message["type"] == "websocket.close"

    async def receive() -> Any:
        asyncio.get_running_loop().call_soon(connection.close)
        return {"type": "websocket.disconnect"}

    connection = Connection(cast(Any, None), send, Budgets(NO_LIMITS), "", lambda address: None)
    await connection.run(receive)
