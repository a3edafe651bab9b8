"""Prices are taken from the budget of an address; where it is spent, the request is refused."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from pasch.table.commands import Refusal
from pasch.web.limits import RateLimiter

#: the longest time that a refused client is told to wait, in seconds
LONGEST: Final = 60
#: where the scope of a request says by which address it is counted, and whether another server sent it on
ADDRESS, FORWARDED = "pasch.address", "pasch.forwarded"


class TooFast(Refusal):
    """The budget of an address is spent."""

    after = 1

    def wait(self, seconds: float) -> TooFast:
        """The same, with the time after which to try again."""
        self.after = max(1, math.ceil(min(seconds, LONGEST)))
        return self


def too_fast(seconds: float = 1) -> TooFast:
    """The refusal of a request for which there is not enough left; there will be after so many seconds."""
    return TooFast("too-fast", "too many requests; wait a little").wait(seconds)


def address_of(scope: Mapping[str, Any]) -> str:
    """The address by which a request is counted."""
    address: str = scope[ADDRESS]
    return address


def spend(addresses: RateLimiter, address: str, cost: float) -> None:
    """Take the price of something from an address's budget; TooFast if there is not enough."""
    if after := addresses.spend(address, cost):
        raise too_fast(after)
