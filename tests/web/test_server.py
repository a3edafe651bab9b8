"""A real server process, started, asked and stopped in peace; test_chaos.py kills some. How one is found and named."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tools.serving import PASCH, ServerProcess
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from pasch.core.errors import PaschError
from pasch.store.sqlite import SqliteStore
from pasch.table.limits import Limits
from pasch.table.lobby import Lobby
from pasch.table.refusals import Refusal
from pasch.table.schema import PROTOCOL
from pasch.web import serve
from pasch.web.app import App
from pasch.web.forward import ADDRESS, PROOF, _proof, forwarded_for
from pasch.web.lan import Lan, LanInfo, own_addresses
from pasch.web.serve import address_for_others
from tests.web.asgi import Browser

#: a server that forgets to tell its connections that it stops, as it does to those that are just being made
FORGETFUL = """
from pasch.cli import main
from pasch.web.throttle import ThrottledWebSocket
ThrottledWebSocket.shutdown = lambda self: None
main()
"""


@contextmanager
def running(data: Path, pasch: Sequence[str] = PASCH) -> Iterator[ServerProcess]:
    server = ServerProcess(data / "server.log", "--data", str(data), pasch=pasch)
    try:
        yield server
    finally:
        server.kill()
        assert server.process.returncode in (0, 1, -signal.SIGKILL)


def ask(server: ServerProcess, path: str, data: Any = None, **headers: str) -> tuple[int, Any]:
    """The status of an answer, and what is in it."""
    body = None if data is None else json.dumps(data).encode()
    request = urllib.request.Request(f"http://localhost:{server.port}{path}", body, headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, json.load(refused)


@pytest.mark.parametrize(
    ("sign", "pasch"),
    [(signal.SIGTERM, PASCH), (signal.SIGINT, [sys.executable, "-c", FORGETFUL])],
    ids=["usual", "forgetful"],
)
def test_it_stops_in_peace_and_logs_no_token(
    sign: signal.Signals, pasch: Sequence[str], tmp_path: Path
) -> None:
    """Connections are closed, those that remain too, and that is no error."""
    with running(tmp_path, pasch) as server:
        seats = [{"kind": "here"}, {"kind": "computer", "level": "greedy"}]
        _, made = ask(server, "/api/tables", {"game": "joker1", "seats": seats})
        tokens = [made["seats"]["0"], made["maker"]]
        with connect(f"ws://localhost:{server.port}/ws/{made['id']}", compression=None) as socket:
            socket.send(json.dumps({"type": "hello", "tokens": tokens, "protocol": PROTOCOL}))
            assert json.loads(socket.recv(timeout=60))["type"] == "welcome"
            assert ask(server, f"/api/tables/{made['id']}/record")[0] == 409
            server.process.send_signal(sign)
            out, _ = server.process.communicate(timeout=60)
            assert server.process.returncode == 0 and "stopped" in out
            with pytest.raises(ConnectionClosed):
                while True:
                    socket.recv(timeout=60)
    lines = [json.loads(line) for line in server.logged.splitlines()]
    assert {"serving", "stopped"} <= {line["what"] for line in lines}
    assert {line["level"] for line in lines} == {"info"}
    for token in (*tokens, made["watch"]):
        assert token not in server.logged + out


def test_starting_imports_no_compiler_and_no_solver(tmp_path: Path) -> None:
    script = (
        "import sys, pasch.web.serve, pasch.web.app\n"
        "from pasch.web import answers; answers.games((), 'en')\n"
        "print(*{'numba', 'numpy', 'rich', 'babel'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_a_taken_port_is_left_for_the_next_unless_it_was_asked_for() -> None:
    first = serve.listen("127.0.0.1", 0)
    taken = first.getsockname()[1]
    try:
        with pytest.raises(PaschError, match=str(taken)):
            serve.listen("127.0.0.1", taken)
        # of the usual ports some may be taken by others; one is found in any case
        other = serve.listen("127.0.0.1", None)
        other.close()
    finally:
        first.close()


async def test_small_answers_are_sent_at_once() -> None:
    """Without TCP_NODELAY each answer on a kept connection waits 40 ms for the client's acknowledgement."""
    accepted: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def accept(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        taken: socket.socket = writer.get_extra_info("socket")
        accepted.set_result(taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    listener = serve.listen("127.0.0.1", 0)
    async with await asyncio.start_server(accept, sock=listener):
        _, writer = await asyncio.open_connection(*listener.getsockname())
        writer.close()
        assert await accepted == 1


@pytest.mark.parametrize(
    ("host", "alone"), [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False)]
)
def test_a_server_for_this_machine_alone_answers_to_its_own_names_only(host: str, alone: bool) -> None:
    names = serve.names_of(host)
    assert (names is not None) is alone
    assert names is None or {"localhost", host} <= names
    # behind a proxy it answers to the names that it was given, too
    named = serve.names_of(host, ["Pasch.example.org"])
    assert named is not None and {"pasch.example.org", "localhost"} <= named


@pytest.mark.parametrize(
    ("address", "table", "secret", "proof", "believed"),
    [
        ("10.1.2.3", "t", b"secret", None, True),
        ("10.1.2.4", "t", b"secret", None, False),
        ("10.1.2.3", "u", b"secret", None, False),
        ("10.1.2.3", "t", b"other", None, False),
        ("10.1.2.3", "t", b"secret", "ü", False),
        # a log without other servers believes nobody
        ("10.1.2.3", "t", b"", _proof(b"", "10.1.2.3", "t"), False),
    ],
)
def test_only_a_server_of_the_same_log_may_say_for_whom_it_asks(
    address: str, table: str, secret: bytes, proof: str | None, believed: bool
) -> None:
    proof = _proof(b"secret", "10.1.2.3", "t") if proof is None else proof
    headers = [(ADDRESS.encode(), address.encode()), (PROOF.encode(), proof.encode("latin-1"))]
    found = forwarded_for({"headers": headers, "path": f"/ws/{table}"}, secret)
    assert found == (address if believed else None)
    assert forwarded_for({"headers": [], "path": f"/ws/{table}"}, secret) is None


def test_where_other_servers_find_this_one() -> None:
    for host, given, found in (
        ("127.0.0.1", None, "127.0.0.1:8615"),
        ("::1", None, "[::1]:8615"),
        ("0.0.0.0", None, None),
        ("0.0.0.0", "10.0.0.5:80", "10.0.0.5:80"),
        ("0.0.0.0", "[fd00::5]:80", "[fd00::5]:80"),
        ("0.0.0.0", "pasch-2.internal:8615", "pasch-2.internal:8615"),
    ):
        assert address_for_others(host, 8615, given) == found
    for wrong in ("10.0.0.5", "http://10.0.0.5:80", "10.0.0.5:port", ""):
        with pytest.raises(PaschError, match="host:port"):
            address_for_others("0.0.0.0", 8615, wrong)


def test_behind_a_proxy_everybody_has_limits_of_their_own(tmp_path: Path) -> None:
    wish = {"game": "joker1", "seats": [{"kind": "here"}, {"kind": "here"}]}

    def make(address: str) -> int:
        return ask(server, "/api/tables", wish, **{"X-Forwarded-For": address})[0]

    with running(tmp_path) as server:
        # on a slow machine one more is allowed every now and then
        many = [make("10.0.0.1") for _ in range(2 * int(Limits().tables.burst))]
        assert many[0] == 201 and 429 in many
        assert make("10.0.0.2") == 201


# --- where others reach the server is shown on its own machine only -----------------------------------

SHARED = ["http://192.168.7.9:8615"]


class Switch(Lan):
    """A network that is opened and closed."""

    open = False

    def info(self) -> LanInfo:
        return LanInfo(SHARED if self.open else [], self.open)

    async def switch(self, on: bool) -> None:
        self.open = on


@pytest.mark.settings(lan=Switch())
async def test_only_who_sits_at_the_machine_sees_and_opens_the_network(browser: Browser) -> None:
    here: Any = {"client": "127.0.0.1", "headers": {"host": "localhost:8615"}}
    assert (await browser.get("/api/addresses", **here)).json == {"addresses": [], "open": False}
    reply = await browser.post("/api/lan", {"open": True}, **here)
    assert reply.json == {"addresses": SHARED, "open": True}
    for client, host, shown in (
        ("127.0.0.1", "localhost:8615", True),
        ("::1", "[::1]:8615", True),
        ("10.0.0.1", "localhost:8615", False),
        # what a proxy on the same machine passes on
        ("127.0.0.1", "pasch.example.org", False),
    ):
        asker: Any = {"client": client, "headers": {"host": host}}
        addresses = (await browser.get("/api/addresses", **asker)).json["addresses"]
        assert addresses == (SHARED if shown else [])
        assert (await browser.post("/api/lan", {"open": True}, **asker)).status == (200 if shown else 403)
    assert (await browser.post("/api/lan", {"open": False}, **here)).json["open"] is False
    for body in (b"{", b" " * 2000):
        assert (await browser.post("/api/lan", body=body, **here)).status in (400, 413)


async def test_a_server_at_fixed_addresses_is_not_switched(browser: Browser) -> None:
    here: Any = {"client": "127.0.0.1", "headers": {"host": "localhost:8615"}}
    assert (await browser.get("/api/addresses", **here)).json == {"addresses": [], "open": None}
    assert (await browser.post("/api/lan", {"open": True}, **here)).json["code"] == "not-now"


def test_what_no_other_machine_reaches_is_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    def named(*asked: object) -> list[object]:
        return [(0, 0, 0, "", (one, 0)) for one in ("127.0.1.1", "169.254.3.4", "0.0.0.0", "192.168.7.9")]

    class Offline:
        def __init__(self, *kind: object) -> None:
            raise OSError("no network")

    monkeypatch.setattr("pasch.web.lan.socket.getaddrinfo", named)
    monkeypatch.setattr("pasch.web.lan.socket.socket", Offline)
    assert own_addresses() == ["192.168.7.9"]


async def test_a_second_listener_is_opened_for_the_network_and_closed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # another address of this very machine, in place of the one that it has in a network
    monkeypatch.setattr(serve, "own_addresses", lambda: ["127.0.0.5"])

    async def status(address: str, port: int, host: str) -> int:
        try:
            reader, writer = await asyncio.open_connection(address, port)
        except OSError:
            return 0
        writer.write(f"GET /healthz HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n".encode())
        answer = await reader.read()
        writer.close()
        return int(answer.split()[1])

    lobby = Lobby(SqliteStore(tmp_path / "log.db"))
    await lobby.open()
    with serve.listen("127.0.0.1", 0) as chosen:
        port = chosen.getsockname()[1]

        def make(names: list[str]) -> serve._Server:
            return serve._Server(app.answering_to(names), 100, lobby.store, second=True)

        switch = serve.NetworkSwitch(port, make)
        app = App(lobby, lan=switch)
        assert await status("127.0.0.5", port, "127.0.0.5") == 0
        for _ in range(2):
            await switch.switch(True)
            await switch.switch(True)
            assert switch.info() == LanInfo([f"http://127.0.0.5:{port}"], True)
            assert await status("127.0.0.5", port, "127.0.0.5") == 200
            # another page cannot give its own name to this address
            assert await status("127.0.0.5", port, "evil.test") == 400
            await switch.switch(False)
            assert switch.info() == LanInfo([], False)
            assert await status("127.0.0.5", port, "127.0.0.5") == 0
        monkeypatch.setattr(serve, "own_addresses", list)
        with pytest.raises(Refusal):
            await switch.switch(True)
    await lobby.close()
