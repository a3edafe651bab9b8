"""Rules are written once: a rule changed in a copy is followed by everything.

`tests/rule_changes/<game>.toml` lists deliberate changes of a game's rules. Each is made in a copy of the sources;
there batches, greedy player and values have to agree with the ordinary engine again, and the games have
to be others than before. A second copy of a rule anywhere makes this fail. `make test` tries one change of each game,
`make test-all` all of them: run that after a change of rules, batches, greedy players or values.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
CHANGES = ROOT / "tests" / "rule_changes"
GAMES = sorted(path.stem for path in CHANGES.glob("*.toml"))


def changes(game: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads(CHANGES.joinpath(f"{game}.toml").read_text("utf-8"))[
        "change"
    ]
    return found


def follow(game: str, number: int, source: Path, cache_folder: Path) -> str:
    """The digest of the games that the sources below `source` play; fails if they contradict themselves."""
    done = subprocess.run(
        [sys.executable, str(CHANGES / "follow.py"), game, str(number)],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(source), str(ROOT)]),
            "PYTHONDONTWRITEBYTECODE": "1",
            "NUMBA_DISABLE_JIT": "1",
            "PASCH_CACHE": str(cache_folder),
        },
        capture_output=True,
        text=True,
        check=False,
        # a rule that makes games endless is no rule change to follow; none takes more than seconds
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.strip()


def test_every_game_has_changes() -> None:
    from pasch import all_games

    ours = {game.id for game in all_games() if game.__module__.startswith("pasch.")}
    assert set(GAMES) == ours
    for game in GAMES:
        assert len(changes(game)) >= 4, game


@pytest.mark.parametrize(
    ("game", "number"),
    [
        # the first change of each file is one that is followed quickly
        pytest.param(game, number, marks=[pytest.mark.exhaustive] if number else [])
        for game in GAMES
        for number in range(len(changes(game)))
    ],
)
def test_a_changed_rule_is_followed(game: str, number: int, tmp_path: Path) -> None:
    from tests.rule_changes.follow import changed, digest

    change = changes(game)[number]
    source = tmp_path / "src"
    ignored = shutil.ignore_patterns("__pycache__", "*.pyc", "static", "locale")
    shutil.copytree(ROOT / "src" / "pasch", source / "pasch", ignore=ignored)
    file = source / "pasch" / "games" / game / change.get("file", "rules.py")
    text = file.read_text("utf-8")
    assert text.count(change["old"]) == 1, f"{change['about']}: the text to change has to stand there once"
    file.write_text(text.replace(change["old"], change["new"]), "utf-8")
    wanted, played = changed(game, number)
    found, before = (
        follow(game, number, source, tmp_path / "tables"),
        digest(played, wanted.get("games", 3)),
    )
    assert found != before, f"{change['about']}: nothing has changed"
