"""Looking at a recorded game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pasch.core.chance import subkey
from pasch.core.match import Match
from pasch.core.registry import find_game
from pasch.players.arena import play_game
from pasch.players.base import player
from pasch.terminal import show
from tests.terminal.conftest import Pasch


@pytest.fixture(scope="module")
def match() -> Match:
    return play_game(find_game("joker1").agree(2, {"rounds": 1}), [player("random")] * 2, subkey(b"", "s"))


@pytest.fixture
def file(match: Match, tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_text("\n" + match.record().to_json() + "\n", "utf-8")
    return path


def test_into_a_pipe_all_events_are_printed(pasch: Pasch, file: Path, match: Match) -> None:
    done = pasch("show", file)
    assert done.exit_code == 0
    for number in range(1, len(match) + 1):
        assert f"\n{number:>4}  Player " in done.stdout
    assert pasch("show", "-", typed=file.read_bytes()).stdout == done.stdout


def test_at_begins_later(pasch: Pasch, file: Path, match: Match) -> None:
    done = pasch("show", file, "--at", "2")
    assert "\n   2  " not in done.stdout and "\n   3  " in done.stdout
    done = pasch("show", file, "--at", str(len(match) + 1))
    assert done.exit_code == 1 and f"{len(match)} events" in done.stderr


def test_a_game_that_is_not_there(pasch: Pasch, file: Path, tmp_path: Path) -> None:
    assert "there is no game 2" in pasch("show", file, "--game", "2").stderr
    done = pasch("show", tmp_path / "absent")
    assert done.exit_code == 1 and "No such file" in done.stderr and done.stderr.count("\n") == 1


def test_a_broken_record_is_shown_as_far_as_it_goes(pasch: Pasch, file: Path) -> None:
    record = json.loads(file.read_text("utf-8"))
    record["events"][2] = {"seat": 0, "roll": [1]}
    file.write_text(json.dumps(record))
    done = pasch("show", file)
    assert done.exit_code == 1
    assert "\n   2  " in done.stdout and "\n   3  " not in done.stdout
    assert done.stderr.startswith("pasch: event 3: ")
    file.write_text("{")
    assert pasch("show", file).exit_code == 1


def test_stepping_forwards_and_back(
    pasch: Pasch, file: Path, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(show, "interactive", lambda: True)
    done = pasch("show", file, "--at", "1", typed="n||p|first|p|last|n|2|9999|what|q|n")
    assert done.exit_code == 0
    asked = [line.split("/")[0] for line in done.stdout.splitlines() if f"/{len(match)}: " in line]
    last = str(len(match))
    assert asked == ["1", "2", "3", "2", "0", "0", last, last, "2", "2", "2"]
    assert "There is nothing before." in done.stdout and "There is nothing after that." in done.stdout
