"""Types are prepared before threads share them: msgspec crashes when two threads do that at once."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec

from pasch.core.prepare import prepare_types
from pasch.core.registry import all_games
from pasch.table import schema
from pasch.table.log import Agreement

#: opens the tables of a server; then one thread prepares the options of each game, and whenever it calls a function of
#: Python, where it may have to give way, another one reads such options
RACE = """
import asyncio, sys, threading, tomllib
from pathlib import Path
import msgspec
from pasch.core.registry import all_games, find_file
from pasch.store.sqlite import SqliteStore
from pasch.table.lobby import Lobby

async def run():
    lobby = Lobby(SqliteStore(Path(sys.argv[1])))
    await lobby.open()
    await lobby.close()

def read(kind, written):
    while turn.acquire() and not done:
        msgspec.convert(written, kind)
        back.release()

def give_way(*call):
    sys.setprofile(None)
    turn.release()
    back.acquire()
    sys.setprofile(give_way)

asyncio.run(run())
for game in all_games():
    written = {"components": tomllib.loads(find_file(game.id, "box.toml").read_text("utf-8"))}
    turn, back, done = threading.Semaphore(0), threading.Semaphore(0), []
    other = threading.Thread(target=read, args=(game.Options, written))
    other.start()
    sys.setprofile(give_way)
    msgspec.json.Decoder(game.Options)
    sys.setprofile(None)
    done.append(True)
    turn.release()
    other.join()
"""


def test_no_thread_meets_a_type_half_prepared(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", RACE, tmp_path / "log.sqlite"], check=False
    )
    assert done.returncode == 0


def structs(kind: Any) -> Iterator[type[msgspec.Struct]]:
    """The structs of which a type consists."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        yield kind
    for part in get_args(kind):
        yield from structs(part)


def test_every_type_that_threads_share_is_prepared() -> None:
    messages = {
        *structs(schema.FromBrowser),
        *structs(schema.FromServer),
        schema.NewTable,
        schema.MadeTable,
    }
    assert len(messages) > 30
    prepared = prepare_types()
    assert messages | {Agreement} <= prepared
    for game in all_games():
        assert {game.Options, game.Components, *game.events, game.Position} <= prepared, game.id
