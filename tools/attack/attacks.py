"""The table of attacks: what each tries, in a sentence, and how it does so.

This is also the attacker's program: it reads jobs from its input, one line of JSON each, and answers each with a line.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import sys
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress

import msgspec
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import WebSocketException

from pasch.table.schema import PROTOCOL
from tools.attack.attacker import LIMITS, Attacker, Job, Place, Told, text
from tools.attack.frames import CONTINUATION, PING, PONG, TEXT, flood, frame, shake_hands
from tools.attack.games import huge_box, own_box, wide_box
from tools.attack.target import PATIENCE, Answer, abort, read_answer

Work = Callable[[Attacker], Awaitable[None]]
#: by name: what an attack tries, and how
ATTACKS: dict[str, tuple[str, Work]] = {}


def attack(description: str) -> Callable[[Work], Work]:
    """Put a function into the table, under its own name."""

    def add(work: Work) -> Work:
        ATTACKS[work.__name__] = description, work
        return work

    return add


def names() -> list[str]:
    """All attacks; first what is not one."""
    return sorted(ATTACKS, key=lambda name: (name != "nothing", name))


def described(name: str) -> str:
    """What an attack tries, in a sentence."""
    return ATTACKS[name][0]


@attack("Nothing at all, for comparison: what a bystander feels on this machine anyway")
async def nothing(on: Attacker) -> None:
    await asyncio.sleep(on.left)
    on.counts["tried"] += 0


@attack("Boxes of one's own that take long to check, and of which each has to be solved anew")
async def boxes(on: Attacker) -> None:
    large = (wide_box(), huge_box(), wide_box(16_000), huge_box(16_000))

    async def check() -> None:
        game, box = large[on.counts["tried"] % len(large)]
        if (await on.get(f"/api/components/{game}", box)).code == "too-fast":
            await asyncio.sleep(0.05)

    async def solve() -> None:
        box = own_box(on.counts["own boxes"] + os.getpid() * 100)
        on.counts["own boxes"] += 1
        made = await on.make(
            "joker1", [None, None], options={"components": box}, coach="hints", dice="real"
        )
        if made is None:
            await asyncio.sleep(0.3)
            return
        async with on.at(made) as place:
            await place.read_dice()
            await place.command("hint")

    await asyncio.gather(on.crowd(3, check), on.crowd(3, solve))


@attack("As many tables as one may make, each with the largest box that is accepted")
async def box_tables(on: Attacker) -> None:
    async def play() -> None:
        made = await on.make_boxed(wide_box, dice="real")
        async with on.at(made) as place:
            while on.going:
                await place.read_dice()
                moves = place.position.get("moves") or [{"event": {}}]
                await place.command("move", event=moves[0]["event"])

    await on.crowd(8, play)


@attack("Hints at tables with the largest box of strips that is accepted: each fills a cache")
async def box_hints(on: Attacker) -> None:
    async def ask() -> None:
        made = await on.make_boxed(huge_box, coach="hints", dice="real")
        async with on.at(made) as place:
            await place.read_dice()
            for _ in range(20):
                await place.command("hint")

    await on.crowd(4, ask)


@attack("A hello again and again at a table with the largest box that is accepted, to be sent it each time")
async def box_hellos(on: Attacker) -> None:
    made = await on.make_boxed(huge_box)

    async def come_back() -> None:
        async with on.at(made) as place:
            while on.going:
                await place.send("hello", tokens=[made["watch"]], since=0, protocol=PROTOCOL)
                on.counts["tried"] += 1
                answer = await place.hear("welcome")
                on.counts["welcomed"] += answer["type"] == "welcome"
                on.counts["KiB"] += len(text(answer)) // 1024
                on.within(on.counts["welcomed"], "welcomes", price=8, rate=LIMITS.messages)

    await on.crowd(8, come_back)


CHUNKED = "Transfer-Encoding: chunked\r\n"


@attack("Bodies in chunks of a byte each, without end")
async def chunks(on: Attacker) -> None:
    many = b"1\r\n \r\n" * 10_000

    async def send() -> None:
        reader, writer = await on.open()
        answer = asyncio.ensure_future(read_answer(reader))
        try:
            path = ("/api/components/joker1", "/api/tables", "/", "/nowhere")[on.counts["tried"] % 4]
            writer.write(on.head("GET" if path == "/" else "POST", path, CHUNKED))
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


@attack("A coach who shall judge thousands of moves, anew at every table and for everybody who comes")
async def coach(on: Attacker) -> None:
    tables = [await on.make_long(coach=coach) for coach in ("moves", "hints")]

    async def come() -> None:
        async with on.at(tables[on.counts["tried"] % 2]) as place:
            on.counts["tried"] += 1
            for number in range(20):
                await place.send("adjudicate", id=f"a{number}", version=place.version)
            while on.going:
                await place.hear("accepted")

    await on.crowd(6, come)


#: six strong players at each of these, in games as long as possible
COMPUTER_TABLES = (
    ("sixbysix", ["hard"] * 6, {"streets": True, "round_limit": 1000}),
    ("joker1", ["perfect"] * 6, {"rounds": 1000}),
    ("crowns", ["hard"] * 6, {"round_limit": 1000}),
    ("joker2", ["winner"] * 2, {"rounds": 1000}),
)


@attack("As many tables as one may make, at which only strong computers play")
async def computers(on: Attacker) -> None:
    """Somebody watches at each of them, so that the computers play on."""
    watchers: list[ClientConnection] = []
    try:
        while on.going:
            game, levels, options = COMPUTER_TABLES[on.counts["tried"] % len(COMPUTER_TABLES)]
            made = await on.make(game, list(levels), options=options)
            if made is None:
                await asyncio.sleep(0.2)
                continue
            watchers.append(await on.socket(made["id"]))
            await watchers[-1].send(
                text({"type": "hello", "tokens": [made["watch"]], "protocol": PROTOCOL})
            )
    finally:
        for watcher in watchers:
            abort(watcher)


DOWNLOADS = ("replay", "record", "receipt?coach=no", "replay?first=0&count=100000")


@attack("Replays, records and receipts of the longest games, over and over")
async def downloads(on: Attacker) -> None:
    made = await on.make_long(finished=True)

    async def ask() -> None:
        answer = await on.get(f"/api/tables/{made['id']}/{DOWNLOADS[on.counts['tried'] % len(DOWNLOADS)]}")
        on.counts["KiB"] += len(answer.body) // 1024

    await on.crowd(12, ask)


PIECES = (frame(CONTINUATION, b"", last=False), frame(PONG, b""), frame(CONTINUATION, b"x", last=False))


@attack("A message in pieces that never ends: empty frames, pongs nobody asked for, one byte at a time")
async def fragments(on: Attacker) -> None:
    async def send() -> None:
        on.counts["connections"] += 1
        piece = PIECES[on.counts["connections"] % len(PIECES)]
        await flood(on, frame(TEXT, b"{", last=False), piece * 2_000, 2_000)

    await on.crowd(6, send)


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


@attack("Bytes that are no HTTP: to make the server complain, and its log grow")
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


@attack("Guessing tokens and invitations at an honest table")
async def guessing(on: Attacker) -> None:
    async def guess() -> None:
        async with on.socket(on.stage.table) as line:
            place = Place(on, line)
            while on.going:
                number = on.counts["tried"]
                tokens = [secrets.token_urlsafe(24) for _ in range(12)]
                kind, fields = (
                    ("hello", {"tokens": tokens, "protocol": PROTOCOL}),
                    ("sit", {"id": f"{number}", "version": 0, "invitation": tokens[0], "name": "me"}),
                    ("name", {"id": f"{number}", "version": 0, "seat": 0, "name": "me"}),
                )[number % 3]
                on.counts["tried"] += 1
                await place.send(kind, **fields)
                answer = await place.hear("welcome", "accepted", "table", "update")
                if answer["type"] != "refused":
                    on.problem(f"a guess was answered with {answer['type']}")
                elif answer.get("version") is not None:
                    on.problem("a stranger was told how far the game is")
                on.within(on.counts["tried"] - on.counts["too-fast"], "guesses", price=0.5)

    await on.crowd(8, guess)


@attack("WebSockets opened and left again as fast as possible, at tables that exist and at others")
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


LONG_HEADERS = (
    "a:\r\n" * 15_000,
    "If-None-Match: " + '"",' * 20_000 + "\r\n",
    "Accept-Encoding: " + "gzip;q=1," * 7_000 + "\r\n",
    "Cookie: " + "a" * 200_000 + "\r\n",
    "a:\r\n" * 60_000,
    "X-Forwarded-For: " + "127.0.0.9," * 6_000 + "\r\n",
)


@attack("Requests with thousands of headers, or one header of a hundred thousand letters")
async def headers(on: Attacker) -> None:
    async def ask() -> None:
        await on.get("/", headers=LONG_HEADERS[on.counts["tried"] % len(LONG_HEADERS)])
        await asyncio.sleep(0)

    await on.crowd(8, ask)


@attack("Hints without end at a table that begins with thousands of events")
async def hints(on: Attacker) -> None:
    made = await on.make_long(coach="hints")

    async def ask() -> None:
        async with on.at(made) as place:
            for number in range(60):
                await place.send("hint", id=f"h{number}", version=place.version)
            on.counts["tried"] += 60
            while on.going:
                await place.hear("advice")
                await place.send("hint", id=f"i{on.counts['tried']}", version=place.version)
                on.counts["tried"] += 1

    await on.crowd(4, ask)


@attack("A seat that is lent to a strong computer and taken back at once, again and again")
async def lending(on: Attacker) -> None:
    made = await on.make_long()
    async with on.at(made) as place:
        seat = place.position["actor"]
        while on.going:
            await place.command("computer", seat=seat, level="hard")
            await place.command("person", seat=seat)


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


@attack("Messages that are long, deep, of thousands of parts, or of no kind there is")
async def messages(on: Attacker) -> None:
    async def send() -> None:
        async with on.at() as place:
            for message in MESSAGES * 20:
                if not on.going:
                    break
                await place.line.send(message)
                on.counts["tried"] += 1
                await place.hear()
                on.within(on.counts["tried"] - on.counts["too-fast"], "messages", price=0.5)

    await on.crowd(12, send)


PAGES = (
    "/", "/api/rules/crowns", "/api/rules/lines?language=de", "/api/games", "/i18n/de,en,fr.json", "/metrics",
    "/api/openapi.json", "/static/app/main.js", "/static/games/crowns/board.js", "/api/components/lines", "/healthz",
)  # fmt: skip  # fmt: skip


@attack("Pages, rules, catalogues, files and figures, as fast as they come")
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
                if path == "/healthz":
                    continue
                on.counts["paid for"] += answer.status == 200
                on.within(on.counts["paid for"], "pages")
        finally:
            writer.transport.abort()

    await on.crowd(8, ask)


ODD_PATHS = (
    "/static/%00.js", "/static/" + "a" * 5_000 + ".js", "/static/" + "a/" * 15_000 + "b.js", "/%ff%fe",
    "/" + "%2e%2e/" * 4_000, "/static/" + "a/../" * 8_000 + "js/main.js", "/static/games/%00/board.js",
    "/i18n/" + "x," * 20_000 + ".json", "/api/rules/" + "%F0%9F%8E%B2" * 900, "/api/tables/%00/record",
    "/t/" + "a" * 60_000, "/static/../../../etc/passwd", "/static/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "//",
    "/api/games?language=" + "%00" * 3_000, "*", "/ws/%00", "/api//games", "/static/con.js",
    "/api/tables/" + "-" * 30_000 + "/replay", "/report/%E2%80%AE", "/?" + "a=b&" * 12_000,
)  # fmt: skip  # fmt: skip
ODD_HEADERS = (
    "Host: evil.example\r\n",
    "Origin: http://evil.example\r\n",
    "Origin: null\r\n",
    "Range: bytes=0-,0-,0-\r\n",
    "Expect: 100-continue\r\n",
)
METHODS = ("GET", "HEAD", "POST", "OPTIONS", "TRACE", "PUT", "BREW")


@attack("Addresses, methods, names and origins that make no sense")
async def paths(on: Attacker) -> None:
    """Whatever it is, it is refused with a status below 500, and no word of it is a traceback."""
    number = 0

    async def ask() -> None:
        nonlocal number
        path, method = ODD_PATHS[number % len(ODD_PATHS)], METHODS[number // len(ODD_PATHS) % len(METHODS)]
        headers = ODD_HEADERS[number % len(ODD_HEADERS)] if number % 3 == 0 else ""
        number += 1
        answer = await on.get(path, method=method, headers=headers)
        if answer.status > 500 and answer.status != 503:
            on.problem(f"{method} {path[:30]}: {answer.status}")
        if b"Traceback" in answer.body or b"root:" in answer.body:
            on.problem(f"{method} {path[:30]}: tells too much")

    await on.crowd(6, ask)
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


@attack("WebSocket pings without end, and nothing read of what comes back")
async def pings(on: Attacker) -> None:
    pings = frame(PING, b"x" * 125) * 200

    await on.crowd(4, lambda: flood(on, b"", pings, 200))


@attack("Coming back over and over to a table with thousands of events, to be welcomed with all of them")
async def reconnects(on: Attacker) -> None:
    made = await on.make_long(coach="after")

    async def come_back() -> None:
        async with on.at(made) as place:
            on.counts["welcomed"] += 1
            while on.going:
                await place.send("hello", tokens=[made["watch"]], since=0, protocol=PROTOCOL)
                on.counts["tried"] += 1
                on.counts["welcomed"] += (await place.hear("welcome"))["type"] == "welcome"

    await on.crowd(10, come_back)


COACH_MODES = ("off", "after", "moves", "hints")


@attack("Thousands of new names and wishes of the coach at a table with honest people, who then come back")
async def renaming(on: Attacker) -> None:
    """The honest people of the stage are let in afterwards, or the measure says that they are locked out."""

    async def rename() -> None:
        async with on.at() as place:
            while on.going:
                number = on.counts["tried"]
                if number % 3:
                    await place.command("name", seat=place.welcome["yours"][0], name=f"{number:024}")
                else:
                    await place.command("coach", coach=COACH_MODES[number % 4])

    await on.crowd(8, rename)


@attack(
    "The same command again and again, many ids for one command, and questions why something is not possible"
)
async def repeats(on: Attacker) -> None:
    made = await on.make("crowns", [None, None], options={"split": True}, dice="real")
    if made is None:
        return

    async def repeat() -> None:
        async with on.at(made) as place:
            asked = place.position.get("ask")
            if asked:
                values = [asked["values"][part % 6] for part in range(len(asked["parts"]))]
                await place.command("read", values=values)
            while on.going:
                await place.command("why", tokens=[f"{number}" for number in range(16)])
                await place.command("name", id="always", seat=0, name="same")
                await place.command("roll", id="x" * 64)
                await place.command("contribute", contribution="0" * 64)
                on.within(on.counts["tried"] - on.counts["too-fast"], "commands", price=0.5)

    await on.crowd(12, repeat)


@attack("Reports of the longest games there may be, of many of them at once")
async def reports(on: Attacker) -> None:
    tables = [await on.make_long(finished=True) for _ in range(3)]

    async def ask() -> None:
        made = tables[on.counts["tried"] % len(tables)]
        await on.get(f"/api/tables/{made['id']}/" + ("report", "receipt")[on.counts["tried"] % 2])

    await on.crowd(16, ask)


LONG_BODY = 4 * 1024 * 1024


@attack("Bodies of requests that are as long as they may be, and stop before their end")
async def slow_bodies(on: Attacker) -> None:
    filling = b'["' + b'aa"' * ((LONG_BODY - 64) // 3)

    async def hold() -> None:
        reader, writer = await on.open()
        try:
            on.counts["tried"] += 1
            path = ("/api/tables", "/api/components/joker1")[on.counts["tried"] % 2]
            writer.write(on.head("POST", path, length=LONG_BODY) + filling)
            with suppress(OSError):
                await writer.drain()
                on.counts["sent in full but for its end"] += 1
            async with asyncio.timeout(on.left + 0.1):
                answer: Answer = await read_answer(reader)
            on.counts[answer.code] += 1
        finally:
            writer.transport.abort()
        await asyncio.sleep(0.05)

    await on.crowd(60, hold)


@attack("As many tables as one may make, each with as many events as may be given: to fill disk and memory")
async def tables(on: Attacker) -> None:
    async def make() -> None:
        try:
            await on.make_long()
        except ConnectionError:
            await asyncio.sleep(0.3)

    await on.crowd(6, make)


@attack(
    "Giving honest people's seats away the moment their network fails, deciding without them, ending their game"
)
async def taking_seats(on: Attacker) -> None:
    """The honest people of the stage keep coming and going meanwhile."""
    async with on.at() as place:
        mine = place.welcome["yours"]
        others = [seat for seat in range(len(place.welcome["table"]["seats"])) if seat not in mine]
        while on.going:
            number = on.counts["tried"]
            seat = others[number % len(others)]
            kind, fields = (
                ("computer", {"seat": seat, "level": "random"}),
                ("coach", {"coach": "hints"}),
                ("adjudicate", {}),
                ("person", {"seat": seat}),
                ("name", {"seat": seat, "name": "mine"}),
            )[number % 5]
            answer = await place.command(kind, **fields)
            # to wish for hints or for an end is everybody's right; the bystander looks whether it comes true
            if answer["type"] == "accepted" and "seat" in fields:
                on.problem(f"{kind}: done to somebody who was away for a moment")
            await asyncio.sleep(0.06)


UNREAD_CONNECTIONS = 400


@attack("Large answers asked for on many connections, and never read")
async def unread(on: Attacker) -> None:
    made = await on.make_long(finished=True)
    paths = [f"/api/tables/{made['id']}/{what}" for what in ("replay", "record", "receipt?coach=no")]
    open_ones: list[asyncio.StreamWriter] = []
    try:
        while on.going and len(open_ones) < UNREAD_CONNECTIONS:
            on.counts["tried"] += 1
            with suppress(OSError, TimeoutError):
                _, writer = await on.open(limit=1024, receive=4096)
                open_ones.append(writer)
                # a page too, which is refused to nobody
                writer.write(on.head("GET", paths[len(open_ones) % 3]) + on.head("GET", "/i18n/de.json"))
            await asyncio.sleep(0.005)
        await asyncio.sleep(max(0.0, on.left))
        on.counts["held"] = sum(not writer.transport.is_closing() for writer in open_ones)
    finally:
        for writer in open_ones:
            writer.transport.abort()


WATCHERS = 90
FEW_WATCHERS = 20


@attack(
    "A table with the largest box that is accepted, and as many watchers as one may have who never read"
)
async def watchers(on: Attacker) -> None:
    made = await on.make_boxed(huge_box)
    watchers = []
    try:
        for _ in range(FEW_WATCHERS if on.short else WATCHERS):
            with suppress(OSError, WebSocketException, TimeoutError):
                watcher = await on.socket(made["id"], max_queue=1)
                watchers.append(watcher)
                await watcher.send(text({"type": "hello", "tokens": [made["watch"]], "protocol": PROTOCOL}))
        on.counts["watchers"] = len(watchers)
        async with AsyncExitStack() as stack:
            places = [await stack.enter_async_context(on.at(made)) for _ in range(4)]
            while on.going:
                place = places[on.counts["tried"] % len(places)]
                place.version = max(other.version for other in places)
                await place.command("name", seat=0, name=f"{on.counts['tried']}")
    finally:
        for watcher in watchers:
            abort(watcher)


async def perform(job: Job) -> Told:
    """Try one attack for its time."""
    attacker = Attacker(job)
    try:
        async with asyncio.timeout(job.seconds + 3 * PATIENCE):
            await ATTACKS[job.name][1](attacker)
    except (OSError, TimeoutError, EOFError, WebSocketException) as error:
        attacker.counts["ended: " + (str(error) or type(error).__name__)[:40]] += 1
    return Told(dict(attacker.counts), attacker.problems, round(attacker.elapsed, 2))


def main() -> None:
    os.nice(10)
    # connections that the server ends are nothing unusual
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    for line in sys.stdin:
        job = msgspec.json.decode(line, type=Job)
        print(text(asyncio.run(perform(job))), flush=True)


if __name__ == "__main__":
    main()
