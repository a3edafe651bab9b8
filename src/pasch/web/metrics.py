"""The endpoint `/metrics`, in the text format of Prometheus."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from pasch.table.lobby import Lobby
from pasch.table.metrics import BOUNDS, COUNTERS
from pasch.web.http import Request, Response
from pasch.web.sockets import Sockets


class Metrics(Collector):
    """The counters and gauges of this process, by the names of Prometheus, without those of its machine."""

    def __init__(self, lobby: Lobby, sockets: Sockets) -> None:
        self._lobby = lobby
        self._sockets = sockets
        self._registry = CollectorRegistry()
        self._registry.register(self)

    async def show(self, request: Request) -> Response:
        kind = "text/plain; version=0.0.4; charset=utf-8"
        headers = {"cache-control": "no-store", "content-type": kind}
        return Response(generate_latest(self._registry), 200, headers)

    def collect(self) -> Iterator[Metric]:
        lobby, sockets, store = self._lobby, self._sockets, self._lobby.store
        tables = {"open": lobby.live - lobby.idle, "idle": lobby.idle}
        clients = {"here": len(sockets.here), "elsewhere": sockets.forwarded}
        for name, explained, label, values in (
            ("tables", "Tables in memory.", "kind", tables),
            ("connections", "Clients connected, to tables here and of other servers.", "table", clients),
            ("waiting_jobs", "Jobs that wait for a helper.", "lane", lobby.helpers.waiting),
        ):
            yield _labelled(GaugeMetricFamily(f"pasch_{name}", explained, labels=[label]), values)
        unsent = sum(client.unsent for client in sockets.here)
        for name, explained, value in (
            ("unsent_bytes", "Bytes that wait to be sent to slow clients.", unsent),
            ("log_bytes", "The size of the log, without space of deleted tables.", lobby.budgets.log_size),
            ("log_writes", "Writes to the log that are not durable yet.", store.unanswered),
            ("log_lag_seconds", "How long the log has not answered while writes wait.", store.lag_seconds),
            ("lease_age_seconds", "Time since the lease was renewed; 0 without one.", lobby.lease.age),
        ):
            yield GaugeMetricFamily(f"pasch_{name}", explained, value=value)
        events = "Events of games that were written to the log: moves, rolls, cards."
        yield CounterMetricFamily("pasch_events", events, value=COUNTERS.events)
        refusals = CounterMetricFamily("pasch_refusals", "What was refused, by its code.", labels=["code"])
        yield _labelled(refusals, dict(COUNTERS.refusals))
        bounds = [*map(str, map(float, BOUNDS)), "+Inf"]
        yield HistogramMetricFamily(
            "pasch_command_seconds",
            "From a command's arrival until it is durable and answered.",
            buckets=list(zip(bounds, accumulate(COUNTERS.commands), strict=True)),
            sum_value=COUNTERS.seconds,
        )


def _labelled(
    family: GaugeMetricFamily | CounterMetricFamily, values: dict[str, int]
) -> GaugeMetricFamily | CounterMetricFamily:
    for label, value in values.items():
        family.add_metric([label], value)
    return family
