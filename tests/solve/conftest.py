"""Tables of the tests go to one folder of their own, built once per test process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def cache_dir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PASCH_CACHE", str(tmp_path_factory.mktemp("tables")))
        yield
