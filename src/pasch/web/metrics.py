"""The endpoint `/metrics`, in the text format of Prometheus."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import Final

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from pasch.table.lobby import Lobby
from pasch.table.metrics import BOUNDS, COUNTERS, Counters
from pasch.web.http import Request, Response
from pasch.web.sockets import Sockets


class Counted(Collector):
    """The counters of this process, by the names of Prometheus."""

    def __init__(self, counters: Counters) -> None:
        self._counters = counters

    def collect(self) -> Iterator[Metric]:
        counters = self._counters
        events = "Events of games that were written to the log: moves, rolls, cards."
        yield CounterMetricFamily("pasch_events", events, value=counters.events)
        refusals = CounterMetricFamily(
            "pasch_refusals", "What was refused, by the code of the refusal.", labels=["code"]
        )
        for code, number in counters.refusals.items():
            refusals.add_metric([code], number)
        yield refusals
        bounds = [*map(str, map(float, BOUNDS)), "+Inf"]
        yield HistogramMetricFamily(
            "pasch_command_seconds",
            "From a command's arrival until it is durable and answered.",
            buckets=list(zip(bounds, accumulate(counters.commands), strict=True)),
            sum_value=counters.seconds,
        )
        lost = "Tables that another server took over from this one."
        yield CounterMetricFamily("pasch_tables_lost", lost, value=counters.taken_over)


#: the counters of this process, without those of its machine
REGISTRY: Final = CollectorRegistry()
REGISTRY.register(Counted(COUNTERS))


class Gauges(Collector):
    """The gauges, read when the metrics are."""

    def __init__(self, lobby: Lobby, sockets: Sockets) -> None:
        self._lobby = lobby
        self._sockets = sockets

    def collect(self) -> Iterator[Metric]:
        lobby, sockets, backlog = self._lobby, self._sockets, self._lobby.store.backlog
        tables = GaugeMetricFamily("pasch_tables", "Tables in memory.", labels=["kind"])
        tables.add_metric(["open"], lobby.live - lobby.idle)
        tables.add_metric(["idle"], lobby.idle)
        yield tables
        connections = GaugeMetricFamily(
            "pasch_connections", "Clients connected, to tables here and of other servers.", labels=["table"]
        )
        connections.add_metric(["here"], len(sockets.here))
        connections.add_metric(["elsewhere"], sockets.forwarded)
        yield connections
        jobs = GaugeMetricFamily("pasch_waiting_jobs", "Jobs that wait for a helper.", labels=["lane"])
        for lane, number in lobby.helpers.waiting.items():
            jobs.add_metric([lane], number)
        yield jobs
        for name, explained, value in (
            ("waiting_commands", "Commands that wait for their turn at a table.", lobby.waiting),
            (
                "unsent_bytes",
                "Bytes that wait to be sent to slow clients.",
                sum(c.unsent for c in sockets.here),
            ),
            ("log_bytes", "The size of the log, without room that deleted tables left.", lobby.budget.size),
            ("log_writes", "Writes to the log that are not durable yet.", backlog.writes),
            ("log_lag_seconds", "How long the log has not answered while writes wait.", backlog.seconds),
            (
                "lease_age_seconds",
                "How long ago the lease on the tables was renewed; 0 without one.",
                lobby.lease.age,
            ),
        ):
            yield GaugeMetricFamily(f"pasch_{name}", explained, value=value)


class Metrics:
    """The endpoint `/metrics`."""

    def __init__(self, lobby: Lobby, sockets: Sockets) -> None:
        self._gauges = CollectorRegistry()
        self._gauges.register(Gauges(lobby, sockets))

    async def show(self, request: Request) -> Response:
        text = generate_latest(self._gauges) + generate_latest(REGISTRY)
        headers = {"cache-control": "no-store"}
        return Response(text, 200, headers, "text/plain; version=0.0.4; charset=utf-8")
