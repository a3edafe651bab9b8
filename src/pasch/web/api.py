"""The HTTP API: games, rules, boxes, new tables, health; finished games; puzzles."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Hashable
from datetime import UTC, date, datetime
from functools import partial
from typing import Any, Final

import msgspec

from pasch.coach.puzzle_plan import DIFFICULTIES, Difficulty, has_puzzles, of_the_day
from pasch.core.bounds import TooMuch, check_json
from pasch.core.components import MAX_BOX_BYTES as MAX_FILE_BYTES
from pasch.core.errors import PaschError
from pasch.core.languages import languages
from pasch.core.lesson import has_lesson
from pasch.core.registry import AnyGame, find_game, game_ids
from pasch.table.coach import ReportKind
from pasch.table.helpers import Busy, HelperFailed, NotYet
from pasch.table.lesson import encoded_lesson
from pasch.table.limits import MAX_BOX_BYTES, Budgets, Price
from pasch.table.lobby import Lobby
from pasch.table.log import LiveTable, Phase
from pasch.table.refusals import Refusal
from pasch.table.replay import PAGE, page_of, receipt, replay_page
from pasch.table.schema import NewTable
from pasch.web import answers
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
    read_body,
)

#: objects and lists in the body of one request: a long game to continue
MAX_THINGS: Final = 40_000
#: bodies longer than this are decoded in a thread
THREAD_DECODE_BYTES: Final = 32 * 1024
#: how long a request waits for the coach before it is answered with 202 and has to be repeated
COACH_TIMEOUT_SECONDS: Final = 20.0
#: bytes of reports and puzzles kept in memory
MAX_KEPT_BYTES: Final = 32 * 1024 * 1024
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
        with self._budgets.reading(address_of(request)) as count:
            body = await read_body(request, most, count)
            decode = partial(_decoded, body, kind, most)
            return await asyncio.to_thread(decode) if len(body) > THREAD_DECODE_BYTES else decode()


def _decoded(body: bytes, kind: Any, most: int) -> Any:
    try:
        check_json(body, max_bytes=most, max_containers=MAX_THINGS)
    except TooMuch as error:
        raise Refusal("malformed", "this request is not understood", detail=str(error)) from None
    return decode_body(body, kind)


class CoachAnswers:
    """What the coach works out for requests: once for all who ask at the same time, and then kept."""

    def __init__(self, budgets: Budgets) -> None:
        self._budgets = budgets
        self._cache = ByteCache(MAX_KEPT_BYTES)
        self._making: dict[Hashable, asyncio.Task[Kept]] = {}

    async def get(
        self, request: Request, key: Hashable, price: float, work: Callable[[str], Awaitable[bytes]]
    ) -> Kept:
        """The answer, which `work` gives for the address that pays; NotYet if that takes long, and it continues."""
        address = address_of(request)
        if (found := self._cache.get(key)) is not None:
            self._budgets.processor.spend(address, Price.ANSWER * len(found.body) / 1024)
            return found
        making = self._making.get(key)
        if making is None:
            self._budgets.processor.spend(address, price)
            making = self._making[key] = asyncio.create_task(self._make(key, work(address)))
            # mark as retrieved: the waiters may be gone
            making.add_done_callback(lambda done: done.cancelled() or done.exception())
        done, _ = await asyncio.wait([making], timeout=COACH_TIMEOUT_SECONDS)
        if not done:
            raise NotYet("the coach is still working the values out; ask again in a moment")
        return making.result()

    async def _make(self, key: Hashable, work: Awaitable[bytes]) -> Kept:
        try:
            made = Kept.of(await work)
        finally:
            del self._making[key]
        self._cache.put(key, made)
        return made


class Archive:
    """The endpoints for finished games."""

    def __init__(self, lobby: Lobby, budgets: Budgets, coach: CoachAnswers) -> None:
        self._lobby = lobby
        self._budgets = budgets
        self._coach = coach

    async def record(self, request: Request) -> Response:
        """The record of a finished game; that of an unfinished one would show hidden cards."""
        live = await self._ended(request)
        answer = await self._made(request, live, lambda: live.record().to_json().encode())
        name = f"pasch-{live.game.id}-{live.id}.json"
        answer.headers["content-disposition"] = f'inline; filename="{name}"'
        return answer

    async def replay(self, request: Request) -> Response:
        """A page of the replay of a finished game: the one with the position `?from=`."""
        live = await self._ended(request, ("over", "adjudicated"))
        try:
            first = int(request.query_params.get("from", "0")[:20])
        except ValueError:
            raise Refusal("malformed", "from is the number of a position") from None
        page = page_of(live, first)
        price = Price.EVENT * PAGE * page + Price.POSITION * PAGE

        def work() -> bytes:
            return msgspec.json.encode(replay_page(live, page))

        return await self._made(request, live, work, price)

    async def receipt(self, request: Request) -> Response:
        """The receipt of a finished game, with the coach's figures.

        202 while the coach is working; `?coach=no` leaves its figures out.
        """
        live = await self._ended(request, ("over", "adjudicated"))
        report = None
        if live.current.phase == "over" and request.query_params.get("coach") != "no":
            try:
                report = await self._report(request, live, "report")
            except (NotYet, Busy):
                return not_ready()
            except HelperFailed:
                pass  # this game has no values

        def work() -> bytes:
            figures = None if report is None else msgspec.json.decode(report.body)
            return msgspec.json.encode(receipt(live, figures))

        return await self._made(request, live, work)

    async def report(self, request: Request) -> Response:
        """The coach's report of a finished game; 202 while it is being made."""
        return await self._afterwards(request, "report")

    async def practice(self, request: Request) -> Response:
        """What people can learn from a finished game; 202 while it is being worked out."""
        return await self._afterwards(request, "practice")

    async def _afterwards(self, request: Request, what: ReportKind) -> Response:
        # figures for practice are of whole games
        phases: tuple[Phase, ...] = ("over", "adjudicated") if what == "report" else ("over",)
        live = await self._ended(request, phases)
        return await from_coach(request, self._report(request, live, what))

    # --- making them ---------------------------------------------------------------------------------

    async def _ended(self, request: Request, phases: tuple[Phase, ...] = ("over",)) -> LiveTable:
        table = request.path_params["table"]
        loaded = not self._lobby.has(table)
        live = await self._lobby.read(table)
        if loaded:
            self._budgets.processor.charge(address_of(request), Price.EVENT * live.version)
        if not live.current.ended:
            raise Refusal("not-now", "the game is not over yet")
        if live.current.phase not in phases:
            raise Refusal(
                "not-now", "the game was ended early, so it has a report and a receipt, but no record"
            )
        return live

    async def _made(
        self, request: Request, live: LiveTable, work: Callable[[], bytes], price: float | None = None
    ) -> Response:
        """The answer that the work gives, paid for by who asks."""
        address = address_of(request)
        price = Price.EVENT * len(live.events) if price is None else price
        made = await self._budgets.run(address, price, lambda: Kept.of(work()))
        self._budgets.processor.charge(address, Price.ANSWER * len(made.body) / 1024)
        return fresh(request, made)

    async def _report(self, request: Request, live: LiveTable, what: ReportKind) -> Kept:
        # names may still change after the end
        key = (live.id, live.version, what)
        price = Price.EVENT * len(live.events)
        work = partial(self._lobby.coaching.report, live, kind=what)
        return await self._coach.get(request, key, price, work)


class Puzzles:
    """The endpoints for puzzles. A helper process makes them; the same request has the same answer."""

    def __init__(self, lobby: Lobby, coach: CoachAnswers) -> None:
        self._lobby = lobby
        self._coach = coach

    async def day(self, request: Request) -> Response:
        """The puzzle of a day; 202 while its values are being built."""
        day = _day(request.query_params.get("date"))
        game, difficulty = of_the_day(day)
        return await from_coach(request, self._made(request, game, day.isoformat(), difficulty, None))

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
        return await from_coach(request, self._made(request, game, seed, difficulty, kind))

    async def _made(
        self, request: Request, game: str, seed: str, difficulty: Difficulty | None, kind: str | None
    ) -> Kept:
        work = partial(self._lobby.coaching.puzzle, game, seed, difficulty, kind)
        return await self._coach.get(request, (game, seed, difficulty, kind), Price.PUZZLE, work)


async def from_coach(request: Request, work: Awaitable[Kept]) -> Response:
    """The coach's answer; 202 while it is being worked out."""
    try:
        return fresh(request, await work)
    except (NotYet, Busy):
        return not_ready()
    except HelperFailed as error:
        raise Refusal.because("not-ready", error) from None


def not_ready() -> Response:
    """202: it is still being worked out; ask again."""
    return json_answer({"ready": False}, 202)


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
