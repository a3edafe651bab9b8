"""`make chaos`: nothing that was acknowledged is ever lost, whatever happens meanwhile.

Dozens of tables, two or three at each, against a real server. Connections are cut, late, doubled and out of
order; the server is killed with SIGKILL, and the last page of its log torn before it starts again; the disk
is full; clocks jump; some look on and never read. In the end every game must have been played to its end
by the rules, with every acknowledged command in the log once, and everybody must have seen the same.

The seed decides what is done; how it falls together with what the server is doing decides the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from tools.chaos.director import Director

#: what is printed, in this order; what else was counted follows
SAID = (
    "tables", "ended by the rules", "events", "kill", "torn", "cuts", "delays", "duplicates", "reordered",
    "said again", "full", "wall", "nap", "sleeper", "acknowledged", "lost", "twice",
)  # fmt: skip


def report(director: Director) -> str:
    """What was done, in numbers."""
    counts = director.counts
    others = [name for name in counts if name not in SAID]
    lines = [f"{name}: {counts[name]}" for name in (*SAID, *sorted(others))]
    return "\n".join([", ".join(lines), *director.problems])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.chaos")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=int, default=36, help="at the same time")
    parser.add_argument("--troubles", type=int, default=60)
    chosen = parser.parse_args()
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        director = Director(Path(folder), chosen.seed, chosen.tables, chosen.troubles)
        well = asyncio.run(director.run())
    print(f"seed {chosen.seed}, {time.monotonic() - started:.0f} seconds")
    print(report(director))
    raise SystemExit(not well)


if __name__ == "__main__":
    main()
