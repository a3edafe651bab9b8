"""The table of attacks: what each tries, in a sentence, and how it does so.

Most are one of three kinds: the same requests over and over (`asking`), the same messages over and over at a table
(`talking`), frames that no library would send (`flooding`). The others are functions of their own.

This is also the attacker's program: it performs the job in its argument, and prints the outcome.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, suppress
from typing import Any, NamedTuple

import msgspec
from websockets.exceptions import WebSocketException

from pasch.table.limits import Rate
from pasch.table.schema import PROTOCOL
from tools.attack.attacker import (
    CONTINUATION,
    LIMITS,
    PING,
    PONG,
    TEXT,
    Attacker,
    Job,
    Outcome,
    Place,
    encode,
    frame,
    shake_hands,
)
from tools.attack.games import huge_box, own_box, wide_box
from tools.attack.target import TIMEOUT_SECONDS, abort, read_answer

Work = Callable[[Attacker], Awaitable[None]]
#: makes a table
Table = Callable[[Attacker], Awaitable[dict[str, Any]]]
#: the n-th message: its kind and fields, or a text that is no message
Say = Callable[[int, Place], tuple[str, dict[str, Any]] | str]


# --- three kinds of attacks ----------------------------------------------------------------------------


class Request(NamedTuple):
    """A request over HTTP."""

    path: str
    headers: str = ""
    method: str = "GET"


def asking(number: int, requests: Sequence[Request], tables: int = 0) -> Work:
    """An attack that sends these requests in turn, `number` at a time; about the longest finished games."""

    async def work(on: Attacker) -> None:
        made = [await on.make_long(finished=True) for _ in range(tables)]

        async def ask() -> None:
            turn = on.counts["tried"]
            path, headers, method = requests[turn % len(requests)]
            path = path.replace("TABLE", made[turn % tables]["id"]) if made else path
            answer = await on.get(path, method=method, headers=headers)
            on.counts["KiB"] += len(answer.body) // 1024
            if b"Traceback" in answer.body or b"root:" in answer.body:
                on.problem(f"{method} {path[:30]}: tells too much")

        await on.crowd(number, ask)

    return work


def talking(
    number: int,
    say: Say,
    *hears: str,
    table: Table | None = None,
    hello: bool = True,
    ahead: int = 1,
    pause: float = 0.0,
    price: float = 0.5,
    rate: Rate = LIMITS.address,
    wrong: Callable[[dict[str, Any], tuple[str, dict[str, Any]] | str], str] = lambda answer, said: "",
) -> Work:
    """An attack that repeats a message on several connections, at its own table or at the one with honest people.

    `ahead` messages are sent before the first answer; `wrong` says what an answer should not have been.
    """

    async def work(on: Attacker) -> None:
        made = None if table is None else await table(on)

        async def talk() -> None:
            async with on.at(made, hello=hello) as place:
                for _ in range(ahead - 1):
                    await place.say(say(on.counts["tried"], place))
                while on.going:
                    said = say(on.counts["tried"], place)
                    await place.say(said)
                    answer = await place.hear(*(hears or ("accepted", "advice", "because")))
                    if problem := wrong(answer, said):
                        on.problem(problem)
                    on.within(on.counts["tried"] - on.counts["too-fast"], "messages", price, rate)
                    await asyncio.sleep(0.05 if answer.get("code") == "too-fast" else pause)

        await on.crowd(number, talk)

    return work


def flooding(number: int, first: bytes, *frames: bytes) -> Work:
    """An attack that repeats the same frames and reads nothing, until the server ends the connection."""

    async def work(on: Attacker) -> None:
        async def flood() -> None:
            on.counts["connections"] += 1
            many = frames[on.counts["connections"] % len(frames)] * 1000
            _, writer = await shake_hands(on, on.stage.table, receive=4096)
            try:
                with suppress(OSError, TimeoutError):
                    writer.write(first)
                    while on.going and not writer.transport.is_closing():
                        writer.write(many)
                        on.counts["tried"] += 1000
                        async with asyncio.timeout(on.left + 0.1):
                            await writer.drain()
                on.counts["hung up"] += writer.transport.is_closing()
            finally:
                writer.transport.abort()

        await on.crowd(number, flood)

    return work


def long(**more: Any) -> Table:
    """A table that begins with the maximum number of events."""
    return lambda on: on.make_long(**more)


def boxed(box_of: Callable[[int], tuple[str, Any]], **more: Any) -> Table:
    """A table with as large a box as is accepted."""
    return lambda on: on.make_boxed(box_of, **more)


# --- what is said ----------------------------------------------------------------------------------------


def _hello(number: int, place: Place) -> tuple[str, dict[str, Any]]:
    return "hello", {"tokens": place.tokens, "since": 0, "protocol": PROTOCOL}


def _guess(number: int, place: Place) -> tuple[str, dict[str, Any]]:
    tokens = [secrets.token_urlsafe(24) for _ in range(12)]
    return (
        ("hello", {"tokens": tokens, "protocol": PROTOCOL}),
        ("sit", {"version": 0, "invitation": tokens[0], "name": "me"}),
        ("name", {"version": 0, "seat": 0, "name": "me"}),
    )[number % 3]


def _wrong_guess(answer: dict[str, Any], said: Any) -> str:
    if answer["type"] != "refused":
        return f"a guess was answered with {answer['type']}"
    return "" if answer.get("version") is None else "a stranger received the version of the game"


def _lend(number: int, place: Place) -> tuple[str, dict[str, Any]]:
    seat = place.position["actor"] if place.position["actor"] >= 0 else 0
    return ("person", {"seat": seat}) if number % 2 else ("computer", {"seat": seat, "level": "hard"})


def _rename(number: int, place: Place) -> tuple[str, dict[str, Any]]:
    if number % 3:
        return "name", {"seat": place.welcome["yours"][0], "name": f"{number:024}"}
    return "coach", {"coach": ("off", "after", "moves", "hints")[number % 4]}


def _repeat(number: int, place: Place) -> tuple[str, dict[str, Any]]:
    return (
        ("why", {"tokens": [f"{part}" for part in range(16)]}),
        ("name", {"id": "always", "seat": 0, "name": "same"}),
        ("roll", {"id": "x" * 64}),
        ("contribute", {"contribution": "0" * 64}),
    )[number % 4]


def _take_seat(number: int, place: Place) -> tuple[str, dict[str, Any]]:
    """A command that would hurt honest people, who keep reconnecting meanwhile."""
    others = [seat["seat"] for seat in place.welcome["table"]["seats"]]
    seat = [one for one in others if one not in place.welcome["yours"]][number % (len(others) - 1)]
    return (
        ("computer", {"seat": seat, "level": "random"}),
        ("coach", {"coach": "hints"}),
        ("adjudicate", {}),
        ("person", {"seat": seat}),
        ("name", {"seat": seat, "name": "mine"}),
    )[number % 5]


def _wrong_seat(answer: dict[str, Any], said: Any) -> str:
    # to wish for hints or for an end is everybody's right; the bystander looks whether it comes true
    done = answer["type"] == "accepted" and "seat" in said[1]
    return f"{said[0]}: done to a person who was away for a moment" if done else ""


MESSAGES = (
    "[" * 60_000,
    '{"type":"hello","tokens":[' + ",".join(['""'] * 20_000) + "]}",
    '{"type":"move","id":"x","version":0,"event":' + '{"a":' * 31 + "0" + "}" * 32,
    '{"type":"move","id":"x","version":0,"event":{"seat":0,"card":' + "9" * 60_000 + "}}",
    '{"type":"why","id":"x","version":0,"tokens":["' + "a" * 60_000 + '"]}',
    "x" * 1_000_000,
    '"' * 65_000,
    '{"type":"hello","tokens":["' + "\\u0000" * 10_000 + '"]}',
)
PAGES = (
    "/", "/api/rules/crowns", "/api/rules/lines?language=de", "/api/games", "/i18n/de,en,fr.json", "/metrics",
    "/api/openapi.json", "/static/index.html", "/static/games/crowns/board.js", "/api/components/lines", "/healthz",
)  # fmt: skip
OVERSIZED_HEADERS = (
    "a:\r\n" * 15_000,
    "If-None-Match: " + '"",' * 20_000 + "\r\n",
    "Accept-Encoding: " + "gzip;q=1," * 7_000 + "\r\n",
    "Cookie: " + "a" * 200_000 + "\r\n",
    "a:\r\n" * 60_000,
    "X-Forwarded-For: " + "127.0.0.9," * 6_000 + "\r\n",
)
ODD_PATHS = (
    "/static/%00.js", "/static/" + "a" * 5_000 + ".js", "/static/" + "a/" * 15_000 + "b.js", "/%ff%fe",
    "/" + "%2e%2e/" * 4_000, "/static/" + "a/../" * 8_000 + "js/main.js", "/static/games/%00/board.js",
    "/i18n/" + "x," * 20_000 + ".json", "/api/rules/" + "%F0%9F%8E%B2" * 900, "/api/tables/%00/record",
    "/t/" + "a" * 60_000, "/static/../../../etc/passwd", "/static/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "//",
    "/api/games?language=" + "%00" * 3_000, "*", "/ws/%00", "/api//games", "/static/con.js",
    "/api/tables/" + "-" * 30_000 + "/replay", "/report/%E2%80%AE", "/?" + "a=b&" * 12_000,
)  # fmt: skip
ODD_HEADERS = (
    "",
    "Host: evil.example\r\n",
    "Origin: http://evil.example\r\n",
    "Origin: null\r\n",
    "Range: bytes=0-,0-,0-\r\n",
    "Expect: 100-continue\r\n",
)
METHODS = ("GET", "HEAD", "POST", "OPTIONS", "TRACE", "PUT", "BREW")
GARBAGE = (
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 200,
    b"GET / HTTP/9.9\r\n\r\n",
    b"\r\n" * 100,
    b"GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
    b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"GET /ws/x HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: x\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"GET /\x00\xff HTTP/1.1\r\nHost: \xff\r\n\r\n",
)
#: six strong players at each of these, in games as long as possible
COMPUTER_TABLES = (
    ("sixbysix", ["hard"] * 6, {"streets": True, "round_limit": 1000}),
    ("joker1", ["perfect"] * 6, {"rounds": 1000}),
    ("crowns", ["hard"] * 6, {"round_limit": 1000}),
    ("joker2", ["winner"] * 2, {"rounds": 1000}),
)
ABOUT_TABLES = [
    Request(f"/api/tables/TABLE/{what}")
    for what in ("replay", "record", "receipt?coach=no", "replay?first=0&count=100000")
]


# --- attacks of their own kind ----------------------------------------------------------------------------


async def nothing(on: Attacker) -> None:
    await asyncio.sleep(on.left)
    on.counts["tried"] += 0


async def boxes(on: Attacker) -> None:
    large = (wide_box(), huge_box(), wide_box(16_000), huge_box(16_000))

    async def check() -> None:
        game, box = large[on.counts["tried"] % len(large)]
        if (await on.get(f"/api/components/{game}", box)).code == "too-fast":
            await asyncio.sleep(0.05)

    async def solve() -> None:
        on.counts["own boxes"] += 1
        options = {"components": own_box(on.counts["own boxes"] + os.getpid() * 100)}
        made = await on.make("joker1", [None, None], options=options, coach="hints", dice="real")
        if made is None:
            await asyncio.sleep(0.3)
            return
        async with on.at(made) as place:
            await place.read_dice()
            await place.command("hint")

    await asyncio.gather(on.crowd(3, check), on.crowd(3, solve))


def at_boxes(number: int, box_of: Callable[[int], tuple[str, Any]], kind: str, **more: Any) -> Work:
    """Make a table with the largest box that is accepted, and give commands there; again and again."""

    async def work(on: Attacker) -> None:
        async def play() -> None:
            async with on.at(await on.make_boxed(box_of, dice="real", **more)) as place:
                for _ in range(20):
                    await place.read_dice()
                    moves = place.position.get("moves") or [{"event": {}}]
                    await place.command(kind, **({"event": moves[0]["event"]} if kind == "move" else {}))

        await on.crowd(number, play)

    return work


async def chunks(on: Attacker) -> None:
    many = b"1\r\n \r\n" * 10_000

    async def send() -> None:
        reader, writer = await on.open()
        answer = asyncio.ensure_future(read_answer(reader))
        try:
            path = ("/api/components/joker1", "/api/tables", "/", "/nowhere")[on.counts["tried"] % 4]
            writer.write(on.head("GET" if path == "/" else "POST", path, "Transfer-Encoding: chunked\r\n"))
            on.counts["tried"] += 1
            with suppress(OSError, TimeoutError):
                while on.going and not answer.done():
                    writer.write(many)
                    async with asyncio.timeout(min(1.0, on.left + 0.1)):
                        await writer.drain()
                    on.counts["chunks"] += 10_000
            async with asyncio.timeout(1):
                on.counts[(await answer).code] += 1
        finally:
            answer.cancel()
            writer.transport.abort()

    await on.crowd(4, send)


async def computers(on: Attacker) -> None:
    """Watch each table, so that its computers keep playing."""
    async with AsyncExitStack() as watchers:
        while on.going:
            game, levels, options = COMPUTER_TABLES[on.counts["tried"] % len(COMPUTER_TABLES)]
            made = await on.make(game, list(levels), options=options)
            if made is None:
                await asyncio.sleep(0.2)
                continue
            watcher = await on.socket(made["id"])
            watchers.callback(abort, watcher)
            await watcher.send(encode({"type": "hello", "tokens": [made["watch"]], "protocol": PROTOCOL}))


async def garbage(on: Attacker) -> None:
    async def send() -> None:
        reader, writer = await on.open()
        try:
            writer.write(GARBAGE[on.counts["tried"] % len(GARBAGE)])
            on.counts["tried"] += 1
            with suppress(OSError):
                writer.write_eof()
            first = (await reader.read(100)).split(b" ")
            on.counts[first[1].decode("latin-1") if len(first) > 1 else "hung up"] += 1
        finally:
            writer.transport.abort()

    await on.crowd(8, send)


async def handshakes(on: Attacker) -> None:
    async def come_and_go() -> None:
        table = (on.stage.table, "nowhere")[on.counts["tried"] % 2]
        on.counts["tried"] += 1
        try:
            _, writer = await shake_hands(on, table)
        except ConnectionError as refused:
            on.counts[str(refused)[:40]] += 1
            return
        on.counts["opened"] += 1
        writer.transport.abort()
        on.within(on.counts["opened"], "handshakes")

    await on.crowd(16, come_and_go)


async def pages(on: Attacker) -> None:
    async def ask() -> None:
        reader, writer = await on.open()
        try:
            for path in PAGES * 5:
                if not on.going:
                    break
                on.counts["tried"] += 1
                writer.write(on.head("GET", path))
                answer = on.note(await read_answer(reader))
                on.counts["paid for"] += answer.status == 200 and path not in ("/healthz", "/metrics")
                on.within(on.counts["paid for"], "pages")
        finally:
            writer.transport.abort()

    await on.crowd(8, ask)


async def paths(on: Attacker) -> None:
    """Every path is refused with a status below 500 and without a traceback."""
    odd = [
        Request(path, ODD_HEADERS[number % len(ODD_HEADERS)], METHODS[number // 3 % len(METHODS)])
        for number, path in enumerate(ODD_PATHS * len(METHODS))
    ]
    await asking(6, odd)(on)
    for origin in ("http://evil.example", "null", f"http://{on.target.host}:1"):
        try:
            _, writer = await shake_hands(on, on.stage.table, headers=f"Origin: {origin}\r\n")
        except ConnectionError as refused:
            on.counts[f"other origins: {refused}"] += 1
        else:
            writer.transport.abort()
            on.problem(f"a page at {origin} may open a WebSocket")
    # many in one write, answered one after the other or not at all
    reader, writer = await on.open()
    writer.write(b"".join(on.head("GET", path) for path in ODD_PATHS if len(path) < 500) * 20)
    try:
        for _ in range(40):
            async with asyncio.timeout(1):
                on.note(await read_answer(reader))
            on.counts["pipelined"] += 1
    finally:
        writer.transport.abort()


async def slow_bodies(on: Attacker) -> None:
    length = 4 * 1024 * 1024
    filling = b'["' + b'aa"' * ((length - 64) // 3)

    async def hold() -> None:
        reader, writer = await on.open()
        try:
            on.counts["tried"] += 1
            path = ("/api/tables", "/api/components/joker1")[on.counts["tried"] % 2]
            writer.write(on.head("POST", path, length=length) + filling)
            with suppress(OSError):
                await writer.drain()
                on.counts["sent in full but for its end"] += 1
            async with asyncio.timeout(on.left + 0.1):
                on.counts[(await read_answer(reader)).code] += 1
        finally:
            writer.transport.abort()
        await asyncio.sleep(0.05)

    await on.crowd(60, hold)


async def tables(on: Attacker) -> None:
    async def make() -> None:
        try:
            await on.make_long()
        except ConnectionError:
            await asyncio.sleep(0.3)

    await on.crowd(6, make)


async def unread(on: Attacker) -> None:
    made = await on.make_long(finished=True)
    open_ones: list[asyncio.StreamWriter] = []
    try:
        while on.going and len(open_ones) < 400:
            on.counts["tried"] += 1
            with suppress(OSError, TimeoutError):
                _, writer = await on.open(limit=1024, receive=4096)
                open_ones.append(writer)
                path = ABOUT_TABLES[len(open_ones) % 3].path.replace("TABLE", made["id"])
                # a page too, which is refused to nobody
                writer.write(on.head("GET", path) + on.head("GET", "/i18n/de.json"))
            await asyncio.sleep(0.005)
        await asyncio.sleep(max(0.0, on.left))
        on.counts["held"] = sum(not writer.transport.is_closing() for writer in open_ones)
    finally:
        for writer in open_ones:
            writer.transport.abort()


async def watchers(on: Attacker) -> None:
    made = await on.make_boxed(huge_box)
    async with AsyncExitStack() as stack:
        for _ in range(20 if on.short else 90):
            with suppress(OSError, WebSocketException, TimeoutError):
                watcher = await on.socket(made["id"], max_queue=1)
                stack.callback(abort, watcher)
                await watcher.send(
                    encode({"type": "hello", "tokens": [made["watch"]], "protocol": PROTOCOL})
                )
                on.counts["watchers"] += 1
        places = [await stack.enter_async_context(on.at(made)) for _ in range(4)]
        while on.going:
            place = places[on.counts["tried"] % len(places)]
            place.version = max(other.version for other in places)
            await place.command("name", seat=0, name=f"{on.counts['tried']}")


# --- the table --------------------------------------------------------------------------------------------

#: by name: what an attack tries, and how
ATTACKS: dict[str, tuple[str, Work]] = {
    "nothing": ("Nothing at all, for comparison: what a bystander feels on this machine anyway", nothing),
    "box_hellos": (
        "A hello again and again at a table with the largest box that is accepted, to be sent it each time",
        talking(8, _hello, "welcome", table=boxed(huge_box), price=8, rate=LIMITS.messages),
    ),
    "box_hints": (
        "Hints at tables with the largest box of strips that is accepted: each fills a cache",
        at_boxes(4, huge_box, "hint", coach="hints"),
    ),
    "box_tables": (
        "The maximum number of tables, each with the largest box that is accepted",
        at_boxes(8, wide_box, "move"),
    ),
    "boxes": ("Custom boxes that are slow to check, each of which has to be solved", boxes),
    "chunks": ("Bodies in chunks of a byte each, without end", chunks),
    "coach": (
        "A coach that has to judge thousands of moves, again at every table and for every client",
        talking(6, lambda number, place: ("adjudicate", {}), table=long(coach="moves"), ahead=20),
    ),
    "computers": ("The maximum number of tables, at which only strong computers play", computers),
    "downloads": (
        "Replays, records and receipts of the longest games, over and over",
        asking(12, ABOUT_TABLES, tables=1),
    ),
    "fragments": (
        "A message in pieces that never ends: empty frames, pongs nobody asked for, one byte at a time",
        flooding(
            6,
            frame(TEXT, b"{", last=False),
            frame(CONTINUATION, b"", last=False),
            frame(PONG, b""),
            frame(CONTINUATION, b"x", last=False),
        ),
    ),
    "garbage": ("Bytes that are no HTTP: to make the server complain, and its log grow", garbage),
    "guessing": (
        "Guessing tokens and invitations at an honest table",
        talking(8, _guess, "welcome", "accepted", "table", "update", hello=False, wrong=_wrong_guess),
    ),
    "handshakes": (
        "WebSockets opened and left again as fast as possible, at tables that exist and at others",
        handshakes,
    ),
    "headers": (
        "Requests with thousands of headers, or one header of a hundred thousand letters",
        asking(8, [Request("/", headers) for headers in OVERSIZED_HEADERS]),
    ),
    "hints": (
        "Hints without end at a table that begins with thousands of events",
        talking(4, lambda number, place: ("hint", {}), "advice", table=long(coach="hints"), ahead=60),
    ),
    "lending": (
        "A seat that is lent to a strong computer and taken back at once, again and again",
        talking(1, _lend, table=long()),
    ),
    "messages": (
        "Messages that are long, deep, of thousands of parts, or of no kind there is",
        talking(12, lambda number, place: MESSAGES[number % len(MESSAGES)]),
    ),
    "pages": ("Pages, rules, catalogues, files and figures, as fast as they come", pages),
    "paths": ("Addresses, methods, names and origins that make no sense", paths),
    "pings": (
        "WebSocket pings without end, and nothing read of what comes back",
        flooding(4, b"", frame(PING, b"x" * 125)),
    ),
    "reconnects": (
        "Coming back over and over to a table with thousands of events, to be welcomed with all of them",
        talking(10, _hello, "welcome", table=long(coach="after")),
    ),
    "renaming": (
        "Thousands of new names and wishes of the coach at a table with honest people, who then come back",
        talking(8, _rename),
    ),
    "repeats": (
        "The same command again and again, many ids for one command, and questions why something is not possible",
        talking(12, _repeat, table=long()),
    ),
    "reports": (
        "Reports of the longest games there may be, of many of them at once",
        asking(16, [Request(f"/api/tables/TABLE/{what}") for what in ("report", "receipt")], tables=3),
    ),
    "slow_bodies": (
        "Bodies of requests that are as long as they may be, and stop before their end",
        slow_bodies,
    ),
    "tables": (
        "The maximum number of tables, each with the maximum number of events: to fill disk and memory",
        tables,
    ),
    "taking_seats": (
        "Giving honest people's seats away the moment their network fails, deciding without them, ending their game",
        talking(1, _take_seat, pause=0.06, wrong=_wrong_seat),
    ),
    "unread": ("Large answers asked for on many connections, and never read", unread),
    "watchers": (
        "A table with the largest box that is accepted, and the maximum number of watchers, who never read",
        watchers,
    ),
}


async def perform(job: Job) -> Outcome:
    """Try one attack for its time."""
    attacker = Attacker(job)
    try:
        async with asyncio.timeout(job.seconds + 3 * TIMEOUT_SECONDS):
            await ATTACKS[job.name][1](attacker)
    except (OSError, TimeoutError, EOFError, WebSocketException) as error:
        attacker.counts["ended: " + (str(error) or type(error).__name__)[:40]] += 1
    return Outcome(dict(attacker.counts), attacker.problems, round(attacker.elapsed, 2))


if __name__ == "__main__":
    os.nice(10)
    # connections that the server ends are nothing unusual
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    print(encode(asyncio.run(perform(msgspec.json.decode(sys.argv[1], type=Job)))))
