"""The HTTP API: games, rules, boxes, new tables, puzzles, health. Finished games are in `pasch.web.archive`."""

from __future__ import annotations

import asyncio
import re
from datetime import UTC, date, datetime
from functools import partial
from typing import Any, Final

from pasch.coach.puzzle_plan import DIFFICULTIES, Difficulty, has_puzzles, of_the_day
from pasch.core.bounds import TooMuch, check_json
from pasch.core.components import MOST_BYTES as MAX_FILE_BYTES
from pasch.core.errors import PaschError
from pasch.core.languages import languages
from pasch.core.lesson import has_lesson
from pasch.core.registry import AnyGame, find_game, game_ids
from pasch.table.helpers import HelperFailed, NotYet
from pasch.table.lesson import encoded_lesson
from pasch.table.limits import MAX_BOX_BYTES, Budgets, Price
from pasch.table.lobby import Lobby
from pasch.table.refusals import Refusal
from pasch.table.schema import NewTable
from pasch.web import answers
from pasch.web.archive import not_ready
from pasch.web.http import (
    ByteCache,
    Kept,
    Request,
    Response,
    address_of,
    common,
    decode_body,
    fresh,
    json_answer,
)

#: objects and lists in the body of one request: a long game to go on from
MAX_THINGS: Final = 40_000
#: bodies longer than this are decoded in a thread
THREAD_DECODE_BYTES: Final = 32 * 1024
#: bytes of puzzles kept in memory
MAX_KEPT_BYTES: Final = 4 * 1024 * 1024
#: characters of a seed
MAX_SEED: Final = 64
#: how the kind of a mistake is written
KIND: Final = re.compile("^[a-z0-9-]{1,120}$")
#: the years whose days have puzzles
YEARS: Final = range(2000, 2200)


def _game(request: Request) -> AnyGame:
    try:
        return find_game(request.path_params["game"])
    except PaschError as error:
        raise Refusal.because("not-found", error) from None


def _language(request: Request) -> str:
    language = request.query_params.get("language", "en")
    if language not in languages():
        raise Refusal("not-found", "there is no such language")
    return language


class Api:
    """The endpoints that need the lobby."""

    def __init__(self, lobby: Lobby, budgets: Budgets) -> None:
        self._lobby = lobby
        self._budgets = budgets

    async def health(self, request: Request) -> Response:
        """The health check for load balancers and supervisors: 503 while nothing can be written."""
        lobby = self._lobby
        reason = "the lease has expired" if lobby.lease.expired else lobby.store.trouble
        if reason is not None:
            return json_answer({"status": "no storage", "reason": reason, "tables": lobby.live}, 503)
        return json_answer({"status": "ok", "tables": lobby.live})

    async def games(self, request: Request) -> Response:
        """The games, and who can play them here."""
        return fresh(request, common(answers.games(self._lobby.bots.names, _language(request))))

    async def rules(self, request: Request) -> Response:
        """A game's rules as Markdown with drawings, its options, and where its data come from."""
        game, language = _game(request), _language(request)
        # in a thread: the drawings are made the first time
        return fresh(request, common(await asyncio.to_thread(answers.rules, game.id, language)))

    async def lesson(self, request: Request) -> Response:
        """A game's lesson, step by step."""
        game, language = _game(request), _language(request)
        if not has_lesson(game.id):
            raise Refusal("not-found", "this game has no lesson")
        return fresh(request, common(await asyncio.to_thread(encoded_lesson, game.id, language)))

    async def components(self, request: Request) -> Response:
        """The data of the box that Pasch knows."""
        return fresh(request, common(answers.components(_game(request).id)))

    async def check_box(self, request: Request) -> Response:
        """Check a box for every number of players that the game allows."""
        game = _game(request)
        address = address_of(request)
        large = self._lobby.limits.large_boxes
        written = await self._body(request, Any, MAX_FILE_BYTES if large else MAX_BOX_BYTES)
        work = partial(answers.check_box, game, written, large_boxes=large)
        return json_answer(await self._budgets.run(address, Price.BOX, work))

    async def make_table(self, request: Request) -> Response:
        address = address_of(request)
        self._budgets.tables.spend(address)
        wanted: NewTable = await self._body(request, NewTable)
        self._budgets.processor.spend(address, Price.TABLE + Price.EVENT * len(wanted.events))
        return json_answer(await self._lobby.make(wanted, address), 201)

    async def _body(self, request: Request, kind: Any, most: int | None = None) -> Any:
        """The decoded body of a request, read no further than its limit, and paid for."""
        most = self._budgets.limits.body if most is None else most
        body = bytearray()
        with self._budgets.reading(address_of(request)) as count:
            async for chunk in request.stream():
                if len(body) + len(chunk) > most:
                    raise Refusal("too-large", "a request has at most {most} bytes", most=most)
                count(len(chunk))
                body += chunk
            decode = partial(_decoded, bytes(body), kind, most)
            return await asyncio.to_thread(decode) if len(body) > THREAD_DECODE_BYTES else decode()


def _decoded(body: bytes, kind: Any, most: int) -> Any:
    try:
        check_json(body, most_bytes=most, most_things=MAX_THINGS)
    except TooMuch as error:
        raise Refusal("malformed", "this request is not understood", detail=str(error)) from None
    return decode_body(body, kind)


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
