"""Moves per second that servers on one PostgreSQL write durably: one server, then two side by side.

Every client plays at a table of its own and sends its next command as soon as the last one is answered. The
clients, the servers and the database share this machine, so that with two processors two servers cannot
be twice as fast as one.
"""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.store.database import database
from tests.store.servers import Player, Server

TABLES = 200
SECONDS = 8.0


async def _measure(servers: list[Server]) -> tuple[float, float]:
    """Accepted commands per second, and the median of how long one took, in milliseconds."""
    players = []
    for number in range(TABLES):
        # from an address of their own, as people come: the usual limits hold
        server, address = servers[number % len(servers)], f"10.0.{number // 250}.{number % 250 + 1}"
        made = server.table("here", "here", address=address, rounds=1000)
        players.append(Player([server], made["id"], [*made["seats"].values()], Random(number), address))
        players[-1].patience = None
    tasks = [asyncio.create_task(player.play()) for player in players]
    while not all(player.accepted for player in players):
        await asyncio.sleep(0.1)
    before, began = sum(len(player.accepted) for player in players), time.perf_counter()
    await asyncio.sleep(SECONDS)
    done = sum(len(player.accepted) for player in players) - before
    rate = done / (time.perf_counter() - began)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    # each client has always one command on its way
    return rate, 1000 * TABLES / rate


def main() -> None:
    print(
        f"Several servers on one PostgreSQL ({TABLES} tables, durable writes, {os.cpu_count()} processors)"
    )
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
                servers.append(Server(running.url, folder / f"{n}.log"))
                stack.callback(servers[-1].end)
            with suppress(KeyboardInterrupt):
                rate, taken = asyncio.run(_measure(servers))
                name = "1 server " if number == 1 else f"{number} servers"
                print(f"  {name} {rate:8.0f} commands/s, {taken:6.1f} ms from a command to the next")


if __name__ == "__main__":
    main()
