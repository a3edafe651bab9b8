"""Who is connected at a table, how long the others have been away, and how often they may react."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from pasch.table.limits import Limits, RateLimiter
from pasch.table.schema import Away


class Presence:
    """Which seats have a connected client, and since when the others have none.

    Counting restarts when a table is loaded: earlier absences are not stored.
    """

    def __init__(
        self, seats: int, limits: Limits | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.limits = limits or Limits()
        self.online: frozenset[int] = frozenset()
        self._clock = clock
        self._since = [clock()] * seats
        self._reactions = RateLimiter(self.limits.reactions, clock)

    def update(self, online: Iterable[int]) -> bool:
        """Update which seats are connected; return whether that has changed."""
        before, self.online = self.online, frozenset(online)
        for seat in before - self.online:
            self.notice(seat)
        return self.online != before

    def notice(self, seat: int) -> None:
        """Count this seat's absence from now on."""
        self._since[seat] = self._clock()

    def take_reaction(self, seat: int) -> bool:
        """Whether a seat may show a reaction now; counts it if so."""
        return self._reactions.take(str(seat))

    def away(self, seat: int) -> Away | None:
        """How long a seat has had no connected client; None if it has one."""
        if seat in self.online:
            return None
        seconds = self._clock() - self._since[seat]
        if seconds >= self.limits.gone_after:
            return "gone"
        return "long" if seconds >= self.limits.lend_after else "short"

    def next_change(self, seats: Iterable[int]) -> float | None:
        """The seconds until the absence of one of these seats reaches a limit; None if it will not."""
        now, limits = self._clock(), (self.limits.lend_after, self.limits.gone_after)
        left = [
            self._since[seat] + limit - now for seat in seats if seat not in self.online for limit in limits
        ]
        return min((seconds for seconds in left if seconds > 0), default=None)
