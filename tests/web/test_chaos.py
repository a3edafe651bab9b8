"""A short run of `make chaos`.

Only `make test-all` has the run: run it after changes to the store, the table or the server.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from tools.chaos.__main__ import report
from tools.chaos.deployments import DEPLOYMENTS
from tools.chaos.run import ChaosRun


@pytest.mark.exhaustive
@pytest.mark.parametrize(("name", "tables"), [("sqlite", 12), ("postgres", 6)])
def test_nothing_is_lost_whatever_happens(
    name: str, tables: int, tmp_path: Path, record_property: Callable[[str, str], None]
) -> None:
    deployment = DEPLOYMENTS[name]
    chaos = ChaosRun(deployment, tmp_path, seed=3, tables=tables, faults=2 * len(deployment.weights))
    well = asyncio.run(chaos.run())
    record_property("said", f"chaos, {name}: {report(chaos)}")
    assert well, report(chaos)
    counts = chaos.counts
    assert counts["lost"] == counts["twice"] == counts["denied"] == 0
    assert counts["ended by the rules"] == counts["tables"] >= tables
    own = {"sqlite": ("torn", "started anew"), "postgres": ("taken over", "refused storage")}[name]
    assert all(counts[kind] for kind in (*deployment.weights, *own, "cuts", "duplicates", "said again"))
