"""Middleware before the application: budgets, pages of other origins, security headers.

Hosts, and sites on other origins that are allowed, are left to Starlette's own middleware: see `App.answering_to`.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Collection
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pasch.store.base import Store
from pasch.table.limits import Budgets, Price, TooFast, address_key
from pasch.table.refusals import Refusal
from pasch.web.forward import forwarded_for
from pasch.web.http import ADDRESS, FORWARDED, refuse

_HOST: Final = re.compile(r"[A-Za-z0-9.-]+(:\d{1,5})?|\[[0-9a-fA-F:]+\](:\d{1,5})?")
#: below these a site on another origin may ask, if the server allows it
_FOR_SITES: Final = ("/api/", "/ws/")
#: for the operator, with their own budget
_MONITORING: Final = frozenset({"/healthz", "/metrics"})
#: the longest path of any page or file; none has unprintable characters
MAX_PATH: Final = 300
#: how long the refusal of an address over its limit is delayed, so that repeated requests cost little; and how many
#: refusals of one address are delayed at once: further ones are sent immediately
REFUSAL_DELAY_SECONDS: Final = 1.0
MAX_HELD_BACK: Final = 300


def policy(server: str = "", scripts: str = "") -> str:
    """The Content-Security-Policy of a page: only what its own server serves.

    A site may name the server of its tables with friends, and allows a few `scripts` more.
    """
    friends = f" {server} {server.replace('http', 'ws', 1)}" if server else ""
    return (
        f"default-src 'none'; script-src 'self'{scripts and ' '}{scripts}; style-src 'self'; "
        f"img-src 'self' data:; connect-src 'self'{friends}; manifest-src 'self'; "
        "base-uri 'none'; form-action 'none'"
    )


HEADERS: Final = {
    # pages cannot say themselves where they may be framed
    "content-security-policy": f"{policy()}; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class Guard:
    """Takes the price of every request and handshake from the budget of its address, before anything else is done.

    It refuses what comes from other pages, and adds security headers to answers.
    """

    def __init__(self, app: ASGIApp, budgets: Budgets, store: Store, sites: Collection[str]) -> None:
        self._app = app
        self._budgets = budgets
        self._store = store
        #: the origins of sites whose tables with friends are here
        self._sites = sites
        #: refusals that are being delayed, by address
        self._held_back: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self._pay(scope)
            self._check(scope)
        except Refusal as refusal:
            if isinstance(refusal, TooFast):
                await self._hold_back(scope[ADDRESS])
            return await reject(scope, receive, send, refusal)
        if scope["type"] == "websocket":
            return await self._app(scope, receive, send)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                answered = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    answered.setdefault(name, value)
            await send(message)

        return await self._app(scope, receive, send_with_headers)

    def _pay(self, scope: Scope) -> None:
        forwarded = forwarded_for(scope, self._store.secret) if scope["type"] == "websocket" else None
        client = str((scope.get("client") or ("",))[0])
        scope[ADDRESS] = address_key(client) if forwarded is None else forwarded
        scope[FORWARDED] = forwarded is not None
        budget = self._budgets.monitoring if scope["path"] in _MONITORING else self._budgets.processor
        budget.spend(scope[ADDRESS], Price.REQUEST if scope["type"] == "http" else Price.HANDSHAKE)

    async def _hold_back(self, address: str) -> None:
        if self._held_back[address] >= MAX_HELD_BACK:
            return
        self._held_back[address] += 1
        try:
            await asyncio.sleep(REFUSAL_DELAY_SECONDS)
        finally:
            self._held_back[address] -= 1
            if not self._held_back[address]:
                del self._held_back[address]

    def _check(self, scope: Scope) -> None:
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1")
        # no file system or database need be asked for a name with NUL, a line feed or half a character in it
        if len(scope["path"]) > MAX_PATH or not scope["path"].isprintable():
            raise Refusal("not-found", "there is no such page")
        if not _HOST.fullmatch(host):
            raise Refusal("malformed", "the request names no host")
        # programs send none; a browser always does
        origin = headers[b"origin"].decode("latin-1") if b"origin" in headers else None
        if origin in self._sites:
            if scope["path"].startswith(_FOR_SITES):
                return
            # Starlette would allow it everywhere
            scope["headers"] = [pair for pair in scope["headers"] if pair[0] != b"origin"]
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if changes and origin is not None and origin.partition("://")[2] != host:
            raise Refusal("not-yours", "this request comes from another page")


async def reject(scope: Scope, receive: Receive, send: Send, refusal: Refusal) -> None:
    """Answer a request, or the opening of a WebSocket, with a refusal."""
    if scope["type"] == "websocket":
        await receive()
    answer = refuse(refusal)
    answer.headers |= HEADERS
    await answer(scope, receive, send)
