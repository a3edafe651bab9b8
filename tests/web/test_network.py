"""The network's edges: half-sent requests, too many connections, frames without end, names of all kinds."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest
import uvicorn
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from pasch.web.callback_websocket import CallbackWebSocket
from pasch.web.limits import Limits, Rate
from pasch.web.network import most_connections, server_config
from tests.web.asgi import NO_LIMITS, Browser, with_server
from tests.web.test_callback_websocket import HELLO, Link, Served, frame, hear, say, with_uvicorn

HALF = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
WHOLE = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"


class Line:
    """A connection of a client's own."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def ended(self) -> bool:
        """Whether the server ends the connection without an answer."""
        try:
            return await asyncio.wait_for(self.reader.read(), 60) == b""
        except ConnectionError:
            return True

    async def answered(self) -> str:
        """The status of the server's answer; nothing if the connection is ended instead."""
        try:
            line = await asyncio.wait_for(self.reader.readuntil(b"\r\n"), 60)
        except (asyncio.IncompleteReadError, ConnectionError):
            return ""
        return line.decode().split()[1]


class Clients:
    """Connections to a server."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self._lines: list[Line] = []

    async def dial(self, sent: bytes = b"", source: str = "127.0.0.2") -> Line:
        """A connection that has sent something; loopback's other addresses are no trusted proxies."""
        port = self.served.port
        line = Line(*await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0)))
        self._lines.append(line)
        line.writer.write(sent)
        return line

    def close(self) -> None:
        for line in self._lines:
            line.writer.transport.abort()


def with_clients(folder: Path, test: Callable[[Clients], Awaitable[None]], **limits: Any) -> None:
    """Run a test against a server with these limits."""

    async def run(served: Served) -> None:
        clients = Clients(served)
        try:
            await test(clients)
        finally:
            clients.close()
            await asyncio.sleep(0)

    with_uvicorn(folder, run, msgspec.structs.replace(NO_LIMITS, **limits))


@pytest.mark.parametrize("sent", [b"", HALF, POST], ids=["nothing", "headers", "body"])
def test_half_a_request_is_given_up_in_time(sent: bytes, tmp_path: Path) -> None:
    async def test(clients: Clients) -> None:
        assert await (await clients.dial(sent)).ended()
        assert await (await clients.dial(WHOLE)).answered() == "200"

    with_clients(tmp_path, test, headers_seconds=0.1, body_seconds=0.1)


def test_a_client_that_sends_a_byte_now_and_then_gains_no_time(tmp_path: Path) -> None:
    async def test(clients: Clients) -> None:
        writer = (await clients.dial(HALF)).writer
        with pytest.raises(ConnectionError):
            while True:
                writer.write(b"x")
                await writer.drain()
                await asyncio.sleep(0.02)

    with_clients(tmp_path, test, headers_seconds=0.1)


def test_a_second_half_request_has_a_deadline_too(tmp_path: Path) -> None:
    async def test(clients: Clients) -> None:
        line = await clients.dial(WHOLE + HALF)
        assert await line.answered() == "200"
        await asyncio.wait_for(line.reader.read(), 60)

    with_clients(tmp_path, test, headers_seconds=0.1, idle_seconds=1)


def test_an_address_has_so_many_connections_and_a_proxy_any_number(tmp_path: Path) -> None:
    async def test(clients: Clients) -> None:
        mine = [await clients.dial(HALF) for _ in range(3)]
        assert await (await clients.dial(WHOLE)).ended()
        assert await (await clients.dial(WHOLE, "127.0.0.3")).answered() == "200"
        # 127.0.0.1 is believed to be a proxy, behind which there may be anybody
        proxied = [await clients.dial(WHOLE, "127.0.0.1") for _ in range(6)]
        assert {await line.answered() for line in proxied} == {"200"}
        mine[0].writer.close()
        while await (await clients.dial(WHOLE)).answered() != "200":
            await asyncio.sleep(0.01)

    with_clients(tmp_path, test, address_connections=3)


def test_an_address_comes_so_many_times_a_second(tmp_path: Path) -> None:
    async def test(clients: Clients) -> None:
        for _ in range(2):
            assert await (await clients.dial(WHOLE)).answered() == "200"
        assert await (await clients.dial(WHOLE)).ended()
        assert await (await clients.dial(WHOLE, "127.0.0.3")).answered() == "200"

    with_clients(tmp_path, test, arrivals=Rate(0, 2))


def test_half_sent_requests_make_room_when_the_server_is_full(tmp_path: Path) -> None:
    async def test(clients: Clients) -> None:
        async with clients.served.joined(0) as player:
            half = [await clients.dial(HALF) for _ in range(10)]
            for _ in range(3):
                assert await (await clients.dial(WHOLE, "127.0.0.3")).answered() == "200"
            assert await half[0].ended()
            # whoever plays stays
            await say(player, type="name", id="a", version=0, seat=0, name="Ada")
            await hear(player, "accepted")

    with_clients(tmp_path, test, connections=4)


def test_a_server_full_of_players_says_no(tmp_path: Path) -> None:
    async def test(clients: Clients) -> None:
        async with clients.served.joined(0), clients.served.joined(1):
            assert await (await clients.dial(WHOLE)).ended()

    with_clients(tmp_path, test, connections=2)


def test_connections_are_counted_until_they_end(tmp_path: Path) -> None:
    async def test(clients: Clients) -> None:
        gate = clients.served.gate
        async with clients.served.joined(0):
            line = await clients.dial(WHOLE)
            await line.answered()
            assert gate.connections == 2 and len(gate._open) == 1
            line.writer.close()
        while gate.connections:
            await asyncio.sleep(0.01)
        assert not gate._open and not gate._waiting

    with_clients(tmp_path, test)


@pytest.mark.parametrize("extra", [b"", b"Connection: close\r\n"], ids=["kept", "closed"])
def test_an_answer_that_is_not_read_is_given_up(extra: bytes, tmp_path: Path) -> None:
    async def test(served: Served) -> None:
        loop = asyncio.get_running_loop()
        with socket.socket() as slow:
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.setblocking(False)
            await loop.sock_connect(slow, ("127.0.0.1", served.port))
            while not served.gate.connections:
                await asyncio.sleep(0.01)
            ask = b"GET /i18n/de.json HTTP/1.1\r\nHost: localhost\r\n" + extra + b"\r\n"
            await loop.sock_sendall(slow, ask)
            while served.gate.connections:
                await asyncio.sleep(0.01)

    limits = msgspec.structs.replace(NO_LIMITS, unread_seconds=0.1, idle_seconds=0)
    with_uvicorn(tmp_path, test, limits)


def test_whoever_opens_a_websocket_has_to_say_hello(tmp_path: Path) -> None:
    async def test(served: Served) -> None:
        address = f"ws://localhost:{served.port}/ws/{served.table}"
        async with served.joined(0) as player:
            for said in (None, {**HELLO, "tokens": ["x" * 32]}):
                async with connect(address, compression=None) as client:
                    if said:
                        await say(client, **said)
                    with pytest.raises(ConnectionClosed) as closed:
                        while True:
                            await asyncio.wait_for(client.recv(), 60)
                    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1008
            await say(player, type="name", id="a", version=0, seat=0, name="Ada")
            await hear(player, "accepted")

    with_uvicorn(tmp_path, test, msgspec.structs.replace(NO_LIMITS, hello_seconds=0.5))


# --- control frames ------------------------------------------------------------------------------------


def websocket(limits: Limits, heard: list[bytes | None]) -> tuple[CallbackWebSocket, Link]:
    """A WebSocket that is open, and where it writes to."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass

    config = server_config(app, limits, ws_ping_interval=None)
    config.load()
    kind: Callable[..., CallbackWebSocket] = config.ws_protocol_class  # type: ignore[assignment]
    opened, link = kind(config, uvicorn.server.ServerState(), {}), Link()
    opened.connection_made(link)
    return opened, link


@pytest.mark.parametrize("kind", ["ping", "pong", "more"])
def test_frames_of_which_nobody_hears_are_limited(kind: str) -> None:
    async def run() -> None:
        heard: list[bytes | None] = []
        opened, link = websocket(msgspec.structs.replace(NO_LIMITS, control=Rate(0, 10)), heard)
        opened.data_received(
            b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        while not opened.queue.empty() or not opened.handshake_complete:
            await asyncio.sleep(0)
        opened.listen(heard.append)
        mask = b"abcd"
        if kind == "more":
            opened.data_received(frame("begin", 1, mask))
        for _ in range(10):
            opened.data_received(frame(kind, 0, mask))
        assert not link.closed
        opened.data_received(frame(kind, 0, mask) * 100)
        assert link.closed
        opened.connection_lost(None)
        await asyncio.gather(*opened.tasks)

    asyncio.run(run())


def test_pings_to_a_client_that_does_not_read_end_the_connection() -> None:
    async def run() -> None:
        opened, link = websocket(msgspec.structs.replace(NO_LIMITS, backlog=1000), [])
        link.unsent = 1001
        opened.handle_ping()
        assert link.closed

    asyncio.run(run())


def test_a_flood_of_pings_over_a_real_network_is_cut_off(tmp_path: Path) -> None:
    async def test(served: Served) -> None:
        async with served.joined(0) as client, served.joined(1) as other:
            with pytest.raises(ConnectionClosed):
                for _ in range(10_000):
                    await client.ping()
                await client.recv()
                await client.recv()
            await say(other, type="name", id="a", version=0, seat=1, name="Ada")
            await hear(other, "accepted")

    with_uvicorn(tmp_path, test)


# --- files ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "several", "most"),
    [(65_536, False, 10_000), (1024, False, 832), (1024, True, 416), (128, False, 64), (256, False, 128)],
)
def test_there_are_fewer_connections_than_files(files: int, several: bool, most: int) -> None:
    assert most_connections(Limits(), files, several) == most < files


def test_a_small_file_limit_is_no_outage_and_the_log_stays_json(tmp_path: Path) -> None:
    """Hundreds of half-sent requests from a stranger, at a limit of 256 files."""

    command = [sys.executable, "-m", "pasch", "serve", "--port", "0", "--data", str(tmp_path), "--no-open"]
    shell = ["sh", "-c", 'ulimit -n 256 && exec "$@"', "sh"]
    process = subprocess.Popen(
        [*shell, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        port = int(process.stdout.readline().split("localhost:")[1].split("/")[0])
        with ExitStack() as half:
            for _ in range(300):
                one = half.enter_context(socket.socket())
                one.connect(("127.0.0.1", port))
                one.sendall(HALF)
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=30) as answer:
                assert json.load(answer)["status"] == "ok"
        process.terminate()
        _, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
    finally:
        process.kill()
    lines = [json.loads(line) for line in err.splitlines()]
    assert {"serving", "stopped"} <= {line["what"] for line in lines}
    assert len(lines) < 20 and not any("trace" in line for line in lines), lines


# --- paths ---------------------------------------------------------------------------------------------

PLACES = (
    "/static/{}",
    "/static/js/{}.js",
    "/static/games/{}/board.js",
    "/static/games/crowns/{}",
    "/i18n/{}.json",
    "/api/rules/{}",
    "/api/rules/crowns?language={}",
    "/api/components/{}",
    "/api/tables/{}/record",
    "/api/tables/{}/replay",
    "/api/tables/x/replay?from={}",
    "/t/{}",
    "/new/{}",
    "/{}",
)
NAMES = st.one_of(
    st.text(st.characters(exclude_characters="?"), max_size=40),
    st.sampled_from(
        [
            "\0", "\0.js", "a\nb", "\r\n", "\ud800", "..", "../..", ".", "", " ", "%00", "x" * 10_000, "x" * 256,
            "ä" * 200, "/" * 50, "js", "js/", "nul", "a\u2028b", "-1", "9" * 5000,
        ]
    ),
)  # fmt: skip


def test_no_name_whatever_ends_in_a_failure(tmp_path: Path) -> None:
    async def run(browser: Browser) -> None:
        loop = asyncio.get_running_loop()
        tried = 0

        @settings(max_examples=150, deadline=None)
        @given(st.sampled_from(PLACES), NAMES)
        def ask(place: str, name: str) -> None:
            nonlocal tried
            tried += 1
            if "?" in place:
                name = name.encode("ascii", "ignore").decode()
            asked = asyncio.run_coroutine_threadsafe(browser.get(place.format(name)), loop)
            assert asked.result(30).status in (200, 307, 400, 404)

        await asyncio.to_thread(ask)
        assert tried > 50

    with_server(tmp_path, run)


@pytest.mark.parametrize(
    "name", ["%00.js", "x" * 255 + ".js", "x" * 5000 + ".js", "a%0Ab.js", "js", "%ED%A0%80"]
)
def test_a_file_that_cannot_be_named_is_not_there(name: str, tmp_path: Path) -> None:
    async def test(clients: Clients) -> None:
        request = f"GET /static/{name} HTTP/1.1\r\nHost: localhost\r\n\r\n"
        assert await (await clients.dial(request.encode())).answered() == "404"

    with_clients(tmp_path, test)


def test_a_websocket_to_an_impossible_name_is_refused(tmp_path: Path) -> None:
    async def run(browser: Browser) -> None:
        for name in ("\0", "x" * 10_000, "a\nb"):
            assert (await browser.open(name).raw())["status"] == 404

    with_server(tmp_path, run)


def test_heads_have_few_lines_and_bodies_a_known_length(tmp_path: Path) -> None:
    head = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
    chunked = (
        b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"
    )

    async def run(clients: Clients) -> None:
        assert await (await clients.dial(head + b"X: y\r\n" * 90 + b"\r\n")).answered() == "200"
        assert await (await clients.dial(head + b"X: y\r\n" * 200 + b"\r\n")).answered() == "400"
        # and before the head has ended
        assert await (await clients.dial(head + b"X: y\r\n" * 200)).answered() == "400"
        assert await (await clients.dial(chunked)).answered() == "400"

    with_clients(tmp_path, run)
