"""A site in a real browser: offline, an update with a game under way, an update that fails, friends at a server.

No engine runs here: the parts are small ones that only have to be kept.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page

from pasch.core.registry import game_ids
from pasch.web.site import compiled
from pasch.web.site.build import build
from pasch.web.site.parts import Parts, find_parts
from pasch.web.site.serve import make_server
from tests.e2e.browser import PATIENCE, Server
from tests.e2e.site import LOOK
from tests.web.site.small_parts import small_parts

#: keep the site on this device, and wait until the page has its files from there
KEEP = """async () => {
  const { ready } = await import(new URL("static/js/offline.js", document.baseURI).href);
  const told = [];
  await ready((done, total) => told.push([done, total]));
  return told;
}"""
#: the same, or that it does not come to an end
KEEP_SOON = f"""() => Promise.race([
  ({KEEP})(),
  new Promise((done) => setTimeout(() => done("for ever"), {PATIENCE})),
])"""
#: which version answers: its sites offer another box
BOXES = "async () => (await (await fetch('data/games/en.json')).json())[0].boxes?.[0]?.name ?? ''"
#: how many files are kept, and how many the version has that is served
KEPT = """async () => {
  const names = await caches.keys();
  const files = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).length));
  return files.reduce((sum, count) => sum + count, 0);
}"""
NEEDED = """async () => {
  const [site] = (await (await fetch("sw.js")).text()).split("\\n");
  return Object.keys(JSON.parse(site.slice("self.SITE = ".length, -1)).files).length;
}"""


class Web:
    """A web space below a path of its host, with a site on it that can be replaced."""

    def __init__(self, root: Path, parts: Parts) -> None:
        self.folder, self.parts = root / "games" / "pasch", parts
        self.httpd: ThreadingHTTPServer = make_server(root)
        self.address = f"http://localhost:{self.httpd.server_address[1]}/games/pasch/"
        threading.Thread(target=self.httpd.serve_forever, daemon=True).start()

    def publish(self, name: str) -> None:
        """Put a version there, which offers a box of this name."""
        boxes = {game_ids()[0]: [{"name": name, "data": {}}]}
        build(self.folder, self.parts, boxes)

    def close(self) -> None:
        self.httpd.shutdown()
        self.httpd.server_close()


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiled, "find_node", lambda: None)
        folder = tmp_path_factory.mktemp("web")
        web = Web(folder / "root", find_parts(small_parts(folder / "parts")))
        try:
            yield web
        finally:
            web.close()


@pytest.fixture
def page(browser: Browser, web: Web) -> Iterator[Page]:
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    web.publish("first")
    page.goto(web.address)
    page.locator(".games").wait_for()
    told = page.evaluate(KEEP)
    # the last messages may come when the service worker is ready already
    assert told and told[-1][0] > 0.9 * told[-1][1] and told == sorted(told), (
        "the bar grows until all is there"
    )
    yield page
    context.close()


def load(page: Page, web: Web, path: str = "") -> None:
    page.goto(f"{web.address}{path}")
    page.reload()
    page.locator("main h1").first.wait_for(state="attached")


def wait_for_version(page: Page, name: str) -> None:
    """Wait until the page has looked for a new version and taken it, with which it is loaded again."""
    for _ in range(PATIENCE // 100):
        with suppress(Error):  # the page was loaded again in the middle of this
            if page.evaluate(BOXES) == name:
                return
            page.evaluate(LOOK)
        page.wait_for_timeout(100)
    raise AssertionError(f"{name} is not taken")


def test_a_page_that_was_loaded_by_force_does_not_wait_for_the_service_worker(page: Page) -> None:
    page.context.new_cdp_session(page).send("Page.reload", {"ignoreCache": True})
    page.wait_for_function("() => !navigator.serviceWorker.controller")
    page.locator(".games").wait_for()
    assert page.evaluate(KEEP_SOON) == []


def test_a_failed_update_leaves_the_old_version_whole(page: Page, web: Web) -> None:
    web.publish("broken")
    file = web.folder / "data/games/de.json"
    whole = file.read_bytes()
    # half of a file was transferred, as while somebody uploads
    file.write_bytes(whole[: len(whole) // 2])
    assert page.evaluate(LOOK) == "redundant"
    assert page.evaluate(BOXES) == "first" and not page.locator(".update").count()
    # and the old one still opens without a network, with pages that were never opened before
    page.context.set_offline(True)
    load(page, web, "#/rules/joker1")
    assert page.locator("main h2").count() and page.evaluate(BOXES) == "first"
    # a link to a section stays on the page, whose name is behind the #
    page.locator(".contents a").last.click()
    assert page.url.endswith("#/rules/joker1") and page.locator(".contents").count()
    page.context.set_offline(False)
    # once all is there the update is taken
    file.write_bytes(whole)
    load(page, web)
    wait_for_version(page, "broken")


def test_an_update_waits_for_the_game_under_way(page: Page, web: Web) -> None:
    # a lesson is played at a table like any other
    load(page, web, "#/learn/joker1")
    page.locator(".bar").first.wait_for()
    web.publish("second")
    assert page.evaluate(LOOK) == "installed"
    assert not page.locator(".update").count(), "nobody is disturbed at a table"
    assert page.evaluate(BOXES) == "first"
    # elsewhere one is asked
    page.evaluate("location.hash = '#/rules/joker1'")
    page.locator(".update [data-key=update]").wait_for()
    assert page.evaluate(BOXES) == "first"
    with page.expect_navigation():
        page.locator(".update [data-key=update]").click()
    page.locator("main h2").first.wait_for()
    assert page.evaluate(BOXES) == "second" and not page.locator(".update").count()
    # what only the former version needed is gone
    assert page.evaluate(KEPT) == page.evaluate(NEEDED)


def test_at_the_first_page_the_update_is_taken_by_itself(page: Page, web: Web) -> None:
    web.publish("third")
    load(page, web)
    wait_for_version(page, "third")
    # with another window open it is not: somebody may play there
    other = page.context.new_page()
    other.goto(f"{web.address}#/learn/joker1")
    other.locator(".bar").first.wait_for()
    web.publish("fourth")
    assert page.evaluate(LOOK) == "installed"
    assert page.evaluate(BOXES) == "third"


#: fetch the server's site, as an installed app does
FETCH_APP = """async () => {
  const registration = await navigator.serviceWorker.register("/app/sw.js");
  const worker = registration.installing ?? registration.active;
  while (worker.state !== "activated") {
    await new Promise((done) => worker.addEventListener("statechange", done, { once: true }));
  }
}"""


def test_a_servers_app_opens_without_the_server(browser: Browser, web: Web, tmp_path: Path) -> None:
    app = build(tmp_path / "app", web.parts, server="self").folder
    server = Server(tmp_path / "data", options=["--offline", str(app)])
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    try:
        page = context.new_page()
        page.goto(server.address)
        page.locator(".games").wait_for()
        page.evaluate("navigator.serviceWorker.ready")
        server.stop()
        # nothing was installed: the page says why there is nothing
        page.goto(f"{server.address}/t/some-table")
        assert "There is no network" in page.inner_text("body")
        server.start()
        page.goto(server.address)
        page.locator(".games").wait_for()
        page.evaluate(FETCH_APP)
        server.stop()
        page.goto(f"{server.address}/rules/joker1")
        page.locator("main h2").first.wait_for()
        assert page.url == f"{server.address}/app/#/rules/joker1"
        # friends are at the server, which is this one
        page.evaluate("location.hash = '#/new/joker1'")
        page.locator("[data-key=add-link]").wait_for()
    finally:
        context.close()
        server.stop()


def test_friends_by_a_link_are_at_the_server(browser: Browser, web: Web, tmp_path: Path) -> None:
    web.publish("alone")
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    origin = web.address.removesuffix("/games/pasch/")
    server = Server(tmp_path / "data", options=["--site", origin])
    try:
        page.goto(f"{web.address}#/new/joker1")
        page.get_by_text("Friends by a link need a server").wait_for()
        assert not page.locator("[data-key=add-link]").count()

        build(web.folder, web.parts, server=server.address)
        page.goto(web.address)
        load(page, web, "#/new/joker1")
        page.locator("[data-key=add-link]").click()
        page.locator("[data-key=play]").click()
        page.wait_for_url("**/#/t/*")
        link = page.locator(".link-row input").first.input_value()
        table = page.url.rpartition("/")[2]
        assert link.startswith(f"{server.address}/t/{table}#invite=")
        # the friend opens the server's own page
        friend = context.new_page()
        friend.goto(link)
        friend.locator(".seat").first.wait_for()
    finally:
        context.close()
        server.stop()
