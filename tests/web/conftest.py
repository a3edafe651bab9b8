"""A server for each test that wants one, and its clock."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.web.asgi import Browser, Clock, server


@pytest.fixture
def clock() -> Clock:
    """The monotonic clock of the server, which only the test moves."""
    return Clock()


@pytest.fixture
def wall() -> Clock:
    """The date and time of the server, which only the test moves."""
    return Clock()


@pytest.fixture
async def browser(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Browser]:
    """A browser at a server of its own, which has the settings of the mark `settings`."""
    mark = request.node.get_closest_marker("settings")
    settings = dict(mark.kwargs) if mark else {}
    for name, setting in (("clock", "monotonic"), ("wall", "wall")):
        if name in request.fixturenames:
            settings[setting] = request.getfixturevalue(name)
    async with server(tmp_path, **settings) as browser:
        yield browser
