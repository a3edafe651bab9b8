"""Takes the price of every request and handshake from the budget of its address, before anything else is done."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from pasch.store.base import Store
from pasch.web import prices
from pasch.web.forward import forwarded_for
from pasch.web.limits import RateLimiter, address_key
from pasch.web.middleware import reject
from pasch.web.spending import ADDRESS, FORWARDED, TooFast, spend

#: for whoever runs the server; they have a budget of their own
MONITORING: Final = frozenset({"/healthz", "/metrics"})
#: how long a refusal is held back, in seconds: whoever asks on regardless is slowed down, and costs little
PAUSE: Final = 1.0
#: refusals of one address that are held back at once, as many as it may have connections; further ones, which come
#: through a proxy, are answered immediately
MOST_HELD: Final = 300
#: requests of one address in one turn of the event loop
PER_TURN: Final = 4


class Turnstile:
    """Lets so many requests of one address pass in one turn of the event loop; the others wait for the next turns.

    Hundreds of cheap requests that have come at the same moment are a long time in sum, and whoever else asks would
    have to wait until all of them are answered.
    """

    def __init__(self) -> None:
        #: by address: how many have passed in this turn, and who waits
        self._turns: dict[str, tuple[int, deque[asyncio.Future[None]]]] = {}

    async def pass_through(self, address: str) -> None:
        """Wait for one's turn."""
        passed, waiting = self._turns.get(address) or (0, deque())
        if passed == 0:
            asyncio.get_running_loop().call_soon(self._next_turn, address)
        if passed < PER_TURN:
            self._turns[address] = passed + 1, waiting
            return
        turn = asyncio.get_running_loop().create_future()
        waiting.append(turn)
        await turn

    def _next_turn(self, address: str) -> None:
        _, waiting = self._turns.pop(address)
        passed = 0
        while waiting and passed < PER_TURN:
            turn = waiting.popleft()
            if not turn.done():  # whoever waited may have been cancelled
                turn.set_result(None)
                passed += 1
        if passed:
            self._turns[address] = passed, waiting
            asyncio.get_running_loop().call_soon(self._next_turn, address)


class BudgetMiddleware:
    """Wraps an ASGI application."""

    def __init__(
        self,
        app: ASGIApp,
        addresses: RateLimiter,
        monitors: RateLimiter,
        store: Store,
        pause: float = PAUSE,
    ) -> None:
        self._app = app
        self._addresses = addresses
        self._monitors = monitors
        self._store = store
        self._pause = pause
        self._held: dict[str, int] = {}
        self._turnstile = Turnstile()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self._app(scope, receive, send)
        forwarded = forwarded_for(scope, self._store.secret) if scope["type"] == "websocket" else None
        client = str((scope.get("client") or ("",))[0])
        address = scope[ADDRESS] = address_key(client) if forwarded is None else forwarded
        scope[FORWARDED] = forwarded is not None
        budget = self._monitors if scope["path"] in MONITORING else self._addresses
        try:
            spend(budget, address, prices.REQUEST if scope["type"] == "http" else prices.HANDSHAKE)
        except TooFast as refusal:
            await self._hold_back(address)
            return await reject(scope, receive, send, refusal)
        await self._turnstile.pass_through(address)
        return await self._app(scope, receive, send)

    async def _hold_back(self, address: str) -> None:
        held = self._held.get(address, 0)
        if held >= MOST_HELD:
            return
        self._held[address] = held + 1
        try:
            await asyncio.sleep(self._pause)
        finally:
            self._held[address] -= 1
            if not self._held[address]:
                del self._held[address]
