"""Puzzles over HTTP: the one of the day, and others by game, seed, difficulty and kind of mistake."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Final

from pasch.coach.puzzle_plan import DIFFICULTIES, Difficulty, has_puzzles, of_the_day
from pasch.core.registry import game_ids
from pasch.table.helpers import HelperFailed, NotYet
from pasch.table.limits import Budgets, Price
from pasch.table.lobby import Lobby
from pasch.table.refusals import Refusal
from pasch.web.archive import not_ready
from pasch.web.http import ByteCache, Kept, Request, Response, address_of, fresh

#: bytes of puzzles kept in memory
MAX_KEPT_BYTES: Final = 4 * 1024 * 1024
#: characters of a seed
MAX_SEED: Final = 64
#: how the kind of a mistake is written
KIND: Final = re.compile("^[a-z0-9-]{1,120}$")
#: the years whose days have puzzles
YEARS: Final = range(2000, 2200)


class Puzzles:
    """The endpoints for puzzles. A helper process makes them; the same request has the same answer."""

    def __init__(self, lobby: Lobby, budgets: Budgets) -> None:
        self._lobby = lobby
        self._budgets = budgets
        self._cache = ByteCache(MAX_KEPT_BYTES)

    async def day(self, request: Request) -> Response:
        """The puzzle of a day; 202 while its values are being built."""
        day = _day(request.query_params.get("date"))
        game, difficulty = of_the_day(day)
        return await self._answer(request, game, day.isoformat(), difficulty, None)

    async def one(self, request: Request) -> Response:
        """A puzzle of a game; 202 while its values are being built."""
        game, asked = request.path_params["game"], request.query_params
        if game not in game_ids() or not has_puzzles(game):
            raise Refusal("not-found", "there are no puzzles of this game")
        difficulty, kind, seed = asked.get("difficulty"), asked.get("kind"), asked.get("seed", "")
        if difficulty is not None and difficulty not in DIFFICULTIES:
            raise Refusal("malformed", "a puzzle is {names}", names=list(DIFFICULTIES))
        if len(seed) > MAX_SEED or (kind is not None and not KIND.fullmatch(kind)):
            raise Refusal("malformed", "there is no such puzzle")
        return await self._answer(request, game, seed, difficulty, kind)

    async def _answer(
        self, request: Request, game: str, seed: str, difficulty: Difficulty | None, kind: str | None
    ) -> Response:
        key, address = (game, seed, difficulty, kind), address_of(request)
        made = self._cache.get(key)
        if made is None:
            self._budgets.processor.spend(address, Price.PUZZLE)
            try:
                found = await self._lobby.coaching.puzzle(game, seed, difficulty, kind, address)
            except NotYet:
                return not_ready()
            except HelperFailed as error:
                raise Refusal.because("not-ready", error) from None
            made = Kept.of(found)
            self._cache.put(key, made)
        return fresh(request, made)


def _day(written: str | None) -> date:
    """The day that was asked for; without one today's, in UTC."""
    if written is None:
        return datetime.now(UTC).date()
    try:
        day = date.fromisoformat(written)
    except ValueError:
        raise Refusal("malformed", "a date is written like 2026-12-24") from None
    if day.year not in YEARS:
        raise Refusal("malformed", "there is no puzzle of that day")
    return day
