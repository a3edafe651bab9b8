"""The documentation is true: its examples run, its generated pages are fresh, its links lead somewhere."""

from __future__ import annotations

import doctest
import re
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from tools import pages

from pasch import all_games
from pasch.core.registry import AnyGame

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
MODULES = sorted(
    ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)
    for path in (ROOT / "src" / "pasch").rglob("*.py")
    if ">>> " in path.read_text("utf-8")
)


@pytest.mark.slow
@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_examples_in_pages_run(path: Path) -> None:
    assert doctest.testfile(str(path), module_relative=False).failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_modules_run(name: str) -> None:
    assert doctest.testmod(import_module(name.removesuffix(".__init__"))).failed == 0


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", path.read_text("utf-8")):
        if "://" not in target:
            assert (path.parent / target).exists(), target


def test_the_readme_opens_with_a_complete_game() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    first_screen = text[: text.index("## The games")]
    assert "make play" in first_screen and "make test" in first_screen
    assert ">>> " in first_screen and "unofficial" in first_screen


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_game_pages_are_fresh(game: AnyGame) -> None:
    written = (pages.FOLDER / f"{game.id}.md").read_text("utf-8")
    assert written == pages.page(game), "run `make docs`"


def test_the_page_for_a_package_index_leads_nowhere_that_is_not_there() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert "urls" not in project, "the project has no address yet"
    text = (ROOT / project["readme"]).read_text("utf-8")
    targets = re.findall(r"\]\(([^)]+)\)|(?:src|href)=\"([^\"]+)\"", text)
    assert [target for target in targets if "://" not in "".join(target)] == []
    for extra in re.findall(r"pasch\[(\w+)\]", text):
        assert extra in project["optional-dependencies"]
