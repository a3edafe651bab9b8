"""Rate and size limits for connections and addresses."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
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


def address_key(address: str) -> str:
    """The name under which an address is counted: itself, or for IPv6 its /64 network, which is one household."""
    try:
        read = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(read, IPv6Address):
        return str(read)
    if read.ipv4_mapped is not None:
        return str(read.ipv4_mapped)
    return f"{IPv6Address(int(read) >> 64 << 64)}/64"


class TokenBucket:
    """A token bucket: filled at a steady rate, emptied by what each message costs."""

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._level = rate.burst
        self._at = now

    def take(self, now: float, cost: float = 1.0) -> bool:
        """Take so many tokens; whether there were as many."""
        self._fill(now)
        if self._level < cost:
            return False
        self._level -= cost
        return True

    def charge(self, now: float, cost: float) -> None:
        """Take so many tokens for work that is done, even if that leaves a debt to be paid off."""
        self._fill(now)
        self._level -= cost

    def _fill(self, now: float) -> None:
        rate = self._rate
        # a clock that jumps back must not empty the bucket
        level = self._level + max(0.0, now - self._at) * rate.second
        self._at = now
        self._level = level if level < rate.burst else rate.burst


class RateLimiter:
    """One token bucket per address."""

    def __init__(self, rate: Rate, clock: Clock = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, address: str, cost: float = 1.0) -> bool:
        """Take so many tokens of this address; whether there were as many."""
        return self._bucket(address).take(self._clock(), cost)

    def charge(self, address: str, cost: float) -> None:
        """Take so many tokens of this address for work that is done, even if that leaves a debt."""
        self._bucket(address).charge(self._clock(), cost)

    def _bucket(self, address: str) -> TokenBucket:
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = TokenBucket(self._rate, self._clock())
            if len(self._buckets) > MOST_ADDRESSES:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(address)
        return bucket
