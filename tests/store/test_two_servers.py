"""Two real servers on one real database: killed, paused, and the database restarted; nothing is lost."""

from __future__ import annotations

import asyncio
import json
import signal
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

from tools.postgres import Database

from pasch.store.base import StoredTable
from pasch.store.locate import open_store
from tests.store.servers import Player, Server
from tests.store.test_contract import in_schema

#: how long a server that was killed keeps its tables, in seconds: short, so that nobody waits for it here
LEASE = 1.0
#: far more than a lease, and an end to a test that would otherwise hang
PATIENCE = 45.0


class Play:
    """Players at tables of several servers."""

    def __init__(self, start: Callable[[int], Server]) -> None:
        #: start one more
        self.start = start
        self.servers = [start(0), start(1)]
        self.players: list[Player] = []

    def seat(self, made: Any, number: int, *tokens: str) -> Player:
        player = Player(self.servers, made["id"], list(tokens), Random(f"{number}"))
        self.players.append(player)
        return player

    def tables(self, number: int) -> None:
        """Tables for two, made at one server after the other, each person with their own connection."""
        for table in range(number):
            made = self.servers[table % len(self.servers)].table("here", "here", rounds=1000)
            for seat, token in made["seats"].items():
                self.seat(made, 10 * table + int(seat), token)

    @asynccontextmanager
    async def on(self) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(player.play()) for player in self.players]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(end, asyncio.CancelledError) for end in ended), ended

    async def all_get_on(self, by: int = 4) -> None:
        """Wait until at every table some more commands have been accepted."""
        before = Counter({player.table: 0 for player in self.players})
        before.update(self._accepted())
        async with asyncio.timeout(PATIENCE):
            while any(self._accepted()[table] < count + by for table, count in before.items()):
                await asyncio.sleep(0.05)

    def _accepted(self) -> Counter[str]:
        return Counter(player.table for player in self.players for _ in player.accepted)

    async def check(self, store: str) -> int:
        """All that was told is in the log, once; how many commands were accepted."""
        log = open_store(store, reading=True)
        await log.open()
        stored = {player.table: await log.load(player.table) for player in self.players}
        await log.close()
        for player in self.players:
            self._check_player(player, stored[player.table])
        return sum(self._accepted().values())

    def _check_player(self, player: Player, stored: StoredTable) -> None:
        commands = [entry.command and entry.command.partition(":")[2] for entry in stored.entries]
        assert max(Counter(filter(None, commands)).values()) == 1, "done twice"
        for command, version in player.accepted.items():
            assert commands[version - 1] == command, "accepted, but lost"
        for version, entry in player.log.items():
            written = json.loads(stored.entries[version - 1].body)
            assert written["kind"] == entry["kind"]
            assert entry["kind"] != "event" or written["body"] == entry["body"]


def run_with(store: str, folder: Path, do: Callable[[Play], Any], lease: float | None = LEASE) -> None:
    """Two servers on one log."""
    with ExitStack() as stack:

        def start(number: int) -> Server:
            server = Server(store, folder / f"server-{number}.log", lease)
            stack.callback(server.end)
            return server

        asyncio.run(do(Play(start)))


def test_a_killed_server_loses_nothing_and_the_other_goes_on(postgres: Database, tmp_path: Path) -> None:
    store = in_schema(postgres, tmp_path)._url

    async def run(play: Play) -> None:
        first, second = play.servers
        play.tables(4)
        # nobody looks at this one: it stands still until somebody does, wherever that is
        alone = first.table("greedy", "random", rounds=150)
        async with play.on():
            await play.all_get_on()
            play.servers.remove(first)
            first.end()
            await play.all_get_on()
            third = play.start(2)
            play.servers.append(third)
            await play.all_get_on()
            play.servers.remove(second)
            second.end()
            await play.all_get_on()
            watcher = Player(play.servers, alone["id"], [alone["watch"]], Random(0))
            following = asyncio.create_task(watcher.play())
            async with asyncio.timeout(PATIENCE):
                while not watcher._position or watcher._position["actor"] != -2:
                    await asyncio.sleep(0.05)
            following.cancel()
        assert await play.check(store) > 50
        assert third.ask(f"/api/tables/{alone['id']}/record")["format"] == "pasch/1"

    run_with(store, tmp_path, run)


def test_a_paused_server_that_comes_back_cannot_write(postgres: Database, tmp_path: Path) -> None:
    store = in_schema(postgres, tmp_path)._url

    async def run(play: Play) -> None:
        first, second = play.servers
        made = first.table("here", "here", rounds=1000)
        both = play.seat(made, 0, *made["seats"].values())
        both.servers, both.patience = [first], 1.0
        async with play.on():
            await play.all_get_on()
            # in the middle of play, with commands on their way to it
            first.send(signal.SIGSTOP)
            both.servers = [second]
            await play.all_get_on()
            first.send(signal.SIGCONT)
            await play.all_get_on()
            # whoever asks the first one now is passed on to the second
            both.servers, breaks = [first], both.breaks
            second.send(signal.SIGTERM)
            await asyncio.to_thread(second.process.wait, 30)
            await play.all_get_on()
            assert both.breaks > breaks
        assert await play.check(store) > 10
        said = [json.loads(line) for line in first.log.read_text().splitlines()]
        # it was told by the log, when it wanted to write or when it renewed
        assert any("taken" in line.get("problem", "") or "too late" in line["what"] for line in said), said

    run_with(store, tmp_path, run)


def test_restarting_the_database_makes_players_wait_and_lose_nothing(
    postgres: Database, tmp_path: Path
) -> None:
    store = in_schema(postgres, tmp_path)._url

    async def run(play: Play) -> None:
        play.tables(2)
        async with play.on():
            for sign in (signal.SIGINT, signal.SIGQUIT):
                await play.all_get_on()
                await asyncio.to_thread(postgres.stop, sign)
                await asyncio.sleep(0.3)
                await asyncio.to_thread(postgres.start)
            await play.all_get_on()
        assert await play.check(store) > 10
        assert all(server.process.poll() is None for server in play.servers)
        assert play.servers[0].ask("/healthz")["status"] == "ok"

    try:
        run_with(store, tmp_path, run)
    finally:
        postgres.start()


def test_a_table_of_another_server_is_served_through_this_one(postgres: Database, tmp_path: Path) -> None:
    store = in_schema(postgres, tmp_path)._url

    async def run(play: Play) -> None:
        first, second = play.servers
        made = first.table("here", "here", rounds=1)
        here, there = (play.seat(made, n, token) for n, token in enumerate(made["seats"].values()))
        here.servers, there.servers = [first], [second]
        async with play.on(), asyncio.timeout(PATIENCE):
            while 'pasch_connections{table="elsewhere"} 1.0' not in second.ask("/metrics"):
                await asyncio.sleep(0.05)
            while any(not p._position or p._position["actor"] != -2 for p in (here, there)):
                await asyncio.sleep(0.05)
            # each sees that the other is there, and the same game
            assert here.log == there.log and here.breaks == there.breaks == 0
            records = [server.ask(f"/api/tables/{made['id']}/record") for server in (first, second)]
            assert records[0] == records[1]
        assert all("lease" not in server.log.read_text() for server in play.servers)

    # however busy the machine is, nobody may lose a table meanwhile
    run_with(store, tmp_path, run, lease=None)
