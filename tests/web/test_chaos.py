"""Short runs of `make chaos` and `make attack`: servers that are killed, paused, attacked and without their log.

Only `make test-all` has the longer ones: run it after changes to the store, the table, the server or its limits.
Nothing here depends on how fast the machine is: nothing is lost, nobody is locked out, memory, disk and log stay
within their bounds, and nothing is done for an attacker that should be refused.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.request import urlopen

import pytest
from tools.attack import run
from tools.attack.attacks import ATTACKS
from tools.attack.server import serving
from tools.attack.target import Target
from tools.chaos.__main__ import report
from tools.chaos.deployments import DEPLOYMENTS, Deployment, PostgresDeployment, SqliteDeployment
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


class OneServer(SqliteDeployment):
    """Killed at any moment; ended by itself, because the writer of its log has died."""

    weights: Mapping[str, int] = {"kill": 2, "cut": 1, "writer": 1}


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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("deployment", "own"),
    [(OneServer, ("kill", "started anew")), (TwoServers, ("forwarded", "taken over"))],
)
def test_nothing_is_lost_in_a_short_run(
    deployment: type[Deployment], own: tuple[str, ...], tmp_path: Path
) -> None:
    chaos = ChaosRun(deployment, tmp_path, seed=1, tables=4, faults=len(deployment.weights))
    assert asyncio.run(chaos.run()), report(chaos)
    counts = chaos.counts
    assert counts["ended by the rules"] == counts["tables"] >= 4 and counts["acknowledged"] > 50
    assert all(counts[kind] for kind in own), report(chaos)
    logged = "".join(log.read_text("utf-8", "replace") for log in tmp_path.glob("server*.log"))
    assert ("start Pasch again" in logged) is (deployment is OneServer)


linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs many loopback addresses")


@linux
@pytest.mark.exhaustive
def test_no_attack_stops_a_server(tmp_path: Path, record_property: Callable[[str, str], None]) -> None:
    async def attack(target: Target) -> list[run.Result]:
        return [await run.run(name, target, 0.4, short=True) for name in ATTACKS]

    with serving(tmp_path / "data") as target:
        results = asyncio.run(attack(target))
    tried = sum(result.outcome.counts.get("tried", 0) for result in results)
    most = max(result.seen.memory for result in results)
    record_property("said", f"attacks: {len(results)}, {tried} attempts, at most {most:.0f} MiB")
    assert {result.name: result.broken for result in results if result.broken} == {}
    assert tried > 0 and any(result.felt.moves for result in results)
