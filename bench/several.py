"""Moves per second that servers on one PostgreSQL write durably: one server, then two side by side.

Each server has a load generator of its own (bench/load.py). All of them and the database share this
machine, so that with two processors two servers cannot be twice as fast as one.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec
from tools.postgres import database
from tools.serving import ServerProcess

from bench.load import Result, Task

ROOT: Final = Path(__file__).parents[1]
TABLES: Final = 200
SECONDS: Final = 8.0
#: moves a second of all tables together while delays are measured
RATE: Final = 200.0


def _measure(servers: list[ServerProcess], tables: int, seconds: float) -> list[Result]:
    """The results of loading all servers at the same time."""
    share = len(servers)
    tasks = [
        Task("pasch", server.port, server.process.pid, tables // share, RATE / share, seconds)
        for server in servers
    ]
    loads = [
        subprocess.Popen(
            [sys.executable, "-m", "bench.load", msgspec.json.encode(task).decode()],
            cwd=ROOT,
            stdout=subprocess.PIPE,
        )
        for task in tasks
    ]
    said = [load.communicate()[0] for load in loads]
    if any(load.returncode for load in loads):
        raise SystemExit("the load generator has failed")
    return [msgspec.json.decode(written, type=Result) for written in said]


def _print(results: list[Result]) -> None:
    delays = sorted(delay for result in results for delay in result.delays)
    half, most = (1000 * delays[len(delays) * share // 100] for share in (50, 99))
    moves = sum(result.moves / result.seconds for result in results)
    busy = sum(result.cpu / result.seconds for result in results)
    refused = sum(result.refused for result in results)
    said = f"  ({refused} refused)" if refused else ""
    print(f"  {len(results):>7}{moves:>10,.0f}{busy:>12.0%}{half:>10.1f}{most:>8.1f}{said}", flush=True)


def main(tables: int = TABLES, seconds: float = SECONDS) -> None:
    if not Path("/proc/self/stat").exists():
        print("Several servers on one PostgreSQL: this can be measured only on Linux")
        return
    processors = os.cpu_count()
    print(
        f"Several servers on one PostgreSQL: {tables} tables with two clients each, {processors} processors"
    )
    print(f"  saturated: durable moves per second; then delays at {RATE:.0f} moves a second, in ms")
    print(f"  {'servers':>7}{'moves/s':>10}{'their CPU':>12}{'50 %':>10}{'99 %':>8}")
    for number in (1, 2):
        with ExitStack() as stack:
            try:
                running = stack.enter_context(database("fsync=on"))
            except (RuntimeError, OSError) as problem:
                print(f"  no PostgreSQL runs here: {problem}")
                return
            folder = Path(stack.enter_context(TemporaryDirectory()))
            servers = []
            for n in range(number):
                servers.append(ServerProcess(folder / f"{n}.log", "--store", running.url))
                stack.callback(servers[-1].kill)
            _print(_measure(servers, tables, seconds))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.several")
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for each part")
    chosen = parser.parse_args()
    main(chosen.tables, chosen.seconds)
