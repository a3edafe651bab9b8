"""Computer players at a live table. They are shown only what their seat may know."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any, Final

from pasch.core.chance import KeyedGenerator, subkey
from pasch.core.events import Event
from pasch.core.registry import find_game
from pasch.players.base import player, player_names
from pasch.players.bots import BotFailed
from pasch.table.bots import Bots
from pasch.table.helper import Helper, described
from pasch.table.log import Course

logger = logging.getLogger("pasch.table")

#: these think so quickly and need so little that they sit in the server's own process
LIGHT: Final = ("random", "greedy")
#: who takes over when another fails
FALLBACK: Final = "greedy"
#: how long a player may think before the other one takes over, in seconds
PATIENCE: Final = 20.0


def levels() -> tuple[str, ...]:
    """The names of the computer players."""
    return player_names()


def level_infos(game: str, bots: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """The computer players of a game, and how many points each gives away in one, where that is known."""
    from pasch.players.levels import gives_away

    agreed = find_game(game)(2)
    known = [{"name": name, "gives_away": gives_away(agreed, name), "bot": False} for name in levels()]
    return known + [{"name": name, "gives_away": None, "bot": True} for name in bots]


class Computers:
    """All computer players of a server."""

    def __init__(self, helper: Helper, bots: Bots | None = None) -> None:
        self._helper = helper
        self.bots = bots or Bots()

    async def choose(self, course: Course, key: bytes) -> Event:
        """The move of the computer whose turn it is. One that fails is replaced, for this move.

        Of a program that a user has written, BotFailed says that it has none, and never will.
        """
        seat = course.state.actor
        level = course.standing.chairs[seat].level or FALLBACK
        # a server started anew gives the player the same luck again
        luck = subkey(key, "computer", seat, len(course.events))
        if level not in levels():
            return await self._bot(course, level, luck)
        try:
            event = await self._think(course, level, luck)
            course.state.apply(event)  # a move that the rules forbid counts as failing too
            return event
        except Exception as error:  # noqa: BLE001 - a game must not stop because a player is broken
            problem = {"table": course.id, "level": level, "problem": repr(error)}
            logger.warning("computer failed", extra={"fields": problem})
        return player(FALLBACK).choose(course.state.view(seat), KeyedGenerator(luck))

    async def _bot(self, course: Course, name: str, luck: bytes) -> Event:
        try:
            return await self.bots.choose(course, name, luck)
        except BotFailed as error:
            view = course.state.view(course.state.actor)
            fields = {"table": course.id, "player": name, "seat": view.actor, "problem": error.reason}
            position = json.dumps(view.snapshot(), separators=(",", ":"))
            logger.warning("bot failed", extra={"fields": {**fields, "position": position}})
            raise

    async def _think(self, course: Course, level: str, luck: bytes) -> Event:
        seat = course.state.actor
        if level in LIGHT:
            # even a quick one may look at hundreds of moves, which nobody else should have to wait for
            view = course.state.view(seat)
            return await asyncio.to_thread(player(level).choose, view, KeyedGenerator(luck))
        asked = described(course.game, course.events, seat)
        move = await self._helper.ask("choose", PATIENCE, level=level, key=luck.hex(), **asked)
        return course.game.read_event(move)
