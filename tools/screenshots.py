"""`python -m tools.screenshots`: the pictures in docs/screenshots/, and a moving one of a turn, taken with a browser.

Each shows a position of the same game every time, so that a picture changes only when the drawing does.
"""

from __future__ import annotations

import json
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from PIL import Image
from playwright.sync_api import Browser, sync_playwright
from tests.e2e.browser import DESKTOP, PHONE, Person, Server, served

from pasch import find_game
from pasch.core.chance import seed_key
from pasch.players.arena import play_game
from pasch.players.base import player
from tools.browser import launch

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
    """The events of a game between two decent players, whole or until seat 0 has to touch something on the board."""
    match = play_game(find_game(game).agree(2, options), [player("greedy")] * 2, seed_key(game))
    written = [event.json() for event in match.events]
    if least is None:
        return written
    choices = (n for n in range(least, len(written)) if match.at(n).actor == 0 and "next" not in written[n])
    return written[: next(choices)]


def sit(person: Person, server: Server, game: str, options: dict[str, Any], least: int | None) -> str:
    """A table that continues such a game, known to this browser."""
    seats = [{"kind": "here", "name": "Anna"}, {"kind": "computer", "level": "greedy"}]
    wish = {"game": game, "seats": seats, "options": options, "events": events(game, options, least)}
    made = server.ask("/api/tables", wish)
    known = {
        "id": made["id"],
        "game": game,
        "title": find_game(game).title,
        "tokens": made["seats"],
        "maker": made["maker"],
        "names": ["Anna", "Computer"],
        "over": least is None,
        "seen": 0,
    }
    person.go("/")
    tables = json.dumps({made["id"]: known})
    person.page.evaluate(REMEMBER, [tables, json.dumps([game])])
    table: str = made["id"]
    return table


def take(person: Person, name: str, kind: str) -> None:
    """Write a picture in 256 colours, without what flickers."""
    person.page.mouse.move(0, 0)
    path = FOLDER / f"{name}-{kind}.png"
    picture = Image.open(BytesIO(person.page.screenshot(animations="disabled", caret="hide"))).convert(
        "RGB"
    )
    picture.quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path.relative_to(FOLDER.parents[1])}  {path.stat().st_size / 1024:.0f} KiB")


def all_of(browser: Browser, server: Server, kind: str) -> None:
    """Take every picture of one size."""
    person = Person(browser, server, size=SIZES[kind])
    page = person.page
    person.go("/")
    page.locator(".lid-link").last.wait_for()
    take(person, "home", kind)
    person.go("/new/fiese15")
    take(person, "set-up", kind)
    person.go("/rules/crowns")
    take(person, "rules", kind)
    for game, options, least in TABLES:
        person.page.goto(f"/t/{sit(person, server, game, options, least)}")
        page.locator(".play .can").first.wait_for()
        take(person, game, kind)
    person.page.goto(f"/report/{sit(person, server, 'joker1', {}, None)}")
    # the coach may have to make its tables first
    page.locator(".reportpage .lanes").first.wait_for(timeout=300_000)
    take(person, "report", kind)
    person.leave()


#: how long a frame of the moving picture is shown, in milliseconds
FRAME_MS: Final = 80
#: moves what is animated on by the length of a frame
ADVANCE: Final = """
(ms) => {
  for (const one of document.getAnimations()) {
    const time = Number(one.currentTime ?? 0) + ms;
    if (time >= Number(one.effect?.getComputedTiming().endTime)) one.finish();
    else {
      one.pause();
      one.currentTime = time;
    }
  }
}
"""


def turn(browser: Browser, server: Server) -> None:
    """A turn of Fiese 15 as a GIF: a roll, two touches, another roll; the clock is the picture's own."""
    person = Person(browser, server, size=DESKTOP, still=False, haste=False)
    page = person.page
    page.clock.install()
    table = sit(person, server, "fiese15", {}, 44)
    page.goto(f"/t/{table}")
    page.locator(".play .can").first.wait_for()
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    frames: list[Image.Image] = []

    def film(seconds: float) -> None:
        for _ in range(round(seconds * 1000 / FRAME_MS)):
            page.clock.run_for(FRAME_MS)
            page.evaluate(ADVANCE, FRAME_MS)
            shot = Image.open(BytesIO(page.screenshot(caret="hide"))).convert("RGB")
            frames.append(shot.resize((shot.width * 3 // 5, shot.height * 3 // 5)))

    film(1)
    for _ in range(2):
        page.locator(".play .can").first.click()
        film(0.8)
    for _ in range(2):
        page.locator(".dock [data-key=primary]:enabled").click()
        film(2.4)
    palette = frames[-1].quantize(224, dither=Image.Dither.NONE)
    still = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    path = FOLDER / "turn.gif"
    still[0].save(path, save_all=True, append_images=still[1:], duration=FRAME_MS, loop=0, optimize=True)
    print(
        f"{path.relative_to(FOLDER.parents[1])}  {path.stat().st_size / 1024:.0f} KiB, {len(frames)} frames"
    )
    person.leave()


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        served(Path(folder)) as server,
    ):
        browser = launch(playwright)
        turn(browser, server)
        for kind in SIZES:
            all_of(browser, server, kind)
        browser.close()


if __name__ == "__main__":
    main()
