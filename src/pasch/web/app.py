"""The ASGI application."""

from __future__ import annotations

import logging
import time
from collections.abc import Collection

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp

from pasch.table.clients import encode_refusal
from pasch.table.commands import Refusal
from pasch.table.lobby import Lobby
from pasch.web import api, openapi, pages
from pasch.web.archive import Archive
from pasch.web.budget import BudgetMiddleware
from pasch.web.limits import Clock, Limits, RateLimiter
from pasch.web.metrics import Metrics
from pasch.web.middleware import STATUS, SecurityMiddleware, refusal_headers
from pasch.web.sockets import Sockets
from pasch.web.work import Workers

logger = logging.getLogger("pasch.web")


def make_app(
    lobby: Lobby,
    limits: Limits | None = None,
    hosts: Collection[str] | None = None,
    clock: Clock = time.monotonic,
    cpu: Clock = time.thread_time,
) -> ASGIApp:
    """The application for these tables; the lobby is opened and closed by whoever made it."""
    limits = limits or Limits()
    addresses, makers = RateLimiter(limits.address, clock), RateLimiter(limits.tables, clock)
    workers = Workers(addresses, cpu)
    asked = api.Api(lobby, limits, addresses, makers, workers)
    archive = Archive(lobby, addresses, workers)
    sockets = Sockets(lobby, limits, addresses, clock)
    page = ("/", "/t/{table}", "/new/{game}", "/learn/{game}", "/rules/{game}", "/report/{table}")
    app = Starlette(
        routes=[
            *(Route(path, pages.index) for path in page),
            Route("/static/games/{game}/{name}", pages.game_file),
            Route("/static/{path:path}", pages.static),
            Route("/i18n/{wanted}.json", pages.catalogue),
            Route("/api/openapi.json", openapi.openapi),
            Route("/api/games", asked.games),
            Route("/api/rules/{game}", api.rules),
            Route("/api/lessons/{game}", api.lesson),
            Route("/api/components/{game}", asked.components, methods=["GET", "POST"]),
            Route("/api/tables", asked.make_table, methods=["POST"]),
            Route("/api/tables/{table}/record", archive.record),
            Route("/api/tables/{table}/replay", archive.replay),
            Route("/api/tables/{table}/report", archive.report),
            Route("/api/tables/{table}/receipt", archive.receipt),
            Route("/healthz", asked.health),
            Route("/metrics", Metrics(lobby, sockets).show),
            WebSocketRoute("/ws/{table}", sockets),
        ],
        exception_handlers={
            Refusal: _refuse,
            HTTPException: _not_there,
            ClientDisconnect: _gone,
            Exception: _failed,
        },
    )
    monitors = RateLimiter(limits.monitoring, clock)
    return BudgetMiddleware(SecurityMiddleware(app, hosts), addresses, monitors, lobby.store)


def _refusal(refusal: Refusal, status: int) -> Response:
    return Response(encode_refusal(refusal), status, refusal_headers(refusal), "application/json")


async def _refuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return _refusal(error, STATUS[error.code])


async def _not_there(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404 and "text/html" in request.headers.get("accept", ""):
        return pages.lost()  # the client shows a page for mistyped addresses
    refused = _refusal(Refusal("not-found", "there is no such page"), error.status_code)
    refused.headers.update(error.headers or {})  # which methods there are
    return refused


async def _gone(request: Request, error: Exception) -> Response:
    """Somebody has not sent the body that they announced; nobody hears this answer."""
    return Response(status_code=400)


async def _failed(request: Request, error: Exception) -> Response:
    """Log an unexpected error; the browser gets no details."""
    logger.error("request failed", extra={"fields": {"path": request.url.path, "problem": repr(error)}})
    return _refusal(Refusal("storage", "something went wrong here; try again later"), 500)
