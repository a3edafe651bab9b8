"""The client's files: those in `static/`, those in the games' folders, and the catalogues of its texts."""

from __future__ import annotations

import hashlib
import re
from functools import cache, lru_cache
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from pasch.core.errors import UnknownGame
from pasch.core.languages import best_language, languages
from pasch.core.registry import find_file, find_game, game_ids
from pasch.core.texts import forms, messages
from pasch.table.commands import Refusal

if TYPE_CHECKING:
    from babel.messages.catalog import Message

STATIC: Final = Path(__file__).parent / "static"

#: the modules whose texts the first page shows
FIRST: Final = frozenset(
    {"main.js", "frame.js", "api.js", "home.js", "words.js", "settings.js", "retry.js"}
)

#: the files of a game's folder that browsers may read, all of which may be missing
GAME_FILES: Final = ("board.js", "board.css", "thumb.svg")
#: beside them, what a game states about its chance events, by which the page checks the dice; null if it states nothing
CHANCE_FILE: Final = "chance.json"

#: the places whose texts the client never shows
_ELSEWHERE: Final = re.compile(r"(?:games/\w+/)?terminal\.py|terminal/.*|coach/document\.py|lesson\.toml")

#: how the client's files are named, folders included: no dots at the beginning, nothing long
_NAME: Final = re.compile(r"(?:[a-z0-9_-][\w.-]{0,60}/){0,3}[a-z0-9_-][\w.-]{0,60}", re.ASCII)

#: what is served, and as what; nothing else is
TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
}


async def index(request: Request) -> Response:
    """The one page; which table or rules it shows is the client's affair."""
    return _file(request, STATIC / "index.html")


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


def game_files(game: str) -> list[str]:
    """Which of the files that browsers may read this game has."""
    return [name for name in GAME_FILES if find_file(game, name)]


async def game_file(request: Request) -> Response:
    """A file of a game's folder, wherever its package is installed."""
    game, name = request.path_params["game"], request.path_params["name"]
    try:
        body = _chance(game) if name == CHANCE_FILE else _game_file(game, name)
    except UnknownGame:
        body = None
    if body is None:
        raise Refusal("not-found", "there is no such file")
    return fresh(request, body, TYPES[Path(name).suffix])


def _game_file(game: str, name: str) -> bytes | None:
    file = find_file(game, name) if name in GAME_FILES else None
    return None if file is None else file.read_bytes()


@cache
def _chance(game: str) -> bytes:
    return msgspec.json.encode(find_game(game).chance_description())


async def catalogue(request: Request) -> Response:
    """The texts in the best of the languages wanted: English templates, each with its translation or forms.

    With `?first` only those of the first page, which is to be there quickly.
    """
    language = best_language(request.path_params["wanted"].split(","))
    return fresh(request, _catalogue(language, "first" in request.query_params), "application/json")


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


def _for_browser(message: Message) -> bool:
    """Whether the client needs a text: not one of the terminal, nor of a lesson, which brings its texts along."""
    places = [str(place) for place, _ in message.locations]
    # somebody else's catalogue need not say where its texts stand
    return not places or not all(map(_ELSEWHERE.fullmatch, places))


@cache
def _catalogue(language: str, first: bool) -> bytes:
    general = messages(language)
    if first:
        every = [one for one in general if FIRST & {str(place) for place, _ in one.locations}]
    else:
        of_games = [one for game in game_ids() for one in messages(language, game)]
        # the games first, so that none translates otherwise what the program says itself
        every = [one for one in (*of_games, *general) if _for_browser(one)]
    templates = {
        key: one.string for one in every for key in ((one.id,) if isinstance(one.id, str) else one.id)
    }
    told = {
        "language": language,
        "languages": languages(),
        "forms": forms(language),
        "templates": templates,
    }
    return msgspec.json.encode(told)


@lru_cache(maxsize=512)
def _tag(body: bytes) -> str:
    return f'"{hashlib.sha256(body).hexdigest()[:24]}"'


def fresh(request: Request, body: bytes, kind: str, tag: str | None = None) -> Response:
    """An answer that the browser may keep, but asks about each time: an upgrade shows at once."""
    headers = {"etag": tag or _tag(body), "cache-control": "no-cache"}
    known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    if headers["etag"] in known:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=kind, headers={**headers, "content-type": kind})
