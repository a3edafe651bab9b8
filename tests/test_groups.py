"""Tests that share what takes long to start run in one process (`tests/conftest.py`)."""

from __future__ import annotations

import pytest

from tests.conftest import group_of


@pytest.mark.parametrize("shared", ["cluster", "postgres"])
def test_what_takes_long_to_start_is_started_once(request: pytest.FixtureRequest, shared: str) -> None:
    users = [item for item in request.session.items if shared in getattr(item, "fixturenames", ())]
    assert len({group_of(item.nodeid) for item in users}) <= 1
