"""A site in a folder, and a person who plays there: no server, and no network once everything is loaded."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

from pasch.core.registry import find_game
from pasch.solve.valuer import valuer
from pasch.web.site import engine
from pasch.web.site.build import build
from pasch.web.site.engine import find_parts
from pasch.web.site.values import value_files
from tests.e2e.browser import ROOT, SHORT, Person, Server

#: follows a link as the page does
GO = """async (path) => {
  const { go } = await import(new URL("static/app/frame.js", document.baseURI).href);
  go(path);
}"""
#: asks the engine as the page does, until the answer is ready
ASK = """async ([path, init]) => {
  const { request } = await import(new URL("static/offline/engine.js", document.baseURI).href);
  for (;;) {
    const answer = await request(path, init ?? undefined);
    if (answer.status !== 202) return [answer.status, await answer.text()];
  }
}"""
#: waits until the engine has started
READY = """async () => {
  const { startEngine, watchEngine } = await import(new URL("static/offline/engine.js", document.baseURI).href);
  startEngine();
  await new Promise((done, fail) => watchEngine(({ stage }) => {
    if (stage === "ready") done();
    if (stage === "failed") fail(new Error("the engine does not start"));
  }));
}"""
#: the computers that play along
LEVELS: Final = {
    "joker1": "perfect", "joker2": "medium", "fiese15": "hard",
    "lines": "easy", "crowns": "learned", "sixbysix": "greedy",
}  # fmt: skip


class SiteHandler(SimpleHTTPRequestHandler):
    """Answers with the files of a folder, and logs nothing, also not that the browser hangs up."""

    protocol_version = "HTTP/1.1"
    # header and body are sent one after the other, without waiting for each other
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: object) -> None:
        return

    def handle(self) -> None:
        with suppress(ConnectionError):
            super().handle()


class SiteServer(Server):
    """The files of a site on this machine, below a path of their host as on most web spaces."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.parent.mkdir(parents=True, exist_ok=True)
        handler = partial(SiteHandler, directory=str(folder.parent))
        self._httpd = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self._httpd.serve_forever, daemon=True).start()

    @property
    def origin(self) -> str:
        return f"http://localhost:{self._httpd.server_address[1]}"

    @property
    def address(self) -> str:
        return f"{self.origin}/{self.folder.name}"

    def stop(self) -> None:
        self._httpd.shutdown()
        self._httpd.server_close()


@contextmanager
def served_site(folder: Path) -> Iterator[SiteServer]:
    """A new site with the values of these games, served for as long as it is needed."""
    for game, options in SHORT.items():
        values = valuer(find_game(game).agree(2, options))
        if values.plain:
            values.prepare_points()
    with pytest.MonkeyPatch.context() as patch:
        # bytecode is kept for the next run: making it takes longer than all else
        patch.setattr(engine, "cache_folder", lambda: ROOT / "build" / "test-site")
        build(folder, find_parts(), values=value_files(build=False))
    server = SiteServer(folder)
    try:
        yield server
    finally:
        server.stop()


class SitePerson(Person):
    """Somebody at a site."""

    service_workers = "allow"

    def go(self, path: str) -> Page:
        page = self.page
        if page.url.startswith(self.server.address):
            # without reloading the page; what it shows so far has gone at once
            page.evaluate(GO, path)
        else:
            page.goto(f"{self.server.address}/#{path}")
        page.locator("main h1").first.wait_for(state="attached")
        return page

    def set_table(self, *which: Any, **more: Any) -> str:
        table = super().set_table(*which, **more)
        self.close_explanation()
        return table

    @property
    def table(self) -> str:
        return urlsplit(self.page.url).fragment.rpartition("/")[2]

    def start(self) -> None:
        """Wait until the engine runs."""
        if not self.page.url.startswith(self.server.address):
            self.go("/")
        self.page.evaluate(READY)

    def go_offline(self) -> None:
        """Switch the network off."""
        self._context.set_offline(True)

    def ask(self, path: str) -> Any:
        """The engine's answer, which must not be a refusal."""
        status, text = self.page.evaluate(ASK, [path, None])
        assert status == 200, text
        return json.loads(text)
