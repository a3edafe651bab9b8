"""The client's files and the catalogues of its texts, and those of a site (`pasch site`) that a server serves as well.

The client's files, in `static/` and in the games' folders, are read once, when the server starts, and have addresses
with their version: `/v/VERSION/static/…`. Modules import each other by relative addresses, so a page only ever has
modules of one version, also while Pasch is being upgraded. Starlette's StaticFiles would look at the folder for each
request, and so mix them.
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from html import unescape
from pathlib import Path
from typing import Final

from pasch.core.errors import PaschError
from pasch.core.languages import best_language
from pasch.core.registry import game_ids
from pasch.table.refusals import Refusal
from pasch.web import answers
from pasch.web.http import COMPRESSED, TYPES, Kept, Request, Response, common, fresh, kind_of

STATIC: Final = Path(__file__).parent / "static"
#: the description of the app for browsers, whose addresses count from where it lies: beside the page
MANIFEST: Final = "manifest.webmanifest"
#: where a site is served, which opens without a network once it is installed; the client knows it too
APP: Final = "/app/"
#: what a browser may keep for good: an address with a version never has another content
_FOR_GOOD: Final = "public, max-age=31536000, immutable"
#: how modules name those that they need at once; neither those that they load later, nor those that only types name
_IMPORT: Final = re.compile(rb'^\s*(?:import|export)\b[^;(]*?"(\.{1,2}/[^"]+\.js)"', re.MULTILINE)
#: the module with which the page begins
_FIRST_MODULE: Final = re.compile(r'<script type="module" src="/static/([^"]+)">')
_POLICY: Final = re.compile(r'http-equiv="content-security-policy" content="([^"]*)"')
#: how much work compressing a file of a site is worth: a site is read in about a second
_SITE_LEVEL: Final = 6


def static_files(folder: Path) -> dict[str, bytes]:
    """The files of a folder and of the games, by their address below `/static/`."""
    found = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.suffix in TYPES and path.is_file()
    }
    for game in game_ids():
        found |= {f"games/{game}/{name}": body for name, body in answers.game_files(game).items()}
        found[f"games/{game}/{answers.CHANCE_FILE}"] = answers.chance(game)
    return found


class ClientFiles:
    """The files as they were when they were read."""

    def __init__(self, folder: Path) -> None:
        self._files = static_files(folder)
        digest = hashlib.sha256()
        for name, body in self._files.items():
            digest.update(f"{name} {len(body)} ".encode() + body)
        self.version = digest.hexdigest()[:12]
        self.page = self._page()

    def _page(self) -> bytes:
        """The one page, which loads this version, and all modules that it needs at once without a chain of requests."""
        page = self._files["index.html"].decode()
        found = _FIRST_MODULE.search(page)
        if found:
            needed = self._needed(found[1])
            links = [f'<link rel="modulepreload" href="/static/{name}">\n    ' for name in needed]
            page = page.replace(found[0], "".join(links) + found[0], 1)
        return page.replace('"/static/', f'"/v/{self.version}/static/').encode()

    def _needed(self, first: str) -> list[str]:
        """The modules that a module imports, directly or not."""
        found = [first]
        for name in found:
            for written in _IMPORT.findall(self._files.get(name, b"")):
                needed = Path(name).parent.joinpath(written.decode())
                other = re.sub(r"[^/]+/\.\./", "", needed.as_posix())
                if other in self._files and other not in found:
                    found.append(other)
        return found[1:]

    def not_found(self) -> Response:
        """The one page, for an address that leads nowhere."""
        return Response(self.page, 404, {"cache-control": "no-store"}, TYPES[".html"])

    async def manifest(self, request: Request) -> Response:
        """The description of the app."""
        return self._answer(request, MANIFEST)

    async def service_worker(self, request: Request) -> Response:
        """The service worker of all pages, which must not lie deeper than they do."""
        return self._answer(request, "server_sw.js")

    async def file(self, request: Request) -> Response:
        """A file at its plain address, which browsers ask about each time, or of this version, which they keep."""
        version = request.path_params.get("version")
        if version not in (None, self.version):
            raise _no_file()
        answer = self._answer(request, request.path_params["path"])
        if version is not None:
            answer.headers["cache-control"] = _FOR_GOOD
        return answer

    def _answer(self, request: Request, name: str) -> Response:
        if name not in self._files:
            raise _no_file()
        return fresh(request, common(self._files[name], kind_of(name)))

    def warm(self) -> None:
        """Compress everything in advance."""
        for name, body in self._files.items():
            common(body, kind_of(name))


@lru_cache(maxsize=4)
def client_files(folder: Path) -> ClientFiles:
    """The files of a folder, read once for all servers of a process."""
    return ClientFiles(folder)


def _no_file() -> Refusal:
    return Refusal("not-found", "there is no such file")


async def catalogue(request: Request) -> Response:
    """The texts in the best of the languages wanted: English templates, each with its translation or forms.

    With `?first` only those of the first page, which is to be there quickly.
    """
    language = best_language(request.path_params["wanted"].split(","))
    return fresh(request, common(answers.catalogue(language, "first" in request.query_params)))


class NoSite(PaschError):
    """The folder holds no site that a server can serve."""


class MountedSite:
    """The files of a site, as they were when the server started, compressed once."""

    def __init__(self, folder: Path) -> None:
        try:
            page = (folder / "index.html").read_text("utf-8")
        except OSError:
            raise NoSite("{folder} is no site; `pasch site` writes one", folder=str(folder)) from None
        found = _POLICY.search(page)
        if found is None or 'data-server="self"' not in page:
            raise NoSite("write {folder} anew with `pasch site DIR --server self`", folder=str(folder))
        #: the policy in the page must hold for its workers too, which only obey a header
        self._policy = f"{unescape(found[1])}; frame-ancestors 'none'"
        self._files: dict[str, Kept] = {}
        for path in folder.rglob("*"):
            if path.is_file():
                kind = kind_of(path.name)
                kept = Kept.of(path.read_bytes(), kind, _SITE_LEVEL if kind in COMPRESSED else 0)
                self._files[path.relative_to(folder).as_posix()] = kept

    async def file(self, request: Request) -> Response:
        """A file of the site; the folder itself is its page."""
        name: str = request.path_params["path"] or "index.html"
        if name not in self._files:
            raise _no_file()
        answer = fresh(request, self._files[name])
        answer.headers["content-security-policy"] = self._policy
        return answer
