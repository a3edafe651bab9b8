"""The ASGI application."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection
from functools import wraps

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp

from pasch.table.commands import Refusal
from pasch.table.limits import Budgets, Clock, Limits
from pasch.table.lobby import Lobby
from pasch.web import api, http, openapi, pages
from pasch.web.addresses import AddressPage
from pasch.web.archive import Archive
from pasch.web.endpoints import Answering, table_endpoints
from pasch.web.metrics import Metrics
from pasch.web.mounted import APP, MountedSite
from pasch.web.puzzles import Puzzles
from pasch.web.security import secured
from pasch.web.sockets import Sockets

logger = logging.getLogger("pasch.web")


def make_app(
    lobby: Lobby,
    limits: Limits | None = None,
    hosts: Collection[str] | None = None,
    clock: Clock = time.monotonic,
    cpu: Clock = time.thread_time,
    sites: Collection[str] = (),
    offline: MountedSite | None = None,
    reached: Callable[[], list[str]] = list,
) -> ASGIApp:
    """The application for these tables; the lobby is opened and closed by whoever made it.

    `sites` are the origins of sites whose tables with friends are here; `offline` is a site that is served as well.
    `reached` tells at which addresses others in the network reach the server.
    """
    budgets = Budgets(limits or Limits(), clock, cpu)
    asked = api.Api(lobby, budgets)
    archive = Archive(lobby, budgets)
    puzzles = Puzzles(lobby, budgets)
    sockets = Sockets(lobby, budgets, clock)
    page = ("/", "/t/{table}", "/new/{game}", "/learn/{game}", "/rules/{game}", "/report/{table}")
    practice = ("/puzzle", "/puzzle/{game}", "/progress")
    app = Starlette(
        routes=[
            *(_route(path, offline.index if offline else pages.index) for path in (*page, *practice)),
            *([_route(f"{APP}{{path:path}}", offline.file)] if offline else []),
            _route("/sw.js", pages.service_worker),
            _route("/manifest.webmanifest", pages.manifest),
            _route("/static/games/{game}/{name}", pages.game_file),
            _route("/static/{path:path}", pages.static),
            _route("/i18n/{wanted}.json", pages.catalogue),
            _route("/api/openapi.json", openapi.openapi),
            _route("/api/games", asked.games),
            _route("/api/rules/{game}", api.rules),
            _route("/api/lessons/{game}", api.lesson),
            Route("/api/addresses", AddressPage(reached).show),
            *(_route(*endpoint) for endpoint in table_endpoints(asked, archive, puzzles)),
            _route("/healthz", asked.health),
            _route("/metrics", Metrics(lobby, sockets).show),
            WebSocketRoute("/ws/{table}", sockets),
        ],
        exception_handlers={
            Refusal: _refuse,
            HTTPException: _not_there,
            ClientDisconnect: _gone,
            Exception: _failed,
        },
    )
    return secured(app, budgets, lobby.store, hosts, sites)


def _route(path: str, endpoint: Answering, methods: Collection[str] = ("GET",)) -> Route:
    """A route of Starlette's to one of our endpoints."""

    @wraps(endpoint)
    async def answer(request: Request) -> Response:
        return _response(await endpoint(request))

    return Route(path, answer, methods=list(methods))


def _response(answer: http.Response) -> Response:
    """An answer in Starlette's words."""
    return Response(answer.body, answer.status_code, answer.headers)


async def _refuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return _response(http.refuse(error))


async def _not_there(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404 and "text/html" in request.headers.get("accept", ""):
        return _response(pages.lost())  # the client shows a page for mistyped addresses
    refused = http.refuse_with(Refusal("not-found", "there is no such page"), error.status_code)
    refused.headers.update(error.headers or {})  # which methods there are
    return _response(refused)


async def _gone(request: Request, error: Exception) -> Response:
    """Somebody has not sent the body that they announced; nobody hears this answer."""
    return Response(status_code=400)


async def _failed(request: Request, error: Exception) -> Response:
    """Log an unexpected error; the browser gets no details."""
    logger.error("request failed", extra={"fields": {"path": request.url.path, "problem": repr(error)}})
    return _response(http.failed())
