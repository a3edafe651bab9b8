"""`python -m tools.icons`: the app's icons and pictures in `static/icons/`, rendered from `static/icon.svg`.

The pictures of the manifest are those of docs/screenshots, which `make screenshots` takes.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright

from tools.browser import launch

ROOT: Final = Path(__file__).parents[1]
STATIC: Final = ROOT / "src" / "pasch" / "web" / "static"
ICONS: Final = STATIC / "icons"
#: the colour of a page's paper, behind icons that systems cut to their own shapes
PAPER: Final = "#f5f1ea"
#: name, size, share of the picture that the dice take: 0.8 is the part of a maskable icon that is never cut off
DRAWN: Final = (
    ("icon-192", 192, 1.0),
    ("icon-512", 512, 1.0),
    ("maskable-192", 192, 0.62),
    ("maskable-512", 512, 0.62),
    ("apple-touch-icon", 180, 0.74),
)
PICTURES: Final = {"home": "home", "table": "crowns"}


def main() -> None:
    ICONS.mkdir(exist_ok=True)
    drawing = (STATIC / "icon.svg").read_text("utf-8")
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for name, size, share in DRAWN:
            tab = browser.new_page(viewport={"width": size, "height": size})
            paper = "transparent" if share == 1 else PAPER
            style = f"body{{margin:0;height:100vh;display:grid;place-items:center;background:{paper}}}"
            tab.set_content(f"<style>{style} svg{{width:{share * 100}vw}}</style>{drawing}")
            tab.screenshot(path=ICONS / f"{name}.png", omit_background=share == 1)
            tab.close()
        browser.close()
    for name, taken in PICTURES.items():
        for form in ("phone", "desktop"):
            shutil.copyfile(
                ROOT / "docs" / "screenshots" / f"{taken}-{form}.png", ICONS / f"{name}-{form}.png"
            )


if __name__ == "__main__":
    main()
