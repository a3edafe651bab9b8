"""Tables that older versions have stored are read as they were."""

from __future__ import annotations

import json
from pathlib import Path

from pasch.store.base import LogEntry, StoredTable
from pasch.table.log import LiveTable
from pasch.table.schema import StandIn

LOGS = Path(__file__).parent / "logs"


def stored(name: str) -> StoredTable:
    """A log as it was stored."""
    kept = json.loads((LOGS / f"{name}.json").read_text("utf-8"))
    entries = tuple(
        LogEntry(json.dumps(entry["body"]).encode(), entry["command"]) for entry in kept["entries"]
    )
    return StoredTable(
        kept["id"], json.dumps(kept["document"]).encode(), bytes.fromhex(kept["key"]), entries
    )


def test_a_table_made_before_stand_ins_were_agreed_on() -> None:
    live = LiveTable.load(stored("before-stand-ins"))
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
