"""Players that whoever runs the server has written, at tables in the browser.

Each program has a process of its own, which is told only what its seat was told. One that raises an
exception, answers with no legal move or does not answer in time has failed: that is reported with the
position, and the authority hands its seat to another player. One that thinks for ever is ended.

Only the command line that starts a server names such programs. A browser can choose among their names,
and can bring no program of its own.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Final, TextIO

from pasch.core.chance import KeyedGenerator
from pasch.core.errors import PaschError
from pasch.core.events import Event
from pasch.players.base import GreedyPlayer, player_names
from pasch.players.bots import BotError, BotFailed, BotPlayer, load_bot
from pasch.table.helper import Helper, HelperFailed, answer_lines, described, states_of
from pasch.table.log import Course

#: how long a bot may think about a move, in seconds
PATIENCE: Final = 10.0
#: how long its process may take until it is ready to think
STARTING: Final = 60.0
#: a bot is made once for each seat; so many seats are remembered
MOST_SEATS: Final = 64
#: how long a name may be, as the protocol has it
MOST_LETTERS: Final = 24


def named(programs: tuple[str, ...]) -> dict[str, str]:
    """The programs by the names under which one chooses them: `mybot.py:MyBot` is MyBot."""
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
    """All such players of a server."""

    def __init__(self, programs: Mapping[str, str] | None = None, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._helpers = {
            name: Helper(__name__, program, quiet=False) for name, program in (programs or {}).items()
        }
        # a process thinks about one move after the other; who waits for another's is not late
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

    async def choose(self, course: Course, name: str, luck: bytes) -> Event:
        """The move of the bot whose turn it is; BotFailed if it has none."""
        helper = self._helpers.get(name)
        if helper is None:
            raise BotFailed("gone", f"there is no player {name!r} here")
        asked = described(course.game, course.events, course.state.actor)
        async with self._turns[name]:
            try:
                await helper.ask("ready", STARTING)
                answer = await helper.ask(
                    "choose", self._patience, table=course.id, key=luck.hex(), **asked
                )
            except HelperFailed as error:
                slow = isinstance(error.__cause__, TimeoutError)
                await helper.close()
                raise BotFailed("slow" if slow else "error", error.reason) from None
        if "failed" in answer:
            raise BotFailed(answer["failed"], answer["problem"])
        try:
            event = course.game.read_event(answer["move"])
            course.state.apply(event)
        except PaschError as error:
            raise BotFailed("illegal", error.reason) from None
        return event

    async def close(self) -> None:
        """End all processes."""
        for helper in self._helpers.values():
            await helper.close()


# --- in the bot's own process -------------------------------------------------------------------------


class Seats:
    """One bot, once for each seat at which it plays."""

    def __init__(self, program: str) -> None:
        self._program = program
        self._seated: OrderedDict[tuple[str, int], BotPlayer] = OrderedDict()

    def ready(self, asked: dict[str, Any]) -> bool:
        self._load()
        return True

    def choose(self, asked: dict[str, Any]) -> dict[str, Any]:
        _, states = states_of(asked)
        place = (asked["table"], asked["seat"])
        bot = self._seated.pop(place, None) or self._load()
        self._seated[place] = bot
        if len(self._seated) > MOST_SEATS:
            self._seated.popitem(last=False)
        try:
            move = bot.ask(states[-1], KeyedGenerator(bytes.fromhex(asked["key"])))
        except BotFailed as error:
            return {"failed": error.kind, "problem": error.reason}
        return {"move": move.json()}

    def _load(self) -> BotPlayer:
        return load_bot(self._program, GreedyPlayer().choose)


def own_streams() -> tuple[TextIO, TextIO]:
    """Where questions come from and answers go to; what the bot reads and prints goes elsewhere."""
    questions, answers = os.fdopen(os.dup(0), "r"), os.fdopen(os.dup(1), "w")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    return questions, answers


def main() -> None:
    questions, answers = own_streams()
    seats = Seats(sys.argv[1])
    answer_lines({"ready": seats.ready, "choose": seats.choose}, questions, answers)


if __name__ == "__main__":
    main()
