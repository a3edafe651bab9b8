"""The log in a real browser: what every log promises, a worker that is killed, a storage that is full."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from playwright.sync_api import Browser

from tests.e2e.browser import NEXT_CLICK
from tests.e2e.site import ASK, LOOK, SitePerson, SiteServer
from tests.store import contract

#: starts the worker that tries the log, and waits for what it says
TRY = """contract => new Promise((done) => {
  const worker = new Worker("static/offline/log_worker.js", { type: "module" });
  worker.onmessage = ({ data }) => done(data);
  worker.onerror = (event) => done([0, event.message]);
  worker.postMessage({ contract });
})"""
#: every write fails as in a browser whose storage is full; and writes succeed again
FULL = """() => {
  const { put } = IDBObjectStore.prototype;
  const error = Object.getOwnPropertyDescriptor(IDBTransaction.prototype, "error");
  const aborted = new WeakSet();
  IDBObjectStore.prototype.put = function () {
    if (aborted.has(this.transaction)) return;
    aborted.add(this.transaction);
    this.transaction.abort();
  };
  const full = { ...error, get: () => new DOMException("full", "QuotaExceededError") };
  Object.defineProperty(IDBTransaction.prototype, "error", full);
  self.freeStorage = () => {
    IDBObjectStore.prototype.put = put;
    Object.defineProperty(IDBTransaction.prototype, "error", error);
  };
}"""
#: the worker hangs in the middle of its next write, when a row has been written and the transaction is still open
HANG = """() => {
  const put = IDBObjectStore.prototype.put;
  IDBObjectStore.prototype.put = function (...row) {
    put.apply(this, row);
    for (;;);
  };
}"""


def test_the_browsers_log_keeps_what_every_log_promises(browser: Browser, site: SiteServer) -> None:
    shutil.copy(Path(__file__).with_name("log_worker.js"), site.folder / "static" / "offline")
    person = SitePerson(browser, site)
    person.go("/")
    number, problems = person.page.evaluate(TRY, Path(contract.__file__).read_text("utf-8"))
    assert problems == "{}" and number == len(contract.PROMISES)
    person.leave()


def test_nothing_that_was_answered_is_lost(browser: Browser, site: SiteServer) -> None:
    person = SitePerson(browser, site)
    person.start()
    table = person.set_table("joker1", ("here", "here"), {"rounds": 1})
    wish = {"game": "joker1", "seats": [{"kind": "here"}]}
    page = person.page
    # storage full: nothing is acknowledged that is not written
    worker = next(one for one in page.workers if "worker.js" in one.url)
    worker.evaluate(FULL)
    status, answer = page.evaluate(ASK, ["/api/tables", {"method": "POST", "body": json.dumps(wish)}])
    assert status == 503 and "no room left on this device" in answer
    refused = page.get_by_text("no room left on this device").first
    while not refused.is_visible():
        person.step()
    worker.evaluate("self.freeStorage()")
    assert person.step()
    # killed in the middle of a write: the page is loaded again, and the last answered position is there
    person.next_click()
    after = person.boards()
    worker.evaluate(HANG)
    while page.locator(".dock[aria-busy=false]").count():
        click = page.evaluate(NEXT_CLICK, ["", ["next:stop"]])
        if click is not None:
            page.mouse.click(*click[1:])
    page.reload()
    page.locator(".dock .ask").first.wait_for()
    person.next_click()
    assert person.boards() == after
    # a new version waits until the table is left; the game continues with it
    site.publish_again()
    assert page.evaluate(LOOK) == "installed"
    assert person.step()
    # the page loads itself again; a mere change of the address behind "#" is no load
    with page.expect_event("load"):
        person.go("/")
    page.locator(".shelf").wait_for()
    assert page.evaluate("async () => !(await navigator.serviceWorker.getRegistration()).waiting")
    person.go(f"/t/{table}")
    person.play()
    person.leave()
