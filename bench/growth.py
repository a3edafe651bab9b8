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
#: delay before a table's next move: an address with four tables stays within its message rate
MOVE_DELAY_SECONDS: Final = 0.03


def main(tables: tuple[int, ...] = TABLES) -> None:
    if not Path("/proc/self/stat").exists():
        print("The cost of many tables: CPU time and many addresses can be had only on Linux")
        return
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    print("The cost of many tables, with a move in 30 ms at each or at full load; memory of the server")
    print("  and its growth for each table; then delays in ms, at one move in five seconds at each table")
    heads = ("tables", "moves/CPU-s", "moves/s", "MiB", "KiB/table", "50 %", "99 %")
    print("  " + "".join(f"{head:>13}" for head in heads))
    for number in tables:
        with serving() as (port, process, _):
            before = resident(process)
            found = measure(
                Task("pasch", port, process, number, number / 5, SECONDS, 1, MOVE_DELAY_SECONDS)
            )
        delays = sorted(found.delays)
        each, mebibytes = (found.after - before) / number, found.after / 1024
        numbers = (number, found.moves / found.cpu, found.moves / found.seconds, mebibytes, each)
        waits = (1000 * delays[len(delays) * share // 100] for share in (50, 99))
        refused = f"  ({found.refused} refused)" if found.refused else ""
        written = [*(f"{one:>13,.0f}" for one in numbers), *(f"{one:>13.1f}" for one in waits), refused]
        print("  " + "".join(written), flush=True)


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or TABLES)
