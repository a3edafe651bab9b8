"""The client's files, as they lie in `static/`, and the catalogues of its texts."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from pasch.core.registry import all_games
from pasch.table.commands import Refusal

HERE: Final = Path(__file__).parent
STATIC: Final = HERE / "static"
LOCALE: Final = HERE / "locale"

#: the modules whose texts the first page shows
FIRST: Final = frozenset({"main.js", "frame.js", "api.js", "home.js", "words.js", "settings.js"})

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
    return Response(
        (STATIC / "index.html").read_bytes(), 404, {"cache-control": "no-store"}, TYPES[".html"]
    )


async def static(request: Request) -> Response:
    path = (STATIC / request.path_params["path"]).resolve()
    if not path.is_relative_to(STATIC.resolve()):
        raise Refusal("not-found", "there is no such file")
    return _file(request, path)


async def catalogue(request: Request) -> Response:
    """A language's texts: each English template with its translation, or its plural forms.

    With `?first` only those of the first page, which is to be there quickly.
    """
    path = LOCALE / f"{request.path_params['language']}.po"
    # English is what stands in the program; a catalogue of its own is not needed
    if path.stem != "en" and path not in set(LOCALE.glob("*.po")):
        raise Refusal("not-found", "there is no such language")
    stamp = path.stat().st_mtime_ns if path.is_file() else 0
    first = "first" in request.query_params
    return fresh(request, _templates(path, stamp, first), "application/json")


def _file(request: Request, path: Path) -> Response:
    kind = TYPES.get(path.suffix)
    if kind is None or not path.is_file():
        raise Refusal("not-found", "there is no such file")
    return fresh(request, _content(path, path.stat().st_mtime_ns), kind)


@lru_cache(maxsize=256)
def _content(path: Path, stamp: int) -> bytes:
    return path.read_bytes()


@lru_cache(maxsize=32)
def _templates(path: Path, stamp: int, first: bool) -> bytes:
    templates: dict[str, Any] = {}
    if stamp:
        from babel.messages.pofile import read_po

        pitches = {game.pitch for game in all_games()}
        with path.open("rb") as file:
            for message in read_po(file):
                places = {str(place) for place, _ in message.locations}
                if first and not places & FIRST and message.id not in pitches:
                    continue
                if message.id and message.string and not message.fuzzy:
                    key = message.id if isinstance(message.id, str) else message.id[0]
                    said = message.string
                    if said != message.id:
                        templates[key] = said if isinstance(said, str) else list(said)
    return msgspec.json.encode({"templates": templates})


@lru_cache(maxsize=512)
def _tag(body: bytes) -> str:
    return f'"{hashlib.sha256(body).hexdigest()[:24]}"'


def fresh(request: Request, body: bytes, kind: str) -> Response:
    """An answer that the browser may keep, but asks about each time: an upgrade shows at once."""
    headers = {"etag": _tag(body), "cache-control": "no-cache"}
    known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    if headers["etag"] in known:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=kind, headers={**headers, "content-type": kind})
