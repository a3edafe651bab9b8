"""Tables of values are named by the sources that their numbers follow from."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

import pasch
from pasch.core.registry import find_game, game_ids
from pasch.solve.keys import DIGESTS, source_digest
from pasch.solve.valuer import valuer


def printed(program: str, source: Path, cache: Path) -> str:
    """What a program prints with the Pasch that lies in this folder or archive."""
    environment = {**os.environ, "PYTHONPATH": str(source), "PASCH_CACHE": str(cache)}
    return subprocess.check_output([sys.executable, "-c", program], env=environment, text=True).strip()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder with a copy of Pasch."""
    ignored = shutil.ignore_patterns("__pycache__", "static", "locale")
    shutil.copytree(Path(pasch.__file__).parent, tmp_path / "src" / "pasch", ignore=ignored)
    return tmp_path / "src"


def test_the_digest_follows_rules_and_solver_and_no_texts(copy: Path, tmp_path: Path) -> None:
    program = """
from pasch.core.registry import find_game
from pasch.solve.keys import source_digest
print(source_digest(find_game("joker1")))
"""

    def digest_after_remarks(*files: str) -> str:
        for file in files:
            with (copy / "pasch" / file).open("a") as written:
                written.write("\n# another remark\n")
        return printed(program, copy, tmp_path)

    ours = source_digest(find_game("joker1"))
    assert (
        digest_after_remarks("games/joker1/terminal.py", "games/joker2/rules.py", "core/texts.py") == ours
    )
    files = ("games/joker1/rules.py", "games/joker1/box.py", "core/chance.py", "solve/graph.py")
    assert len({ours, *map(digest_after_remarks, files)}) == 5


def test_a_site_names_tables_as_the_machine_that_made_it(tmp_path: Path) -> None:
    from pasch.web.site.bundle import bundle

    archive = bundle()
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        carried = json.loads(files.read(f"pasch/solve/{DIGESTS}"))
    assert carried == {name: source_digest(find_game(name)) for name in game_ids()}
    (tmp_path / "pasch.zip").write_bytes(archive)
    program = """
from pasch.core.registry import find_game
from pasch.solve.valuer import valuer
print(*valuer(find_game("joker2")(2)).tables)
"""
    ours = " ".join(valuer(find_game("joker2")(2)).tables)
    assert printed(program, tmp_path / "pasch.zip", tmp_path) == ours


def test_a_game_that_lies_in_no_package_has_a_digest() -> None:
    game = find_game("joker1")
    typed = type("Typed", (game,), {"__module__": "__main__"})
    assert source_digest(typed) not in ("", source_digest(game))


#: the number of players, and an option on which values depend
OTHERWISE: dict[str, tuple[int, dict[str, Any]]] = {
    "crowns": (1, {"solo_minimum": 2}),
    "fiese15": (2, {"gambler": True}),
    "joker2": (2, {"five_penalty": "pushed"}),
    "lines": (2, {"plans": [2]}),
    "sixbysix": (2, {"streets": True}),
}


@pytest.mark.parametrize("name", OTHERWISE)
def test_the_tables_are_named_by_what_their_numbers_follow_from(name: str) -> None:
    players, options = OTHERWISE[name]
    game = find_game(name)
    tables, others = valuer(game.agree(players)).tables, valuer(game.agree(players, options)).tables
    assert tables and all(len(table.rpartition("-")[2]) == 20 for table in tables)
    assert set(tables) != set(others)
