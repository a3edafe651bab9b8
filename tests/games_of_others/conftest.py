"""Pig, installed beside Pasch for as long as these tests run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.games_of_others.installing import PIG, beside, install
from tests.terminal.conftest import data, pasch

__all__ = ["data", "pasch"]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(PIG, tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def pig(site: Path) -> Iterator[Path]:
    with beside(site):
        yield site
