"""The attacker: what all attacks have at hand, and what they count.

It runs in a process of its own with a low priority: an attacker's own work is done on another machine, so here it must
not take the processor from the server and the bystander.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import WebSocketException

from pasch.table.limits import MAX_BOX_BYTES, Limits, Rate
from pasch.table.schema import PROTOCOL
from tools.attack.games import LONGEST, LongGame, long_game
from tools.attack.target import PATIENCE, Answer, Caller, Target
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


class Told(msgspec.Struct):
    """What an attack tried and what it was told, and what should not have been."""

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
        """Note a problem if this is more than an address may have, however fast or slow the machine is."""
        if number * price > rate.burst + rate.second * (self.elapsed + 1):
            self.problem(f"more {what} than one address may have")

    def problem(self, text: str) -> None:
        """Note something that must not happen, once."""
        if text not in self.problems and len(self.problems) < 10:
            self.problems.append(text)

    def note(self, answer: Answer) -> Answer:
        """Count an answer by its status or code; an error of the server itself is a problem."""
        self.counts[answer.code if answer.status >= 300 or not answer.status else "answered"] += 1
        if answer.status == 500:
            self.problem("answered with 500")
        return answer

    async def get(
        self, path: str, data: Any = None, method: str | None = None, headers: str = ""
    ) -> Answer:
        """Ask over HTTP, and count."""
        self.counts["tried"] += 1
        return self.note(await self.ask(path, data, method, headers))

    async def crowd(
        self, number: int, work: Callable[[], Awaitable[None]], grace: float | None = None
    ) -> None:
        """Do something over and over, so many at a time, until the time is over and a little more."""

        more = min(1.0, self.seconds) if grace is None else grace

        async def over_and_over() -> None:
            while self.going:
                try:
                    async with asyncio.timeout(self.left + more):
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
        """Make a table that begins with as many events as are accepted; OSError if none can be made."""
        for events in EVENTS[1:] if self.short else EVENTS:
            game = _game(events, finished)
            options = {"options": game.options, "events": game.events, "dice": "real", **more}
            first = not self.counts["given events"]
            made = await self.make(LONGEST, [None, None], **options)
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
    async def at(self, made: dict[str, Any] | None = None) -> AsyncIterator[Place]:
        """A place at a table, with all of its tokens, or with the attacker's own of the stage."""
        stage = self.stage
        shown = [stage.seat, stage.maker] if made is None else [*made["seats"].values(), made["maker"]]
        async with self.socket(stage.table if made is None else made["id"]) as line:
            place = Place(self, line)
            # without what happened before: a long game is more than the server sends to anybody at once
            await place.send("hello", tokens=shown, since=1_000_000, protocol=PROTOCOL)
            place.welcome = await place.hear("welcome")
            if place.welcome["type"] == "refused":
                raise ConnectionError(place.welcome["code"])
            yield place


class Place:
    """A connection to a table."""

    def __init__(self, attacker: Attacker, line: ClientConnection) -> None:
        self.line = line
        self.welcome: dict[str, Any] = {}
        self.position: dict[str, Any] = {}
        #: of the table, as far as is known
        self.version = 0
        self._attacker = attacker
        self._names = itertools.count()
        self._unheard: deque[dict[str, Any]] = deque()

    async def send(self, kind: str, **fields: Any) -> None:
        """Send a message."""
        await self.line.send(text({"type": kind, **fields}))

    async def command(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Give a command under a new id, wait for its answer, and count it; pause if that was too fast."""
        name = f"{id(self):x}-{next(self._names)}"
        self._attacker.counts["tried"] += 1
        await self.send(kind, **{"id": name, "version": self.version, **fields})
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
                async with asyncio.timeout(self._attacker.left + PATIENCE):
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


def text(message: Any) -> str:
    """A message as it is sent."""
    return msgspec.json.encode(message).decode()


_games: dict[tuple[int, bool], LongGame] = {}


def _game(events: int, finished: bool) -> LongGame:
    if (events, finished) not in _games:
        _games[events, finished] = long_game(events, finished=finished)
    return _games[events, finished]
