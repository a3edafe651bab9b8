"""Measure what a frame costs while six dice roll, on a processor four times as slow: script, style and layout.

`python -m tools.frames` prints milliseconds per frame of a screen that shows 60 a second; at most 8 are wanted. Run it
on a quiet machine: the browser measures elapsed time.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from playwright.sync_api import CDPSession, sync_playwright
from tests.e2e.browser import Person, served

from tools.browser import launch

SLOWDOWN: Final = 4
MAX_MILLISECONDS: Final = 8
ROLL_MILLISECONDS: Final = 1200
FRAMES: Final = ROLL_MILLISECONDS * 60 / 1000
PARTS: Final = {"script": "ScriptDuration", "style": "RecalcStyleDuration", "layout": "LayoutDuration"}
SIZES: Final = ((390, 844), (1280, 800))


def spent(session: CDPSession) -> dict[str, float]:
    """Milliseconds that each part has taken since the page was loaded."""
    found = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    return {part: 1000 * found[metric] for part, metric in PARTS.items()}


def main() -> None:
    with TemporaryDirectory() as folder, served(Path(folder)) as server, sync_playwright() as playwright:
        browser = launch(playwright)
        for size in SIZES:
            person = Person(browser, server, size=size, still=False, haste=False)
            person.set_table("crowns", ("here", "greedy"))
            session = person.page.context.new_cdp_session(person.page)
            session.send("Performance.enable", {"timeDomain": "threadTicks"})
            roll = person.page.locator(".dock [data-key=primary]:not([data-guarded])")
            roll.wait_for()
            session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
            before = spent(session)
            roll.click()
            person.page.wait_for_timeout(ROLL_MILLISECONDS)
            costs = {part: (after - before[part]) / FRAMES for part, after in spent(session).items()}
            parts = ", ".join(f"{part} {cost:.1f}" for part, cost in costs.items())
            excess = f", more than {MAX_MILLISECONDS}" if sum(costs.values()) > MAX_MILLISECONDS else ""
            print(f"{size[0]}×{size[1]}: {sum(costs.values()):.1f} ms a frame ({parts}){excess}")
            person.leave()
        browser.close()


if __name__ == "__main__":
    main()
