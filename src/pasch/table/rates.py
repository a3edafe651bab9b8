"""Rates: so many per second on average, and so many at once."""

from __future__ import annotations

import msgspec


class Rate(msgspec.Struct, frozen=True):
    """So many per second on average, and so many at once."""

    second: float
    burst: float


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

    def level(self, now: float) -> float:
        """How many tokens there are; less than none is a debt."""
        self._fill(now)
        return self._level

    def wait(self, now: float, cost: float) -> float:
        """In how many seconds there will be so many tokens; 0 if there are."""
        self._fill(now)
        lacks = cost - self._level
        if lacks <= 0:
            return 0.0
        return lacks / self._rate.second if self._rate.second else float("inf")

    def _fill(self, now: float) -> None:
        rate = self._rate
        # a clock that jumps back must not empty the bucket
        level = self._level + max(0.0, now - self._at) * rate.second
        self._at = now
        self._level = level if level < rate.burst else rate.burst
