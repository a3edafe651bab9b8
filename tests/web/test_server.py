"""A real server process: started, asked, killed with SIGKILL, started again, stopped in peace."""

from __future__ import annotations

import asyncio
import json
import os
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
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from pasch.core.folders import data_folder
from pasch.table.schema import PROTOCOL
from pasch.web import serve
from tests.web.asgi import CONTRIBUTION, owes

PASCH = [sys.executable, "-m", "pasch"]
#: a server that forgets to tell its connections that it stops, as it does to those that are just being made
FORGETFUL = """
from pasch.cli import main
from pasch.web.throttle import ThrottledWebSocket
ThrottledWebSocket.shutdown = lambda self: None
main()
"""


class Running:
    """A server of our own, on a port of its own."""

    def __init__(self, data: Path, pasch: Sequence[str]) -> None:
        environment = {
            name: v for name, v in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")
        }
        self.process = subprocess.Popen(
            [*pasch, "serve", "--port", "0", "--data", str(data)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**environment, "PYTHONUNBUFFERED": "1"},
        )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        self._connections = ExitStack()
        self.port = int(said.split("localhost:")[1].split("/")[0])

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

    def kill(self) -> None:
        os.kill(self.process.pid, signal.SIGKILL)
        assert self.process.wait() == -signal.SIGKILL, "it had crashed before"
        # not to their end: a helper in the middle of a long computation holds them for a while
        for pipe in (self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()


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
        if server.process.poll() is None:
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
@pytest.mark.parametrize("game", ["joker1", "sixbysix"])
def test_killed_at_any_moment_it_resumes_with_every_event_it_has_sent(game: str, tmp_path: Path) -> None:
    random = Random(game)
    options = {"rounds": 1000} if game == "joker1" else {}
    log: dict[int, Any] = {}
    made: Any = None
    for _ in range(4):
        with running(tmp_path) as server:
            made = made or table(server, "here", "greedy", game=game, options=options)
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
        out, err = server.process.communicate(timeout=60)
        assert server.process.returncode == 0 and "stopped" in out
        with pytest.raises(ConnectionClosed):
            hear(socket, "never")
    lines = [json.loads(line) for line in err.splitlines()]
    assert {"serving", "stopped"} <= {line["what"] for line in lines}
    for token in (made["seats"]["0"], made["maker"], made["watch"]):
        assert token not in err + out


def test_who_was_not_told_to_go_is_cut_off_and_that_is_no_mistake(tmp_path: Path) -> None:
    with running(tmp_path, [sys.executable, "-c", FORGETFUL]) as server:
        made = table(server, "here", "greedy")
        socket, _ = server.join(made["id"], made["seats"]["0"])
        server.process.terminate()
        _, err = server.process.communicate(timeout=60)
        assert server.process.returncode == 0
        with pytest.raises(ConnectionClosed):
            hear(socket, "never")
    assert {json.loads(line)["level"] for line in err.splitlines()} == {"info"}


def test_a_log_that_cannot_be_opened_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "tables.sqlite").write_bytes(b"no database at all " * 100)
    command = [*PASCH, "serve", "--port", "0", "--data", str(tmp_path), "--no-open"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1 and "not a database" in done.stderr and "Traceback" not in done.stderr


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


def test_small_answers_are_sent_at_once() -> None:
    """Without TCP_NODELAY each answer on a kept connection waits 40 ms for the client's acknowledgement."""

    async def run() -> int:
        accepted: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def accept(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            taken: socket.socket = writer.get_extra_info("socket")
            accepted.set_result(taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listener = serve.listen("127.0.0.1", 0)
        async with await asyncio.start_server(accept, sock=listener):
            _, writer = await asyncio.open_connection(*listener.getsockname())
            writer.close()
            return await accepted

    assert asyncio.run(run()) == 1


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
