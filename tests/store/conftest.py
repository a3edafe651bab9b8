"""The PostgreSQL that the tests of the log share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tools.postgres import Database, database


@pytest.fixture(scope="session")
def postgres() -> Iterator[Database]:
    with database() as running:
        yield running
