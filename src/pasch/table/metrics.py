"""Counters for `/metrics`. They contain no token, name or table.

Every move is counted, so counting is a plain addition; names and format of Prometheus are added only when
the metrics are read. All of it belongs to the thread of the event loop.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

#: the bounds between short and long times, in seconds
BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Counters(Collector):
    """The counters of this process."""

    def __init__(self) -> None:
        #: events of games that were written to the log
        self.events = 0
        #: what was refused, by the code of the refusal
        self.refusals: Counter[str] = Counter()
        #: tables that another server took over from this one
        self.taken_over = 0
        self._took = [0] * (len(BOUNDS) + 1)
        self._seconds = 0.0

    def took(self, seconds: float) -> None:
        """Count a command that was durable and answered so many seconds after it came."""
        self._took[bisect_left(BOUNDS, seconds)] += 1
        self._seconds += seconds

    def collect(self) -> Iterator[Metric]:
        events = "Events of games that were written to the log: moves, rolls, cards."
        yield CounterMetricFamily("pasch_events", events, value=self.events)
        refusals = CounterMetricFamily(
            "pasch_refusals", "What was refused, by the code of the refusal.", labels=["code"]
        )
        for code, number in self.refusals.items():
            refusals.add_metric([code], number)
        yield refusals
        yield HistogramMetricFamily(
            "pasch_command_seconds",
            "From a command's arrival until it is durable and answered.",
            buckets=list(zip([*map(str, map(float, BOUNDS)), "+Inf"], accumulate(self._took), strict=True)),
            sum_value=self._seconds,
        )
        lost = "Tables that another server took over from this one."
        yield CounterMetricFamily("pasch_tables_lost", lost, value=self.taken_over)


COUNTERS: Final = Counters()
#: the counters of this process, without those of its machine
REGISTRY: Final = CollectorRegistry()
REGISTRY.register(COUNTERS)
