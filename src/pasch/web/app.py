"""The ASGI application."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator
from typing import Any, Final

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from pasch.core.texts import languages
from pasch.table.lobby import Lobby
from pasch.table.refusals import Refusal
from pasch.web import answers, files, http, openapi
from pasch.web.api import Services
from pasch.web.endpoints import Answering, endpoints_of
from pasch.web.files import APP, MountedSite
from pasch.web.lan import Lan
from pasch.web.metrics import Metrics
from pasch.web.security import Guard
from pasch.web.sockets import Sockets

logger = logging.getLogger("pasch.web")


#: the addresses of the one page
PAGES: Final = (
    "/", "/t/{table}", "/new/{game}", "/learn/{game}", "/rules/{game}", "/report/{table}",
    "/puzzle", "/puzzle/{game}", "/progress",
)  # fmt: skip


class App:
    """The application for these tables; the lobby is opened and closed by the caller.

    `sites` are the origins of sites whose tables with friends are here; `offline` is a site that is served as well.
    `lan` opens the server to the network.
    """

    def __init__(
        self,
        lobby: Lobby,
        sites: Collection[str] = (),
        offline: MountedSite | None = None,
        lan: Lan | None = None,
    ) -> None:
        self._lobby = lobby
        self._sites = frozenset(sites)
        self._files = files.client_files(files.STATIC)
        self._sockets = sockets = Sockets(lobby)
        client, page = self._files.files, self._files.page
        if offline:  # the client can say that there is a site
            page = page.replace(b"<html ", f'<html data-app="{APP}" '.encode(), 1)
        self.routes = [
            *(_common(path, page, http.TYPES[".html"]) for path in PAGES),
            *([Route(f"{APP}{{path:path}}", offline.file)] if offline else []),
            # the service worker of all pages must not lie deeper than they do
            _common("/sw.js", client["server_sw.js"], http.TYPES[".js"]),
            _common(f"/{files.MANIFEST}", client[files.MANIFEST], http.TYPES[".webmanifest"]),
            Route("/static/{path:path}", self._files.file),
            Route("/v/{version}/static/{path:path}", self._files.file),
            Route("/i18n/{wanted}.json", files.catalogue),
            _common("/api/openapi.json", msgspec.json.encode(openapi.document())),
            *_api_routes(Services(lobby, lan)),
            Route("/metrics", Metrics(lobby, sockets).show),
        ]
        handlers: Any = {
            Refusal: _refuse,
            HTTPException: self._not_there,
            ClientDisconnect: _gone,
            Exception: _failed,
        }
        self._pages = Starlette(routes=self.routes, exception_handlers=handlers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # beside Starlette, whose wrappers would take part in every message
        table = scope["path"].removeprefix("/ws/") if scope["type"] == "websocket" else "/"
        if not table or "/" in table:
            return await self._pages(scope, receive, send)
        scope["path_params"] = {"table": table}
        return await self._sockets(scope, receive, send)

    def answering_to(self, hosts: Collection[str] | None = None) -> ASGIApp:
        """The application behind all checks, for these names of the server; None: for any."""
        app: ASGIApp = self
        if self._sites:
            app = CORSMiddleware(
                app,
                allow_origins=self._sites,
                allow_methods=("GET", "POST"),
                expose_headers=("retry-after",),
                max_age=86400,
            )
        if hosts is not None:
            # against DNS rebinding: another page may give its own name to this machine's address
            app = TrustedHostMiddleware(app, sorted(hosts), www_redirect=False)
        return Guard(app, self._lobby.budgets, self._lobby.store, self._sites)

    def warm(self) -> None:
        """Prepare the answers that are equal for all clients."""
        self._files.warm()
        for language in languages():
            for first in (True, False):
                http.common(answers.catalogue(language, first))
            http.common(answers.games(self._lobby.bots.names, language))

    async def _not_there(self, request: Request, error: Exception) -> http.Response:
        assert isinstance(error, HTTPException)
        if error.status_code == 404 and "text/html" in request.headers.get("accept", ""):
            # the client shows a page for mistyped addresses
            headers = {"cache-control": "no-store", "content-type": http.TYPES[".html"]}
            return http.Response(self._files.page, 404, headers)
        refused = http.refuse(Refusal("not-found", "there is no such page"), error.status_code)
        refused.headers.update(error.headers or {})  # the allowed methods
        return refused


def _api_routes(services: Services) -> Iterator[Route]:
    """The routes of all endpoints, one for each path, so that a wrong method gets the list of allowed ones."""
    by_path: dict[str, dict[str, Answering]] = {}
    for endpoint in endpoints_of("server"):
        by_path.setdefault(endpoint.path, {})[endpoint.method] = endpoint.by
    for path, by_method in by_path.items():

        async def answer(
            request: http.Request, by_method: dict[str, Answering] = by_method
        ) -> http.Response:
            return await by_method["POST" if request.scope["method"] == "POST" else "GET"](
                services, request
            )

        yield Route(path, answer, methods=[*by_method])


def _common(path: str, body: bytes, kind: str = http.JSON) -> Route:
    """The route to something that is the same for everybody."""

    async def answer(request: http.Request) -> http.Response:
        return http.fresh(request, http.common(body, kind))

    return Route(path, answer)


async def _refuse(request: Request, error: Exception) -> http.Response:
    assert isinstance(error, Refusal)
    return http.refuse(error)


async def _gone(request: Request, error: Exception) -> http.Response:
    """Answer a client that left before sending its whole body; it does not receive this."""
    return http.Response(status_code=400)


async def _failed(request: Request, error: Exception) -> http.Response:
    """Log an unexpected error; the browser gets no details."""
    logger.error("request failed", extra={"fields": {"path": request.url.path, "problem": repr(error)}})
    return http.failed()
