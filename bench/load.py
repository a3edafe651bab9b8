"""The load generator: many tables with two clients each, over plain sockets, in a process of its own.

It speaks just as much WebSocket as is needed, so that one processor is enough for it, and knows two
dialects: Pasch's own and that of boardgame.io (Socket.IO). `python -m bench.load JSON` prints JSON.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Protocol

import msgspec

from pasch.table.schema import PROTOCOL

#: tables that one address makes, and clients that come from one, as from one home: the usual limits hold
TABLES_PER_ADDRESS, CLIENTS_PER_ADDRESS = 40, 4
#: how long the server is warmed up before anything is measured, in seconds
WARM = 2.0


class Task(msgspec.Struct, frozen=True):
    """One measurement to make."""

    dialect: str
    port: int
    #: the server's process
    process: int
    tables: int = 200
    #: moves a second of all tables together
    rate: float = 400.0
    #: how long each of the two parts lasts
    seconds: float = 10.0
    #: clients at each table; one has both seats (Pasch only)
    clients: int = 2
    #: delay before a table's next move at full load, in seconds
    pause: float = 0.0


class Result(msgspec.Struct, frozen=True):
    """The figures of one measurement."""

    #: from when a move was due to be sent until the other player had it, in seconds
    delays: list[float]
    #: moves of the saturated part, the server's CPU time for them, and how long it lasted
    moves: int
    cpu: float
    seconds: float
    #: what the server held in memory before and after all clients came, in KiB
    before: int
    after: int
    refused: int


def address(number: int) -> str:
    """One of the many addresses of this machine."""
    return f"127.{number // 62_500 + 1}.{number // 250 % 250}.{number % 250 + 1}"


def cpu_seconds(process: int) -> float:
    """The CPU time that a process has used so far, with all its threads."""
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(process: int) -> int:
    """The resident memory of a process, in KiB."""
    pages = int(Path(f"/proc/{process}/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024


class WebSocketClient(asyncio.Protocol):
    """One WebSocket."""

    def __init__(self, path: str, on_text: Callable[[bytes], None]) -> None:
        self._path = path
        self._on_text = on_text
        self._rest = b""
        self._upgraded = False
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.max_size = 16 * 1024  # type: ignore[attr-defined]  # the default buffer is much larger
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        data = self._rest + data
        if not self._upgraded:
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self._rest = head
                return
            if b" 101 " not in head[:32]:
                raise ConnectionError(head.decode("latin-1"))
            self._upgraded = True
            self.opened.set_result(None)
        at = 0
        while len(data) - at >= 2:
            size, start = data[at + 1] & 127, at + 2
            if size > 125:
                wide = 2 if size == 126 else 8
                size, start = int.from_bytes(data[start : start + wide], "big"), start + wide
            if len(data) < start + size:
                break
            if data[at] & 15 == 1:
                self._on_text(data[start : start + size])
            at = start + size
        self._rest = data[at:]

    def send(self, text: bytes) -> None:
        size = len(text)
        head = bytes([0x81, 0x80 | size]) if size < 126 else b"\x81\xfe" + size.to_bytes(2, "big")
        # masked with nothing: what a mask is against cannot happen here
        self._transport.write(head + b"\0\0\0\0" + text)


class Seat(Protocol):
    """One client, in one of the dialects."""

    #: how many moves of the table it knows of, and its own next one, if it is to move
    version: int
    ready: bool

    def move(self) -> None:
        """Make a move."""


class Table:
    """Two clients, or one with both seats. A move is done when the one who did not make it has received it."""

    def __init__(self) -> None:
        self.seats: list[Seat] = []
        #: when the move under way was due, and who made it
        self.due: float | None = None
        self.mover: Seat | None = None
        #: a move that could not be sent when it was due
        self.late: float | None = None
        self.finished: Callable[[Table, float], None] = lambda table, delay: None

    def received(self, seat: Seat) -> None:
        """Note that a client has received the state after another move."""
        if self.due is not None and (seat is not self.mover or len(self.seats) == 1):
            delay = time.perf_counter() - self.due
            self.due = None
            self.finished(self, delay)
        if self.late is not None:
            self.send(self.late)

    def send(self, due: float) -> bool:
        """Make the next move as soon as all clients have received the last one."""
        first, second = self.seats[0], self.seats[-1]
        ready = first.ready if first is second else first.ready != second.ready
        if self.due is None and first.version == second.version and ready:
            self.late, self.due = None, due
            self.mover = first if first.ready else second
            self.mover.move()
            return True
        self.late = due
        return False


# --- Pasch ----------------------------------------------------------------------------------------


class Choice(msgspec.Struct):
    event: msgspec.Raw


class Position(msgspec.Struct):
    version: int
    moves: list[Choice] = []
    awaits: str | None = None


class Step(msgspec.Struct):
    position: Position


class Message(msgspec.Struct):
    type: str
    position: Position | None = None
    steps: list[Step] = []


_decoder = msgspec.json.Decoder(Message)


class PaschSeat:
    """A seat at a table of Pasch."""

    def __init__(self, table: Table, tokens: list[str], load: Load, generator: Random) -> None:
        self.version, self.ready = -1, False
        self._table, self._tokens, self._load, self._generator = table, tokens, load, generator
        self._position = Position(0)
        self._sent = 0
        self.socket: WebSocketClient

    def greet(self) -> None:
        self.socket.send(
            json.dumps({"type": "hello", "tokens": self._tokens, "protocol": PROTOCOL}).encode()
        )
        contribution = self._generator.randbytes(32).hex()
        command = {"type": "contribute", "id": "dice", "version": 0, "contribution": contribution}
        self.socket.send(json.dumps(command).encode())

    def on_text(self, text: bytes) -> None:
        message = _decoder.decode(text)
        if message.type == "refused":
            self._load.refused += 1
        for position in (message.position, *[step.position for step in message.steps]):
            if position is not None:
                self._position = position
                self.version = position.version
                self.ready = bool(position.moves or position.awaits)
                self._table.received(self)

    def move(self) -> None:
        self.ready = False
        self._sent += 1
        moves, version = self._position.moves, self._position.version
        head = b'{"id":"%d","version":%d,' % (self._sent, version)
        if moves:
            event = moves[int(self._generator.random() * len(moves))].event
            self.socket.send(head + b'"type":"move","event":' + bytes(event) + b"}")
        else:
            self.socket.send(head + b'"type":"roll"}')


async def post(port: int, local: str, path: str, wishes: list[Any]) -> list[Any]:
    """The answers to several requests over one connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(local, 0))
    answers = []
    for wish in wishes:
        body = json.dumps(wish).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        length = int(answer.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        answers.append(json.loads(await reader.readexactly(length)))
    writer.close()
    return answers


async def pasch_tables(load: Load, task: Task) -> None:
    """Make tables of a game that does not end, and take both seats of each."""
    here = [{"kind": "here"}, {"kind": "here"}]
    wish = {"game": "joker1", "seats": here, "coach": "off", "options": {"rounds": 1000}}
    made: list[Any] = []
    while len(made) < task.tables:
        wishes = [wish] * min(TABLES_PER_ADDRESS, task.tables - len(made))
        made += await post(task.port, address(len(made) // TABLES_PER_ADDRESS), "/api/tables", wishes)
    load.before = resident(task.process)
    for number, one in enumerate(made):
        seats = list(one["seats"].values())
        for tokens in [seats] if task.clients == 1 else [[token] for token in seats]:
            client = PaschSeat(load.tables[number], tokens, load, load.generator)
            await load.dial(task, client, f"/ws/{one['id']}")
            client.greet()


# --- boardgame.io ---------------------------------------------------------------------------------

SPACE = "/bench"


class BoardgameSeat:
    """A seat at a match of boardgame.io, over Socket.IO."""

    def __init__(self, table: Table, match: str, player: int) -> None:
        self.version, self.ready = -1, False
        self._table, self._match, self._player = table, match, player
        self._step = ""
        self.socket: WebSocketClient

    def on_text(self, text: bytes) -> None:
        if text[:1] == b"0":
            self.socket.send(b"40" + SPACE.encode() + b",")
        elif text[:1] == b"2":
            self.socket.send(b"3")
        elif text[:2] == b"40":
            self._emit("sync", self._match, str(self._player), None, 2)
        elif text[:2] == b"42":
            kind, _, *rest = msgspec.json.decode(text[text.index(b",") + 1 :])
            if kind in ("sync", "update"):
                state = rest[0]["state"] if kind == "sync" else rest[0]
                self.version = state["_stateID"]
                self._step = state["G"]["step"]
                self.ready = state["ctx"]["currentPlayer"] == str(self._player)
                self._table.received(self)

    def _emit(self, *said: Any) -> None:
        self.socket.send(f"42{SPACE},{json.dumps(said, separators=(',', ':'))}".encode())

    def move(self) -> None:
        self.ready = False
        player = str(self._player)
        payload = {"type": self._step, "args": [], "playerID": player}
        self._emit("update", {"type": "MAKE_MOVE", "payload": payload}, self.version, self._match, player)


async def boardgame_tables(load: Load, task: Task) -> None:
    load.before = resident(task.process)
    path = "/socket.io/?EIO=4&transport=websocket"
    for number, table in enumerate(load.tables):
        for player in (0, 1):
            client = BoardgameSeat(table, f"m{number}", player)
            await load.dial(task, client, path)
            # the match is made by the first client
            while client.version < 0:
                await asyncio.sleep(0.001)


# --- load -----------------------------------------------------------------------------------------


class Load:
    """All tables, and what is measured at them."""

    def __init__(self, task: Task) -> None:
        self.tables = [Table() for _ in range(task.tables)]
        self.generator = Random(1)
        self.before = 0
        self.refused = 0
        self._clients = 0

    async def dial(self, task: Task, client: Any, path: str) -> None:
        local = (address(self._clients // CLIENTS_PER_ADDRESS), 0)
        self._clients += 1
        loop = asyncio.get_running_loop()
        socket = WebSocketClient(path, client.on_text)
        client.socket = socket
        client._table.seats.append(client)
        await loop.create_connection(lambda: socket, "127.0.0.1", task.port, local_addr=local)
        await asyncio.wait_for(socket.opened, 60)

    async def paced(self, task: Task, seconds: float) -> list[float]:
        """How long each move took to arrive, at a steady rate, one table after the other."""
        delays: list[float] = []
        for table in self.tables:
            table.finished = lambda table, delay: delays.append(delay)
        began, pause = time.perf_counter(), 1 / task.rate
        for number in range(int(seconds * task.rate)):
            due = began + number * pause
            while (wait := due - time.perf_counter()) > 0:
                await asyncio.sleep(wait)
            self.tables[number % len(self.tables)].send(due)
        await asyncio.sleep(0.5)
        return delays

    async def saturated(self, seconds: float, pause: float = 0.0) -> int:
        """The number of moves made when each table plays at once, or after a delay."""
        moves, over, loop = 0, False, asyncio.get_running_loop()

        def send(table: Table) -> None:
            table.send(time.perf_counter())

        def again(table: Table, delay: float) -> None:
            nonlocal moves
            moves += 1
            if not over and pause:
                loop.call_later(pause, send, table)
            elif not over:
                table.late = time.perf_counter()

        for table in self.tables:
            table.finished = again
            if table.due is None:
                send(table)
        await asyncio.sleep(seconds)
        over = True
        return moves


async def measure(task: Task) -> Result:
    load = Load(task)
    await (pasch_tables if task.dialect == "pasch" else boardgame_tables)(load, task)
    await asyncio.sleep(1)
    after = resident(task.process)
    await load.paced(task, WARM)
    delays = await load.paced(task, task.seconds)
    await load.saturated(WARM, task.pause)
    await asyncio.sleep(0.5)
    used, began = cpu_seconds(task.process), time.perf_counter()
    moves = await load.saturated(task.seconds, task.pause)
    cpu, seconds = cpu_seconds(task.process) - used, time.perf_counter() - began
    return Result(delays, moves, cpu, seconds, load.before, after, load.refused)


if __name__ == "__main__":
    found = asyncio.run(measure(msgspec.json.decode(sys.argv[1], type=Task)))
    sys.stdout.buffer.write(msgspec.json.encode(found))
