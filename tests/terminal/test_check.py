"""`pasch check`: the conformance suite for those who write a game; and a broken game of others breaks nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pasch.core.registry import find_game, game_ids
from pasch.terminal import conformance
from pasch.terminal.conformance import PROPERTIES
from tests.terminal.conftest import Pasch


def test_a_game_is_checked(pasch: Pasch) -> None:
    done = pasch("check", "joker2")
    assert done.exit_code == 0, done.stdout
    lines = done.stdout.splitlines()
    assert sum(line.startswith("ok ") for line in lines) == len(PROPERTIES)
    assert lines[-1] == "10 sets of options and numbers of players"


@pytest.mark.parametrize(
    ("method", "said"),
    [
        ("winners", "AssertionError: assert match.state.winners()"),
        # the usual mistake in rules: nobody ended the turn
        ("moves", "the rules allow no move where a seat has to choose: joker2 1 "),
    ],
)
def test_what_does_not_hold_is_named_with_its_case(
    pasch: Pasch, monkeypatch: pytest.MonkeyPatch, method: str, said: str
) -> None:
    monkeypatch.setattr(conformance, "_whole", conformance._whole.__wrapped__)  # no game of another test
    monkeypatch.setattr(find_game("joker2").Position, method, lambda self: ())
    done = pasch("check", "joker2")
    assert done.exit_code == 1
    assert "failed  random games end and replay as they were played" in done.stdout
    assert said in done.stdout
    assert "conformance.py:" in done.stdout and "in the case joker2-1-rounds=10" in done.stdout
    assert done.stdout.count("failed") == 1, "what needs whole games is not tried"


@pytest.fixture
def broken(tmp_path: Path) -> dict[str, str]:
    """The environment of a process that finds two games of others, neither of which can be loaded."""
    for name, source in (("absent", None), ("raises", "raise RuntimeError('no\\nidea')")):
        about = tmp_path / f"{name}-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text(f"[pasch.games]\n{name} = broken_{name}\n")
        if source:
            (tmp_path / f"broken_{name}").mkdir()
            (tmp_path / f"broken_{name}" / "rules.py").write_text(source)
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}


ADAPTERS = ", ".join(f"pasch.lab.{name}" for name in ("gymnasium_env", "openspiel_games", "pettingzoo_env"))


@pytest.mark.parametrize(
    "words",
    [
        ("-m", "pasch", "games"),
        ("-m", "pasch", "rules", "lines"),
        pytest.param(("-c", f"import {ADAPTERS}"), marks=pytest.mark.slow),
    ],
)
def test_a_broken_game_of_others_is_left_out_with_one_line(
    broken: dict[str, str], words: tuple[str, ...]
) -> None:
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False, env=broken)
    assert done.returncode == 0, done.stderr
    absent, raises = sorted(line for line in done.stderr.splitlines() if line.startswith("pasch: "))
    assert absent.startswith("pasch: the game 'absent' of the package broken_absent is left out: ")
    assert raises.endswith("is left out: RuntimeError: no idea")
    assert "games" not in words or all(game in done.stdout for game in game_ids())
