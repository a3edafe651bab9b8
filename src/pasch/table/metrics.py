"""Counters of this process, which `pasch.web.metrics` shows at `/metrics`. They contain no token, name or table.

Every move is counted, so counting is a plain addition. All of it belongs to the thread of the event loop.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import Final

#: the bounds between short and long times, in seconds
BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Counters:
    """The counters of this process."""

    def __init__(self) -> None:
        #: events of games that were written to the log
        self.events = 0
        #: refusals by their code
        self.refusals: Counter[str] = Counter()
        #: the number of commands by duration, up to each of the bounds and beyond; and the sum of their durations
        self.commands = [0] * (len(BOUNDS) + 1)
        self.seconds = 0.0

    def took(self, seconds: float) -> None:
        """Count a command that was durable and answered after this many seconds."""
        self.commands[bisect_left(BOUNDS, seconds)] += 1
        self.seconds += seconds


COUNTERS: Final = Counters()
