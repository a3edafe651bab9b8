"""Verdicts on records, and looking at them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pasch.core.match import Match
from pasch.core.record import Record
from pasch.core.registry import find_game
from tests.coach.games import play
from tests.terminal.conftest import Pasch


@pytest.fixture(scope="module")
def right() -> dict[str, Any]:
    """A right record of Würfel Joker 1."""
    match = play(find_game("joker1").agree(2, {"rounds": 1}), "random")
    record: dict[str, Any] = json.loads(match.record().to_json())
    return record


def broken(record: dict[str, Any], **changes: Any) -> str:
    return json.dumps(record | changes)


def test_several_files_are_checked_to_their_ends(
    pasch: Pasch, tmp_path: Path, right: dict[str, Any]
) -> None:
    good, bad = tmp_path / "good", tmp_path / "bad"
    good.write_text(f"{json.dumps(right)}\n\n  \n{json.dumps(right)}")
    assert pasch("verify", "-", typed=good.read_bytes()).stdout == "ok: 2 games\n"
    bad.write_text(f"{{\n{json.dumps(right)}\n{broken(right, winners=[])}\n")
    done = pasch("verify", bad, good)
    assert done.exit_code == 1 and done.stderr == ""
    first, second, third = done.stdout.splitlines()
    assert first.startswith(f"{bad}: line 1: broken JSON") and second.startswith(f"{bad}: line 3: winners")
    assert third == f"{good}: ok: 2 games"
    absent = pasch("verify", tmp_path / "absent", good)
    assert (absent.exit_code, absent.stderr) == (
        1,
        f"pasch: {tmp_path / 'absent'}: No such file or directory\n",
    )


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"\xff\xfe", "line 2: not UTF-8"),
        (b'{"format":"pasch/1","game\\ud800\\n\\u001b[2J":1}', "line 2: "),
        # what else that can be: tests/core/test_record.py
        ({"events": []}, "line 2, event 1: the record ends before the game does"),
    ],
)
def test_what_is_wrong_is_said(
    pasch: Pasch, tmp_path: Path, right: dict[str, Any], line: bytes | dict[str, Any], complaint: str
) -> None:
    file = tmp_path / "r.jsonl"
    file.write_bytes(b"\n" + (line if isinstance(line, bytes) else broken(right, **line).encode()) + b"\n")
    done = pasch("verify", file)
    assert done.exit_code == 1 and done.stderr == "" and done.stdout.count("\n") == 1
    assert done.stdout.startswith(complaint)
    as_json = json.loads(pasch("verify", "--json", file).stdout)
    assert as_json["line"] == 2 and not as_json["ok"] and done.stdout.endswith(f": {as_json['reason']}\n")


def test_a_line_too_long_is_a_verdict(
    pasch: Pasch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, right: dict[str, Any]
) -> None:
    line = json.dumps(right).encode() + b"\n"
    for module in ("core.record", "terminal.show"):
        monkeypatch.setattr(f"pasch.{module}.MAX_BYTES", len(line))
    # one that fits exactly, one far too long, one a byte too long, one more
    file = tmp_path / "r.jsonl"
    file.write_bytes(line + b"x" * 5 * len(line) + b"\n" + b" " + line + line)
    given = [json.loads(verdict) for verdict in pasch("verify", "--json", file).stdout.splitlines()]
    assert [(v["line"], v["ok"]) for v in given] == [(1, True), (2, False), (3, False), (4, True)]
    assert "longer than" in given[1]["reason"] and given[3] == {**given[0], "line": 4}


@pytest.fixture
def match(right: dict[str, Any]) -> Match:
    return Match(Record.from_json(json.dumps(right)).configured_game(), right["events"])


@pytest.fixture
def file(right: dict[str, Any], tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_text(f"\n{json.dumps(right)}\n", "utf-8")
    return path


def test_all_events_are_printed_or_those_after_a_position(pasch: Pasch, file: Path, match: Match) -> None:
    done = pasch("show", file)
    assert done.exit_code == 0
    for number in range(1, len(match) + 1):
        assert f"\n{number:>4}  Player " in done.stdout
    assert pasch("show", "-", typed=file.read_bytes()).stdout == done.stdout
    done = pasch("show", file, "--at", "2")
    assert "\n   2  " not in done.stdout and "\n   3  " in done.stdout
    assert f"\n{match.at(2).notation()}\n" in done.stdout


def test_what_is_not_there(pasch: Pasch, file: Path, match: Match) -> None:
    for arguments, said in (
        ((file, "--at", str(len(match) + 1)), f"{len(match)} events"),
        ((file, "--game", "2"), "there is no game 2"),
    ):
        done = pasch("show", *arguments)
        assert done.exit_code == 1 and said in done.stderr and done.stderr.count("\n") == 1


def test_a_broken_record_is_shown_as_far_as_it_goes(
    pasch: Pasch, file: Path, right: dict[str, Any]
) -> None:
    file.write_text(broken(right, events=[*right["events"][:2], {"seat": 0, "roll": [1]}]))
    done = pasch("show", file)
    assert done.exit_code == 1
    assert "\n   2  " in done.stdout and "\n   3  " not in done.stdout
    assert done.stderr.startswith("pasch: event 3: ")
