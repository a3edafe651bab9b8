"""`python -m bench.site [DIR]`: a site in a real browser: bytes, times, delays of moves, memory.

Serves the site of a folder, or one that it writes, on this machine, compressed as web servers do, and plays on it in
Chromium. Times depend on what else the machine does: the processor time of the browser stands beside them.
"""

from __future__ import annotations

import gzip
import json
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import BrowserContext, Page, sync_playwright
from tests.e2e.browser import HASTE, NEXT_CLICK
from tests.e2e.site import SiteHandler
from tools.browser import launch

from pasch.core.registry import all_games
from pasch.web.http import TYPES
from pasch.web.site.build import build
from pasch.web.site.engine import find_parts
from pasch.web.site.values import value_files

#: what the issue of the site asks for
ALLOWED: Final = {
    "bytes before the first click": "150 KiB",
    "bytes in all": "9 MB",
    "cold": "8 s",
    "warm": "4 s",
    "move": "100 ms (300 ms where there are many)",
    "memory": "250 MB",
}
#: measures how long the worker takes for each command
WATCH: Final = """
window.delays = [];
const sent = new Map();
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...rest) {
  if (!this.watched) {
    this.watched = true;
    this.addEventListener("message", ({ data }) => {
      const id = data.did === "text" ? JSON.parse(data.text).id : undefined;
      if (!sent.has(id)) return;
      window.delays.push(performance.now() - sent.get(id));
      sent.delete(id);
    });
  }
  const command = message.do === "text" ? JSON.parse(message.text) : {};
  if (command.id && command.type !== "hello") sent.set(command.id, performance.now());
  return post.call(this, message, ...rest);
};
"""
STEPS: Final = 40
#: how long a table stands still before its memory is measured, in milliseconds
REST: Final = 40_000


#: the suffixes of files that web servers compress
COMPRESSED: Final = TYPES.keys() - {".png", ".ico", ".wav", ".zip"}


class Counting(SiteHandler):
    """Compresses files as web servers do, and counts the bytes of bodies and headers."""

    extensions_map = {**TYPES, "": "application/octet-stream"}
    sent = 0

    def do_GET(self) -> None:  # noqa: N802
        path = Path(self.translate_path(self.path))
        kind = self.guess_type(path)
        if path.suffix not in COMPRESSED or not path.is_file():
            return super().do_GET()
        body = gzip.compress(path.read_bytes(), 6)
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        return None

    def setup(self) -> None:
        super().setup()
        write = self.wfile.write

        def counted(data: Any) -> int:
            Counting.sent += len(data)
            return write(data)

        self.wfile.write = counted  # type: ignore[method-assign]


@contextmanager
def served(folder: Path) -> Iterator[str]:
    httpd = ThreadingHTTPServer(("127.0.0.1", 0), partial(Counting, directory=str(folder)))
    thread = threading.Thread(target=httpd.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://localhost:{httpd.server_address[1]}/"
    finally:
        httpd.shutdown()
        httpd.server_close()


def processes(root: int) -> list[int]:
    """The process ids of a process and its descendants."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, ValueError):
                continue
            children.setdefault(parent, []).append(int(entry.name))
    found = [root]
    for one in found:
        found += children.get(one, [])
    return found


def cpu(root: int) -> float:
    """The processor time of a process and its descendants, in seconds."""
    ticks = 0
    for pid in processes(root):
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def renderer(root: int) -> float:
    """The memory of the largest process that draws pages and runs workers, in MB."""
    most = 0
    for pid in processes(root):
        try:
            if b"--type=renderer" in Path(f"/proc/{pid}/cmdline").read_bytes():
                rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
                most = max(most, int(rollup.split("\nPss:")[1].split()[0]))
        except OSError:
            continue
    return most * 1024 / 1e6


def row(what: str, figure: str, allowed: str = "") -> None:
    print(f"{what:<44} {figure:>22}" + (f"   at most {allowed}" if allowed else ""), flush=True)


def to_table(page: Page, address: str, game: str) -> None:
    """Open the first page, choose a game and play."""
    page.goto(address)
    page.locator(f"[data-key={game}]").click()
    sit_down(page)


def sit_down(page: Page) -> None:
    page.locator("[data-key=play]").click()
    page.locator(".bar [data-key=primary]").wait_for()


def play(page: Page, steps: int) -> list[float]:
    """The time of each of `steps` commands at the table, in milliseconds."""
    for _ in range(steps):
        click = page.wait_for_function(NEXT_CLICK, arg=["Look at the game", ["next:stop"]]).json_value()
        if click == "over":
            break
        page.mouse.click(*click[1:])
        page.locator(".bar [aria-busy=false]").wait_for(state="attached")
    delays: list[float] = page.evaluate("window.delays.splice(0)")
    return delays


def measure(folder: Path) -> None:
    with served(folder) as address, sync_playwright() as playwright:
        browser = launch(playwright)
        own = processes(os.getpid())
        root = max(own, key=lambda pid: b"chrom" in Path(f"/proc/{pid}/cmdline").read_bytes()[:200])
        context = browser.new_context(viewport={"width": 360, "height": 640}, reduced_motion="reduce")
        context.set_default_timeout(90_000)
        context.add_init_script(WATCH)
        games = [game.id for game in all_games()]
        start(context, address, root, games[0])
        # commands are timed, not the pauses in which people see what the computers did
        context.add_init_script(HASTE)
        page = context.new_page()
        most = 0.0
        for game in games:
            page.goto(f"{address}#/new/{game}")
            page.reload()
            sit_down(page)
            delays = play(page, STEPS)
            text = f"{statistics.median(delays):.0f} / {max(delays):.0f} ms ({len(delays)})"
            row(f"{game}: a command, median / longest", text, ALLOWED["move"])
            most = max(most, renderer(root))
        # what was drawn before is thrown away when the browser finds the time, which it does not while clicks rain
        page.wait_for_timeout(REST)
        row("memory of the page with its workers", f"{renderer(root):.0f} MB", ALLOWED["memory"])
        row("the same while a program plays, at most", f"{most:.0f} MB")
        browser.close()


def start(context: BrowserContext, address: str, root: int, game: str) -> None:
    """Measure the first visit, and one with everything on the device."""
    page = context.new_page()
    begun = time.perf_counter()
    page.goto(address)
    page.locator(".games li").first.wait_for()
    row("first drawing", f"{time.perf_counter() - begun:.2f} s")
    page.wait_for_timeout(1500)
    before = ALLOWED["bytes before the first click"]
    row("over the network before the first click", f"{Counting.sent / 1024:.0f} KiB", before)
    for how in ("cold", "warm"):
        busy, begun = cpu(root), time.perf_counter()
        to_table(page, address, game)
        text = f"{time.perf_counter() - begun:.1f} s ({cpu(root) - busy:.1f} s CPU)"
        row(f"playable, {how}", text, ALLOWED[how])
        if how == "cold":
            row("over the network in all", f"{Counting.sent / 1e6:.2f} MB", ALLOWED["bytes in all"])
            page.close()
            page = context.new_page()
    page.close()


def main(arguments: list[str]) -> None:
    if arguments:
        measure(Path(arguments[0]))
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "site"
        site = build(folder, find_parts(), values=value_files())
        print(json.dumps({"version": site.version, "bytes": site.size, "files": len(site.sizes)}))
        measure(folder)


if __name__ == "__main__":
    main(sys.argv[1:])
