"""uvicorn's WebSocket with a callback: the same answers as over plain ASGI, over a real network."""

from __future__ import annotations

import asyncio
import base64
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
import uvicorn
from hypothesis import given, settings
from hypothesis import strategies as st
from tools.messages import unfolded
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State

from pasch.store.sqlite import SqliteStore
from pasch.table.lobby import Lobby
from pasch.table.schema import PROTOCOL, NewTable, SeatRequest
from pasch.web.app import make_app
from pasch.web.callback_websocket import CallbackWebSocket
from pasch.web.limits import Limits, Rate
from pasch.web.network import Gate, server_config
from pasch.web.serve import listen
from tests.web.asgi import NO_LIMITS, NO_TABLE_LIMITS

HELLO = {"type": "hello", "since": None, "protocol": PROTOCOL}


class Served:
    """A server with one table of two seats."""

    def __init__(self, lobby: Lobby, port: int, table: str, tokens: list[str], gate: Gate) -> None:
        self.lobby, self.port, self.table, self.tokens, self.gate = lobby, port, table, tokens, gate

    @asynccontextmanager
    async def joined(self, seat: int) -> AsyncIterator[ClientConnection]:
        """A client at a seat, welcomed."""
        async with connect(f"ws://localhost:{self.port}/ws/{self.table}", compression=None) as client:
            await say(client, **HELLO, tokens=[self.tokens[seat]])
            await hear(client, "welcome")
            yield client

    async def clients(self) -> int:
        return len((await self.lobby.find(self.table)).clients)


async def say(client: ClientConnection, **message: Any) -> None:
    await client.send(json.dumps(message))


async def hear(client: ClientConnection, *kinds: str) -> Any:
    while True:
        for message in unfolded(json.loads(await asyncio.wait_for(client.recv(), 60))):
            if message["type"] in kinds:
                return message


def with_uvicorn(
    folder: Path,
    test: Callable[[Served], Awaitable[None]],
    limits: Limits = NO_LIMITS,
    loop_factory: Callable[[], asyncio.AbstractEventLoop] | None = None,
) -> None:
    """Run a test against uvicorn as `pasch serve` starts it."""

    async def run() -> None:
        lobby = Lobby(SqliteStore(folder / "log.db"), NO_TABLE_LIMITS)
        await lobby.open()
        listener = listen("127.0.0.1", 0)
        # the network shall not take much off a client that does not read
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        config = server_config(make_app(lobby, limits=limits), limits)
        server, gate = uvicorn.Server(config), vars(config.http)["gate"]
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            wish = NewTable("joker1", (SeatRequest("here"), SeatRequest("here")), coach="off")
            made = await lobby.make(wish)
            await test(Served(lobby, listener.getsockname()[1], made.id, list(made.seats.values()), gate))
        finally:
            server.should_exit = True
            await serving
            await lobby.close()
            listener.close()

    with asyncio.Runner(loop_factory=loop_factory) as runner:
        runner.run(run())


def test_what_is_sent_in_one_turn_is_one_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[int] = []
    send = CallbackWebSocket.send_texts

    def counted(self: CallbackWebSocket, texts: Any) -> None:
        written.append(len(texts))
        send(self, texts)

    monkeypatch.setattr(CallbackWebSocket, "send_texts", counted)

    async def test(served: Served) -> None:
        async with served.joined(0) as one, served.joined(1) as two:
            await hear(one, "table")
            written.clear()
            await say(one, type="name", id="a", version=0, seat=0, name="Ada")
            assert [json.loads(await one.recv())["type"] for _ in range(2)] == ["table", "update"]
            await hear(two, "update")
            # one piece for each of them
            assert sorted(written) == [2, 2]

    with_uvicorn(tmp_path, test)


def test_what_is_said_before_the_table_listens_is_heard_in_order(tmp_path: Path) -> None:
    async def test(served: Served) -> None:
        async with connect(f"ws://localhost:{served.port}/ws/{served.table}", compression=None) as client:
            await say(client, **HELLO, tokens=[served.tokens[0]])
            for number in range(20):
                await say(
                    client, type="name", id=f"n{number}", version=number, seat=0, name=f"Ada {number}"
                )
            answers = [await hear(client, "accepted", "refused") for _ in range(20)]
            assert [answer["version"] for answer in answers] == list(range(1, 21)), answers

    with_uvicorn(tmp_path, test)


def test_nonsense_is_refused_and_the_connection_stays(tmp_path: Path) -> None:
    async def test(served: Served) -> None:
        async with served.joined(0) as client:
            await client.send(b'{"type":"roll"}')
            assert (await hear(client, "refused"))["code"] == "malformed"
            await client.send(["{", '"', "no JSON"])  # in pieces
            assert (await hear(client, "refused"))["code"] == "malformed"
            await client.send(b'{"type":"hello","tokens":["\xff"]}', text=True)
            assert (await hear(client, "refused"))["code"] == "malformed"
            await client.send('"' + "x" * 70_000 + '"')
            assert (await hear(client, "refused"))["code"] == "too-large"
            pong = await client.ping()
            await say(client, type="name", id="a", version=0, seat=0, name="Ada")
            await hear(client, "accepted")
            await pong

    with_uvicorn(tmp_path, test)


def test_who_is_too_fast_is_cut_off(tmp_path: Path) -> None:
    async def test(served: Served) -> None:
        async with served.joined(0) as client:
            with pytest.raises(ConnectionClosed) as closed:
                for number in range(100):
                    await say(client, type="why", id=str(number), version=0, tokens=[])
                while True:
                    await client.recv()
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 1008
        while await served.clients():
            await asyncio.sleep(0.01)

    with_uvicorn(tmp_path, test, msgspec.structs.replace(NO_LIMITS, messages=Rate(0, 5), strikes=8))


def test_a_stopping_lobby_lets_everybody_come_back(tmp_path: Path) -> None:
    async def test(served: Served) -> None:
        async with served.joined(0) as client:
            (await served.lobby.find(served.table)).close()
            with pytest.raises(ConnectionClosed) as closed:
                await client.recv()
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 1012

    with_uvicorn(tmp_path, test)


def test_a_client_that_does_not_read_is_cut_off_and_holds_up_nobody(tmp_path: Path) -> None:
    async def test(served: Served) -> None:
        slow = socket.socket()
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(slow, ("127.0.0.1", served.port))
        key = base64.b64encode(bytes(16)).decode()
        head = f"GET /ws/{served.table} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
        more = f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
        await loop.sock_sendall(slow, (head + more).encode())
        assert b" 101 " in await loop.sock_recv(slow, 4096)
        said = json.dumps({**HELLO, "tokens": [served.tokens[1]]}).encode()
        await loop.sock_sendall(slow, b"\x81" + bytes([0x80 | len(said)]) + bytes(4) + said)
        async with served.joined(0) as client:
            while await served.clients() < 2:
                await asyncio.sleep(0.01)
            version = 0
            while await served.clients() > 1:
                await say(
                    client, type="name", id=f"n{version}", version=version, seat=0, name=f"{version:A>24}"
                )
                assert (await hear(client, "accepted", "refused"))["type"] == "accepted"
                version += 1
                assert version < 2_000
        slow.close()

    with_uvicorn(tmp_path, test, msgspec.structs.replace(NO_LIMITS, backlog=4_000))


# --- reading -------------------------------------------------------------------------------------------

#: the first byte of a frame: whole or not, and what kind; the last one is none
KINDS = {
    "text": 0x81,
    "begin": 0x01,
    "more": 0x00,
    "end": 0x80,
    "bytes": 0x82,
    "ping": 0x89,
    "pong": 0x8A,
    "none": 0x8B,
}


def frame(kind: str, size: int, mask: bytes) -> bytes:
    """A frame as a client sends it."""
    body = bytes(48 + n % 10 for n in range(size))
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
    return bytes([KINDS[kind]]) + length + mask + bytes(b ^ mask[n % 4] for n, b in enumerate(body))


class Link(asyncio.Transport):
    """Leads nowhere."""

    closed = False
    unsent = 0

    def write(self, data: Any) -> None:
        return

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def abort(self) -> None:
        self.closed = True

    def get_write_buffer_size(self) -> int:
        return self.unsent

    def resume_reading(self) -> None:
        return

    def pause_reading(self) -> None:
        return


async def heard_of(pieces: list[bytes], callback: bool) -> list[bytes | None]:
    """What an application hears of these pieces, by the callback or over ASGI."""
    heard: list[bytes | None] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] != "websocket.disconnect":
            text = message.get("text")
            heard.append(None if text is None else text.encode())

    config = uvicorn.Config(
        app, ws=CallbackWebSocket, lifespan="off", log_config=None, ws_ping_interval=None
    )
    config.load()
    websocket = CallbackWebSocket(config, uvicorn.server.ServerState(), {})
    websocket.connection_made(Link())
    websocket.data_received(
        b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    while websocket.conn.state is not State.OPEN or not websocket.queue.empty():
        await asyncio.sleep(0)
    if callback:
        websocket.listen(heard.append)
    for piece in pieces:
        websocket.data_received(piece)
    websocket.connection_lost(None)
    await asyncio.gather(*websocket.tasks)
    return heard


FRAMES = st.lists(
    st.builds(
        frame,
        st.sampled_from([*KINDS, "text", "text"]),
        st.sampled_from([0, 1, 5, 125]) | st.integers(126, 700),
        st.binary(min_size=4, max_size=4),
    ),
    max_size=8,
)


@given(FRAMES, st.data())
@settings(max_examples=200)
def test_the_callback_hears_the_same_as_an_asgi_application(frames: list[bytes], data: Any) -> None:
    whole = b"".join(frames)
    # mostly where a frame ends, as it usually comes, and sometimes anywhere
    between = [len(b"".join(frames[:number])) for number in range(len(frames) + 1)]
    anywhere = data.draw(st.lists(st.integers(0, len(whole)), max_size=4))
    missing = data.draw(st.sets(st.sampled_from(between), max_size=2))
    cuts = sorted({0, len(whole), *(set(between) - missing), *anywhere})
    pieces = [whole[first:last] for first, last in pairwise(cuts)]
    assert asyncio.run(heard_of(pieces, True)) == asyncio.run(heard_of(pieces, False))


def test_the_callback_hears_messages_whole() -> None:
    mask = b"abcd"
    frames = [
        frame("begin", 3, mask),
        frame("ping", 2, mask),
        frame("end", 2, mask),
        frame("bytes", 1, mask),
    ]
    whole = b"".join(frames)
    cut = [whole[at : at + 5] for at in range(0, len(whole), 5)]
    assert asyncio.run(heard_of(cut, True)) == [b"01201", None]
