"""Security middleware: checks host and origin of every request, and adds security headers to answers."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pasch.table.clients import encode_refusal
from pasch.table.commands import Refusal
from pasch.web.http import STATUS, refusal_headers

_HOST: Final = re.compile(r"[A-Za-z0-9.-]+(:\d{1,5})?|\[[0-9a-fA-F:]+\](:\d{1,5})?")

#: below these a site on another origin may ask, if the server allows it
_FOR_SITES: Final = ("/api/", "/ws/")
_CORS: Final = [
    (b"access-control-allow-methods", b"GET, POST"),
    (b"access-control-allow-headers", b"content-type"),
    (b"access-control-expose-headers", b"retry-after"),
    (b"access-control-max-age", b"86400"),
    (b"vary", b"origin"),
]

#: the longest path of any page or file; none has unprintable characters
MOST_PATH: Final = 300

_HEADERS: Final = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
]


def policy(host: str = "", server: str = "", scripts: str = "") -> str:
    """The Content-Security-Policy: only what this server serves.

    A site has no `host`; it may name the server of its tables with friends, and allows a few `scripts` more.
    """
    # older browsers do not count a WebSocket as 'self'
    sockets = f" ws://{host} wss://{host}" if host else ""
    if server:
        sockets += f" {server} {server.replace('http', 'ws', 1)}"
    allowed = (
        f"default-src 'none'; script-src 'self'{scripts and ' '}{scripts}; style-src 'self'; "
        f"img-src 'self' data:; connect-src 'self'{sockets}; manifest-src 'self'; "
        "base-uri 'none'; form-action 'none'"
    )
    # pages cannot say themselves where they may be framed
    return f"{allowed}; frame-ancestors 'none'" if host else allowed


class SecurityMiddleware:
    """Wraps an ASGI application."""

    def __init__(
        self, app: ASGIApp, hosts: Collection[str] | None = None, sites: Collection[str] = ()
    ) -> None:
        self._app = app
        #: the names under which the server answers; None: any
        self._hosts = hosts
        #: the origins of sites whose tables with friends are here
        self._sites = frozenset(sites)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self._app(scope, receive, send)
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1")
        # programs send none; a browser always does
        origin = headers[b"origin"].decode("latin-1") if b"origin" in headers else None
        site = origin is not None and origin in self._sites and scope["path"].startswith(_FOR_SITES)
        cors = [(b"access-control-allow-origin", headers[b"origin"]), *_CORS] if site else []
        try:
            self._check(scope, None if site else origin, host)
        except Refusal as refusal:
            return await reject(scope, receive, send, refusal, cors)
        if scope["type"] == "websocket":
            return await self._app(scope, receive, send)
        if site and scope["method"] == "OPTIONS":
            # the browser asks whether this site may ask
            await send({"type": "http.response.start", "status": 204, "headers": [*_HEADERS, *cors]})
            return await send({"type": "http.response.body", "body": b""})
        added, usual = [*_HEADERS, *cors], (b"content-security-policy", policy(host).encode())

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = any(name == usual[0] for name, _ in message["headers"])
                message["headers"] = [*message["headers"], *added, *([] if own else [usual])]
            await send(message)

        return await self._app(scope, receive, send_with_headers)

    def _check(self, scope: Scope, origin: str | None, host: str) -> None:
        # no file system or database need be asked for a name with NUL, a line feed or half a character in it
        if len(scope["path"]) > MOST_PATH or not scope["path"].isprintable():
            raise Refusal("not-found", "there is no such page")
        if not _HOST.fullmatch(host):
            raise Refusal("malformed", "the request names no host")
        # against DNS rebinding: another page may give its own name to this machine's address
        if self._hosts is not None and re.sub(r":\d+$", "", host).lower() not in self._hosts:
            raise Refusal("not-yours", "this server does not answer under the name {host}", host=host)
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if changes and origin is not None and origin.partition("://")[2] != host:
            raise Refusal("not-yours", "this request comes from another page")


async def reject(
    scope: Scope,
    receive: Receive,
    send: Send,
    refusal: Refusal,
    more: Sequence[tuple[bytes, bytes]] = (),
) -> None:
    """Answer a request, or the opening of a WebSocket, with a refusal."""
    kind = "websocket.http.response" if scope["type"] == "websocket" else "http.response"
    if scope["type"] == "websocket":
        await receive()
    body = encode_refusal(refusal)
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        *((name.encode(), value.encode()) for name, value in refusal_headers(refusal).items()),
        *_HEADERS,
        *more,
    ]
    await send({"type": f"{kind}.start", "status": STATUS[refusal.code], "headers": headers})
    await send({"type": f"{kind}.body", "body": body})
