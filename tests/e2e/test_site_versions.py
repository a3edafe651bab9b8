"""A site in a real browser: offline, an update with a game under way, an update that fails, friends at a server.

No engine runs here: the parts are small ones that only have to be kept.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from pasch.web.site import build as site_build
from pasch.web.site import engine
from pasch.web.site.build import build, data_files
from pasch.web.site.engine import Parts, find_parts
from tests.e2e.browser import TIMEOUT_MILLISECONDS, Server, served
from tests.e2e.site import SiteHandler, SiteServer
from tests.web.site.small_parts import small_parts

#: keep the site on this device; wait until the page loads its files from there and has received all progress
KEEP = """async () => {
  const { ready } = await import(new URL("static/offline/install.js", document.baseURI).href);
  const reports = [];
  const complete = new Promise((done) => navigator.serviceWorker.addEventListener("message", ({ data }) => {
    if (data.done === data.total) done();
  }));
  await Promise.all([ready((...so_far) => reports.push(so_far)), complete]);
  return reports;
}"""
#: look for a new version; what became of the one that was found
LOOK = """async () => {
  const registration = await navigator.serviceWorker.getRegistration();
  await registration.update();
  const found = registration.installing ?? registration.waiting;
  if (!found) return "none";
  const changed = () => new Promise((done) => found.addEventListener("statechange", done, { once: true }));
  while (found.state === "installing") await changed();
  return found.state;
}"""
#: looks for a new version, unless the page has been loaded again
TAKEN = """() => {
  if (!window.marked) return true;
  navigator.serviceWorker.getRegistration().then((registration) => registration.update());
  return false;
}"""
#: wait until the engine's files can be fetched
READY = """async () => {
  const { ready } = await import(new URL("static/offline/install.js", document.baseURI).href);
  await ready(() => {});
  return "ready";
}"""
#: a file with values, which is kept once it was wanted
VALUES = "slow.table"
#: which version answers
NAME = "async () => await (await fetch('data/name.json')).json()"
#: how many files are kept
KEPT = """async () => {
  const names = await caches.keys();
  const files = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).length));
  return files.reduce((sum, count) => sum + count, 0);
}"""


class Web(SiteServer):
    """A site that can be replaced."""

    def __init__(self, folder: Path, parts: Parts) -> None:
        super().__init__(folder)
        self.parts = parts
        self.name = ""
        #: cleared, values are not sent
        self.sending = threading.Event()
        self._httpd.RequestHandlerClass = partial(SlowHandler, self, directory=str(folder.parent))
        self.publish("first")

    def publish(self, name: str, server: str = "") -> None:
        """Put a version of this name there."""
        named = {"data/name.json": json.dumps(name).encode()}
        with patch.object(site_build, "data_files", lambda values: data_files(values) | named):
            build(self.folder, self.parts, server, {VALUES: b"values"})
        self.name = name

    def stop(self) -> None:
        self.sending.set()
        super().stop()


class SlowHandler(SiteHandler):
    """Sends values on request."""

    def __init__(self, web: Web, *request: Any, **how: Any) -> None:
        self._web = web
        super().__init__(*request, **how)

    def send_head(self) -> Any:
        if self.path.endswith(VALUES):
            self._web.sending.wait()
        return super().send_head()


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "find_node", lambda: None)
        folder = tmp_path_factory.mktemp("web")
        web = Web(folder / "root" / "pasch", find_parts(small_parts(folder / "parts")))
        try:
            yield web
        finally:
            web.stop()


@pytest.fixture(scope="module")
def friends(web: Web, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for the tables of the site, which has a site of its own."""
    folder = tmp_path_factory.mktemp("friends")
    app = build(folder / "app", web.parts, server="self").folder
    with served(folder / "data", ["--site", web.origin, "--offline", str(app)]) as server:
        yield server


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(TIMEOUT_MILLISECONDS)
    # no engine: where its worker ends in the middle of loading, the browser keeps new versions back for minutes
    context.add_init_script("window.Worker = class { postMessage() {} terminate() {} };")
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext, web: Web) -> Page:
    """A page whose site is kept on the device."""
    page = context.new_page()
    page.goto(f"{web.address}/")
    page.locator(".shelf").wait_for()
    reports = page.evaluate(KEEP)
    assert reports and reports == sorted(reports), "the bar only grows"
    return page


def load(page: Page, web: Web, path: str = "") -> None:
    page.goto(f"{web.address}/{path}")
    page.reload()
    page.locator("main h1").first.wait_for(state="attached")


def wait_for_version(page: Page, name: str) -> None:
    """Look for a new version until the page, which was marked before, is loaded again with it."""
    # nothing is fetched meanwhile: a service worker that has something to answer is not replaced
    page.wait_for_function(TAKEN, polling=500)
    page.locator("main h1").first.wait_for(state="attached")
    assert page.evaluate(NAME) == name


def test_a_failed_update_leaves_the_old_version_whole(page: Page, web: Web) -> None:
    old = web.name
    web.publish("broken")
    # half of a file was transferred, as during an upload
    file = web.folder / "data/name.json"
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    assert page.evaluate(LOOK) == "redundant"
    assert page.evaluate(NAME) == old and not page.locator(".update").count()
    # and the old one still opens without a network, with pages that were never opened before
    page.context.set_offline(True)
    load(page, web, "#/rules/joker1")
    assert page.locator("main h2").count() and page.evaluate(NAME) == old
    # a link to a section stays on the page, whose name is behind the #
    page.locator(".contents a").last.click()
    assert page.url.endswith("#/rules/joker1") and page.locator(".contents").count()
    file.write_bytes(whole)


def test_an_update_waits_for_the_game_under_way(page: Page, web: Web) -> None:
    # a lesson is played at a table like any other
    old = web.name
    load(page, web, "#/learn/joker1")
    page.locator(".dock").first.wait_for()
    web.publish("second")
    assert page.evaluate(LOOK) == "installed"
    assert not page.locator(".update").count(), "nobody is disturbed at a table"
    assert page.evaluate(NAME) == old
    # elsewhere one is asked
    page.evaluate("location.hash = '#/rules/joker1'")
    page.locator(".update [data-key=update]").wait_for()
    assert page.evaluate(NAME) == old
    with page.expect_navigation():
        page.locator(".update [data-key=update]").click()
    page.locator("main h2").first.wait_for()
    assert page.evaluate(NAME) == "second" and not page.locator(".update").count()
    # what only the former version needed is gone
    site = (web.folder / "sw.js").read_text("utf-8").partition("\n")[0]
    assert page.evaluate(KEPT) == len(json.loads(site.removeprefix("self.SITE = ").rstrip(";"))["files"])
    # a page that was loaded by force does not wait for the service worker
    page.evaluate("location.hash = '#/'")
    page.context.new_cdp_session(page).send("Page.reload", {"ignoreCache": True})
    page.wait_for_function("() => !navigator.serviceWorker.controller")
    page.locator(".shelf").wait_for()
    assert page.evaluate(READY) == "ready"


def test_at_the_first_page_the_update_is_taken_by_itself(page: Page, web: Web) -> None:
    page.evaluate("() => { window.marked = true; }")
    web.publish("third")
    wait_for_version(page, "third")
    # with another window open it is not, since a game may be open there; the person is asked
    other = page.context.new_page()
    other.goto(f"{web.address}/#/learn/joker1")
    other.locator(".dock").first.wait_for()
    web.publish("fourth")
    assert page.evaluate(LOOK) == "installed"
    page.locator(".update [data-key=update]").wait_for()
    assert page.evaluate(NAME) == "third" and not other.locator(".update").count()


def test_who_sets_a_table_while_the_site_is_replaced_is_offered_the_new_one(
    page: Page, web: Web, friends: Server
) -> None:
    """Also when the page is loaded again, which loads the old one; in the new one friends are at the server."""
    load(page, web, "#/new/joker1")
    page.get_by_text("To invite friends by a link, you need a server").wait_for()
    assert not page.locator("[data-key=kind-link]").count()
    web.publish("friends", friends.address)
    assert page.evaluate(LOOK) == "installed"
    page.locator(".update").wait_for()
    page.reload()
    page.get_by_text("To invite friends by a link, you need a server").wait_for()
    # the old one has a request under way, and is given up all the same
    page.evaluate(f"() => {{ fetch('values/{VALUES}'); }}")
    page.locator(".update [data-key=update]").click()
    page.locator("[data-key=kind-link]").click()
    web.sending.set()
    # it is kept again
    page.wait_for_function("() => navigator.serviceWorker.controller")
    page.locator("[data-key=play]").click()
    page.wait_for_url("**/#/t/*")
    link = page.locator(".link-row input").first.input_value()
    table = page.url.rpartition("/")[2]
    assert link.startswith(f"{friends.address}/t/{table}#invite=")
    # the friend opens the server's own page
    friend = page.context.new_page()
    friend.goto(link)
    friend.locator(".room").first.wait_for()


#: fetch the server's site, as an installed app does
FETCH_APP = """async () => {
  const registration = await navigator.serviceWorker.register("/app/sw.js");
  const worker = registration.installing ?? registration.active;
  while (worker.state !== "activated") {
    await new Promise((done) => worker.addEventListener("statechange", done, { once: true }));
  }
}"""


def test_a_servers_app_opens_without_the_server(context: BrowserContext, friends: Server) -> None:
    page = context.new_page()
    page.goto(friends.address)
    page.locator(".shelf").wait_for()
    page.evaluate("navigator.serviceWorker.ready.then(() => {})")
    friends.stop()
    # nothing was installed: the page says why there is nothing
    page.goto(f"{friends.address}/t/some-table")
    page.get_by_text("There is no network").first.wait_for()
    friends.start()
    page.goto(friends.address)
    page.locator(".shelf").wait_for()
    page.evaluate(FETCH_APP)
    friends.stop()
    page.goto(f"{friends.address}/rules/joker1")
    page.locator("main h2").first.wait_for()
    assert page.url == f"{friends.address}/app/#/rules/joker1"
    # friends are at the server, which is this one
    page.evaluate("location.hash = '#/new/joker1'")
    page.locator("[data-key=kind-link]").wait_for()
