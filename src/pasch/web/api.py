"""What is asked over HTTP: games, rules, new tables, records, reports, health."""

from __future__ import annotations

import asyncio
import tomllib
from functools import cache
from importlib import resources
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from pasch.core.bounds import TooMuch, check_json
from pasch.core.components import MOST_BYTES as MOST_BOX
from pasch.core.components import default_components, read_components
from pasch.core.errors import ComponentError, PaschError
from pasch.core.options import OptionSpec, option_specs
from pasch.core.registry import AnyGame, all_games, find_game
from pasch.core.state import State
from pasch.table.again import replay
from pasch.table.coaching import NotYet
from pasch.table.commands import Refusal
from pasch.table.computers import level_infos
from pasch.table.hall import Hall, Looked
from pasch.table.helper import HelperFailed
from pasch.table.log import Phase
from pasch.table.receipts import receipt
from pasch.table.scenes import scenes
from pasch.table.schema import NewTable, Sentence
from pasch.web.limits import Addresses, Limits
from pasch.web.pages import fresh
from pasch.web.sockets import address_of

#: objects and lists in the body of one request: a long game to go on from
MOST_THINGS: Final = 100_000
LANGUAGES: Final = ("en", "de")
#: how long a request for a report waits before it is told to come again, in seconds
PATIENCE: Final = 2.0


def answer(data: Any, status: int = 200) -> Response:
    headers = {"cache-control": "no-store"}
    return Response(msgspec.json.encode(data), status, headers, "application/json")


def _game(request: Request) -> AnyGame:
    try:
        return find_game(request.path_params["game"])
    except PaschError as error:
        raise Refusal.because("not-found", error) from None


def _options(game: AnyGame, language: str) -> list[OptionSpec]:
    """The options, explained in a language; English stands beside the rules."""
    said: dict[str, str] = {}
    file = resources.files("pasch").joinpath("texts", language, "options.toml")
    if file.is_file():
        said = tomllib.loads(file.read_text("utf-8")).get(game.id, {})
    return [
        msgspec.structs.replace(spec, explanation=said.get(spec.name, spec.explanation))
        for spec in option_specs(game.Options)
    ]


@cache
def _games(bots: tuple[str, ...]) -> bytes:
    return msgspec.json.encode(
        [
            {
                "id": game.id,
                "title": game.title,
                "pitch": game.pitch,
                "players": list(game.seats),
                "minutes": game.minutes,
                "options": _options(game, "en"),
                "levels": level_infos(game.id, bots),
                "has_secrets": type(game(game.seats[0]).start()).view is not State.view,
            }
            for game in all_games()
        ]
    )


async def rules(request: Request) -> Response:
    """A game's rules as Markdown with drawings, its options, and where its data come from."""
    game, language = _game(request), request.query_params.get("language", "en")
    if language not in LANGUAGES:
        raise Refusal("not-found", "there is no such language")
    text = resources.files("pasch").joinpath("texts", language, f"{game.id}.md").read_text("utf-8")
    told = {
        "markdown": text,
        "options": _options(game, language),
        "provenance": default_components(game.Components, game.id).provenance(),
        "scenes": await asyncio.to_thread(scenes, game, language),
    }
    return fresh(request, msgspec.json.encode(told), "application/json")


async def _components(request: Request) -> Response:
    """The data of the box that Pasch knows."""
    game = _game(request)
    known = default_components(game.Components, game.id)
    return fresh(request, msgspec.json.encode(known), "application/json")


class Api:
    """The questions that need the tables."""

    def __init__(self, hall: Hall, limits: Limits, addresses: Addresses, makers: Addresses) -> None:
        self._hall = hall
        self._limits = limits
        self._addresses = addresses
        self._makers = makers

    async def health(self, request: Request) -> Response:
        """Whether this server can serve; a load balancer asks."""
        if self._hall.keeper.cut_off:
            return answer({"status": "no storage", "tables": self._hall.live}, 503)
        return answer({"status": "ok", "tables": self._hall.live})

    async def games(self, request: Request) -> Response:
        """The games, and who can play them here."""
        return fresh(request, _games(self._hall.bots.names), "application/json")

    async def components(self, request: Request) -> Response:
        """The box that Pasch knows, or whether another one is good."""
        return await (self._check(request) if request.method == "POST" else _components(request))

    async def _check(self, request: Request) -> Response:
        """Whether a box can be played with, by any number of players that the game allows."""
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
        if not self._makers.take(address_of(request.scope)):
            raise Refusal("too-fast", "so many tables in so short a time; wait a little")
        wish: NewTable = await self._body(request, NewTable)
        if len(msgspec.json.encode(wish.options)) > MOST_BOX:
            raise Refusal("too-large", "a box of one's own has at most {most} bytes", most=MOST_BOX)
        return answer(await self._hall.make(wish), 201)

    async def record(self, request: Request) -> Response:
        """The record of a finished game; that of an unfinished one would show hidden cards."""
        course = (await self._ended(request)).course
        name = f"pasch-{course.game.id}-{course.id}.json"
        headers = {"cache-control": "no-store", "content-disposition": f'inline; filename="{name}"'}
        return Response(course.record().to_json(), 200, headers, "application/json")

    async def replay(self, request: Request) -> Response:
        """A game that has ended, position by position."""
        course = (await self._ended(request, ("over", "adjudicated"))).course
        return answer(await asyncio.to_thread(replay, course))

    async def receipt(self, request: Request) -> Response:
        """All that the dice of a game that has ended followed from, and the coach's numbers.

        202 while the coach is thinking; `?coach=no` does not ask it.
        """
        table = await self._ended(request, ("over", "adjudicated"))
        report = None
        if table.course.standing.phase == "over" and request.query_params.get("coach") != "no":
            try:
                report = await self._report(table)
            except NotYet:
                return answer({"ready": False}, 202)
            except HelperFailed:
                pass  # nobody knows the values of this game
        made = await asyncio.to_thread(receipt, table.course, table.seed, report)
        return answer(made)

    async def report(self, request: Request) -> Response:
        """What the coach says of a finished game; 202 while it is thinking."""
        table = await self._ended(request)
        try:
            return answer(await self._report(table))
        except NotYet:
            return answer({"ready": False}, 202)
        except HelperFailed as error:
            raise Refusal.because("not-ready", error) from None

    async def _report(self, table: Looked) -> dict[str, Any]:
        asked = self._hall.coaching.report(table.course)
        done, _ = await asyncio.wait([asked], timeout=PATIENCE)
        if not done:
            raise NotYet("the coach is still working the values out; ask again in a moment")
        return asked.result()

    async def _ended(self, request: Request, phases: tuple[Phase, ...] = ("over",)) -> Looked:
        self._hurry(request)
        table = await self._hall.look(request.path_params["table"])
        if table.course.standing.phase not in phases:
            raise Refusal("not-now", "the game is not over yet")
        return table

    def _hurry(self, request: Request) -> None:
        if not self._addresses.take(address_of(request.scope)):
            raise Refusal("too-fast", "too many requests; wait a little")

    async def _body(self, request: Request, kind: Any, most: int | None = None) -> Any:
        """The body of a request, read no further than it may be long."""
        self._hurry(request)
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
