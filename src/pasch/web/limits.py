"""Rate and size limits for connections and addresses."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from typing import Final

import msgspec

from pasch.table.rates import Rate, TokenBucket

__all__ = ["Limits", "Rate", "RateLimiter", "TokenBucket", "address_key"]

Clock = Callable[[], float]

#: addresses remembered; beyond that the one idle longest is forgotten
MOST_ADDRESSES: Final = 50_000


class Limits(msgspec.Struct, frozen=True):
    """The limits of a server; docs/operating.md explains each of them."""

    #: what one address may cost, in milliseconds of this process's time (`pasch.web.prices`); behind it there may be
    #: a whole family or school
    address: Rate = Rate(250, 4_000)
    #: the same for `/healthz` and `/metrics`, so that nothing else keeps whoever runs the server from them
    monitoring: Rate = Rate(20, 100)
    #: messages of one WebSocket
    messages: Rate = Rate(20, 60)
    #: messages of all WebSockets of one address, so that they do not all come at the same moment; a welcome counts as
    #: `prices.WELCOME_MESSAGES`
    address_messages: Rate = Rate(200, 300)
    #: tables made from one address
    tables: Rate = Rate(0.2, 40)
    #: bytes written to the log for one address: 50 MB are more than a thousand of the longest usual games, and
    #: more than 200 MB are added every day
    log: Rate = Rate(2_500, 50 * 10**6)
    #: open WebSockets of one address
    address_websockets: int = 100
    #: open connections of all; fewer if the system allows the process fewer files. Requests beyond are refused
    connections: int = 10_000
    #: unsent bytes for one client before it is disconnected
    backlog: int = 1024 * 1024
    #: the same for all clients of one address together; then those that have read least are
    address_backlog: int = 16 * 1024 * 1024
    #: consecutive messages above the rate before a connection is closed
    strikes: int = 50
    #: longest body of a request, in bytes: a game to go on from, and a component file
    body: int = 1024 * 1024
    #: bytes of bodies of one address that are being read at once
    bodies: int = 4 * 1024 * 1024
    #: seconds for the first message over a WebSocket
    hello_seconds: float = 10.0


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


class RateLimiter:
    """One token bucket per address."""

    def __init__(self, rate: Rate, clock: Clock = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, address: str, cost: float = 1.0) -> bool:
        """Take so many tokens of this address; whether there were as many."""
        return self._bucket(address).take(self._clock(), cost)

    def spend(self, address: str, cost: float) -> float:
        """Take so many tokens of this address; 0, or in how many seconds there will be as many.

        What costs more than the bucket holds is begun when it is half full, and leaves a debt.
        """
        bucket, now = self._bucket(address), self._clock()
        wait = bucket.wait(now, min(cost, self._rate.burst / 2))
        if not wait:
            bucket.charge(now, cost)
        return wait

    def charge(self, address: str, cost: float) -> None:
        """Take so many tokens of this address for work that is done, even if that leaves a debt."""
        self._bucket(address).charge(self._clock(), cost)

    def level(self, address: str) -> float:
        """How many tokens this address has; less than none is a debt."""
        return self._bucket(address).level(self._clock())

    def _bucket(self, address: str) -> TokenBucket:
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = TokenBucket(self._rate, self._clock())
            if len(self._buckets) > MOST_ADDRESSES:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(address)
        return bucket
