"""What `import pasch` offers is complete, typed and described in docs/reference.md."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path
from typing import Final

import pytest
from tools import reference

import pasch

SOURCE: Final = Path(inspect.getsourcefile(pasch) or "")


def typed() -> dict[str, str]:
    """The module of each name that is imported for those who check types."""
    homes = {}
    for node in ast.walk(ast.parse(SOURCE.read_text("utf-8"))):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for line in node.body:
                assert isinstance(line, ast.ImportFrom) and line.module is not None
                homes.update({name.name: line.module.removeprefix("pasch.") for name in line.names})
    return homes


def test_every_public_name_is_there_and_typed() -> None:
    assert set(pasch.__all__) == set(pasch._HOMES) <= set(dir(pasch))
    assert typed() == pasch._HOMES
    for name in pasch.__all__:
        assert getattr(pasch, name) is not None
    with pytest.raises(AttributeError, match="nonsense"):
        pasch.nonsense  # noqa: B018


def test_every_public_name_has_its_entry() -> None:
    entries = re.findall(r"^### (\w+)$", reference.PAGE.read_text("utf-8"), re.MULTILINE)
    assert sorted(entries) == sorted(pasch.__all__)


def test_the_page_is_fresh() -> None:
    assert reference.PAGE.read_text("utf-8") == reference.page(), "run `make docs`"


def test_everything_public_says_what_it_is() -> None:
    chapters = reference.entries(pasch._NAMES).values()
    assert [name for entries in chapters for name in reference.undocumented(entries)] == []


def test_documents_and_examples_import_from_the_front_door() -> None:
    """Other modules are named only where there is nothing to import: adapters, and what belongs to one game."""
    root = reference.ROOT
    files = [*root.glob("*.md"), *root.glob("docs/*.md"), *root.glob("examples/**/*.py")]
    for path in files:
        for home, names in re.findall(
            r"^(?:>>> )?from pasch\.(\S+) import (.+)$", path.read_text("utf-8"), re.M
        ):
            shown = [name for name in names.split(", ") if pasch._HOMES.get(name) == home]
            assert not shown, f"{path}: {shown} can be imported from pasch"
            assert home.startswith("games.") or home == "lab.pettingzoo_env", f"{path} imports pasch.{home}"
