"""A tiny server and browser for the tests: the application is called directly, without a network."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from tools.messages import unfolded

from pasch.store.sqlite import SqliteStore
from pasch.table.bots import Bots
from pasch.table.helpers import HelperFailed, Job, JobAnswer, Processes
from pasch.table.limits import Limits, Rate
from pasch.table.lobby import Lobby
from pasch.table.schema import PROTOCOL
from pasch.web.app import App


class ScriptedHelper:
    """Answers jobs at once with what a test gives it, or fails. None: values have to be built first."""

    count = 2
    builds = True

    def __init__(self, **answers: Any) -> None:
        self.answers = answers
        self.asked: list[tuple[str, dict[str, Any]]] = []
        #: the functions for which values were built
        self.built: list[str] = []

    async def run(self, job: Job, seconds: float, build: bool) -> bytes:
        arguments = job.arguments()
        self.asked.append((job.do, arguments))
        if build:
            self.built.append(job.do)
        if job.do not in self.answers:
            raise HelperFailed("not in this test")
        found = self.answers[job.do](arguments)
        if found is None:
            return msgspec.json.encode(JobAnswer(missing=True))
        return msgspec.json.encode(JobAnswer(msgspec.Raw(msgspec.json.encode(found))))

    async def close(self) -> None:
        return


#: tests need no luck
CONTRIBUTION = "5a" * 32


def owes(welcome: dict[str, Any]) -> bool:
    """Whether the first roll waits for this client."""
    table = welcome["table"]
    lacks = [table["contributions"][seat] is None for seat in welcome["yours"]]
    return bool(table["dice"] == "pasch" and table["phase"] == "waiting" and any(lacks))


HOST = "table.test"
#: tests are faster than people
FREE = Rate(1e9, 1e9)
NO_LIMITS = Limits(
    address=FREE, monitoring=FREE, messages=FREE, tables=FREE, log=FREE, max_non_moves=1_000_000
)


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


class Answer(NamedTuple):
    """What came back over HTTP."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def _headers(headers: dict[str, str] | None) -> list[tuple[bytes, bytes]]:
    given = {"host": HOST, **(headers or {})}
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in given.items()]


class Closed(Exception):
    """The server has ended the connection."""


#: the numbers of connections, so that no two of them use the same id for a command
numbers = count()


class Socket:
    """One WebSocket. A slow one lets the server wait."""

    def __init__(
        self,
        app: Any,
        path: str,
        headers: dict[str, str] | None = None,
        slow: bool = False,
        client: str = "10.0.0.1",
    ) -> None:
        self._incoming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._outgoing: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._reads = asyncio.Event()
        if not slow:
            self._reads.set()
        scope: dict[str, Any] = {"type": "websocket", "query_string": b"", "subprotocols": []}
        scope |= {"path": path, "headers": _headers(headers), "client": (client, 1)}
        self._incoming.put_nowait({"type": "websocket.connect"})
        self._task = asyncio.create_task(app(scope, self._incoming.get, self._take))
        self.version = 0
        #: the last position received
        self.position: dict[str, Any] = {}
        self.messages: list[dict[str, Any]] = []
        #: the messages as they came, and everything as it left the server
        self.received: list[str] = []
        self.left: list[str] = []
        self._pending: deque[dict[str, Any]] = deque()
        self._tables: list[dict[str, Any]] = []
        self._number, self._ids = next(numbers), 0

    async def _take(self, message: dict[str, Any]) -> None:
        self.left.append(repr(message))
        if message["type"] != "websocket.accept":
            await self._reads.wait()
        if message["type"] == "websocket.close":
            self._incoming.put_nowait({"type": "websocket.disconnect", "code": message["code"]})
        self._outgoing.put_nowait(message)

    def read_on(self) -> None:
        """A slow client reads again."""
        self._reads.set()

    async def raw(self) -> dict[str, Any]:
        """The next thing that the server sends."""
        return await asyncio.wait_for(self._outgoing.get(), 60)

    async def text(self) -> str:
        message = await self.raw()
        while message["type"] == "websocket.accept":
            message = await self.raw()
        if message["type"] != "websocket.send":
            raise Closed(message.get("code") or message.get("status"))
        text: str = message["text"]
        return text

    async def hear(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these types; those before it are only noted."""
        while True:
            if not self._pending:
                text = await self.text()
                self.received.append(text)
                self._pending.extend(unfolded(json.loads(text)))
            message = self._pending.popleft()
            self.messages.append(message)
            if "position" in message:
                self.position = message["position"]
                self.version = self.position["version"]
            if not kinds or message["type"] in kinds:
                return message

    def say(self, data: Any) -> None:
        text = data if isinstance(data, str) else json.dumps(data)
        self._incoming.put_nowait({"type": "websocket.receive", "text": text})

    def say_bytes(self, data: bytes) -> None:
        self._incoming.put_nowait({"type": "websocket.receive", "bytes": data})

    def send(self, kind: str, **fields: Any) -> str:
        """A command, with an id and the version seen last unless they are given."""
        self._ids += 1
        command = {"type": kind, "id": f"c{self._ids}-{self._number}", "version": self.version, **fields}
        self.say(command)
        name: str = command["id"]
        return name

    async def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """A command and its answer."""
        name = self.send(kind, **fields)
        while True:
            answer = await self.hear(
                "accepted", "refused", "because", "advice", "entries", "verdict", "table"
            )
            if answer["type"] == "table":
                # who sits where is sent with the update that answers; it may be received after the answer
                self._tables.append(answer)
            elif answer["id"] in (name, None):
                self._pending.extendleft(reversed(self._tables[-1:]))
                self._tables.clear()
                return answer

    async def reach(self, version: int) -> dict[str, Any]:
        """The position when updates up to this version have been received."""
        while self.version < version:
            await self.hear("update")
        return self.position

    async def done(self, kind: str, **fields: Any) -> dict[str, Any]:
        """The position after a command, which has to be accepted."""
        answer = await self.ask(kind, **fields)
        assert answer["type"] == "accepted", answer
        return await self.reach(answer["version"])

    async def refused(self, code: str, kind: str, **fields: Any) -> dict[str, Any]:
        """The answer to a command, which has to be refused for this reason and change nothing."""
        before = self.version
        answer = await self.ask(kind, **fields)
        assert (answer["type"], answer["code"]) == ("refused", code), answer
        assert answer["reason"]["template"] and answer["version"] in (before, None)
        return answer

    async def hello(
        self, *tokens: str, since: int | None = None, contribute: bool = True
    ) -> dict[str, Any]:
        """Be welcomed and, as every client does, add to the dice before the first roll."""
        hello = {"type": "hello", "tokens": tokens, "since": since, "protocol": PROTOCOL}
        self.say(hello)
        welcome = await self.hear("welcome", "refused")
        if contribute and welcome["type"] == "welcome" and owes(welcome):
            answer = await self.ask("contribute", contribution=CONTRIBUTION)
            assert answer["type"] == "accepted", answer
            await self.hear("update")
            self.say(hello)
            welcome = await self.hear("welcome")
        return welcome

    async def vanish(self) -> None:
        """Go without a word, as a phone does that loses its network."""
        self._incoming.put_nowait({"type": "websocket.disconnect", "code": 1006})
        self._reads.set()
        await self._task

    async def ended(self) -> None:
        """Wait until the server has let go of this connection."""
        await asyncio.wait_for(asyncio.shield(self._task), 60)


class Browser:
    """The application as a browser meets it."""

    helper: Any

    def __init__(self, app: Any, lobby: Lobby) -> None:
        self.app, self.lobby = app, lobby
        self._sockets: list[Socket] = []

    async def request(
        self,
        method: str,
        path: str,
        data: Any = None,
        headers: dict[str, str] | None = None,
        body: bytes | None = None,
        client: str = "10.0.0.1",
        receive: Callable[[], Awaitable[dict[str, Any]]] | None = None,
    ) -> Answer:
        path, _, query = path.partition("?")
        scope: dict[str, Any] = {
            "type": "http",
            "scheme": "http",
            "server": (HOST, 80),
            "http_version": "1.1",
        }
        scope |= {"method": method, "path": path, "query_string": query.encode()}
        scope |= {"headers": _headers(headers), "client": (client, 1)}
        sent = body if body is not None else b"" if data is None else json.dumps(data).encode()
        #: also what is sent before an error
        got = self.sent = list[dict[str, Any]]()

        async def whole() -> dict[str, Any]:
            return {"type": "http.request", "body": sent, "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            got.append(message)

        await self.app(scope, receive or whole, send)
        headers = {name.decode(): value.decode() for name, value in got[0]["headers"]}
        return Answer(got[0]["status"], headers, b"".join(m.get("body", b"") for m in got[1:]))

    async def get(self, path: str, **more: Any) -> Answer:
        return await self.request("GET", path, **more)

    async def post(self, path: str, data: Any = None, **more: Any) -> Answer:
        return await self.request("POST", path, data, **more)

    async def make(self, game: str, *seats: str, **more: Any) -> dict[str, Any]:
        """A table; seats are "here", "link" or the level of a computer."""
        wishes = [
            {"kind": seat, "name": f"P{number}"}
            if seat in ("here", "link")
            else {"kind": "computer", "level": seat}
            for number, seat in enumerate(seats)
        ]
        made = await self.post("/api/tables", {"game": game, "seats": wishes, **more})
        assert made.status == 201, made.json
        table: dict[str, Any] = made.json
        return table

    def open(self, table: str, **more: Any) -> Socket:
        socket = Socket(self.app, f"/ws/{table}", **more)
        self._sockets.append(socket)
        return socket

    async def join(self, table: str, *tokens: str, since: int | None = None) -> Socket:
        """A connection that has been welcomed."""
        socket = self.open(table)
        welcome = await socket.hello(*tokens, since=since)
        assert welcome["type"] == "welcome", welcome
        return socket

    async def sit(
        self, made: dict[str, Any], seat: int = 1, contribute: bool = True
    ) -> tuple[Socket, dict[str, Any]]:
        """Come by the link to a seat and take it; the connection, and its welcome. `made` gets the seat's token."""
        socket, invitation = self.open(made["id"]), made["invitations"][str(seat)]
        await socket.hello(invitation)
        sat = await socket.ask("sit", invitation=invitation, name="Guest")
        assert (sat["type"], sat["seat"]) == ("accepted", seat)
        made["seats"][str(seat)] = sat["token"]
        return socket, await socket.hello(sat["token"], contribute=contribute)

    async def two(self, game: str = "joker1", **more: Any) -> tuple[dict[str, Any], Socket, Socket]:
        """A table with two people on devices of their own, who have received everything so far."""
        made = await self.make(game, "here", "link", **more)
        mine = await self.join(made["id"], made["seats"]["0"], made["maker"])
        guest, _ = await self.sit(made)
        await mine.hello(made["seats"]["0"], made["maker"])
        return made, mine, guest

    async def alone(self, game: str = "joker1", *seats: str, **more: Any) -> tuple[dict[str, Any], Socket]:
        """A table, usually for one, and a connection that has all seats of this device and is the maker's."""
        made = await self.make(game, *(seats or ("here",)), **more)
        return made, await self.join(made["id"], *made["seats"].values(), made["maker"])

    async def watch(self, made: dict[str, Any]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """Watch a table until its game is over: the entries of its log, and the last position."""
        watcher = self.open(made["id"])
        received = await watcher.hello(made["watch"])
        entries = list(received["entries"])
        while received["position"]["actor"] != -2:
            received = await watcher.hear("update")
            entries += received["entries"]
        return entries, received["position"]

    async def close(self) -> None:
        for socket in self._sockets:
            await socket.vanish()


@asynccontextmanager
async def server(
    folder: Path,
    limits: Limits = NO_LIMITS,
    helper: Processes | None = None,
    bots: Bots | None = None,
    wall: Callable[[], float] = time.time,
    monotonic: Callable[[], float] = time.monotonic,
    hosts: Collection[str] | None = None,
    **more: Any,
) -> AsyncIterator[Browser]:
    """A server whose log is in this folder."""
    store, helper = SqliteStore(folder / "tables.sqlite", clock=wall), helper or ScriptedHelper()
    lobby = Lobby(store, limits, wall, helper, bots, monotonic)
    await lobby.open()
    browser = Browser(App(lobby, **more).answering_to(hosts), lobby)
    browser.helper = helper
    try:
        yield browser
    finally:
        await browser.close()
        await lobby.close()
