"""Verdicts on records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pasch.core.chance import subkey
from pasch.core.registry import find_game
from pasch.players.arena import play_game
from pasch.players.base import player
from tests.terminal.conftest import Pasch


@pytest.fixture(scope="module")
def right() -> dict[str, Any]:
    """A right record of Würfel Joker 1."""
    match = play_game(find_game("joker1").agree(2, {"rounds": 1}), [player("random")] * 2, subkey(b"", "v"))
    record: dict[str, Any] = json.loads(match.record().to_json())
    return record


def broken(record: dict[str, Any], **changes: Any) -> str:
    return json.dumps(record | changes)


def test_right_records(pasch: Pasch, tmp_path: Path, right: dict[str, Any]) -> None:
    file = tmp_path / "r.jsonl"
    file.write_text(f"{json.dumps(right)}\n\n  \n{json.dumps(right)}")
    done = pasch("verify", file)
    assert (done.exit_code, done.stdout, done.stderr) == (0, "ok: 2 games\n", "")
    assert pasch("verify", "-", typed=file.read_bytes()).stdout == "ok: 2 games\n"


def test_several_files_carry_their_names(pasch: Pasch, tmp_path: Path, right: dict[str, Any]) -> None:
    good, bad, absent = (tmp_path / name for name in ("good", "bad", "absent"))
    good.write_text(json.dumps(right))
    bad.write_text("{")
    done = pasch("verify", bad, absent, good)
    assert done.exit_code == 1
    first, second = done.stdout.splitlines()
    assert first.startswith(f"{bad}: line 1: broken JSON")
    assert second == f"{good}: ok: 1 games"
    assert done.stderr == f"pasch: {absent}: No such file or directory\n"


def verdict(pasch: Pasch, tmp_path: Path, line: str | bytes) -> str:
    """The one complaint about the second line of a file."""
    file = tmp_path / "r.jsonl"
    file.write_bytes(b"\n" + (line if isinstance(line, bytes) else line.encode()) + b"\n")
    done = pasch("verify", file)
    assert done.exit_code == 1 and done.stderr == "" and done.stdout.count("\n") == 1
    as_json = json.loads(pasch("verify", "--json", file).stdout)
    assert set(as_json) == {"line", "ok", "event", "reason"}
    assert (as_json["line"], as_json["ok"]) == (2, False)
    place = "line 2" if as_json["event"] is None else f"line 2, event {as_json['event']}"
    assert done.stdout == f"{place}: {as_json['reason']}\n"
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"\xff\xfe", "line 2: not UTF-8"),
        (b'{"format":"pasch/1","game\\ud800\\n\\u001b[2J":1}', "line 2: "),
        (b"{}", "line 2: format"),
    ],
)
def test_what_is_no_record(pasch: Pasch, tmp_path: Path, line: bytes, complaint: str) -> None:
    assert verdict(pasch, tmp_path, line).startswith(complaint)


def test_what_is_wrong_is_said(pasch: Pasch, tmp_path: Path, right: dict[str, Any]) -> None:
    """What that can be: tests/core/test_record.py."""
    said = verdict(pasch, tmp_path, broken(right, scores=[1, 999]))
    assert said.startswith("line 2: scores: written [1, 999]")
    said = verdict(pasch, tmp_path, broken(right, events=[]))
    assert said.startswith("line 2, event 1: the record ends before the game does")


def test_it_goes_on_after_a_bad_record(pasch: Pasch, tmp_path: Path, right: dict[str, Any]) -> None:
    file = tmp_path / "r.jsonl"
    file.write_text(f"{{\n{json.dumps(right)}\n{broken(right, winners=[])}\n")
    done = pasch("verify", file)
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == ["line 1", "line 3"]
    lines = [json.loads(line) for line in pasch("verify", "--json", file).stdout.splitlines()]
    assert [line["ok"] for line in lines] == [False, True, False]
    assert lines[1] == {"line": 2, "ok": True, "event": None, "reason": None}


def test_a_line_too_long_is_a_verdict(
    pasch: Pasch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, right: dict[str, Any]
) -> None:
    line = json.dumps(right).encode() + b"\n"
    monkeypatch.setattr("pasch.terminal.show.MAX_LINE_BYTES", len(line))
    # one that fits exactly, one far too long, one a byte too long, one more
    file = tmp_path / "r.jsonl"
    file.write_bytes(line + b"x" * 5 * len(line) + b"\n" + b" " + line + line)
    given = [json.loads(verdict) for verdict in pasch("verify", "--json", file).stdout.splitlines()]
    assert [(v["line"], v["ok"]) for v in given] == [(1, True), (2, False), (3, False), (4, True)]
    assert "longer than" in given[1]["reason"]


def test_unreadable_files_are_one_line(pasch: Pasch, tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "absent"):
        done = pasch("verify", path)
        assert done.exit_code == 1 and done.stdout == "" and done.stderr.count("\n") == 1
