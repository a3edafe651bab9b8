"""A command line with a data folder of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pasch.cli import main

Pasch = Callable[..., Result]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data"
    monkeypatch.setenv("PASCH_DATA", str(folder))
    return folder


@pytest.fixture
def pasch(data: Path) -> Pasch:
    """Call `pasch` with arguments; `typed` are the lines that a person types, then there is no more."""

    def call(*arguments: str | Path, typed: str | bytes | None = None) -> Result:
        if isinstance(typed, str):
            typed = "".join(f"{line}\n" for line in typed.split("|"))
        return CliRunner().invoke(main, [str(argument) for argument in arguments], input=typed)

    return call
