"""The server as uvicorn runs it: over a real network, and with the throttle of each connection."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest
import uvicorn
from tools.messages import unfolded
from uvicorn.loops.auto import auto_loop_factory
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from pasch.store.sqlite import SqliteStore
from pasch.table.limits import Limits
from pasch.table.lobby import Lobby
from pasch.table.schema import MAX_MESSAGE_BYTES, PROTOCOL, NewTable, SeatRequest
from pasch.web import throttle
from pasch.web.app import App
from pasch.web.serve import listen, max_connections
from pasch.web.throttle import DIRECT_BYTES, SLICE_BYTES, ServerConfig
from tests.web.asgi import NO_LIMITS

HELLO = {"type": "hello", "since": None, "protocol": PROTOCOL}
HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def handshake(table: str) -> bytes:
    return HANDSHAKE.replace(b"GET /", f"GET /ws/{table}".encode(), 1)


class Served(NamedTuple):
    """A server with one table of two seats."""

    port: int
    table: str
    tokens: list[str]

    @asynccontextmanager
    async def joined(self, seat: int) -> AsyncIterator[ClientConnection]:
        """A client at a seat, welcomed."""
        async with connect(f"ws://localhost:{self.port}/ws/{self.table}", compression=None) as client:
            await say(client, **HELLO, tokens=[self.tokens[seat]])
            await hear(client, "welcome")
            yield client


async def say(client: ClientConnection, **message: Any) -> None:
    await client.send(json.dumps(message))


async def hear(client: ClientConnection, *kinds: str) -> Any:
    while True:
        for message in unfolded(json.loads(await asyncio.wait_for(client.recv(), 60))):
            if message["type"] in kinds:
                return message


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, Any]]:
    """The event loop of `pasch serve`."""
    return "asyncio", {"loop_factory": auto_loop_factory()}


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    """uvicorn as `pasch serve` starts it."""
    lobby = Lobby(SqliteStore(tmp_path / "log.db"), NO_LIMITS)
    await lobby.open()
    listener = listen("127.0.0.1", 0)
    server = uvicorn.Server(ServerConfig(App(lobby).answering_to(), 1000))
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    made = await lobby.make(NewTable("joker1", (SeatRequest("here"), SeatRequest("here")), coach="off"))
    yield Served(listener.getsockname()[1], made.id, list(made.seats.values()))
    server.should_exit = True
    await serving
    await lobby.close()
    listener.close()


@pytest.mark.parametrize(
    ("said", "code"), [(b'{"tokens":["\xff"]}', 1007), (b'"' + b"x" * MAX_MESSAGE_BYTES + b'"', 1009)]
)
async def test_what_is_no_text_or_too_long_ends_the_connection(
    served: Served, said: bytes, code: int
) -> None:
    async with served.joined(0) as client, served.joined(1) as other:
        await client.send(said, text=True)
        with pytest.raises(ConnectionClosed) as closed:
            await hear(client, "never")
        assert closed.value.rcvd is not None and closed.value.rcvd.code == code
        await say(other, type="ping")
        await hear(other, "pong")


async def answer_to(port: int, request: bytes) -> str:
    """The status of the answer; nothing if the connection is ended instead."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    try:
        return (await asyncio.wait_for(reader.readuntil(b"\r\n"), 10)).decode().split()[1]
    except (asyncio.IncompleteReadError, ConnectionError):
        return ""
    finally:
        writer.transport.abort()


async def test_a_request_may_be_as_long_as_its_limits_and_comes_whole(served: Served) -> None:
    head = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
    post = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
    assert await answer_to(served.port, head + b"X: y\r\n" * 2000 + b"\r\n") == "200"
    assert await answer_to(served.port, head + b"X: " + b"y" * 60_000) == "400"
    body = b'{"game": "joker1", "seats": [{"kind": "here"}]' + b" " * 200_000 + b"}"
    assert await answer_to(served.port, post % len(body) + body) == "201"


async def test_what_is_refused_is_answered_once_and_leaves_no_trace(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    chunked = b"GET /nowhere HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n"
    assert await answer_to(served.port, chunked) == "400"
    # it is refused while there is more of it to be read
    post = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000\r\n\r\n"
    assert await answer_to(served.port, post + bytes(1_100_000)) == "413"
    async with served.joined(0):
        assert await answer_to(served.port, HANDSHAKE.replace(b"Version: 13", b"Version: 12")) == "400"
    assert await answer_to(served.port, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n") == "200"
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


@pytest.mark.parametrize(
    ("files", "several", "connections"),
    [(65_536, False, 10_000), (1024, False, 896), (1024, True, 448), (128, False, 64), (256, False, 128)],
)
def test_there_are_fewer_connections_than_files(files: int, several: bool, connections: int) -> None:
    assert max_connections(Limits(), files, several) == connections < files


# --- the throttle --------------------------------------------------------------------------------------

WEBSOCKET_RATE, WEBSOCKET_BURST = int(throttle.WEBSOCKET_RATE.second), int(throttle.WEBSOCKET_RATE.burst)
#: empty frames as a client sends them, of no one's interest: pings, pongs, and pieces of a message
FRAMES = {"ping": b"\x89\x80abcd", "pong": b"\x8a\x80abcd", "piece": b"\x00\x80abcd"}
BEGIN = b"\x01\x80abcd"
#: bytes of the answer to an empty ping, and of the answers to a slice of them
PONG_BYTES = 2
SLICE_WRITTEN = PONG_BYTES * (SLICE_BYTES // len(FRAMES["ping"]) + 1)


class FrozenLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock stands still unless a test moves it."""

    now = 1000.0

    def time(self) -> float:
        return self.now


class Link(asyncio.Transport):
    """A transport that leads nowhere, and notes what becomes of it."""

    def __init__(self) -> None:
        super().__init__()
        self.protocol: Any = None
        self.closed, self.reading, self.unsent, self.written = False, True, 0, 0

    def write(self, data: Any) -> None:
        self.written += len(data)

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def abort(self) -> None:
        self.closed = True
        self.unsent = 0

    def get_write_buffer_size(self) -> int:
        return self.unsent

    def resume_reading(self) -> None:
        self.reading = True

    def pause_reading(self) -> None:
        self.reading = False

    def set_protocol(self, protocol: Any) -> None:
        self.protocol = protocol


async def turns(number: int) -> None:
    for _ in range(number):
        await asyncio.sleep(0)


frozen = pytest.mark.parametrize(
    "anyio_backend", [("asyncio", {"loop_factory": FrozenLoop})], ids=["frozen"]
)


@pytest.fixture
def link() -> Link:
    return Link()


async def websocket(link: Link, config: uvicorn.Config) -> Any:
    """A WebSocket over this link, whose handshake is done."""
    http = throttle.ThrottledHttp(config, uvicorn.server.ServerState(), {})
    http.connection_made(link)
    http.data_received(HANDSHAKE)
    opened = link.protocol
    assert isinstance(opened, throttle.ThrottledWebSocket)
    while not opened.handshake_complete:
        await asyncio.sleep(0)
    await turns(3)
    return opened


@pytest.fixture
async def opened(link: Link) -> AsyncIterator[throttle.ThrottledWebSocket]:
    """A WebSocket that leads nowhere."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass

    config = ServerConfig(app, 10)
    config.ws_ping_interval = None  # nobody here would answer
    config.load()
    opened = await websocket(link, config)
    yield opened
    if opened in opened.connections:
        opened.connection_lost(None)
    await asyncio.gather(*opened.tasks)


def advance(seconds: float) -> None:
    """Move the clock of the event loop."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, FrozenLoop)
    loop.now += seconds


@frozen
async def test_a_flood_takes_one_slice_of_each_turn_and_is_read_at_its_rate(
    opened: Any, link: Link
) -> None:
    opened.data_received(FRAMES["ping"] * (2 * WEBSOCKET_BURST // len(FRAMES["ping"])))
    assert not link.reading
    for _ in range(2 * WEBSOCKET_BURST // SLICE_BYTES):
        before = link.written
        await turns(1)
        assert link.written - before <= SLICE_WRITTEN
    # the burst has passed, and the rest waits for the clock
    passed = link.written
    assert 0.9 * WEBSOCKET_BURST < passed / PONG_BYTES * len(FRAMES["ping"]) <= WEBSOCKET_BURST
    await turns(100)
    assert link.written == passed and not link.reading
    advance(1.0)
    await turns(WEBSOCKET_RATE // SLICE_BYTES + 5)
    read = (link.written - passed) / PONG_BYTES * len(FRAMES["ping"])
    assert 0.5 * WEBSOCKET_RATE < read <= WEBSOCKET_RATE + SLICE_BYTES
    for _ in range(2 * WEBSOCKET_BURST // SLICE_BYTES):
        advance(1.0)
        await turns(2)
    assert link.reading and not link.closed


@frozen
async def test_several_floods_take_one_slice_of_each_turn_together(opened: Any, link: Link) -> None:
    links = [link, Link()]
    other = await websocket(links[1], opened.config)
    flood = FRAMES["ping"] * (WEBSOCKET_BURST // len(FRAMES["ping"]) // 2)
    for connection in (opened, other):
        connection.data_received(flood)
    shares = []
    for number in range(1, 11):
        await turns(1)
        written = [one.written for one in links]
        shares.append(sum(written))
        assert number < 3 or min(written) > 0
    assert max(after - before for before, after in pairwise(shares)) <= SLICE_WRITTEN
    other.connection_lost(None)
    await asyncio.gather(*other.tasks)


@frozen
async def test_only_what_is_short_is_parsed_out_of_turn(opened: Any, link: Link) -> None:
    for size, at_once in ((DIRECT_BYTES, True), (2 * DIRECT_BYTES, False)):
        before = link.written
        opened.data_received(FRAMES["ping"] * (size // len(FRAMES["ping"])))
        assert (link.written > before) is at_once
        await turns(1)
        assert link.written > before


@pytest.mark.parametrize("end", ["close", "connection_lost"])
@frozen
async def test_a_connection_that_is_closed_keeps_nothing_that_was_not_read(
    opened: Any, link: Link, end: str
) -> None:
    """Objects of closed connections refer to each other, and stay until the garbage collector comes."""

    def kept() -> bool:
        return any(isinstance(value, bytes) and value for value in vars(opened.transport).values())

    opened.data_received(FRAMES["ping"] * (2 * WEBSOCKET_BURST // len(FRAMES["ping"])))
    assert kept()
    if end == "close":
        opened.transport.close()
    else:
        opened.connection_lost(None)
    assert not kept()


@frozen
async def test_messages_wait_while_the_application_does_not_take_them(opened: Any, link: Link) -> None:
    text = b"\x81\x80abcd"
    opened.data_received(text)  # uvicorn wants nothing more until the application has taken this one
    opened.data_received(text * 10)
    assert not link.reading
    await turns(5)
    assert link.reading and opened.queue.empty()


@frozen
async def test_a_message_has_a_limited_number_of_pieces(opened: Any, link: Link) -> None:
    opened.data_received(BEGIN + FRAMES["piece"] * (throttle.MAX_PIECES - 1))
    await turns(10)
    assert not link.closed
    opened.data_received(FRAMES["piece"])
    assert link.closed


@pytest.mark.parametrize("closing", [False, True])
@frozen
async def test_who_does_not_read_is_cut_off_after_a_while(opened: Any, link: Link, closing: bool) -> None:
    # who reads in time stays
    opened.pause_writing()
    opened.resume_writing()
    advance(throttle.UNREAD_SECONDS + 1)
    await turns(2)
    assert not link.closed
    link.unsent = 100_000
    if closing:
        opened.transport.close()
    else:
        opened.pause_writing()
    advance(throttle.UNREAD_SECONDS - 1)
    await turns(2)
    assert link.unsent and link.closed is closing
    advance(2)
    await turns(2)
    assert link.closed and not link.unsent


# --- a connection stays open as long as its client is at the table --------------------------------------


class ClockLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock a test moves forward."""

    skipped = 0.0

    def time(self) -> float:
        return super().time() + self.skipped


@pytest.mark.parametrize("anyio_backend", [("asyncio", {"loop_factory": ClockLoop})], ids=["clock"])
async def test_a_websocket_stays_open_for_minutes(served: Served) -> None:
    loop = cast(ClockLoop, asyncio.get_running_loop())
    async with served.joined(0) as client:
        for _ in range(0, 180, 5):
            # pings and pongs, which depend on the same clock, are exchanged in between
            loop.skipped += 5
            await say(client, type="ping")
            await hear(client, "pong")
