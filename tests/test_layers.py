"""Imports point downwards only, and the door is light."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "pasch"

#: each room and the rooms below it, which it may import from
BELOW = {
    "core": set(),
    "games": {"core"},
    "solve": {"core", "games"},
    "players": {"core", "games", "solve"},
    "coach": {"core", "games", "solve"},
    "store": {"core"},
    "table": {"core", "games", "solve", "players", "coach", "store"},
    "web": {"core", "games", "solve", "players", "coach", "store", "table"},
    "lab": {"core", "games", "solve", "players", "coach"},
    "terminal": {"core", "games", "solve", "players", "coach", "lab"},
}

MODULES = sorted(SOURCE.rglob("*.py"))


def imported(path: Path) -> set[str]:
    """The rooms of Pasch that a module imports from, and other packages by name."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide where they point"
            found.add(node.module or "")
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_downwards(path: Path) -> None:
    room = path.relative_to(SOURCE).parts[0]
    if room.endswith(".py"):
        return
    for name in imported(path):
        if name.startswith("pasch."):
            other = name.split(".")[1]
            assert other == room or other in BELOW[room], f"{room} must not import {name}"
        assert name != "pasch", "import from the room, not from the front door"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_files_stay_short_and_explain_themselves(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= 520
    assert ast.get_docstring(ast.parse(text)), "every module says what it is"


def test_rules_and_help_import_no_compiler() -> None:
    script = (
        "import sys, pasch, pasch.cli; [pasch.find_game(g) for g in pasch.game_ids()];"
        "print(*{'numba', 'numpy', 'rich'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
