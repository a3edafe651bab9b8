"""The HTTP API: games, rules, boxes, new tables, health; finished games; puzzles."""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from datetime import UTC, date, datetime
from functools import partial
from typing import Any, Final

import msgspec
from msgspec.json import encode

from pasch.coach.puzzle_plan import DIFFICULTIES, has_puzzles, of_the_day
from pasch.core.bounds import TooMuch, check_json
from pasch.core.components import MAX_BOX_BYTES as MAX_FILE_BYTES
from pasch.core.errors import PaschError
from pasch.core.lesson import has_lesson
from pasch.core.registry import AnyGame, find_game, game_ids
from pasch.core.texts import languages
from pasch.table import coach
from pasch.table.helpers import HelperFailed, NotYet
from pasch.table.lesson import encoded_lesson
from pasch.table.limits import MAX_BOX_BYTES, Budgets, Busy, Price
from pasch.table.lobby import Lobby
from pasch.table.log import LiveTable
from pasch.table.refusals import Refusal
from pasch.table.replay import PAGE, page_of, replay_page
from pasch.table.replay import receipt as receipt_of
from pasch.table.schema import NewTable
from pasch.web import answers
from pasch.web.http import (
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
from pasch.web.lan import Lan

#: objects and lists in the body of one request: a long game to continue
MAX_THINGS: Final = 40_000
#: how long a request waits for the coach before it is answered with 202 and has to be repeated
COACH_TIMEOUT_SECONDS: Final = 20.0
#: bytes of reports and puzzles kept in memory
MAX_KEPT_BYTES: Final = 32 * 1024 * 1024
#: characters of a seed
MAX_SEED: Final = 64
#: how the kind of a mistake is written
KIND: Final = re.compile("^[a-z0-9-]{1,120}$")


class Services:
    """What the endpoints of one application use."""

    def __init__(self, lobby: Lobby, lan: Lan | None = None) -> None:
        self.lobby = lobby
        self.budgets = lobby.budgets
        self.coach = CoachAnswers(lobby.budgets)
        self.lan = lan or Lan()


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


async def health(services: Services, request: Request) -> Response:
    """The health check for load balancers and supervisors: 503 while nothing can be written."""
    lobby = services.lobby
    reason = "the lease has expired" if lobby.lease.expired else lobby.store.trouble
    health = answers.Health("ok" if reason is None else "no storage", lobby.live, reason)
    return json_answer(health, 200 if reason is None else 503)


async def games(services: Services, request: Request) -> Response:
    """The games, and who can play them here."""
    return fresh(request, common(answers.games(services.lobby.bots.names, _language(request))))


async def rules(services: Services, request: Request) -> Response:
    """A game's rules as Markdown with drawings, its options, and where its data come from."""
    game, language = _game(request), _language(request)
    # in a thread: the drawings are made the first time
    return fresh(request, common(await asyncio.to_thread(answers.rules, game.id, language)))


async def lesson(services: Services, request: Request) -> Response:
    """A game's lesson, step by step."""
    game, language = _game(request), _language(request)
    if not has_lesson(game.id):
        raise Refusal("not-found", "this game has no lesson")
    return fresh(request, common(await asyncio.to_thread(encoded_lesson, game.id, language)))


async def components(services: Services, request: Request) -> Response:
    """The data of the box that Pasch knows."""
    return fresh(request, common(answers.components(_game(request).id)))


async def check_box(services: Services, request: Request) -> Response:
    """Check a box for every number of players that the game allows."""
    game, large = _game(request), services.lobby.limits.large_boxes
    written = await _body(services, request, Any, MAX_FILE_BYTES if large else MAX_BOX_BYTES)
    work = partial(answers.check_box, game, written, large_boxes=large)
    return json_answer(await services.budgets.run(address_of(request), Price.BOX, work))


async def make_table(services: Services, request: Request) -> Response:
    """Make a table."""
    address, budgets = address_of(request), services.budgets
    budgets.tables.spend(address)
    wanted: NewTable = await _body(services, request, NewTable, budgets.limits.body)
    budgets.processor.spend(address, Price.TABLE + Price.EVENT * len(wanted.events))
    return json_answer(await services.lobby.make(wanted, address), 201)


async def _body(services: Services, request: Request, kind: Any, most: int) -> Any:
    """The decoded body of a request, read no further than its limit, and paid for."""
    with services.budgets.reading(address_of(request)) as count:
        body = await read_body(request, most, count)
        return await asyncio.to_thread(_decoded, body, kind, most)


def _decoded(body: bytes, kind: Any, most: int) -> Any:
    try:
        check_json(body, max_bytes=most, max_containers=MAX_THINGS)
    except TooMuch as error:
        raise Refusal("malformed", "this request is not understood", detail=str(error)) from None
    return decode_body(body, kind)


# --- what the coach works out -------------------------------------------------------------------------


class CoachAnswers:
    """What the coach works out for requests: once for all who ask at the same time, and then kept.

    The answers used last are kept, up to a number of bytes.
    """

    def __init__(self, budgets: Budgets) -> None:
        self._budgets = budgets
        self._kept: OrderedDict[Hashable, Kept] = OrderedDict()
        self.kept_bytes = 0
        self._making: dict[Hashable, asyncio.Task[Kept]] = {}

    async def get(
        self, request: Request, key: Hashable, price: float, work: Callable[[str], Awaitable[bytes]]
    ) -> Kept:
        """The answer, which `work` gives for the address that pays; NotYet if that takes long, and it continues."""
        address = address_of(request)
        if (found := self._kept.get(key)) is not None:
            self._kept.move_to_end(key)
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
        self._kept[key] = made
        self.kept_bytes += len(made.body)
        while self.kept_bytes > MAX_KEPT_BYTES:
            _, dropped = self._kept.popitem(last=False)
            self.kept_bytes -= len(dropped.body)
        return made


async def from_coach(request: Request, work: Awaitable[Kept]) -> Response:
    """The coach's answer; 202 while it is being worked out."""
    try:
        return fresh(request, await work)
    except (NotYet, Busy):
        return json_answer({"ready": False}, 202)
    except HelperFailed as error:
        raise Refusal.because("not-ready", error) from None


# --- finished games -----------------------------------------------------------------------------------


async def record(services: Services, request: Request) -> Response:
    """The record of a finished game; that of an unfinished one would show hidden cards."""
    live = await _ended(services, request)
    answer = await _made(services, request, live, lambda: live.record().to_json().encode())
    name = f"pasch-{live.game.id}-{live.id}.json"
    answer.headers["content-disposition"] = f'inline; filename="{name}"'
    return answer


async def replay(services: Services, request: Request) -> Response:
    """A page of the replay of a finished game: the one with the position `?from=`."""
    live = await _ended(services, request, early=True)
    try:
        first = int(request.query_params.get("from", "0")[:20])
    except ValueError:
        raise Refusal("malformed", "from is the number of a position") from None
    page = page_of(live, first)
    price = Price.EVENT * PAGE * page + Price.POSITION * PAGE
    return await _made(services, request, live, lambda: encode(replay_page(live, page)), price)


async def receipt(services: Services, request: Request) -> Response:
    """The receipt of a finished game, with the coach's figures.

    202 while the coach is working; `?coach=no` leaves its figures out.
    """
    live = await _ended(services, request, early=True)
    figures = None
    if live.current.phase == "over" and request.query_params.get("coach") != "no":
        try:
            figures = msgspec.json.decode((await _report(services, request, live, "report")).body)
        except (NotYet, Busy):
            return json_answer({"ready": False}, 202)
        except HelperFailed:
            pass  # this game has no values
    return await _made(services, request, live, lambda: encode(receipt_of(live, figures)))


async def report(services: Services, request: Request) -> Response:
    """The coach's report of a finished game; 202 while it is being made."""
    live = await _ended(services, request, early=True)
    return await from_coach(request, _report(services, request, live, "report"))


async def practice(services: Services, request: Request) -> Response:
    """What people can learn from a finished game; 202 while it is being worked out."""
    live = await _ended(services, request)
    return await from_coach(request, _report(services, request, live, "practice"))


async def _ended(services: Services, request: Request, early: bool = False) -> LiveTable:
    """The table of a game that is over or, if that is enough, was ended early."""
    live = await services.lobby.read(request.path_params["table"], address_of(request))
    if not live.current.ended:
        raise Refusal("not-now", "the game is not over yet")
    if live.current.phase != "over" and not early:
        raise Refusal(
            "not-now", "the game was ended early, so it has a report and a receipt, but no record"
        )
    return live


async def _made(
    services: Services,
    request: Request,
    live: LiveTable,
    work: Callable[[], bytes],
    price: float | None = None,
) -> Response:
    """The answer that the work gives, paid for by who asks."""
    address, budgets = address_of(request), services.budgets
    price = Price.EVENT * len(live.events) if price is None else price
    made = await budgets.run(address, price, lambda: Kept.of(work()))
    budgets.processor.charge(address, Price.ANSWER * len(made.body) / 1024)
    return fresh(request, made)


async def _report(services: Services, request: Request, live: LiveTable, what: coach.ReportKind) -> Kept:
    # names may still change after the end
    key = (live.id, live.version, what)
    work = partial(coach.report, services.lobby.helpers, live, kind=what)
    return await services.coach.get(request, key, Price.EVENT * len(live.events), work)


# --- puzzles: a helper process makes them; the same request has the same answer ------------------------


async def puzzle_of_day(services: Services, request: Request) -> Response:
    """The puzzle of a day, today's in UTC unless one is named; 202 while its values are being built."""
    written = request.query_params.get("date")
    try:
        day = datetime.now(UTC).date() if written is None else date.fromisoformat(written)
    except ValueError:
        raise Refusal("malformed", "a date is written like 2026-12-24") from None
    game, difficulty = of_the_day(day)
    return await _puzzle(services, request, game, day.isoformat(), difficulty, None)


async def puzzle(services: Services, request: Request) -> Response:
    """A puzzle of a game; 202 while its values are being built."""
    game, asked = request.path_params["game"], request.query_params
    if game not in game_ids() or not has_puzzles(game):
        raise Refusal("not-found", "there are no puzzles of this game")
    difficulty, kind, seed = asked.get("difficulty"), asked.get("kind"), asked.get("seed", "")
    if difficulty is not None and difficulty not in DIFFICULTIES:
        raise Refusal("malformed", "a puzzle is {names}", names=list(DIFFICULTIES))
    if len(seed) > MAX_SEED or (kind is not None and not KIND.fullmatch(kind)):
        raise Refusal("malformed", "there is no such puzzle")
    return await _puzzle(services, request, game, seed, difficulty, kind)


async def _puzzle(services: Services, request: Request, *wanted: Any) -> Response:
    """The answer for a game, seed, difficulty and kind of mistake."""
    work = partial(coach.puzzle, services.lobby.helpers, *wanted)
    return await from_coach(request, services.coach.get(request, wanted, Price.PUZZLE, work))
