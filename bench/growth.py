"""What a move and a table cost as their number grows: 10, 100, 1,000 and 5,000 open tables, all of them played.

At each table one client has both seats, so that 5,000 tables are within the server's limit of connections. All moves
are on the disk before they are answered. `python -m bench.growth [TABLES ...]`
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path
from typing import Final

from bench.load import Task, resident
from bench.server import measure, serving

TABLES: Final = (10, 100, 1_000, 5_000)
SECONDS: Final = 5.0


def main(tables: tuple[int, ...] = TABLES) -> None:
    if not Path("/proc/self/stat").exists():
        print("The cost of many tables: CPU time and many addresses can be had only on Linux")
        return
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    print(
        "The cost of many tables, as many moves as there can be; delays in ms at one move in five seconds at each"
    )
    print(f"  {'tables':>7}{'moves/CPU-s':>13}{'moves/s':>10}{'KiB/table':>11}{'50 %':>8}{'99 %':>8}")
    for number in tables:
        with serving() as (port, process, _):
            before = resident(process)
            found = measure(Task("pasch", port, process, number, number / 5, SECONDS, clients=1))
        delays = sorted(found.delays)
        half, slow = (1000 * delays[len(delays) * share // 100] for share in (50, 99))
        each = (found.after - before) / number
        speed, rate = found.moves / found.cpu, found.moves / found.seconds
        refused = f"  ({found.refused} refused)" if found.refused else ""
        print(
            f"  {number:>7,}{speed:>13,.0f}{rate:>10,.0f}{each:>11.0f}{half:>8.1f}{slow:>8.1f}{refused}",
            flush=True,
        )


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or TABLES)
