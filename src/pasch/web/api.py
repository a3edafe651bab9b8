"""The HTTP API: games, rules, new tables, records, reports, health."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from pasch.core.bounds import TooMuch, check_json
from pasch.core.components import MOST_BYTES as MOST_BOX
from pasch.core.components import read_components
from pasch.core.errors import ComponentError, PaschError
from pasch.core.languages import languages
from pasch.core.options import OptionSpec, option_specs
from pasch.core.registry import AnyGame, all_games, find_game
from pasch.core.state import State
from pasch.core.texts import howto, rules_markdown, translated
from pasch.core.words import Sentence
from pasch.table.coaching import NotYet
from pasch.table.commands import Refusal
from pasch.table.computers import level_infos
from pasch.table.helper import HelperFailed
from pasch.table.lobby import Lobby
from pasch.table.log import LiveTable, Phase
from pasch.table.receipts import receipt
from pasch.table.replay import replay
from pasch.table.scenes import scenes
from pasch.table.schema import NewTable
from pasch.web.limits import Limits, RateLimiter
from pasch.web.pages import fresh, game_files
from pasch.web.sockets import address_of

#: objects and lists in the body of one request: a long game to go on from
MOST_THINGS: Final = 100_000
#: how long a request waits for a report before it is answered with 202, in seconds
PATIENCE: Final = 2.0


def answer(data: Any, status: int = 200) -> Response:
    headers = {"cache-control": "no-store"}
    return Response(msgspec.json.encode(data), status, headers, "application/json")


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


def _options(game: AnyGame, language: str) -> list[OptionSpec]:
    """The options, explained in a language."""
    return [
        msgspec.structs.replace(spec, explanation=translated(spec.explanation, language, game.id))
        for spec in option_specs(game.Options)
    ]


@cache
def _games(bots: tuple[str, ...], language: str) -> bytes:
    return msgspec.json.encode(
        [
            {
                "id": game.id,
                "title": game.title,
                "pitch": translated(game.pitch, language, game.id),
                "howto": howto(game.id, language),
                "players": list(game.seats),
                "minutes": game.minutes,
                "options": _options(game, language),
                "levels": level_infos(game.id, bots),
                "has_secrets": type(game(game.seats[0]).start()).view is not State.view,
                "files": game_files(game.id),
            }
            for game in all_games()
        ]
    )


async def rules(request: Request) -> Response:
    """A game's rules as Markdown with drawings, its options, and where its data come from."""
    game, language = _game(request), _language(request)
    told = {
        "markdown": rules_markdown(game.id, language),
        "options": _options(game, language),
        "provenance": game.default_components().provenance(),
        "scenes": await asyncio.to_thread(scenes, game, language),
    }
    return fresh(request, msgspec.json.encode(told), "application/json")


async def _components(request: Request) -> Response:
    """The data of the box that Pasch knows."""
    game = _game(request)
    known = game.default_components()
    return fresh(request, msgspec.json.encode(known), "application/json")


class Api:
    """The endpoints that need the lobby."""

    def __init__(self, lobby: Lobby, limits: Limits, addresses: RateLimiter, makers: RateLimiter) -> None:
        self._lobby = lobby
        self._limits = limits
        self._addresses = addresses
        self._makers = makers

    async def health(self, request: Request) -> Response:
        """The health check for load balancers."""
        if self._lobby.lease.expired:
            return answer({"status": "no storage", "tables": self._lobby.live}, 503)
        return answer({"status": "ok", "tables": self._lobby.live})

    async def games(self, request: Request) -> Response:
        """The games, and who can play them here."""
        return fresh(request, _games(self._lobby.bots.names, _language(request)), "application/json")

    async def components(self, request: Request) -> Response:
        """GET: the data of the box that Pasch knows; POST: check another box."""
        return await (self._check(request) if request.method == "POST" else _components(request))

    async def _check(self, request: Request) -> Response:
        """Check a box for every number of players that the game allows."""
        game = _game(request)
        written = await self._body(request, Any, MOST_BOX)
        try:
            box = read_components(game.Components, game.id, written)
            for players in game.seats:
                box.check(players)
        except ComponentError as error:
            reason = Sentence(error.template, error.details)
            return answer({"ok": False, "place": error.place, "reason": reason})
        return answer({"ok": True, "place": "", "reason": None})

    async def make_table(self, request: Request) -> Response:
        address = address_of(request.scope)
        if not self._makers.take(address):
            raise Refusal("too-fast", "so many tables in so short a time; wait a little")
        wish: NewTable = await self._body(request, NewTable)
        if len(msgspec.json.encode(wish.options)) > MOST_BOX:
            raise Refusal("too-large", "a box of one's own has at most {most} bytes", most=MOST_BOX)
        return answer(await self._lobby.make(wish, address), 201)

    async def record(self, request: Request) -> Response:
        """The record of a finished game; that of an unfinished one would show hidden cards."""
        live = await self._ended(request)
        name = f"pasch-{live.game.id}-{live.id}.json"
        headers = {"cache-control": "no-store", "content-disposition": f'inline; filename="{name}"'}
        return Response(live.record().to_json(), 200, headers, "application/json")

    async def replay(self, request: Request) -> Response:
        """The replay of a finished game."""
        live = await self._ended(request, ("over", "adjudicated"))
        return answer(await asyncio.to_thread(replay, live))

    async def receipt(self, request: Request) -> Response:
        """The receipt of a finished game, with the coach's figures.

        202 while the coach is working; `?coach=no` leaves its figures out.
        """
        live = await self._ended(request, ("over", "adjudicated"))
        report = None
        if live.current.phase == "over" and request.query_params.get("coach") != "no":
            try:
                report = await self._report(live)
            except NotYet:
                return answer({"ready": False}, 202)
            except HelperFailed:
                pass  # nobody knows the values of this game
        made = await asyncio.to_thread(receipt, live, report)
        return answer(made)

    async def report(self, request: Request) -> Response:
        """The coach's report of a finished game; 202 while it is being made."""
        live = await self._ended(request)
        try:
            return answer(await self._report(live))
        except NotYet:
            return answer({"ready": False}, 202)
        except HelperFailed as error:
            raise Refusal.because("not-ready", error) from None

    async def _report(self, live: LiveTable) -> dict[str, Any]:
        asked = self._lobby.coaching.report(live)
        done, _ = await asyncio.wait([asked], timeout=PATIENCE)
        if not done:
            raise NotYet("the coach is still working the values out; ask again in a moment")
        return asked.result()

    async def _ended(self, request: Request, phases: tuple[Phase, ...] = ("over",)) -> LiveTable:
        self._limit_rate(request)
        live = await self._lobby.read(request.path_params["table"])
        if live.current.phase not in phases:
            raise Refusal("not-now", "the game is not over yet")
        return live

    def _limit_rate(self, request: Request) -> None:
        if not self._addresses.take(address_of(request.scope)):
            raise Refusal("too-fast", "too many requests; wait a little")

    async def _body(self, request: Request, kind: Any, most: int | None = None) -> Any:
        """The decoded body of a request, read no further than its limit."""
        self._limit_rate(request)
        body, most = bytearray(), self._limits.body if most is None else most
        async for chunk in request.stream():
            body += chunk
            if len(body) > most:
                raise Refusal("too-large", "a request has at most {most} bytes", most=most)
        try:
            check_json(body, most_bytes=most, most_things=MOST_THINGS)
            return msgspec.json.decode(body, type=kind)
        except (TooMuch, msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
            problem = str(error)
            raise Refusal(
                "malformed", "this request is not understood: {problem}", problem=problem
            ) from None
