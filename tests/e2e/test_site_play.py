"""A site in a real browser, without a network: every game, two tabs, taking the games elsewhere, and its log."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, expect

from pasch.cli import main
from pasch.coach.report import report
from pasch.core.record import Record
from pasch.core.registry import find_game
from pasch.solve.valuer import valuer
from tests.e2e.browser import NEXT_CLICK, SHORT, WRITTEN
from tests.e2e.conftest import each_game
from tests.e2e.site import ASK, LEVELS, SitePerson, SiteServer
from tests.store import contract

#: a worker that waits a second for the tab that has the tables, instead of many
SHORT_TIMEOUTS = """() => {
  const { setTimeout } = self;
  self.setTimeout = (call, pause = 0) => setTimeout(call, Math.min(pause, 1000));
}"""
#: what is written on the boards, without what can be touched now
BARE = f"() => ({WRITTEN.strip()})().map((words) => words.replace(/: (not )?possible now$/, ''))"


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


@pytest.fixture(scope="module")
def person(browser: Browser, site: SiteServer) -> Iterator[SitePerson]:
    """Somebody who has loaded the site, and has been offline since."""
    person = SitePerson(browser, site)
    person.start()
    person.page.evaluate("navigator.serviceWorker.ready.then(() => {})")
    for game, options in SHORT.items():
        if valuer(find_game(game).agree(2, options)).plain:
            # a computer that knows the values makes the first move
            person.set_table(game, ("perfect", "here"), options)
            person.next_click()
    person.go_offline()
    yield person
    person.leave()


# one with values and one without
@each_game("joker1", "sixbysix")
def test_every_game_is_played_to_its_end_without_a_network(
    game: str, person: SitePerson, tmp_path: Path
) -> None:
    options = SHORT[game]
    seats = ("here",) if game == "fiese15" else ("here", LEVELS[game])
    table = person.set_table(game, seats, options)
    assert person.step()
    # in the middle of a move the page is loaded again
    person.page.reload()
    person.page.locator(".dock .ask").first.wait_for()
    person.play()
    record = person.ask(f"/api/tables/{table}/record")
    assert record["game"] == game and person.scores() == record["scores"]
    receipt = person.ask(f"/api/tables/{table}/receipt?coach=no")
    files = tmp_path / "record.json", tmp_path / "receipt.json"
    for file, what in zip(files, (record, receipt), strict=True):
        file.write_text(json.dumps(what))
    done = CliRunner().invoke(main, ["verify", str(files[0]), "--receipt", str(files[1])])
    assert done.exit_code == 0, done.output
    if valuer(find_game(game).agree(len(seats), options)).plain:
        made = report(Record.from_json(json.dumps(record)))
        answer = msgspec.json.encode(person.ask(f"/api/tables/{table}/report"))
        assert answer == msgspec.json.encode(msgspec.to_builtins(made))
    else:
        status, _ = person.page.evaluate(ASK, [f"/api/tables/{table}/report", None])
        assert status == 501


def test_two_tabs_of_one_table(person: SitePerson) -> None:
    table = person.set_table("joker1", ("here", "here"), {"rounds": 1})
    other = person.second_window()
    other.go(f"/t/{table}")
    other.page.locator(".dock .ask").first.wait_for()
    # what one does the other sees, whichever of them has the tables
    for one, follower in ((person, other), (other, person)):
        one.step()
        one.next_click()
        # only the one who has touched something sees that
        follower.page.wait_for_function(
            f"shown => JSON.stringify(({BARE})()) === JSON.stringify(shown)", arg=one.page.evaluate(BARE)
        )
    # the tab that has the tables is closed: the other takes them over
    person.page.close()
    person.page = other.page
    person.play()
    assert person.ask(f"/api/tables/{table}/record")["scores"] == person.scores()


def test_a_tab_that_hangs_loses_the_tables_to_another_one(person: SitePerson) -> None:
    table = person.set_table("joker1", options={"rounds": 1})
    other = person.second_window()
    other.go(f"/t/{table}")
    other.page.locator(".dock .ask").first.wait_for()
    other.page.workers[0].evaluate(SHORT_TIMEOUTS)
    person.page.workers[0].evaluate("() => { setTimeout(() => { for (;;); }); }")
    hanging, person.page = person.page, other.page
    person.play()
    assert person.ask(f"/api/tables/{table}/record")["scores"] == person.scores()
    hanging.close()


def test_games_are_taken_elsewhere(
    person: SitePerson, browser: Browser, site: SiteServer, tmp_path: Path
) -> None:
    person.set_table("joker1", options={"rounds": 1})
    person.play()
    begun = person.set_table("joker1", options={"rounds": 1})
    assert person.step()
    person.next_click()
    person.go("/")
    person.check_access()
    person.page.locator("[data-key=settings]").click()
    person.page.locator("[data-key=save-games]").wait_for()
    person.check_access()
    with person.page.expect_download() as download:
        person.page.locator("[data-key=save-games]").click()
    file = tmp_path / "pasch-games.sqlite"
    download.value.save_as(file)
    person.page.keyboard.press("Escape")
    names = person.page.locator("main .list .what b").all_text_contents()
    # a server reads it as a backup
    command = [sys.executable, "-m", "pasch", "restore", str(file), "--data", str(tmp_path / "server")]
    subprocess.run(command, check=True, capture_output=True)
    # so does another device, in another language; there the finished games can be looked at
    other = SitePerson(browser, site, language="de")
    other.start()
    other.page.locator("[data-key=settings]").click()
    other.page.locator("#games-file").set_input_files(file)
    other.page.locator("main .list li").first.wait_for(state="attached")
    expect(other.page.locator("main .list .what b")).to_have_text(names)
    other.page.get_by_text("Beendete Spiele").wait_for()
    # and the game continues there
    other.page.locator(f'.turnp a[href="#/t/{begun}"]').click()
    other.close_explanation()
    other.play(over="Das Spiel ansehen")
    assert other.ask(f"/api/tables/{begun}/record")["scores"] == other.scores()
    other.leave()


def test_what_is_removed_from_the_list_is_deleted(person: SitePerson) -> None:
    """And who plays again does so on this device."""
    table = person.set_table("joker1", options={"rounds": 1})
    person.play()
    person.primary.click()
    person.page.locator("[data-key=again]").first.click()
    person.page.wait_for_url(lambda url: "/t/" in url and table not in url)
    person.next_click()
    person.go("/")
    person.page.locator(".begun summary", has_text="Finished games").click()
    line = person.page.locator(".begun li", has=person.page.locator(f'a[href="#/report/{table}"]'))
    line.get_by_role("button").click()
    line.wait_for(state="detached")
    person.page.wait_for_function("() => localStorage.getItem('pasch.forgotten') === '[]'")
    status, _ = person.page.evaluate(ASK, [f"/api/tables/{table}/record", None])
    assert status == 404


# --- the log of games in the browser's storage ---------------------------------------------------


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
    person.set_table("joker1", ("here", "here"), {"rounds": 1})
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
    person.play()
    person.leave()
