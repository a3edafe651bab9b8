"""A real server process: started, asked, killed with SIGKILL, started again, stopped in peace."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any
from weakref import WeakKeyDictionary

import pytest
from tools.messages import unfolded
from tools.serving import PASCH, ServerProcess
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from pasch.core.folders import data_folder
from pasch.table.limits import Limits
from pasch.table.schema import PROTOCOL
from pasch.web import serve
from pasch.web.forward import ADDRESS, PROOF, _proof, forwarded_for
from pasch.web.serve import ServeError, address_for_others
from tests.web.asgi import CONTRIBUTION, owes

#: a server that forgets to tell its connections that it stops, as it does to those that are just being made
FORGETFUL = """
from pasch.cli import main
from pasch.web.throttle import ThrottledWebSocket
ThrottledWebSocket.shutdown = lambda self: None
main()
"""


class Running(ServerProcess):
    """A server of our own."""

    def __init__(self, data: Path, pasch: Sequence[str]) -> None:
        super().__init__(data / "server.log", "--data", str(data), pasch=pasch)
        self._connections = ExitStack()

    def ask(self, path: str, data: Any = None) -> Any:
        body = None if data is None else json.dumps(data).encode()
        request = urllib.request.Request(f"http://localhost:{self.port}{path}", body)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def join(self, table: str, *tokens: str, since: int | None = None) -> tuple[ClientConnection, Any]:
        address = f"ws://localhost:{self.port}/ws/{table}"
        socket = self._connections.enter_context(connect(address, compression=None, max_size=None))
        hello = json.dumps({"type": "hello", "tokens": tokens, "since": since, "protocol": PROTOCOL})
        socket.send(hello)
        welcome = hear(socket, "welcome")
        if owes(welcome):
            contribution = {"id": "first", "version": 0, "contribution": CONTRIBUTION}
            socket.send(json.dumps({"type": "contribute", **contribution}))
            hear(socket, "update")
            socket.send(hello)
            welcome = hear(socket, "welcome")
        return socket, welcome

    def leave(self) -> None:
        """Give all connections up."""
        self._connections.close()


#: parts of messages that were received and not looked at yet
_UNHEARD: WeakKeyDictionary[ClientConnection, deque[Any]] = WeakKeyDictionary()


def hear(socket: ClientConnection, *kinds: str) -> Any:
    while True:
        waiting = _UNHEARD.setdefault(socket, deque())
        if not waiting:
            waiting.extend(unfolded(json.loads(socket.recv(timeout=60))))
        message = waiting.popleft()
        assert message["type"] != "refused" or "refused" in kinds, message
        if message["type"] in kinds:
            return message


@contextmanager
def running(data: Path, pasch: Sequence[str] = PASCH) -> Iterator[Running]:
    server = Running(data, pasch)
    try:
        yield server
    finally:
        server.kill()
        server.leave()
        assert server.process.returncode in (0, 1, -signal.SIGKILL)


def table(server: Running, *kinds: str, game: str = "joker1", **more: Any) -> Any:
    seats = [{"kind": "here"} if k == "here" else {"kind": "computer", "level": k} for k in kinds]
    return server.ask("/api/tables", {"game": game, "seats": seats, **more})


def play_on(
    server: Running, socket: ClientConnection, update: Any, random: Random, log: dict[int, Any]
) -> None:
    """Play at random and record every received entry; in the middle of a command, kill the server."""
    number, last = 0, random.randint(4, 9)
    while True:
        for entry in update["entries"]:
            assert log.setdefault(entry["version"], entry) == entry
        position = update["position"]
        command: dict[str, Any] | None = None
        if position["moves"]:
            command = {"type": "move", "event": random.choice(position["moves"])["event"]}
        elif position["awaits"] == "roll":
            command = {"type": "roll"}
        if command:
            number += 1
            identity = {"id": f"{random.random()}-{number}", "version": position["version"]}
            socket.send(json.dumps({**command, **identity}))
            if number == last:
                server.kill()
        elif position["actor"] == -2:
            server.kill()
        update = hear(socket, "update")


@pytest.mark.slow
def test_killed_at_any_moment_it_resumes_with_every_event_it_has_sent(tmp_path: Path) -> None:
    random = Random(1)
    log: dict[int, Any] = {}
    made: Any = None
    for _ in range(4):
        with running(tmp_path) as server:
            made = made or table(server, "here", "greedy", options={"rounds": 1000})
            socket, welcome = server.join(made["id"], made["seats"]["0"])
            # everything sent before the last kill is there, and unchanged
            assert welcome["position"]["version"] >= max(log, default=0)
            seen = {entry["version"]: entry for entry in welcome["entries"]}
            assert all(seen[version] == entry for version, entry in log.items())
            with pytest.raises((ConnectionClosed, OSError)) as ended:
                play_on(server, socket, welcome, random, log)
            assert not isinstance(ended.value, TimeoutError)
    assert len(log) > 15 and sorted(log) == list(range(1, len(log) + 1))


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_in_peace_and_logs_no_token(sign: signal.Signals, tmp_path: Path) -> None:
    with running(tmp_path) as server:
        made = table(server, "here", "greedy")
        socket, _ = server.join(made["id"], made["seats"]["0"], made["maker"])
        with pytest.raises(urllib.error.HTTPError):
            server.ask(f"/api/tables/{made['id']}/record")
        server.process.send_signal(sign)
        out, _ = server.process.communicate(timeout=60)
        assert server.process.returncode == 0 and "stopped" in out
        with pytest.raises(ConnectionClosed):
            hear(socket, "never")
    lines = [json.loads(line) for line in server.logged.splitlines()]
    assert {"serving", "stopped"} <= {line["what"] for line in lines}
    for token in (made["seats"]["0"], made["maker"], made["watch"]):
        assert token not in server.logged + out


def test_connections_that_remain_are_closed_and_that_is_no_error(tmp_path: Path) -> None:
    with running(tmp_path, [sys.executable, "-c", FORGETFUL]) as server:
        made = table(server, "here", "greedy")
        socket, _ = server.join(made["id"], made["seats"]["0"])
        server.process.terminate()
        server.process.wait(60)
        assert server.process.returncode == 0
        with pytest.raises(ConnectionClosed):
            hear(socket, "never")
    assert {json.loads(line)["level"] for line in server.logged.splitlines()} == {"info"}


def test_a_log_that_cannot_be_opened_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "tables.sqlite").write_bytes(b"no database at all " * 100)
    with pytest.raises(RuntimeError, match="not a database") as ended:
        Running(tmp_path, PASCH)
    assert "Traceback" not in str(ended.value)


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
        with pytest.raises(serve.ServeError, match=str(taken)):
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


def test_without_a_screen_no_browser_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert not serve.has_screen()
    monkeypatch.setenv("DISPLAY", ":0")
    assert serve.has_screen()


def test_where_games_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PASCH_DATA", str(tmp_path))
    assert data_folder(None) == tmp_path
    assert data_folder(tmp_path / "own") == tmp_path / "own"
    monkeypatch.delenv("PASCH_DATA")
    assert data_folder(None).name == "pasch"


def scope(address: str, proof: str, table: str = "t") -> dict[str, Any]:
    headers = [(ADDRESS.encode(), address.encode()), (PROOF.encode(), proof.encode("latin-1"))]
    return {"headers": headers, "path": f"/ws/{table}"}


def test_only_a_server_of_the_same_log_may_say_for_whom_it_asks() -> None:
    right = _proof(b"secret", "10.1.2.3", "t")
    assert forwarded_for(scope("10.1.2.3", right), b"secret") == "10.1.2.3"
    assert forwarded_for(scope("10.1.2.4", right), b"secret") is None
    assert forwarded_for(scope("10.1.2.3", right, "u"), b"secret") is None
    assert forwarded_for(scope("10.1.2.3", right), b"other") is None
    assert forwarded_for(scope("10.1.2.3", "ü"), b"secret") is None
    assert forwarded_for({"headers": [], "path": "/ws/t"}, b"secret") is None


def test_a_log_without_other_servers_believes_nobody() -> None:
    assert forwarded_for(scope("10.1.2.3", _proof(b"", "10.1.2.3", "t")), b"") is None


@pytest.mark.parametrize(
    ("host", "given", "found"),
    [
        ("127.0.0.1", None, "127.0.0.1:8615"),
        ("::1", None, "[::1]:8615"),
        ("0.0.0.0", None, None),
        ("0.0.0.0", "10.0.0.5:80", "10.0.0.5:80"),
        ("0.0.0.0", "[fd00::5]:80", "[fd00::5]:80"),
        ("0.0.0.0", "pasch-2.internal:8615", "pasch-2.internal:8615"),
    ],
)
def test_where_other_servers_find_this_one(host: str, given: str | None, found: str | None) -> None:
    assert address_for_others(host, 8615, given) == found


@pytest.mark.parametrize("given", ["10.0.0.5", "http://10.0.0.5:80", "10.0.0.5:port", ""])
def test_an_address_is_a_host_and_a_port(given: str) -> None:
    with pytest.raises(ServeError, match="host:port"):
        address_for_others("0.0.0.0", 8615, given)


def test_behind_a_proxy_everybody_has_limits_of_their_own(tmp_path: Path) -> None:
    wish = json.dumps({"game": "joker1", "seats": [{"kind": "here"}, {"kind": "here"}]}).encode()

    def make(server: Running, address: str) -> int:
        headers = {"X-Forwarded-For": address}
        request = urllib.request.Request(f"http://localhost:{server.port}/api/tables", wish, headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as refused:
            refused.close()
            return refused.code

    with running(tmp_path) as server:
        # on a slow machine one more is allowed every now and then
        many = [make(server, "10.0.0.1") for _ in range(2 * int(Limits().tables.burst))]
        assert many[0] == 201 and 429 in many
        assert make(server, "10.0.0.2") == 201
