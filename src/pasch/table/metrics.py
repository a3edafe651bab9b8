"""What is counted at the tables, for whoever runs the server. No token, name or table is in it."""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram

#: all that this process counts, and nothing of its machine
REGISTRY: Final = CollectorRegistry()

EVENTS: Final = Counter(
    "pasch_events", "Events of games that were written to the log: moves, rolls, cards.", registry=REGISTRY
)
REFUSALS: Final = Counter(
    "pasch_refusals", "What was refused, by the code of the refusal.", ["code"], registry=REGISTRY
)
LATENCY: Final = Histogram(
    "pasch_command_seconds",
    "From a command's arrival until it is durable and answered.",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
    registry=REGISTRY,
)
TAKEN_OVER: Final = Counter(
    "pasch_tables_lost", "Tables that another server took over from this one.", registry=REGISTRY
)
