"""Rate and size limits for connections and addresses."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

import msgspec

Clock = Callable[[], float]

#: addresses remembered; beyond that the one idle longest is forgotten
MOST_ADDRESSES: Final = 50_000


class Rate(msgspec.Struct, frozen=True):
    """So many per second on average, and so many at once."""

    second: float
    burst: float


class Limits(msgspec.Struct, frozen=True):
    """The limits of a server."""

    #: messages of one connection
    messages: Rate = Rate(20, 60)
    #: messages and requests of one address; behind it there may be a whole family or school
    address: Rate = Rate(200, 1_000)
    #: tables made from one address
    tables: Rate = Rate(0.2, 40)
    #: open connections of one address, and of all
    address_connections: int = 100
    connections: int = 10_000
    #: unsent bytes for one client before it is disconnected
    backlog: int = 1024 * 1024
    #: consecutive messages above the rate before a connection is closed
    strikes: int = 100
    #: longest body of a request, in bytes: a game to go on from, and a component file
    body: int = 4 * 1024 * 1024


class TokenBucket:
    """A token bucket: filled at a steady rate, emptied by one token per message."""

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._level = rate.burst
        self._at = now

    def take(self, now: float) -> bool:
        """Take a token; whether there was one."""
        rate = self._rate
        # a clock that jumps back must not empty the bucket
        level = self._level + max(0.0, now - self._at) * rate.second
        self._at = now
        if level > rate.burst:
            level = rate.burst
        if level < 1:
            self._level = level
            return False
        self._level = level - 1
        return True


class RateLimiter:
    """One token bucket per address."""

    def __init__(self, rate: Rate, clock: Clock = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, address: str) -> bool:
        """Take a token of this address; whether there was one."""
        now = self._clock()
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = TokenBucket(self._rate, now)
            if len(self._buckets) > MOST_ADDRESSES:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(address)
        return bucket.take(now)
