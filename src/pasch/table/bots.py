"""The server's side of bots: players that the server's operator has written.

Each bot has a process of its own (`pasch.table.bot_process`), which is told only what its seat knows. A bot
that raises an exception, answers with no legal move or exceeds its time limit has failed: that is logged
with the position, and the authority gives its seat to another player.

Bots are named on the command line only. A browser can choose among their names, and cannot upload a
program.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

from pasch.core.errors import PaschError
from pasch.core.events import Event
from pasch.players.base import player_names
from pasch.players.bots import BotError, BotFailed
from pasch.table.helper import Helper, HelperFailed, TooSlow
from pasch.table.helper_protocol import describe_state
from pasch.table.log import LiveTable

#: how long a bot may think about a move, in seconds
PATIENCE: Final = 10.0
#: how long its process may take to start
STARTING: Final = 60.0
#: how long a name may be, as the protocol has it
MOST_LETTERS: Final = 24


def name_bots(programs: tuple[str, ...]) -> dict[str, str]:
    """The programs by the names by which clients choose them: `mybot.py:MyBot` is MyBot."""
    found: dict[str, str] = {}
    for program in programs:
        name = program.rpartition(":")[2]
        if not name.isidentifier() or len(name) > MOST_LETTERS:
            raise BotError("{program}: write FILE.py:NAME, as in mybot.py:MyBot", program=program)
        if name in player_names() or found.get(name, program) != program:
            raise BotError("{program}: there is a player named {name} already", program=program, name=name)
        found[name] = program
    return found


class Bots:
    """All bots of a server."""

    def __init__(self, programs: Mapping[str, str] | None = None, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._helpers = {
            name: Helper("pasch.table.bot_process", program, quiet=False)
            for name, program in (programs or {}).items()
        }
        # one move after the other: waiting for another table's move does not count against the time limit
        self._turns = {name: asyncio.Lock() for name in self._helpers}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._helpers)

    async def check(self) -> None:
        """Raise BotError unless every program can be loaded."""
        for helper in self._helpers.values():
            try:
                await helper.ask("ready", STARTING)
            except HelperFailed as error:
                raise BotError("{problem}", problem=error.reason) from None

    async def choose(self, live: LiveTable, name: str, key: bytes) -> Event:
        """The move of the bot whose turn it is; BotFailed if it has none."""
        helper = self._helpers.get(name)
        if helper is None:
            raise BotFailed("gone", f"there is no player {name!r} here")
        asked = describe_state(live.state, live.state.actor)
        async with self._turns[name]:
            try:
                await helper.ask("ready", STARTING)
                answer = await helper.ask("choose", self._patience, table=live.id, key=key.hex(), **asked)
            except HelperFailed as error:
                await helper.close()
                raise BotFailed("slow" if isinstance(error, TooSlow) else "error", error.reason) from None
        if "failed" in answer:
            raise BotFailed(answer["failed"], answer["problem"])
        try:
            event = live.game.read_event(answer["move"])
            live.state.apply(event)
        except PaschError as error:
            raise BotFailed("illegal", error.reason) from None
        return event

    async def close(self) -> None:
        """Kill all processes."""
        for helper in self._helpers.values():
            await helper.close()
