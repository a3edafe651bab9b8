"""One browser and one server for each file of tests; each test opens windows of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright
from tools.browser import launch

from tests.e2e.browser import Person, Server, served
from tests.e2e.site import SiteServer, served_site

Visit = Callable[..., Person]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    # no longer than a file: while Playwright runs, no other test of this process could run an event loop
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with served(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    """A site on which games are played, which takes long to write."""
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
