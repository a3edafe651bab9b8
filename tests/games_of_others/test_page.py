"""docs/adding-a-game.md is followed to the letter: its blocks make the package, its commands run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from pasch.core.texts import languages
from tests.games_of_others.installing import PIG, ROOT, beside, install
from tests.terminal.conftest import Pasch

PAGE: Final = (ROOT / "docs" / "adding-a-game.md").read_text("utf-8")


def written() -> dict[str, str]:
    """The files that the page tells to write: the blocks of each, two empty lines between them."""
    files: dict[str, str] = {}
    for name, text in re.findall(r"^```\w+ (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        files[name] = f"{files[name]}\n\n{text}" if name in files else text
    return files


def commands() -> list[list[str]]:
    return [line.split() for line in re.findall(r"^\$ (.+)$", PAGE, re.MULTILINE)]


def test_the_page_builds_the_example() -> None:
    there = {
        path.relative_to(PIG).as_posix(): path.read_text("utf-8")
        for path in PIG.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert written() == there


@pytest.mark.slow
def test_what_the_page_builds_works(tmp_path: Path, pasch: Pasch, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in written().items():
        path = tmp_path / "pig" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    first, *others = commands()
    assert first == ["pip", "install", "./pig"]
    with beside(install(tmp_path / "pig", tmp_path / "site")):
        for program, *arguments in others:
            assert program == "pasch"
            done = pasch(*arguments, typed="q")
            assert done.exit_code == 0, done.output
            assert any(said in done.output for said in ("Pig", "greedy", "ok  ")), done.output


def test_the_page_names_every_part_that_a_game_of_ours_has() -> None:
    """A part that is looked up by name but undocumented could never be guessed."""
    games = ROOT / "src" / "pasch" / "games"
    parts = {
        path.name
        for folder in games.iterdir()
        if (folder / "rules.py").exists()
        for path in folder.iterdir()
    }
    ours = {"__init__.py", "__pycache__", "research", "settling.py", "rules.py"}
    documented = set(re.findall(r"`(\w+\.\w+)`", PAGE)) | {"values"}
    # `de.md` and `de.po` stand there for every language
    documented |= {f"{language}{kind}" for language in languages() for kind in (".md", ".po")}
    assert parts - ours - documented == set()
