"""`python -m tools.screenshots`: the pictures in docs/screenshots/, taken anew with a browser.

Each shows a position of the same game every time, so that a picture changes only when the drawing does.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Page, sync_playwright
from tests.e2e.browser import DESKTOP, PHONE, Person, Server, served

from pasch import find_game
from pasch.core.chance import seed_key
from pasch.players.arena import play_game
from pasch.players.base import player
from tools.browser import launch
from tools.palette import with_palette

#: a device that knows this table, and has explained the game before
REMEMBER: Final = """
([tables, games]) => {
  localStorage.setItem("pasch.tables", tables);
  localStorage.setItem("pasch.explained", games);
}
"""
FOLDER: Final = Path(__file__).parents[1] / "docs" / "screenshots"
SIZES: Final = {"phone": PHONE, "desktop": DESKTOP}
#: game, options, after how many events seat 0 is shown its next choice
TABLES: Final[tuple[tuple[str, dict[str, Any], int], ...]] = (
    ("crowns", {}, 24),
    ("joker1", {}, 20),
    ("joker2", {}, 36),
    ("lines", {"plans": [2]}, 12),
    ("fiese15", {}, 30),
    ("sixbysix", {}, 14),
)


def events(game: str, options: dict[str, Any], least: int | None) -> list[dict[str, Any]]:
    """A game between two decent players, whole or until seat 0 has to touch something on the board."""
    match = play_game(find_game(game).agree(2, options), [player("greedy")] * 2, seed_key(game))
    told = [event.json() for event in match.events]
    if least is None:
        return told
    choices = (n for n in range(least, len(told)) if match.at(n).actor == 0 and "next" not in told[n])
    return told[: next(choices)]


def sit(person: Person, server: Server, game: str, options: dict[str, Any], least: int | None) -> str:
    """A table that goes on from such a game, known to this browser."""
    seats = [{"kind": "here", "name": "Anna"}, {"kind": "computer", "level": "greedy"}]
    wish = {"game": game, "seats": seats, "options": options, "events": events(game, options, least)}
    made = server.ask("/api/tables", wish)
    known = {
        "id": made["id"],
        "game": game,
        "title": find_game(game).title,
        "tokens": made["seats"],
        "maker": made["maker"],
        "names": ["Anna", "Duo"],
        "over": least is None,
        "seen": 0,
    }
    person.go("/")
    tables = json.dumps({made["id"]: known})
    person.page.evaluate(REMEMBER, [tables, json.dumps([game])])
    table: str = made["id"]
    return table


def take(person: Person, blank: Page, name: str, kind: str) -> None:
    """The picture, without what flickers."""
    person.page.mouse.move(0, 0)
    path = FOLDER / f"{name}-{kind}.png"
    path.write_bytes(with_palette(blank, person.page.screenshot(animations="disabled", caret="hide")))
    print(f"{path.relative_to(FOLDER.parents[1])}  {path.stat().st_size / 1024:.0f} KiB")


def all_of(browser: Browser, server: Server, kind: str) -> None:
    """Every picture of one size."""
    person = Person(browser, server, size=SIZES[kind])
    # the pages of Pasch load no pictures, so another one has to read them
    page, blank = person.page, browser.new_page()
    person.go("/")
    page.locator(".shelf .lid").last.wait_for()
    take(person, blank, "home", kind)
    person.go("/new/fiese15")
    take(person, blank, "set-up", kind)
    person.go("/rules/crowns")
    take(person, blank, "rules", kind)
    for game, options, least in TABLES:
        person.page.goto(f"/t/{sit(person, server, game, options, least)}")
        page.locator(".play .can").first.wait_for()
        take(person, blank, game, kind)
    person.page.goto(f"/report/{sit(person, server, 'joker1', {}, None)}")
    # the coach may have to make its tables first
    page.locator(".lanes").first.wait_for(timeout=300_000)
    take(person, blank, "report", kind)
    blank.close()
    person.leave()


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        served(Path(folder)) as server,
    ):
        browser = launch(playwright)
        for kind in SIZES:
            all_of(browser, server, kind)
        browser.close()


if __name__ == "__main__":
    main()
