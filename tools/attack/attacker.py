"""The attacker: tools for all attacks, and their counters.

It runs in a process of its own with a low priority: an attacker's own work is done on another machine, so here it must
not take the processor from the server and the bystander.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import itertools
import os
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import cache
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import WebSocketException

from pasch.table.limits import MAX_BOX_BYTES, Limits, Rate
from pasch.table.schema import PROTOCOL
from tools.attack.games import ENDLESS_GAME, long_game
from tools.attack.target import TIMEOUT_SECONDS, Answer, Caller, Target
from tools.messages import unfolded

#: what one address may ask for, if every request costs 1 and every message half of that
LIMITS = Limits()
#: sizes of a box, the largest first
BOX_BYTES = (660_000, 60_000, 15_000, 6_000, 2_430)
#: how many events a table is to begin with, fewer if that is refused; and more than any game needs
EVENTS, MAX_GIVEN = (17_000, 6_000, 4_000, 2_000, 1_000, 500), 5_000


class Stage(msgspec.Struct):
    """A table at which the attacker plays with honest people, and which it has made."""

    table: str
    #: its own seat's token, the maker's and that to watch
    seat: str
    maker: str
    watch: str


class Job(msgspec.Struct):
    """One attack."""

    name: str
    target: Target
    address: str
    seconds: float
    stage: Stage


class Outcome(msgspec.Struct):
    """What an attack tried, the answers it received, and the problems it found."""

    counts: dict[str, int]
    problems: list[str]
    seconds: float


class Attacker(Caller):
    """An attacker for the time of one attack, with its budget of seconds."""

    def __init__(self, job: Job) -> None:
        super().__init__(job.target, job.address)
        self.seconds, self.stage = job.seconds, job.stage
        #: whether there is no time for what takes long to prepare
        self.short = job.seconds < 1
        self.counts: Counter[str] = Counter()
        self.problems: list[str] = []
        self._began = time.monotonic()
        self._until = self._began + job.seconds

    @property
    def going(self) -> bool:
        """Whether there is time left."""
        return self.left > 0

    @property
    def left(self) -> float:
        return self._until - time.monotonic()

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self._began

    def within(self, number: int, what: str, price: float = 1.0, rate: Rate = LIMITS.address) -> None:
        """Note a problem if this exceeds the limit for one address, which does not depend on the machine."""
        if number * price > rate.burst + rate.second * (self.elapsed + 1):
            self.problem(f"more {what} than one address may have")

    def problem(self, text: str) -> None:
        """Note something that must not happen, once."""
        if text not in self.problems and len(self.problems) < 10:
            self.problems.append(text)

    def note(self, answer: Answer) -> Answer:
        """Count an answer by its status or code; an error of the server itself is a problem."""
        self.counts[answer.code if answer.status >= 300 or not answer.status else "answered"] += 1
        if answer.status >= 500 and answer.status not in (501, 503):
            self.problem(f"answered with {answer.status}")
        return answer

    async def get(
        self, path: str, data: Any = None, method: str | None = None, headers: str = ""
    ) -> Answer:
        """The answer to an HTTP request, which is counted."""
        self.counts["tried"] += 1
        return self.note(await self.ask(path, data, method, headers))

    async def crowd(self, number: int, work: Callable[[], Awaitable[None]]) -> None:
        """Repeat an action, `number` at a time, until shortly after the time is over."""

        async def over_and_over() -> None:
            while self.going:
                try:
                    async with asyncio.timeout(self.left + min(1.0, self.seconds)):
                        await work()
                except (OSError, TimeoutError, EOFError, WebSocketException):
                    self.counts["cut off"] += self.going
                    await asyncio.sleep(0.005)

        await asyncio.gather(*(over_and_over() for _ in range(number)))

    # --- tables --------------------------------------------------------------------------------------

    async def make(self, game: str, levels: list[str | None], **more: Any) -> dict[str, Any] | None:
        """Make a table; a level for each computer, None for each person. None if it was refused."""
        seats = [{"kind": "computer", "level": level} if level else {"kind": "here"} for level in levels]
        answer = await self.get("/api/tables", {"game": game, "seats": seats, "coach": "off", **more})
        made: dict[str, Any] | None = answer.data if answer.status == 201 else None
        if made is not None:
            self.counts["tables"] += 1
            self.within(self.counts["tables"], "tables", rate=LIMITS.tables)
        return made

    async def make_long(self, *, finished: bool = False, **more: Any) -> dict[str, Any]:
        """Make a table that begins with the maximum number of events; OSError if none can be made."""
        for events in EVENTS[1:] if self.short else EVENTS:
            game = _game(events, finished=finished)
            options = {"options": game.options, "events": game.events, "dice": "real", **more}
            first = not self.counts["given events"]
            made = await self.make(ENDLESS_GAME, [None, None], **options)
            if made is not None:
                if first:
                    self._until = time.monotonic() + self.seconds  # what comes before does not count
                given = self.counts["given events"] = max(self.counts["given events"], len(game.events))
                if given > MAX_GIVEN:
                    self.problem(f"a table begins with {given} events")
                return made
        raise ConnectionError("no table was made")

    async def make_boxed(self, box_of: Callable[[int], tuple[str, Any]], **more: Any) -> dict[str, Any]:
        """Make a table with as large a box as is accepted; OSError if none can be made."""
        for size in BOX_BYTES:
            game, box = box_of(size)
            made = await self.make(game, [None, None], options={"components": box}, **more)
            if made is not None:
                self.counts["box KiB"] = max(self.counts["box KiB"], size // 1024)
                if size > MAX_BOX_BYTES:
                    self.problem(f"a box of {size} bytes is accepted")
                return made
        raise ConnectionError("no table was made")

    @contextlib.asynccontextmanager
    async def at(self, made: dict[str, Any] | None = None, *, hello: bool = True) -> AsyncIterator[Place]:
        """A place at a table, with all of its tokens, or with the attacker's own of the stage."""
        stage = self.stage
        shown = [stage.seat, stage.maker] if made is None else [*made["seats"].values(), made["maker"]]
        async with self.socket(stage.table if made is None else made["id"]) as line:
            place = Place(self, line, shown)
            if hello:
                # without what happened before: a long game is more than the server sends to anybody at once
                await place.say(("hello", {"tokens": shown, "since": 1_000_000, "protocol": PROTOCOL}))
                place.welcome = await place.hear("welcome")
                if place.welcome["type"] == "refused":
                    raise ConnectionError(place.welcome["code"])
            yield place


class Place:
    """A connection to a table."""

    def __init__(self, attacker: Attacker, line: ClientConnection, tokens: list[str]) -> None:
        self.line, self.tokens = line, tokens
        self.welcome: dict[str, Any] = {}
        self.position: dict[str, Any] = {}
        #: of the table, as far as is known
        self.version = 0
        self._attacker = attacker
        self._names = itertools.count()
        self._unheard: deque[dict[str, Any]] = deque()

    async def say(self, message: tuple[str, dict[str, Any]] | str) -> None:
        """Send a message under a new id, and count it; a text as it is."""
        self._attacker.counts["tried"] += 1
        if isinstance(message, str):
            await self.line.send(message)
            return
        kind, fields = message
        named = {"id": f"{id(self):x}-{next(self._names)}", "version": self.version}
        await self.line.send(encode({"type": kind, **({} if kind == "hello" else named), **fields}))

    async def command(self, kind: str, **fields: Any) -> dict[str, Any]:
        """The answer to a command; waits a moment if it was too fast."""
        await self.say((kind, fields))
        answer = await self.hear("accepted", "advice", "because")
        if answer.get("code") == "too-fast":
            await asyncio.sleep(0.05)
        return answer

    async def read_dice(self) -> None:
        """Enter what real dice and strips show, until there is something to choose or that is refused."""
        while ask := self.position.get("ask"):
            answer = await self.command("read", values=[ask["values"][0]] * len(ask["parts"]))
            if answer["type"] == "refused":
                break

    async def hear(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these kinds, or the next refusal."""
        while True:
            if not self._unheard:
                async with asyncio.timeout(self._attacker.left + TIMEOUT_SECONDS):
                    self._unheard.extend(unfolded(msgspec.json.decode(await self.line.recv())))
                for message in self._unheard:
                    self.position = message.get("position") or self.position
                    self.version = max(
                        self.version, (message.get("position") or message).get("version") or 0
                    )
            message = self._unheard.popleft()
            if message["type"] in ("accepted", "advice", "because", "refused"):
                self._attacker.counts[message.get("code", message["type"])] += 1
            if message["type"] in (*kinds, "refused"):
                return message


def encode(message: Any) -> str:
    """A message as a frame of bytes."""
    return msgspec.json.encode(message).decode()


_game = cache(long_game)


# --- WebSocket frames by hand, for what no library would send ---------------------------------------------

CONTINUATION, TEXT, PING, PONG = 0, 1, 9, 10


def frame(kind: int, data: bytes, *, last: bool = True) -> bytes:
    """A short frame with an empty mask; masks protect proxies, of which there are none here."""
    assert len(data) < 126
    return bytes([kind | 0x80 * last, 0x80 | len(data)]) + bytes(4) + data


async def shake_hands(
    caller: Caller, table: str, receive: int | None = None, headers: str = ""
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """An open WebSocket; ConnectionError with the status if the server wants none."""
    reader, writer = await caller.open(limit=65_536, receive=receive)
    key = base64.b64encode(os.urandom(16)).decode()
    upgrade = f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
    try:
        writer.write(caller.head("GET", f"/ws/{table}", upgrade + headers))
        async with asyncio.timeout(TIMEOUT_SECONDS):
            head = await reader.readuntil(b"\r\n\r\n")
    except (EOFError, TimeoutError):
        writer.transport.abort()
        raise ConnectionError("hung up") from None
    except BaseException:
        writer.transport.abort()
        raise
    status = head.split(b" ")[1].decode("latin-1")
    if status != "101":
        writer.transport.abort()
        raise ConnectionError(status)
    return reader, writer
