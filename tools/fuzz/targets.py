"""The fuzz targets: each takes any bytes, and may raise nothing but the errors for users."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any, Final, cast

import msgspec
from tests.store.rows import MemoryStore as MemoryStore

from pasch.core.components import parse_components
from pasch.core.errors import ComponentError, OptionError, RecordError
from pasch.core.receipt import Receipt, ReceiptError
from pasch.core.record import Record, parse
from pasch.core.registry import AnyGame, all_games
from pasch.core.state import CHANCE
from pasch.table import schema
from pasch.table.authority import Authority
from pasch.table.helpers import HelperFailed, Job
from pasch.table.lobby import Lobby
from pasch.table.log import LiveTable
from pasch.table.redact import Viewer

GAMES: Final = tuple(all_games())
#: steps that are played with a box that was found to be good
STEPS: Final = 40


def record(data: bytes) -> None:
    """Records and receipts."""
    try:
        Record.from_json(data).verify()
    except RecordError as error:
        str(error)
    try:
        Receipt.from_json(data).findings()
    except ReceiptError as error:
        str(error)


def _game(data: bytes) -> tuple[AnyGame, bytes]:
    """The game that the first byte selects, and the other bytes."""
    return GAMES[data[0] % len(GAMES)], data[1:]


def components(data: bytes) -> None:
    """Component files; every box that is accepted can be played."""
    if not data:
        return
    game, written = _game(data)
    try:
        box = parse_components(game.Components, game.id, written.decode("utf-8", "replace"))
    except ComponentError as error:
        str(error)
        return
    for players in game.seats:
        try:
            configured = game.agree(players, {"components": msgspec.to_builtins(box)})
        except (ComponentError, OptionError) as error:
            str(error)
            continue
        random, state = Random(players), configured.start()
        for _ in range(STEPS):
            if state.over:
                break
            chance = state.actor == CHANCE
            state = state.apply(state.chance().sample(random) if chance else random.choice(state.moves()))


def options(data: bytes) -> None:
    """Options as a record or a new table states them."""
    if not data:
        return
    game, written = _game(data)
    try:
        parsed = parse(written)
    except RecordError:
        return
    for players in (game.seats[0], game.seats[-1]):
        for complete in (False, True):
            try:
                if isinstance(parsed, dict):
                    game.agree(players, parsed, complete=complete)
            except (ComponentError, OptionError) as error:
                str(error)


# --- the WebSocket ------------------------------------------------------------------------------------


class NoHelper:
    """Helpers that always fail, without a process."""

    count = 2
    builds = False

    async def run(self, job: Job, seconds: float, build: bool) -> bytes:
        raise HelperFailed("not here")

    async def close(self) -> None:
        return


class Listener:
    """A connection that keeps the messages sent to it."""

    def __init__(self) -> None:
        self.address, self.viewer, self.welcomed, self.box = "", Viewer(), False, ""
        self.received: list[bytes] = []

    def send(self, message: bytes) -> None:
        self.received.append(message)

    def close(self) -> None:
        pass


class _Complaints(logging.Handler):
    """The records that the server would log."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.found.append(f"{record.getMessage()} {getattr(record, 'fields', '')}")


_complaints = _Complaints()
logging.getLogger("pasch").addHandler(_complaints)
logging.getLogger("pasch").propagate = False
_decoder = msgspec.json.Decoder(schema.FromServer)
_WISHES: Final[tuple[tuple[str, tuple[str, ...], dict[str, Any]], ...]] = (
    ("joker1", ("here", "link", "random"), {"rounds": 2}),
    ("sixbysix", ("here", "link"), {"round_limit": 2}),
    ("lines", ("here", "here"), {}),
    ("fiese15", ("here", "link", "greedy"), {}),
)


async def _at_a_table(data: bytes) -> None:
    """Each line is a client's message; its first character selects the client. `$0` and so on stand for tokens."""
    lobby = Lobby(MemoryStore(), processes=NoHelper())
    await lobby.store.open()
    game, seats, chosen = _WISHES[data[0] % len(_WISHES)]
    wishes = [
        schema.SeatRequest(kind=cast(Any, s))
        if s in ("here", "link")
        else schema.SeatRequest("computer", "", s)
        for s in seats
    ]
    dice: Any = "real" if data[0] & 64 else "pasch"
    made = await lobby.make(schema.NewTable(game, tuple(wishes), chosen, dice=dice))
    table = await lobby.find(made.id)
    tokens = {f"${seat}": token for seat, token in (made.seats | made.invitations).items()}
    tokens |= {"$w": made.watch, "$m": made.maker}
    people = [Listener() for _ in range(3)]
    for client in people:
        table.connect(client)
    for line in data[1:].split(b"\n")[:40]:
        client = people[line[0] % 3 if line else 0]
        # text as bytes from the network, not yet validated as UTF-8
        said = line[1:].replace(b"$v", b"%d" % table.live.version)
        for name, token in tokens.items():
            said = said.replace(name.encode(), token.encode())
        before = len(client.received)
        table.receive(client, said)
        for _ in range(8):
            await asyncio.sleep(0)
        if not table.closed and len(client.received) == before:
            await _answered(client, before)
    await _well(lobby, table, made.id)
    for client in people:
        for message in client.received:
            _decoder.decode(message)


async def _answered(client: Listener, before: int) -> None:
    """Wait until the client has received another message; AssertionError if none comes."""
    for _ in range(200):
        await asyncio.sleep(0.001)
        if len(client.received) > before:
            return
    raise AssertionError("no answer")


async def _well(lobby: Lobby, table: Authority, name: str) -> None:
    """Assert that replaying the log leads to the table's state."""
    stored = await lobby.store.load(name)
    stored = stored._replace(entries=stored.entries[: table.live.version])
    assert LiveTable.load(stored).current == table.live.current, "the log leads elsewhere"
    table.close()


_loop: asyncio.AbstractEventLoop | None = None


def _run(work: Coroutine[Any, Any, None]) -> None:
    global _loop  # noqa: PLW0603 - one loop for all inputs; a new one for each would cost more than the work
    if _loop is None:
        _loop = asyncio.new_event_loop()
        _loop.set_exception_handler(lambda _, context: _complaints.found.append(str(context)))
    _complaints.found.clear()
    _loop.run_until_complete(work)
    if _complaints.found:
        raise AssertionError(_complaints.found[0])


def protocol(data: bytes) -> None:
    """Messages of browsers at a table."""
    if data:
        _run(_at_a_table(data))


TARGETS: Final[dict[str, Callable[[bytes], None]]] = {
    target.__name__: target for target in (record, components, options, protocol)
}
