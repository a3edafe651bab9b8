"""Bots: players that the server's operator has written.

Each bot has a process of its own, which gets only what its seat knows. A bot that raises an exception, answers with
no legal move or exceeds its time limit has failed: that is logged with the position, and the authority gives its seat
to another player.

Bots are named on the command line only. A browser can choose among their names, and cannot upload a program.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from pasch.core.chance import KeyedGenerator
from pasch.core.errors import PaschError
from pasch.core.events import Event
from pasch.players.base import GreedyPlayer, player_names
from pasch.players.bots import BotFailed, BotPlayer, load_bot
from pasch.table.helpers import describe_state, read_state
from pasch.table.log import LiveTable
from pasch.table.processes import HelperProcess, ProcessEnded

#: how long a bot may think about a move
MOVE_TIMEOUT_SECONDS: Final = 10.0
#: how long its program may take to load
LOAD_TIMEOUT_SECONDS: Final = 60.0
#: how long a name may be, as the protocol has it
MAX_LETTERS: Final = 24
#: a bot has one instance per seat at which it plays; the ones kept
MAX_SEATS: Final = 64
#: how a bot failed (see `BotFailed.kind`) and why, or an empty text and the answer
Outcome = tuple[str, Any]


def name_bots(programs: tuple[str, ...]) -> dict[str, str]:
    """The programs by the names by which clients choose them: `mybot.py:MyBot` is MyBot."""
    found: dict[str, str] = {}
    for program in programs:
        name = program.rpartition(":")[2]
        if not name.isidentifier() or len(name) > MAX_LETTERS:
            raise PaschError("{program}: write FILE.py:NAME, as in mybot.py:MyBot", program=program)
        if name in player_names() or found.get(name, program) != program:
            raise PaschError(
                "{program}: there is a player named {name} already", program=program, name=name
            )
        found[name] = program
    return found


class Bots:
    """All bots of a server. The process of each is started when first needed, and again after it has ended."""

    def __init__(
        self, programs: Mapping[str, str] | None = None, seconds: float = MOVE_TIMEOUT_SECONDS
    ) -> None:
        self._seconds = seconds
        self._programs = dict(programs or {})
        self._processes = {name: HelperProcess() for name in self._programs}
        #: one move after the other: waiting for another table's move does not count against the time limit
        self._turns = {name: asyncio.Lock() for name in self._programs}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._programs)

    async def check(self) -> None:
        """Raise PaschError unless every program can be loaded."""
        for name in self._programs:
            try:
                await self._call(name, _load, LOAD_TIMEOUT_SECONDS)
            except BotFailed as error:
                raise PaschError("{problem}", problem=error.reason) from None

    async def choose(self, live: LiveTable, name: str, key: bytes) -> Event:
        """The move of the bot whose turn it is; BotFailed if it has none."""
        if name not in self._programs:
            raise BotFailed("gone", f"there is no player {name!r} here")
        arguments = {**describe_state(live.state, live.state.actor), "key": key.hex()}
        async with self._turns[name]:
            await self._call(name, _load, LOAD_TIMEOUT_SECONDS)
            move = await self._call(name, _choose, self._seconds, live.id, arguments)
        try:
            event = live.game.read_event(move)
            live.state.apply(event)
        except PaschError as error:
            raise BotFailed("illegal", error.reason) from None
        return event

    async def _call(
        self, name: str, function: Callable[..., Outcome], seconds: float, *arguments: Any
    ) -> Any:
        """What a function gives in the process of a bot, where errors are returned; BotFailed if it has failed."""
        asked = (self._programs[name], *arguments)
        try:
            failed, found = await self._processes[name].call(function, asked, seconds)
        except TimeoutError:
            raise BotFailed("slow", f"no answer within {seconds} seconds") from None
        except ProcessEnded as error:
            raise BotFailed("error", f"its process has ended: {error.__cause__!r}") from None
        if failed:
            raise BotFailed(failed, found)
        return found

    async def close(self) -> None:
        """End all processes."""
        for process in self._processes.values():
            await process.close()


# --- in the process of a bot --------------------------------------------------------------------------


@lru_cache(maxsize=MAX_SEATS)
def _bot(program: str, table: str, seat: int) -> BotPlayer:
    """The instance of a bot for a seat at a table."""
    return load_bot(program, GreedyPlayer().choose)


def _load(program: str) -> Outcome:
    try:
        _bot(program, "", 0)
    except PaschError as error:
        return "error", error.reason
    return "", None


def _choose(program: str, table: str, arguments: dict[str, Any]) -> Outcome:
    try:
        bot = _bot(program, table, arguments["seat"])
        return "", bot.ask(read_state(arguments), KeyedGenerator(bytes.fromhex(arguments["key"]))).json()
    except BotFailed as error:
        return error.kind, error.reason
    except PaschError as error:
        return "error", error.reason
