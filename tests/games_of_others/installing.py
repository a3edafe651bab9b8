"""Installing a package with a game beside Pasch, without a network and without touching its environment."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from pasch.core import registry, texts
from pasch.web import answers, files

ROOT: Final = Path(__file__).parents[2]
EXAMPLES: Final = ROOT / "examples"
PIG: Final = EXAMPLES / "pig"


def install(package: Path, target: Path) -> Path:
    """Build a package and put it, with its entry points, into a folder; the folder."""
    options = ("--quiet", "--disable-pip-version-check", "--no-deps", "--no-index", "--no-build-isolation")
    command = [sys.executable, "-m", "pip", "install", *options, "--target", str(target), str(package)]
    subprocess.run(command, check=True)
    return target


def environment(site: Path) -> dict[str, str]:
    """The environment of a process that finds what was installed into a folder."""
    before = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), before] if before else [str(site)])}


@contextmanager
def beside(site: Path) -> Iterator[None]:
    """This process, and those that it starts, find what was installed into a folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", environment(site)["PYTHONPATH"])
        patch.syspath_prepend(str(site))
        _forget()
        try:
            yield
        finally:
            for name in [name for name in sys.modules if name.partition(".")[0] == "pasch_pig"]:
                del sys.modules[name]
            patch.undo()
            _forget()


def _forget() -> None:
    """Look for games anew."""
    importlib.invalidate_caches()
    for cached in (
        registry.packages,
        registry.find_game,
        registry.find_part,
        registry.find_data,
        texts.languages,
        texts.messages,
        texts.templates,
        answers.games,
        answers.rules,
        answers.catalogue,
        files.client_files,
    ):
        cached.cache_clear()
