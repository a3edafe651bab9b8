"""What `import pasch` offers is complete, typed and described in docs/reference.md."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from typing import Final

import pytest
from tools import reference

import pasch


def test_every_public_name_is_there() -> None:
    assert set(pasch.__all__) == set(pasch.homes()) <= set(dir(pasch))
    assert all(getattr(pasch, name) is not None for name in pasch.__all__)
    with pytest.raises(AttributeError, match="nonsense"):
        pasch.nonsense  # noqa: B018


EXPLAIN: Final = """
import inspect, pydoc, typing, pasch
for name in ["State", *pasch.__all__]:
    thing = getattr(pasch, name)
    members = [getattr(member, "fget", getattr(member, "__func__", member)) for member in vars(thing).values()] \
        if isinstance(thing, type) else []
    for one in (thing, *filter(inspect.isfunction, members)):
        pydoc.render_doc(one)
        if isinstance(one, type) or inspect.isfunction(one):
            inspect.signature(one), typing.get_type_hints(one)
pydoc.render_doc(pasch)
"""


def test_help_signatures_and_types_are_there_for_every_public_name() -> None:
    """In a process of its own: what another test has imported must not help."""
    done = subprocess.run([sys.executable, "-c", EXPLAIN], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_page_is_fresh() -> None:
    assert reference.PAGE.read_text("utf-8") == reference.page(), "run `make docs`"


def test_everything_public_says_what_it_is() -> None:
    chapters = reference.entries(reference.public_names()).values()
    assert [name for entries in chapters for name in reference.undocumented(entries)] == []


def test_documents_and_examples_import_from_the_front_door() -> None:
    """Other modules are named only where there is nothing to import: adapters, and what belongs to one game."""
    root = reference.ROOT
    files = [*root.glob("*.md"), *root.glob("docs/*.md"), *root.glob("examples/**/*.py")]
    for path in files:
        for home, names in re.findall(
            r"^(?:>>> )?from pasch\.(\S+) import (.+)$", path.read_text("utf-8"), re.M
        ):
            shown = [name for name in names.split(", ") if pasch.homes().get(name) == f"pasch.{home}"]
            assert not shown, f"{path}: {shown} can be imported from pasch"
            assert home.startswith("games.") or home == "lab.pettingzoo_env", f"{path} imports pasch.{home}"


def test_the_version_is_that_of_the_package() -> None:
    project = tomllib.loads(reference.ROOT.joinpath("pyproject.toml").read_text("utf-8"))["project"]
    assert pasch.__version__ == project["version"]
