"""`make chaos`: fault injection, which checks that nothing acknowledged is ever lost.

Dozens of tables, two or three at each, against real servers. Connections are cut, late, doubled and out of
order; clocks jump; some clients never read. With the log in a file the server is killed with SIGKILL,
the last page of its log is torn before it starts again, its disk is full, a COMMIT or every fsync fails, and
its writer dies; a supervisor starts it again. With the log in PostgreSQL two servers are killed and paused,
and PostgreSQL is restarted, crashes, is paused, has a full disk, becomes a standby that takes no writes, and has
its clock set. In the end every game must have been played to its end by the rules, with every acknowledged
command in the log once, no refused one in it, and everybody must have seen the same.

The seed decides the faults; their timing relative to the server depends on the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from tools.chaos.deployments import DEPLOYMENTS
from tools.chaos.run import ChaosRun


def report(chaos: ChaosRun) -> str:
    """The counts of a run, as text."""
    always = {"lost": 0, "twice": 0, "denied": 0}
    listed = ", ".join(f"{name}: {count}" for name, count in sorted((always | chaos.counts).items()))
    return "\n".join([listed, *chaos.problems])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.chaos")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", choices=[*DEPLOYMENTS], action="append", help="both unless one is named")
    parser.add_argument("--tables", type=int, default=36, help="at the same time")
    parser.add_argument("--faults", type=int, default=50, help="for each log")
    chosen = parser.parse_args()
    well = True
    for name in chosen.log or DEPLOYMENTS:
        started = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            chaos = ChaosRun(DEPLOYMENTS[name], Path(folder), chosen.seed, chosen.tables, chosen.faults)
            well &= asyncio.run(chaos.run())
        print(f"{name}, seed {chosen.seed}, {time.monotonic() - started:.0f} seconds")
        print(report(chaos), flush=True)
    raise SystemExit(not well)


if __name__ == "__main__":
    main()
