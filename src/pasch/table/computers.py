"""Computer players at a live table. They are shown only what their seat may know."""

from __future__ import annotations

import json
import logging
from functools import partial
from typing import Any, Final, NamedTuple

import msgspec

from pasch.core.chance import KeyedGenerator, subkey
from pasch.core.events import Event
from pasch.core.registry import find_game, find_part
from pasch.core.state import State
from pasch.players.base import LEARNED, player, player_names
from pasch.players.bots import BotFailed
from pasch.players.levels import LADDER, STUDY, level_figures
from pasch.table.bots import Bots
from pasch.table.helpers import Helpers, Job, NotYet, describe_state
from pasch.table.limits import Busy
from pasch.table.log import LiveTable

logger = logging.getLogger("pasch.table")

#: players cheap enough for the server's own process where the game has a heuristic: without one they try every move
#: in playouts, which takes longer
LIGHT: Final = ("random", "greedy", LEARNED)
#: the player that takes over when another fails
FALLBACK: Final = "greedy"
#: the time limit for a move, waiting for others included; then the fallback takes over
MOVE_TIMEOUT_SECONDS: Final = 20.0


class Chosen(NamedTuple):
    """A computer's move."""

    event: Event
    #: whether the fallback has chosen it, instead of the player whose turn it is
    simplified: bool = False


def level_infos(game: str, bots: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """The computer players offered for a game, from the weakest on, and how strong they are as far as is known."""
    found = find_game(game)
    configured = found(found.usual_players())
    known = [{**level_figures(configured, name), "bot": False} for name in (*LADDER, STUDY)]
    unknown = {"gives_away": None, "wins": None, "against": None}
    return known + [{"name": name, **unknown, "bot": True} for name in bots]


class Computers:
    """All computer players of a server."""

    def __init__(self, helpers: Helpers, bots: Bots | None = None) -> None:
        self._helpers = helpers
        self.bots = bots or Bots()

    async def choose(self, live: LiveTable, payer: str = "") -> Chosen:
        """The move of the computer whose turn it is.

        For one that fails the fallback chooses this move; if that fails as well, it is any legal one.
        A bot that fails raises BotFailed instead, because it is not asked again.
        """
        view = live.state.view(live.state.actor)
        level = live.current.chairs[view.actor].level or FALLBACK
        # derived, so that a restarted server gives the player the same random numbers again
        key = subkey(live.secrets.tokens, "computer", view.actor, len(live.events))
        if level not in player_names():
            return Chosen(await self._ask_bot(live, view, level, key))
        # in a thread: even a quick player may look at hundreds of moves, and other tables must not wait
        in_thread = level in LIGHT and (level == "random" or find_part(live.game.id, "beginner"))
        choose = self._choose_here if in_thread else self._ask_helper
        attempts = ("computer failed", level, choose), ("fallback failed", FALLBACK, self._choose_here)
        for problem, name, choose in attempts:
            try:
                event = await choose(live, view, name, key, payer)
                live.state.apply(event)  # a move that the rules forbid counts as failing too
                return Chosen(event, name != level)
            except (NotYet, Busy):
                pass  # the seat shows that a simpler player stands in
            except Exception as error:  # noqa: BLE001 - a game must not stop because a player is broken
                fields = {"table": live.id, "level": name, "problem": repr(error)}
                logger.warning(problem, extra={"fields": fields})
        moves = view.moves()
        return Chosen(moves[key[0] % len(moves)], level != FALLBACK)

    async def _ask_bot(self, live: LiveTable, view: State, name: str, key: bytes) -> Event:
        try:
            return await self.bots.choose(live, name, key)
        except BotFailed as error:
            fields = {"table": live.id, "player": name, "seat": view.actor, "problem": error.reason}
            position = json.dumps(view.snapshot(), separators=(",", ":"))
            logger.warning("bot failed", extra={"fields": {**fields, "position": position}})
            raise

    async def _choose_here(self, live: LiveTable, view: State, level: str, key: bytes, payer: str) -> Event:
        return await self._helpers.run(partial(player(level).choose, view, KeyedGenerator(key)), payer)

    async def _ask_helper(self, live: LiveTable, view: State, level: str, key: bytes, payer: str) -> Event:
        state = live.state
        job = Job(
            "choose",
            payer,
            lambda: {**describe_state(state, state.actor), "level": level, "key": key.hex()},
            live.game,
            needs="win" if level == "winner" else "choose",
            waits=False,
        )
        move = await self._helpers.ask(job, limit=MOVE_TIMEOUT_SECONDS)
        return live.game.read_event(msgspec.json.decode(move))
