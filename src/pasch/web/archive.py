"""Finished games over HTTP: record, replay, report and receipt, worked out once and kept as they are sent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

import msgspec

from pasch.table.coach import ReportKind
from pasch.table.helpers import Busy, HelperFailed, NotYet
from pasch.table.limits import Budgets, Price
from pasch.table.lobby import Lobby
from pasch.table.log import LiveTable, Phase
from pasch.table.refusals import Refusal
from pasch.table.replay import PAGE, page_of, receipt, replay_page
from pasch.web.http import ByteCache, Kept, Request, Response, address_of, fresh, json_answer

#: how long a request waits for a report before it is answered with 202 and has to be repeated
REPORT_TIMEOUT_SECONDS: Final = 20.0
#: bytes of answers kept in memory
MAX_KEPT_BYTES: Final = 32 * 1024 * 1024

#: a table at one version, and what is asked of it
Key = tuple[str, int, str]


class Archive:
    """The endpoints for finished games."""

    def __init__(self, lobby: Lobby, budgets: Budgets) -> None:
        self._lobby = lobby
        self._budgets = budgets
        self.cache = ByteCache(MAX_KEPT_BYTES)
        self._reports: dict[Key, asyncio.Task[Kept]] = {}

    async def record(self, request: Request) -> Response:
        """The record of a finished game; that of an unfinished one would show hidden cards."""
        live = await self._ended(request)
        made = await self._made(request, live, "record", lambda: live.record().to_json().encode())
        answer = fresh(request, made)
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

        return fresh(request, await self._made(request, live, f"replay {page}", work, price))

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
                pass  # nobody knows the values of this game

        def work() -> bytes:
            figures = None if report is None else msgspec.json.decode(report.body)
            return msgspec.json.encode(receipt(live, figures))

        what = "receipt" if report is None else "receipt with figures"
        return fresh(request, await self._made(request, live, what, work))

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
        try:
            return fresh(request, await self._report(request, live, what))
        except (NotYet, Busy):
            return not_ready()
        except HelperFailed as error:
            raise Refusal.because("not-ready", error) from None

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

    def _kept(self, request: Request, key: Key) -> Kept | None:
        """An answer that is ready, paid for by who asks."""
        found = self.cache.get(key)
        if found is not None:
            self._budgets.processor.spend(address_of(request), Price.ANSWER * len(found.body) / 1024)
        return found

    async def _made(
        self,
        request: Request,
        live: LiveTable,
        what: str,
        work: Callable[[], bytes],
        price: float | None = None,
    ) -> Kept:
        """An answer from the cache, or what the work gives, paid for by who asks."""
        # names may still change after the end
        key: Key = (live.id, live.version, what)
        if (found := self._kept(request, key)) is not None:
            return found
        address = address_of(request)
        price = Price.EVENT * len(live.events) if price is None else price
        made = await self._budgets.run(address, price, lambda: Kept.of(work()), lambda: self.cache.get(key))
        self.cache.put(key, made)
        self._budgets.processor.charge(address, Price.ANSWER * len(made.body) / 1024)
        return made

    async def _report(self, request: Request, live: LiveTable, what: ReportKind) -> Kept:
        key: Key = (live.id, live.version, what)
        if (found := self._kept(request, key)) is not None:
            return found
        making = self._reports.get(key)
        if making is None:
            address = address_of(request)
            self._budgets.processor.spend(address, Price.EVENT * len(live.events))
            making = self._reports[key] = asyncio.create_task(self._make_report(key, live, address, what))
            making.add_done_callback(lambda done: self._reported(key, done))
        done, _ = await asyncio.wait([making], timeout=REPORT_TIMEOUT_SECONDS)
        if not done:
            raise NotYet("the coach is still working the values out; ask again in a moment")
        return making.result()

    async def _make_report(self, key: Key, live: LiveTable, address: str, what: ReportKind) -> Kept:
        made = Kept.of(await self._lobby.coaching.report(live, address, what))
        self.cache.put(key, made)
        return made

    def _reported(self, key: Key, done: asyncio.Task[Kept]) -> None:
        del self._reports[key]
        if not done.cancelled():
            done.exception()  # mark as retrieved: perhaps nobody waits any more


def not_ready() -> Response:
    """202: it is still being worked out; ask again."""
    return json_answer({"ready": False}, 202)
