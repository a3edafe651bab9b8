"""The documentation is true: its examples run, generated parts are fresh, links and named tests exist."""

from __future__ import annotations

import doctest
import hmac
import re
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from tools import pages, values

from pasch import all_games
from pasch.core.chance import derive
from pasch.core.fair import commitment, dice_key
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


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_tests_that_a_page_names_exist(path: Path) -> None:
    for file, name in re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", path.read_text("utf-8")):
        assert (ROOT / file).is_file(), file
        assert not name or f"def {name}(" in (ROOT / file).read_text("utf-8"), f"{file}::{name}"


def test_the_example_of_fair_dice_is_right() -> None:
    page = (ROOT / "docs" / "fairness.md").read_text("utf-8")
    seed = bytes(range(32))
    key = dice_key(seed, "example", ["11" * 32, None])
    for written in (seed.hex(), commitment(seed), key.hex(), hmac.digest(key, b"1/0/0", "sha256").hex()):
        assert written in page
    assert derive(key, 1, 216) == 147 and "147 = 403 to the base of 6" in page, "dice 5, 1 and 4"


@pytest.mark.slow
def test_the_values_on_their_page_are_those_of_the_solvers() -> None:
    page = values.PAGE.read_text("utf-8")
    assert values.replaced(page, costly=False) == page, "run `make docs`"


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
