"""The client's files: those in `static/`, those in the games' folders, and the catalogues of its texts."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from stat import S_ISREG
from typing import Final

from pasch.core.errors import UnknownGame
from pasch.core.languages import best_language
from pasch.table.commands import Refusal
from pasch.web import answers
from pasch.web.http import TYPES, Request, Response, fresh
from pasch.web.site.manifest import manifest as app_manifest

STATIC: Final = Path(__file__).parent / "static"

#: how the client's files are named, folders included: no dots at the beginning, nothing long
_NAME: Final = re.compile(r"(?:[a-z0-9_-][\w.-]{0,60}/){0,3}[a-z0-9_-][\w.-]{0,60}", re.ASCII)


async def index(request: Request) -> Response:
    """The one page; which table or rules it shows is the client's affair."""
    return _file(request, STATIC / "index.html")


async def service_worker(request: Request) -> Response:
    """The service worker of all pages, which must not lie deeper than they do."""
    return _file(request, STATIC / "server_sw.js")


async def manifest(request: Request) -> Response:
    """The web app manifest, by which browsers install the app."""
    return fresh(request, app_manifest("/"), TYPES[".webmanifest"])


def lost() -> Response:
    """The one page, for an address that leads nowhere."""
    page = STATIC / "index.html"
    body = _content(page, page.stat().st_mtime_ns)
    return Response(body, 404, {"cache-control": "no-store"}, TYPES[".html"])


async def static(request: Request) -> Response:
    path: str = request.path_params["path"]
    if not _NAME.fullmatch(path):
        raise Refusal("not-found", "there is no such file")
    return _file(request, STATIC / path)


async def game_file(request: Request) -> Response:
    """A file of a game's folder, wherever its package is installed."""
    game, name = request.path_params["game"], request.path_params["name"]
    try:
        body = answers.chance(game) if name == answers.CHANCE_FILE else answers.game_file(game, name)
    except UnknownGame:
        body = None
    if body is None:
        raise Refusal("not-found", "there is no such file")
    return fresh(request, body, TYPES[Path(name).suffix])


async def catalogue(request: Request) -> Response:
    """The texts in the best of the languages wanted: English templates, each with its translation or forms.

    With `?first` only those of the first page, which is to be there quickly.
    """
    language = best_language(request.path_params["wanted"].split(","))
    return fresh(request, answers.catalogue(language, "first" in request.query_params), "application/json")


def _file(request: Request, path: Path) -> Response:
    kind = TYPES.get(path.suffix)
    try:
        there = None if kind is None else path.stat()
    except OSError:
        there = None
    if kind is None or there is None or not S_ISREG(there.st_mode):
        raise Refusal("not-found", "there is no such file")
    return fresh(request, _content(path, there.st_mtime_ns), kind)


@lru_cache(maxsize=256)
def _content(path: Path, stamp: int) -> bytes:
    return path.read_bytes()
