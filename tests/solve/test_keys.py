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

import pytest

import pasch
from pasch.core.registry import find_game, game_ids
from pasch.solve.keys import DIGESTS, source_digest

PROGRAM = """
from pasch.core.registry import find_game
from pasch.solve.valuer import valuer
game = find_game("joker1")(1)
print(f"{valuer(game).points(game.start())[0]:.3f}")
"""


def printed(program: str, source: Path, cache: Path) -> str:
    """What a program prints with the Pasch that lies in this folder or archive."""
    environment = {**os.environ, "PYTHONPATH": str(source), "PASCH_CACHE": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder with a copy of Pasch."""
    ignored = shutil.ignore_patterns("__pycache__", "static", "locale")
    shutil.copytree(Path(pasch.__file__).parent, tmp_path / "src" / "pasch", ignore=ignored)
    return tmp_path / "src"


@pytest.mark.slow
def test_values_of_other_rules_are_not_taken_from_the_cache(copy: Path, tmp_path: Path) -> None:
    assert printed(PROGRAM, copy, tmp_path / "cache") == "160.771"
    rules = copy / "pasch" / "games" / "joker1" / "rules.py"
    text = rules.read_text("utf-8")
    doubled = "g.combinations[slides] << jokers if"
    assert text.count(doubled) == 1
    rules.write_text(text.replace(doubled, "g.combinations[slides] if"), "utf-8")
    assert printed(PROGRAM, copy, tmp_path / "cache") == "131.031"


def test_the_digest_follows_rules_and_solver_and_no_texts(copy: Path, tmp_path: Path) -> None:
    program = """
from pasch.core.registry import find_game
from pasch.solve.keys import source_digest
print(source_digest(find_game("joker1")))
"""
    ours, package = source_digest(find_game("joker1")), copy / "pasch"
    assert printed(program, copy, tmp_path) == ours
    for file in ("games/joker1/terminal.py", "games/joker2/rules.py", "core/texts.py"):
        with (package / file).open("a") as written:
            written.write("\n# another remark\n")
    assert printed(program, copy, tmp_path) == ours
    found = {ours}
    for file in ("games/joker1/rules.py", "games/joker1/box.py", "core/chance.py", "solve/graph.py"):
        with (package / file).open("a") as written:
            written.write("\n# another remark\n")
        digest = printed(program, copy, tmp_path)
        assert digest not in found
        found.add(digest)


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
    from pasch.solve.valuer import valuer

    ours = " ".join(valuer(find_game("joker2")(2)).tables)
    assert printed(program, tmp_path / "pasch.zip", tmp_path) == ours


def test_a_game_that_lies_in_no_package_has_a_digest() -> None:
    game = find_game("joker1")
    typed = type("Typed", (game,), {"__module__": "__main__"})
    assert source_digest(typed) not in ("", source_digest(game))
