"""A real browser and a real server for the tests, and a person who clicks.

Everything that a person does here goes through what can be seen: links, buttons, fields, dice on a board.
What the server sends is asked only to compare it.
"""

from __future__ import annotations

import copy
import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, WebSocket

ROOT: Final = Path(__file__).parents[2]
AXE: Final = ROOT / "node_modules" / "axe-core" / "axe.min.js"
RUN_AXE: Final = """axe.run(document, {
  resultTypes: ["violations"], rules: { "label-content-name-mismatch": { enabled: true } },
})"""

PHONE: Final = (360, 640)
DESKTOP: Final = (1280, 800)
#: the last one is what a new window has
LOOKS: Final[tuple[tuple[Literal["light", "dark"], tuple[int, int]], ...]] = (
    ("dark", PHONE),
    ("light", DESKTOP),
)
#: options by which a game ends soon
SHORT: dict[str, dict[str, Any]] = {
    "crowns": {"round_limit": 1},
    "fiese15": {},
    "joker1": {"rounds": 1},
    "joker2": {"rounds": 1},
    "lines": {"target": 1},
    "sixbysix": {"round_limit": 1},
}
#: how long anything may take, in milliseconds: only a broken test waits so long, even on a busy machine
TIMEOUT_MILLISECONDS: Final = 120_000

#: people need time to see one thing happen after the other, tests do not: the page's time runs many times as fast, and
#: nothing is staged
HASTE: Final = """
const [now, later] = [performance.now.bind(performance), window.setTimeout];
performance.now = () => 20 * now();
window.setTimeout = (call, pause = 0, ...rest) => later(call, pause / 20, ...rest);
const quick = JSON.stringify({ pace: "none", sound: false });
if (location.protocol === "http:" && !localStorage.getItem("pasch.settings")) {
  localStorage.setItem("pasch.settings", quick);
}
"""

#: what a person would click next, as a selector, and where; null while others play
NEXT_CLICK: Final = """
([over, wishes]) => {
  const [click, one] = nextClick() ?? [];
  if (!one) return click ?? null;
  const middle = () => {
    const box = one.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const hit = ([x, y]) => one.contains(document.elementFromPoint(x, y));
  // people scroll when something is out of sight
  if (!hit(middle())) one.scrollIntoView({ block: "center", behavior: "instant" });
  const at = middle();
  return hit(at) ? [click, ...at] : null;

function nextClick() {
  const ready = (one) => one && !one.disabled && !one.matches("[aria-disabled=true], [data-guarded]");
  const button = (key) => [`[data-key="${key}"]`, document.querySelector(`.dock [data-key="${key}"]`)];
  // passing while another move is possible asks for confirmation
  const anyway = document.querySelector("dialog [data-key=pass-anyway]");
  if (anyway) return ready(anyway) ? ["[data-key=pass-anyway]", anyway] : null;
  const dock = document.querySelector(".dock[aria-busy=false]");
  const [, primary] = button("primary");
  if (!dock || dock.querySelector("[data-guarded]")) return null;
  if (primary?.textContent === over) return ["over"];
  const [, skip] = button("skip");
  if (skip) return button("skip");
  const wished = wishes.map(button).find(([, one]) => ready(one));
  if (wished) return wished;
  const all = [...document.querySelectorAll(".play .touchable, .extra [data-token]")]
    .filter((one) => one.checkVisibility());
  const chosen = all.filter((one) => one.getAttribute("aria-pressed") === "true");
  const open = all.filter((one) => !one.matches(".cannot, .picked, [aria-pressed=true]"));
  if (chosen.length && ready(primary)) return button("primary");
  // another of the same kind may mean to change one's mind
  const kind = (one) => one.getAttribute("data-token").split(":")[0];
  const touch = open.find((one) => !chosen.some((other) => kind(other) === kind(one))) ?? open[0];
  if (touch) return [`[data-token="${touch.getAttribute("data-token")}"]`, touch];
  return ready(primary) ? button("primary") : null;
}
}
"""

#: what is written on the boards and in the hand, and what a screen reader would say of them
WRITTEN: Final = """
() => [...document.querySelectorAll(".play :is([aria-label], text)")].map(
  (one) => one.getAttribute("aria-label") ?? one.textContent)
"""

#: where things are, and whether something lies over their middle
BOXES: Final = """
(selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility()).map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  const at = document.elementFromPoint(x + width / 2, y + height / 2);
  return { x, y, width, height, bare: at !== null && one.contains(at) };
})
"""

#: makes a table as the set-up page does, which is remembered on this device, and goes there
BEGIN: Final = """async (wish) => {
  const { src } = document.querySelector("script[type=module]");
  const [{ game }, { begin }] = await Promise.all([import(new URL("api.js", src)), import(new URL("begin.js", src))]);
  await begin({ busy: false }, () => {}, await game(wish.game), wish);
}"""

#: a server for many tests, all of which come from one address: it refuses none of them, and nothing takes it too long
#: where other work runs beside it; the seat of who is away may be lent at once
GENEROUS: Final = """
import sys
from pathlib import Path
from pasch.table import helpers
from pasch.table.limits import Limits, Rate
from pasch.web.serve import serve
port, folder = sys.argv[1:]
much = Rate(1e6, 1e6)
limits = Limits(address=much, messages=much, tables=much, lend_after=0)
usual = helpers.usual_bounds
helpers.usual_bounds = lambda count: {name: lane._replace(seconds=1e6) for name, lane in usual(count).items()}
serve("127.0.0.1", int(port), Path(folder), False, limits=limits)
"""


class Server:
    """A server process of our own. After `stop` it can be started again, at the same port."""

    def __init__(self, folder: Path, options: Sequence[str] | None = None) -> None:
        #: the options of a usual `pasch serve`; None for a server without limits
        self._folder, self._options = folder, options
        self._port = 0
        self._process: subprocess.Popen[str] | None = None
        self.start()

    def start(self) -> None:
        command = ["-c", GENEROUS, str(self._port)]
        if self._options is not None:
            serve = ("-m", "pasch", "serve", "--port", str(self._port), "--no-open")
            command = [*serve, *self._options, "--data"]
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / "log").open("a") as log:
            self._process = subprocess.Popen(
                [sys.executable, *command, str(self._folder)],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        self._port = int(said.split("localhost:")[1].split("/")[0])

    @property
    def address(self) -> str:
        return f"http://localhost:{self._port}"

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.communicate()
            code, self._process = self._process.returncode, None
            assert code in (0, -signal.SIGTERM), f"the server ended with {code}; see {self._folder / 'log'}"

    def ask(self, path: str, data: Any = None) -> Any:
        body = None if data is None else json.dumps(data).encode()
        request = urllib.request.Request(self.address + path, body)
        with urllib.request.urlopen(request, timeout=TIMEOUT_MILLISECONDS / 1000) as answer:
            return json.load(answer)

    def record(self, table: str) -> Any:
        """The record of a finished game."""
        return self.ask(f"/api/tables/{table}/record")


def seat_wish(number: int, seat: str | dict[str, str]) -> dict[str, str]:
    """A seat of a new table, as sent to the server."""
    if isinstance(seat, dict):
        return seat
    if seat in ("here", "link"):
        return {"kind": seat, "name": f"Anna{number}" if seat == "here" else ""}
    return {"kind": "computer", "level": seat}


class Person:
    """Somebody at a browser, who notices whatever goes wrong in it."""

    #: a server's pages are the same with one; a test of what happens without a network wants it
    service_workers: Literal["allow", "block"] = "block"

    def __init__(
        self,
        browser: Browser,
        server: Server,
        size: tuple[int, int] = DESKTOP,
        language: str = "en",
        still: bool = True,
        haste: bool = True,
        breaks: bool = False,
    ) -> None:
        self.server = server
        #: whether the test breaks the connection to the server, which browsers log as an error
        self._breaks = breaks
        width, height = size
        self._context = browser.new_context(
            base_url=server.address,
            viewport={"width": width, "height": height},
            has_touch=size == PHONE,
            locale="en-GB" if language == "en" else f"{language}-{language.upper()}",
            reduced_motion="reduce" if still else "no-preference",
            service_workers=self.service_workers,
        )
        self._context.set_default_timeout(TIMEOUT_MILLISECONDS)
        if haste:
            self._context.add_init_script(HASTE)
        self.page = self._context.new_page()
        #: everything that came over WebSockets, in order
        self.frames: list[str] = []
        self.problems: list[str] = []
        self._watch()

    def _watch(self) -> None:
        page = self.page
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("request", self._requested)
        page.on("websocket", self._connected)

    def second_window(self) -> Person:
        """Another window of the same browser, which knows what this one knows."""
        other = copy.copy(self)
        other.page, other.frames = self._context.new_page(), []
        other._watch()
        return other

    def _said(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not (self._breaks and "WebSocket connection" in message.text):
            self.problems.append(message.text)

    def _requested(self, request: Request) -> None:
        # of a site, which may lie in any folder, nothing is asked for beside it
        if not request.url.startswith(f"{self.server.address}/"):
            self.problems.append(f"a request to elsewhere: {request.url}")

    def _connected(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.frames.append(str(frame)))

    def welcome(self) -> Any:
        """What the table said first."""
        return json.loads(next(frame for frame in self.frames if frame.startswith('{"type":"welcome"')))

    def leave(self) -> None:
        """Close the browser's window; problems found there are raised now."""
        self._context.close()
        assert not self.problems, self.problems

    # --- going about ------------------------------------------------------------------------------

    def go(self, path: str) -> Page:
        """Open a page and wait until it is there."""
        self.page.goto(path)
        self.page.locator("main h1").first.wait_for(state="attached")
        return self.page

    @property
    def table(self) -> str:
        """The id of the table in the address."""
        return urlsplit(self.page.url).path.rpartition("/")[2]

    def set_table(
        self,
        game: str,
        seats: Sequence[str | dict[str, str]] = ("here",),
        options: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> str:
        """Make a table as the set-up page does, and go there; its id.

        A seat is "here" or "link" or the level of a computer, or the seat as sent to the server.
        """
        seated = [seat_wish(number, seat) for number, seat in enumerate(seats)]
        wish = {"game": game, "seats": seated, "options": options or {}, "stand_in": "hard", **more}
        if self.page.url == "about:blank":
            self.go("/")
        before = self.page.url
        self.page.evaluate(BEGIN, wish)
        self.page.wait_for_url(lambda url: "/t/" in url and url != before)
        self.page.locator(".dock .ask").first.wait_for()
        return self.table

    def close_explanation(self) -> None:
        """Close what explains a game that is new on this device: it lies over the board."""
        self.page.locator(".dock .ask").first.wait_for()
        understood = self.page.locator("[data-key=understood]")
        if understood.is_visible():
            understood.click()

    def open_folds(self) -> None:
        """Open whatever is folded away where a table is set."""
        for fold in self.page.locator("form details > summary").all():
            fold.click()

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait until what the browser has said makes this true."""
        for _ in range(TIMEOUT_MILLISECONDS // 10):
            if condition():
                return
            # meanwhile Playwright takes what comes from the browser
            self.page.wait_for_timeout(10)
        raise AssertionError("what was waited for does not happen")

    # --- at the table -----------------------------------------------------------------------------

    @property
    def primary(self) -> Locator:
        """The one obvious button."""
        return self.page.locator(".dock [data-key=primary]")

    def next_click(self, wishes: Sequence[str] = ("next:stop",), over: str = "Look at the game") -> str:
        """Wait until there is something to do, and say what; "over" at the end of the game."""
        click = self._next_click(wishes, over)
        return str(click if click == "over" else click[0])

    def _next_click(self, wishes: Sequence[str], over: str) -> Any:
        return self.page.wait_for_function(NEXT_CLICK, arg=[over, list(wishes)]).json_value()

    def can_act(self) -> bool:
        """Whether there is something to do now, if only to see that it is over."""
        return self.page.evaluate(NEXT_CLICK, ["Look at the game", []]) is not None

    def step(self, wishes: Sequence[str] = ("next:stop",), over: str = "Look at the game") -> bool:
        """Do the next thing, of several the first; False when the game is over.

        The keys of buttons in `wishes` are preferred to whatever else could be touched.
        """
        click = self._next_click(wishes, over)
        if click == "over":
            return False
        # where it is to be seen with nothing in front of it; Playwright looks for that too, at length
        self.page.mouse.click(*click[1:])
        self.drawn()
        return True

    def drawn(self) -> None:
        """Wait until what the last touch has changed is drawn, and the server has answered.

        Without it the next touch would go to what is still drawn, and meet what has come in its place.
        """
        self.page.evaluate("() => new Promise(requestAnimationFrame)")
        self.page.locator(".dock[aria-busy=false]").wait_for(state="attached")

    def play(self, wishes: Sequence[str] = ("next:stop",), over: str = "Look at the game") -> None:
        """Play until the game is over."""
        while self.step(wishes, over):
            pass

    def play_until(self, status: str) -> None:
        """Play until the sentence says this, which may be while others play."""

        def said() -> bool:
            if status in self.page.locator(".dock .ask").inner_text():
                return True
            if self.can_act():
                self.step()
            return False

        self.until(said)

    def play_by_keyboard(self) -> None:
        """Play until the game is over, with the keyboard alone."""
        while (click := self.next_click()) != "over":
            self.page.locator(click).first.focus()
            self.page.keyboard.press("Enter")
            self.drawn()

    def make(self, tokens: Sequence[str]) -> None:
        """Touch the parts of a move and confirm it; without any, press the one obvious button."""
        # a whole move has a button of its own, unless it is the one obvious button
        own = self.page.locator(f'.acts [data-key="{tokens[0]}"]') if len(tokens) == 1 else None
        if own is not None and own.count():
            own.click()
            return
        for token in tokens:
            # a slide of Joker 2 stands for the calculation
            if not token.startswith(("next:", "slide:")):
                self.page.locator(f'[data-token="{token}"] >> visible=true').first.click()
                self.page.locator(f'[data-token="{token}"][aria-pressed=true]').first.wait_for(
                    state="attached"
                )
        # what is offered counts once it could be seen
        self.page.locator(".dock [data-key=primary]:not([data-guarded])").click()

    def scores(self) -> list[int]:
        """The scores that stand beside the names, or at the foot of the pad."""
        shown = self.page.locator(".pad.tall tfoot td, .seat .score").all_text_contents()
        return [int(found[0]) for text in shown if (found := re.search(r"-?\d+", text.replace("−", "-")))]

    def to_choice(self, wishes: Sequence[str] = ("next:roll",)) -> None:
        """Play until something on the board can be touched."""
        # asked without wishes, it names what can be touched before any button
        while "data-token" not in self.next_click(()):
            assert self.step(wishes), "the game is over"

    def check_result(self) -> Any:
        """The record of the game, whose scores are those on the page, beside the names and in the final count."""
        record = self.server.record(self.table)
        assert self.scores() == record["scores"]
        ranks = self.page.locator(".rank li .sum").all_text_contents()
        counted = [int(text.replace("−", "-").rstrip("points")) for text in ranks]
        assert sorted(counted) == sorted(record["scores"])
        return record

    def open_report(self) -> None:
        """Open the report of the game that is over, and wait until it is there."""
        self.primary.click()
        self.page.wait_for_url("**/report/*")
        self.page.locator("main h1").first.wait_for(state="attached")

    def boards(self) -> list[str]:
        """What can be read on the boards, or is announced of them."""
        written: list[str] = self.page.evaluate(WRITTEN)
        return written

    # --- what must hold on every page -------------------------------------------------------------

    def check_reachable(self) -> None:
        """Nothing is so wide that one has to scroll sideways."""
        wide = self.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        assert wide <= 0, f"{self.page.url}: {wide} pixels too wide"

    def boxes(self, selector: str) -> list[dict[str, Any]]:
        """Where all of these are, all at once because they may be redrawn; and whether nothing lies over them."""
        found: list[dict[str, Any]] = self.page.evaluate(BOXES, selector)
        assert found, selector
        return found

    def resize(self, size: tuple[int, int]) -> None:
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        # the page draws itself for another size in the first frame that has it
        self.page.wait_for_function(
            "([width, height]) => innerWidth === width && innerHeight === height", arg=size
        )
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")

    def check_access(self) -> None:
        """axe-core has nothing to say, in the dark on a phone and in the light on a large screen."""
        for scheme, size in LOOKS:
            self.page.emulate_media(color_scheme=scheme)
            self.resize(size)
            if not self.page.evaluate("'axe' in window"):
                self.page.evaluate(AXE.read_text("utf-8"))
            said = [
                f"{one['id']} ({one['impact']}): {one['help']}: {node['html'][:160]} {node['failureSummary']}"
                for one in self.page.evaluate(RUN_AXE)["violations"]
                for node in one["nodes"][:3]
            ]
            assert not said, f"{self.page.url}, {scheme}: " + "\n".join(said)


@contextmanager
def served(folder: Path, options: Sequence[str] | None = None) -> Iterator[Server]:
    """A server for as long as it is needed."""
    server = Server(folder, options)
    try:
        yield server
    finally:
        server.stop()
