"""Measure what a frame costs at Crowns while six dice roll and while a move is made: script, style and layout.

`python -m tools.frames` prints milliseconds of processor time per frame of a screen that shows 60 a second, on a
processor four times as slow; at most 8 are wanted.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from playwright.sync_api import CDPSession, sync_playwright
from tests.e2e.browser import Person, served

from tools.browser import launch

SLOWDOWN: Final = 4
MAX_MILLISECONDS: Final = 8
MEASURED_MILLISECONDS: Final = 1200
FRAMES: Final = MEASURED_MILLISECONDS * 60 / 1000
PARTS: Final = {"script": "ScriptDuration", "style": "RecalcStyleDuration", "layout": "LayoutDuration"}
SIZES: Final = ((390, 844), (1280, 800))
PLAYERS: Final = (2, 6)


def spent(session: CDPSession) -> dict[str, float]:
    """Milliseconds that each part has taken since the page was loaded."""
    found = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    return {part: 1000 * found[metric] for part, metric in PARTS.items()}


def measure(person: Person, session: CDPSession, what: str) -> None:
    """Press the big button once it counts, and print what the frames after it cost."""
    button = person.page.locator(".dock [data-key=primary]:not([data-guarded])")
    button.wait_for()
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    before = spent(session)
    button.click()
    person.page.wait_for_timeout(MEASURED_MILLISECONDS)
    costs = {part: (after - before[part]) / FRAMES for part, after in spent(session).items()}
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    parts = ", ".join(f"{part} {cost:.1f}" for part, cost in costs.items())
    excess = f", more than {MAX_MILLISECONDS}" if sum(costs.values()) > MAX_MILLISECONDS else ""
    print(f"{what}: {sum(costs.values()):.1f} ms a frame ({parts}){excess}")


def main() -> None:
    with TemporaryDirectory() as folder, served(Path(folder)) as server, sync_playwright() as playwright:
        browser = launch(playwright)
        for size, players in product(SIZES, PLAYERS):
            person = Person(browser, server, size=size, still=False, haste=False)
            person.set_table("crowns", ("here", *["greedy"] * (players - 1)))
            session = person.page.context.new_cdp_session(person.page)
            session.send("Performance.enable", {"timeDomain": "threadTicks"})
            where = f"{size[0]}×{size[1]}, {players} players"
            measure(person, session, f"{where}, roll")
            person.page.locator(".play .can >> visible=true").first.click()
            measure(person, session, f"{where}, move")
            person.leave()
        browser.close()


if __name__ == "__main__":
    main()
