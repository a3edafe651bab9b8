"""The client's files and the catalogues of its texts, and those of a site (`pasch site`) that a server serves as well.

The client's files, in `static/` and in the games' folders, are read once, when the server starts, and have addresses
with their version: `/v/VERSION/static/…`. Modules import each other by relative addresses, so a page only ever has
modules of one version, also while Pasch is being upgraded. Starlette's StaticFiles would look at the folder for each
request, and so mix them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import lru_cache
from html import unescape
from pathlib import Path
from typing import Final

from pasch.core.errors import PaschError
from pasch.core.registry import game_ids
from pasch.core.texts import best_language
from pasch.table.refusals import Refusal
from pasch.web import answers
from pasch.web.http import TYPES, Request, Response, common, fresh, kind_of

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


def version_of(files: Mapping[str, bytes]) -> str:
    """A hash over the names and contents of files."""
    listed = "".join(f"{name} {hashlib.sha256(data).hexdigest()}\n" for name, data in sorted(files.items()))
    return hashlib.sha256(listed.encode()).hexdigest()[:12]


class Files:
    """Files as they were when they were read, by their paths."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files

    def answer(self, request: Request, name: str) -> Response:
        """A file; Refusal if there is none of this name."""
        if name not in self.files:
            raise _no_file()
        return fresh(request, common(self.files[name], kind_of(name)))

    def warm(self) -> None:
        """Compress everything in advance."""
        for name, body in self.files.items():
            common(body, kind_of(name))


class ClientFiles(Files):
    """The files of the client and of the games."""

    def __init__(self, folder: Path) -> None:
        super().__init__(static_files(folder))
        self.version = version_of(self.files)
        self.page = self._page()

    def _page(self) -> bytes:
        """The one page, which loads this version, and all modules that it needs at once without a chain of requests."""
        page = self.files["index.html"].decode()
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
            for written in _IMPORT.findall(self.files.get(name, b"")):
                needed = Path(name).parent.joinpath(written.decode())
                other = re.sub(r"[^/]+/\.\./", "", needed.as_posix())
                if other in self.files and other not in found:
                    found.append(other)
        return found[1:]

    async def file(self, request: Request) -> Response:
        """A file at its plain address, which browsers ask about each time, or of this version, which they keep."""
        version = request.path_params.get("version")
        if version not in (None, self.version):
            raise _no_file()
        answer = self.answer(request, request.path_params["path"])
        if version is not None:
            answer.headers["cache-control"] = _FOR_GOOD
        return answer


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


class MountedSite(Files):
    """The files of a site."""

    def __init__(self, folder: Path) -> None:
        try:
            page = (folder / "index.html").read_text("utf-8")
        except OSError:
            raise PaschError("{folder} is no site; `pasch site` writes one", folder=str(folder)) from None
        found = _POLICY.search(page)
        if found is None or 'data-server="self"' not in page:
            raise PaschError("write {folder} anew with `pasch site DIR --server self`", folder=str(folder))
        #: the policy in the page must hold for its workers too, which only obey a header
        self._policy = f"{unescape(found[1])}; frame-ancestors 'none'"
        files = (path for path in folder.rglob("*") if path.is_file())
        super().__init__({path.relative_to(folder).as_posix(): path.read_bytes() for path in files})
        self.warm()  # the engine is large

    async def file(self, request: Request) -> Response:
        """A file of the site; the folder itself is its page."""
        answer = self.answer(request, request.path_params["path"] or "index.html")
        answer.headers["content-security-policy"] = self._policy
        return answer
