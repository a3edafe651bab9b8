"""The browser client as far as it needs no browser: its units, its types, its style sheets."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pasch.core.languages import languages
from pasch.core.registry import find_file, game_ids
from pasch.web.files import STATIC
from tests.web.nodejs import ROOT, TYPESCRIPT, need_typescript, node


def test_the_units_of_the_client() -> None:
    files = sorted(Path(__file__).parent.joinpath("js").glob("*.test.js"))
    ran = node("--test", *files)
    assert ran.returncode == 0, ran.stdout


@pytest.mark.slow
def test_the_client_keeps_its_types() -> None:
    need_typescript()
    checked = node(TYPESCRIPT / "bin" / "tsc", "--project", ROOT / "tsconfig.json", "--pretty", "false")
    assert checked.returncode == 0, checked.stdout


def test_every_module_is_checked() -> None:
    modules = [
        file for file in STATIC.rglob("*.js") if "vendor" not in file.parts and file.parent != STATIC
    ]
    assert len(modules) > 10
    assert [m.name for m in modules if not m.read_text("utf-8").startswith("// @ts-check\n")] == []


def test_nothing_is_asked_for_by_an_absolute_address() -> None:
    """A site may lie in any folder of its host; what builds it changes the addresses of index.html alone."""
    boards = (
        file for game in game_ids() for name in ("board.js", "board.css") if (file := find_file(game, name))
    )
    files = [*STATIC.glob("*/*.js"), *STATIC.glob("css/*.css"), *boards]
    absolute = re.compile(r"""(?:from |import\(|url\(|href: )["'`]?/(?:static|games)/""")
    assert len(files) > 80
    assert [str(file) for file in files if absolute.search(file.read_text("utf-8"))] == []


def test_what_is_said_before_a_language_is_loaded_is_said_in_all_of_them() -> None:
    page = STATIC.joinpath("index.html").read_text("utf-8")
    head, busy = page.partition("<noscript>")[::2]
    for part in (head, busy):
        assert sorted(re.findall(r'<p[^>]* lang="(\w+)"', part)) == sorted(languages())


def test_no_style_sheet_asks_the_system_for_its_colours() -> None:
    """What asks for `prefers-color-scheme` keeps the system's colours whatever is chosen; `light-dark()` does not."""
    sheets = [
        *STATIC.glob("css/*.css"),
        *filter(None, (find_file(game, "board.css") for game in game_ids())),
    ]
    assert len(sheets) > 5
    assert not [str(sheet) for sheet in sheets if "prefers-color-scheme" in sheet.read_text("utf-8")]


def test_the_lock_file_of_npm_names_no_host() -> None:
    lock = json.loads((ROOT / "package-lock.json").read_text("utf-8"))
    packages = {name: package for name, package in lock["packages"].items() if name}
    assert packages and all("integrity" in package for package in packages.values())
    assert not [name for name, package in packages.items() if "resolved" in package]
