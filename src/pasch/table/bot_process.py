"""The process of one bot (`python -m pasch.table.bot_process FILE.py:NAME`)."""

from __future__ import annotations

import os
import sys
from collections import OrderedDict
from typing import Any, Final, TextIO

from pasch.core.chance import KeyedGenerator
from pasch.players.base import GreedyPlayer
from pasch.players.bots import BotFailed, BotPlayer, load_bot
from pasch.table.helper_protocol import answer_requests, read_state

#: a bot has one instance per seat at which it plays; so many are kept
MOST_SEATS: Final = 64


class BotSeats:
    """One bot, with an instance for each seat at which it plays."""

    def __init__(self, program: str) -> None:
        self._program = program
        self._instances: OrderedDict[tuple[str, int], BotPlayer] = OrderedDict()

    def ready(self, request: dict[str, Any]) -> bool:
        """True if the program can be loaded; BotError says why not."""
        self._load()
        return True

    def choose(self, request: dict[str, Any]) -> dict[str, Any]:
        """The bot's move, or how it failed."""
        seat = (request["table"], request["seat"])
        bot = self._instances.pop(seat, None) or self._load()
        self._instances[seat] = bot
        if len(self._instances) > MOST_SEATS:
            self._instances.popitem(last=False)
        try:
            move = bot.ask(read_state(request), KeyedGenerator(bytes.fromhex(request["key"])))
        except BotFailed as error:
            return {"failed": error.kind, "problem": error.reason}
        return {"move": move.json()}

    def _load(self) -> BotPlayer:
        return load_bot(self._program, GreedyPlayer().choose)


def take_streams() -> tuple[TextIO, TextIO]:
    """The streams for requests and answers; what the bot itself reads and prints goes elsewhere."""
    requests, answers = os.fdopen(os.dup(0), "r"), os.fdopen(os.dup(1), "w")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    return requests, answers


if __name__ == "__main__":
    streams = take_streams()
    seats = BotSeats(sys.argv[1])
    answer_requests({"ready": seats.ready, "choose": seats.choose}, *streams)
