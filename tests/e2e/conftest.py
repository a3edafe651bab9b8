"""One browser, one server and one site for the tests of this folder in a process; each test opens windows of its own.

They end with the last of these tests: while Playwright runs, no other test of the process could run an event loop. So
the files belong to two groups (`tests/conftest.py`), each of which runs in one process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright
from tools.browser import launch

from pasch import find_game
from pasch.solve.valuer import valuer
from tests.e2e.browser import SHORT, TIMEOUT_MILLISECONDS, Person, Server, served
from tests.e2e.site import SiteServer, served_site

Visit = Callable[..., Person]
exhaustive = pytest.mark.exhaustive
# nothing that is waited for has less time than anything else
expect.set_options(timeout=TIMEOUT_MILLISECONDS)


def each_game(*quick: str) -> pytest.MarkDecorator:
    """A test of every game: `make test` tries these, `make test-all` the others."""
    games = [game if game in quick else pytest.param(game, marks=exhaustive) for game in SHORT]
    return pytest.mark.parametrize("game", games)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    # the server's helpers, which give way to everything else, find the tables of the games that are coached here
    for game in ("joker1", "joker2"):
        valuer(find_game(game).agree(2)).prepare_points()
    with served(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    """A site on which games are played."""
    with served_site(tmp_path_factory.mktemp("site") / "pasch") as server:
        yield server


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Visit]:
    """Call it for a person at a browser; at the end it is asked what went wrong there."""
    with ExitStack() as people:

        def come(at: Server = server, **how: Any) -> Person:
            person = Person(browser, at, **how)
            people.callback(person.leave)
            return person

        yield come
