"""Security middleware: checks host and origin of every request, and adds security headers to answers."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pasch.table.clients import encode_refusal
from pasch.table.commands import Refusal
from pasch.table.schema import Code

#: the HTTP status for each code of a refusal
STATUS: Final[dict[Code, int]] = {
    "malformed": 400,
    "too-large": 413,
    "too-fast": 429,
    "no-table": 404,
    "not-found": 404,
    "not-yours": 403,
    "old-version": 409,
    "illegal": 422,
    "not-now": 409,
    "not-agreed": 403,
    "full": 503,
    "storage": 503,
    "not-ready": 501,
}

_HOST: Final = re.compile(r"[A-Za-z0-9.-]+(:\d{1,5})?|\[[0-9a-fA-F:]+\](:\d{1,5})?")

#: the longest path of any page or file; none has unprintable characters
MOST_PATH: Final = 300
#: after how many seconds to try again what is refused only for now, unless the refusal says so itself
RETRY: Final = {429: 5, 503: 5}

_HEADERS: Final = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
]


def policy(host: str) -> str:
    """The Content-Security-Policy: only what this server serves."""
    # older browsers do not count a WebSocket as 'self'
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        f"connect-src 'self' ws://{host} wss://{host}; manifest-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


class SecurityMiddleware:
    """Wraps an ASGI application."""

    def __init__(self, app: ASGIApp, hosts: Collection[str] | None = None) -> None:
        self._app = app
        #: the names under which the server answers; None: any
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self._app(scope, receive, send)
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1")
        try:
            self._check(scope, headers, host)
        except Refusal as refusal:
            return await reject(scope, receive, send, refusal)
        if scope["type"] == "websocket":
            return await self._app(scope, receive, send)
        added = [*_HEADERS, (b"content-security-policy", policy(host).encode())]

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *added]
            await send(message)

        return await self._app(scope, receive, send_with_headers)

    def _check(self, scope: Scope, headers: dict[bytes, bytes], host: str) -> None:
        # no file system or database need be asked for a name with NUL, a line feed or half a character in it
        if len(scope["path"]) > MOST_PATH or not scope["path"].isprintable():
            raise Refusal("not-found", "there is no such page")
        if not _HOST.fullmatch(host):
            raise Refusal("malformed", "the request names no host")
        # against DNS rebinding: another page may give its own name to this machine's address
        if self._hosts is not None and re.sub(r":\d+$", "", host).lower() not in self._hosts:
            raise Refusal("not-yours", "this server does not answer under the name {host}", host=host)
        if scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD"):
            origin = headers.get(b"origin")
            # programs send none; a browser always does
            if origin is not None and origin.decode("latin-1").partition("://")[2] != host:
                raise Refusal("not-yours", "this request comes from another page")


def refusal_headers(refusal: Refusal) -> dict[str, str]:
    """The headers of an answer that refuses: not to be kept, and when to try again."""
    headers = {"cache-control": "no-store"}
    after = getattr(refusal, "after", RETRY.get(STATUS[refusal.code]))
    return headers if after is None else {**headers, "retry-after": str(after)}


async def reject(scope: Scope, receive: Receive, send: Send, refusal: Refusal) -> None:
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
    ]
    await send({"type": f"{kind}.start", "status": STATUS[refusal.code], "headers": headers})
    await send({"type": f"{kind}.body", "body": body})
