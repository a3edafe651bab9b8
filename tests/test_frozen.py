"""What older versions have written stays readable: every file in tests/frozen, which is never written again."""

from __future__ import annotations

import asyncio
import base64
import json
import shutil
from pathlib import Path
from typing import Any, Final

import pytest

from pasch.core.receipt import Receipt, fingerprint
from pasch.core.state import CHANCE
from pasch.store.base import LogEntry, Store, StoredTable
from pasch.store.browser import BrowserStore
from pasch.store.locate import open_store
from pasch.store.sqlite import SqliteStore
from pasch.store.transfer import read_log
from pasch.table.log import LiveTable
from pasch.table.schema import StandIn
from pasch.terminal.saved import SavedGame
from tests.store.rows import MemoryDatabase, Rows
from tests.terminal.conftest import Pasch, data, pasch

__all__ = ["data", "pasch"]  # fixtures

FROZEN: Final = Path(__file__).parent / "frozen"


def described(live: LiveTable) -> dict[str, Any]:
    """What a table holds, in words that do not depend on how a position is kept."""
    state, current = live.state, live.current
    moves = sorted(json.dumps(move.json(), sort_keys=True) for move in state.moves())
    return {
        "game": live.game.id,
        "players": live.game.players,
        "phase": current.phase,
        "version": live.version,
        "kinds": sorted({line.kind for line in live.lines}),
        "events": fingerprint([event.json() for event in live.events]),
        "undone": sorted(live.undone),
        "stood_in": sorted(live.stood_in),
        "seats": [
            [chair.kind, chair.name, chair.level, chair.wish, chair.ends] for chair in current.chairs
        ],
        "actor": state.actor,
        "moves": fingerprint(moves),
        "ways": state.chance().total if state.actor == CHANCE else None,
        "scores": list(state.scores()),
        "winners": list(current.winners),
        "next": current.next,
    }


def names(folder: str) -> list[str]:
    return sorted(path.name for path in FROZEN.glob(f"{folder}/*"))


@pytest.fixture(scope="module")
def kept() -> dict[str, Any]:
    """What the tables and saved games hold."""
    read: dict[str, Any] = json.loads((FROZEN / "tables.json").read_text("utf-8"))
    return read


def read_all(store: Store, tables: list[str]) -> dict[str, Any]:
    """What the tables of a log hold; there are these and no others."""

    async def read() -> dict[str, Any]:
        await store.open()
        try:
            assert list(await store.tables()) == tables
            return {table: described(LiveTable.load(await store.load(table))) for table in tables}
        finally:
            await store.close()

    return asyncio.run(read())


@pytest.mark.parametrize("name", names("records"))
def test_records(name: str, pasch: Pasch) -> None:
    path = FROZEN / "records" / name
    games = len(path.read_bytes().splitlines())
    assert games > 3 and pasch("verify", path).stdout == f"ok: {games} games\n"


@pytest.mark.parametrize("name", names("receipts"))
def test_receipts(name: str, pasch: Pasch) -> None:
    path = FROZEN / "receipts" / name
    lines = path.read_bytes().splitlines()
    done = pasch("verify", "--receipt", path, "--dice-only")
    assert done.exit_code == 0 and f"ok: {len(lines)} receipts" in done.stdout, done.output
    made = [Receipt.from_json(line) for line in lines]
    assert {one.dice for one in made} == {"pasch", "real", "simulated"}
    assert {one.ended for one in made} == {"over", "adjudicated"}


@pytest.mark.slow
@pytest.mark.parametrize("name", names("coached"))
def test_receipts_made_before_an_option_existed(name: str, pasch: Pasch) -> None:
    """They lack `first_six`, `five_dice` and `plan_choice`, and have the coach's figures."""
    done = pasch("verify", "--receipt", FROZEN / "coached" / name)
    assert done.exit_code == 0 and "the coach's numbers are right" in done.stdout


@pytest.mark.parametrize("name", names("saved"))
def test_saved_games(name: str, kept: dict[str, Any]) -> None:
    saved = SavedGame.load(FROZEN / "saved" / name)
    events = [event.json() for event in saved.match.events]
    held = {"events": events, "actor": saved.state.actor, "scores": list(saved.state.scores())}
    assert held == kept["saved"][name]


def test_a_log(tmp_path: Path, kept: dict[str, Any]) -> None:
    path = tmp_path / "log.sqlite"
    shutil.copy(FROZEN / "log.sqlite", path)
    assert read_all(SqliteStore(path), list(kept["log"])) == kept["log"]


def test_a_backup(tmp_path: Path, pasch: Pasch, kept: dict[str, Any]) -> None:
    folder = tmp_path / "restored"
    done = pasch("restore", FROZEN / "backup.sqlite", "--data", folder)
    assert done.exit_code == 0, done.output
    assert read_all(open_store(folder), list(kept["log"])) == kept["log"]


def test_a_browsers_log(kept: dict[str, Any]) -> None:
    rows = Rows()
    written = json.loads((FROZEN / "browser.json").read_text("utf-8"))
    rows.kept = {key: base64.b64decode(value) for key, value in written.items()}
    assert read_all(BrowserStore(MemoryDatabase(rows)), list(kept["browser"])) == kept["browser"]


def test_the_games_that_a_browser_saved(kept: dict[str, Any]) -> None:
    tables, note = read_log(FROZEN / "device.sqlite")
    assert note == "a note of the page"
    assert {table.id: described(LiveTable.load(table)) for table in tables} == kept["browser"]


def test_a_table_made_before_there_were_levels_of_stand_ins() -> None:
    old = json.loads((FROZEN / "before-stand-ins.json").read_text("utf-8"))
    entries = tuple(LogEntry(json.dumps(one["body"]).encode(), one["command"]) for one in old["entries"])
    document, key = json.dumps(old["document"]).encode(), bytes.fromhex(old["key"])
    live = LiveTable.load(StoredTable(old["id"], document, key, entries))
    info = live.info(live.presence)
    assert (live.version, live.current.phase, info.stand_in, info.coach) == (18, "playing", "hard", "after")
    ada, eve = info.seats
    assert (ada.name, ada.kind, ada.wish, ada.ends, ada.stand_in) == ("Ada", "here", "hints", False, None)
    # what she wished for holds, and what the computer did for her is known
    assert (eve.name, eve.kind, eve.lent, eve.level, eve.wish) == (
        "Eve",
        "computer",
        True,
        "greedy",
        "moves",
    )
    assert eve.stand_in == StandIn(since=10, moves=5, absent=False)
    assert live.stood_in == {12, 13, 15, 16, 18}
