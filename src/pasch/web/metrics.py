"""The endpoint `/metrics`, in the text format of Prometheus."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import Response

from pasch.table.lobby import Lobby
from pasch.table.metrics import REGISTRY
from pasch.web.sockets import Sockets


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
