"""Long work for requests, in threads: few at once, one at a time for each address, which pays for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, TypeVar

from pasch.web.limits import Clock, RateLimiter
from pasch.web.spending import spend, too_fast

T = TypeVar("T")

#: pieces of work at once; more would only take turns in one interpreter
MOST: Final = 2
#: pieces of work of one address, the one being done included
MOST_WAITING: Final = 8


class Workers:
    """Runs long work and charges it."""

    def __init__(self, addresses: RateLimiter, cpu: Clock) -> None:
        self._addresses = addresses
        self._cpu = cpu
        self._slots = asyncio.Semaphore(MOST)
        #: the turns of an address, and how many wait for one
        self._turns: dict[str, tuple[asyncio.Lock, int]] = {}

    async def run(
        self, address: str, price: float, work: Callable[[], T], done: Callable[[], T | None] = lambda: None
    ) -> T:
        """What the work gives; TooFast if the address cannot pay its price or has too much of it waiting.

        `done` is asked first whether somebody else has done it meanwhile. The processor time it has taken beyond
        its price is charged afterwards.
        """
        turn, waiting = self._turns.get(address) or (asyncio.Lock(), 0)
        if waiting >= MOST_WAITING:
            raise too_fast()
        spend(self._addresses, address, price)
        self._turns[address] = turn, waiting + 1
        try:
            async with turn, self._slots:
                already = done()
                if already is not None:
                    return already
                result, used = await asyncio.to_thread(self._timed, work)
            self._addresses.charge(address, max(0.0, used * 1000 - price))
            return result
        finally:
            turn, waiting = self._turns.pop(address)
            if waiting > 1:
                self._turns[address] = turn, waiting - 1

    def _timed(self, work: Callable[[], T]) -> tuple[T, float]:
        begun = self._cpu()
        return work(), self._cpu() - begun
