"""A short run of `make chaos`, and that it would find what it looks for.

Only `make test-all` has the run: whoever changes the store, the table or the server runs it.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tools.chaos.__main__ import report
from tools.chaos.clients import ChaosClient
from tools.chaos.deployments import DEPLOYMENTS, SqliteDeployment
from tools.chaos.run import ChaosRun, ChaosTable

from pasch.store.base import LogEntry, StoredTable


@pytest.mark.exhaustive
@pytest.mark.parametrize(("name", "tables"), [("sqlite", 12), ("postgres", 6)])
def test_nothing_is_lost_whatever_happens(
    name: str, tables: int, tmp_path: Path, record_property: Callable[[str, str], None]
) -> None:
    deployment = DEPLOYMENTS[name]
    chaos = ChaosRun(deployment, tmp_path, seed=3, tables=tables, faults=2 * len(deployment.weights))
    well = asyncio.run(chaos.run())
    record_property("said", f"chaos, {name}: {report(chaos)}")
    assert well, report(chaos)
    counts = chaos.counts
    assert counts["lost"] == counts["twice"] == counts["denied"] == 0
    assert counts["ended by the rules"] == counts["tables"] >= tables
    own = {"sqlite": ("torn", "started anew"), "postgres": ("taken over", "refused storage")}[name]
    assert all(counts[kind] for kind in (*deployment.weights, *own, "cuts", "duplicates", "said again"))


def client() -> ChaosClient:
    return ChaosClient("t", ["x"], None, Random(1), Counter())


def entry(version: int, body: Any = None) -> dict[str, Any]:
    return {"version": version, "kind": "event", "body": body}


def welcome(*entries: dict[str, Any], version: int) -> dict[str, Any]:
    position = {"version": version, "actor": 0}
    return {"type": "welcome", "entries": list(entries), "position": position, "table": {}, "yours": [0]}


@pytest.mark.parametrize(
    ("second", "problem"),
    [
        (welcome(entry(1, "other"), version=2), "another than it was"),
        (welcome(entry(4), version=4), "after 2 comes 4"),
        (welcome(version=1), "version 1 after 2"),
        (welcome(entry(2), entry(3), version=3), None),
    ],
)
def test_somebody_notices_what_has_changed_or_gone(second: dict[str, Any], problem: str | None) -> None:
    one = client()
    one._on_message(welcome(entry(1), entry(2), version=2))
    assert not one.problems
    one._on_message(second)
    assert (problem in one.problems[0]) if problem else not one.problems


def test_somebody_notices_a_command_that_was_done_twice() -> None:
    one = client()
    one._open = {"id": "a", "type": "roll", "version": 0}
    accepted = {"type": "accepted", "id": "a", "version": 1, "seat": None, "token": None}
    one._on_message(accepted)
    one._on_message(accepted)
    assert not one.problems and one.counts["acknowledged"] == 1
    one._on_message({**accepted, "version": 2})
    assert one.problems


def test_a_refused_copy_of_a_command_does_not_hide_the_answer_to_another() -> None:
    one = client()
    one._open, one.sent = {"id": "a", "type": "sit", "version": 0}, Counter(a=2)
    one._on_message({"type": "refused", "id": "a", "code": "storage", "version": 0})
    one._on_message({"type": "accepted", "id": "a", "version": 1, "seat": 1, "token": "t" * 32})
    assert one.tokens == ["t" * 32] and one.counts["acknowledged"] == 1


@pytest.mark.parametrize(
    ("entries", "lost", "twice", "denied"),
    [
        ([("0:a", {"x": 1}), ("0:b", {"x": 2})], 0, 0, 0),
        ([("0:a", {"x": 1})], 1, 0, 0),
        ([("0:a", {"x": 7}), ("0:b", {"x": 2})], 1, 0, 0),
        ([("0:b", {"x": 2}), ("0:a", {"x": 1})], 2, 0, 0),
        ([("0:a", {"x": 1}), ("0:b", {"x": 2}), ("0:b", {"x": 2})], 1, 1, 0),
        ([("0:a", {"x": 1}), ("0:b", {"x": 2}), ("0:c", {"x": 3})], 0, 0, 1),
        ([("0:a", {"x": 1}), ("0:b", {"x": 2}), ("0:d", {"x": 3})], 0, 0, 0),
    ],
)
def test_a_loss_is_found_in_the_log(
    entries: list[tuple[str, Any]], lost: int, twice: int, denied: int, tmp_path: Path
) -> None:
    chaos, one = ChaosRun(SqliteDeployment, tmp_path, 1, 1, 1), client()
    # both were refused, but one of them was sent again
    one.refused, one.sent = {"c", "d"}, Counter(c=1, d=2)
    for number, name in enumerate("ab"):
        command = {"id": name, "type": "move", "version": number, "event": {"x": number + 1}}
        one.done[name] = (command, number + 1)
    bodies = [(json.dumps({"kind": "event", "body": body}).encode(), name) for name, body in entries]
    stored = StoredTable("t", b"", b"", tuple(LogEntry(body, name) for body, name in bodies))
    chaos._check_acknowledged(ChaosTable({"id": "t"}, [one]), stored)
    assert [chaos.counts[kind] for kind in ("lost", "twice", "denied")] == [lost, twice, denied]
