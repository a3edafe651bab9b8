"""Two servers on one PostgreSQL: killed, paused and without their database they lose nothing, and serve each other.

`make chaos` does more of this, with more faults.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from urllib.request import urlopen

import pytest
from tools.chaos.__main__ import report
from tools.chaos.deployments import PostgresDeployment
from tools.chaos.run import ChaosRun

pytestmark = pytest.mark.slow


class TwoServers(PostgresDeployment):
    """Counts the clients of tables that the other server holds."""

    weights: Mapping[str, int] = {"cut": 1, "kill": 1, "pause": 1, "restart": 1, "crash": 1}

    async def _cut(self) -> None:
        for server in self.servers:
            with await asyncio.to_thread(urlopen, f"http://localhost:{server.port}/metrics") as answer:
                lines = answer.read().decode().splitlines()
            forwarded = [line for line in lines if line.startswith('pasch_connections{table="elsewhere"}')]
            self.counts["forwarded"] += int(float(forwarded[0].split()[1]))
        await super()._cut()


def test_nothing_is_lost_and_tables_change_hands(tmp_path: Path) -> None:
    chaos = ChaosRun(TwoServers, tmp_path, seed=1, tables=6, faults=len(TwoServers.weights))
    assert asyncio.run(chaos.run()), report(chaos)
    counts = chaos.counts
    assert counts["ended by the rules"] == counts["tables"] >= 6 and counts["acknowledged"] > 50
    assert counts["forwarded"] and counts["taken over"], report(chaos)
