"""Requests and answers over HTTP, as the endpoints see them: the same on a server and in a browser's worker."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import AsyncIterator, Mapping
from functools import lru_cache
from typing import Any, Final, Protocol

import msgspec

from pasch.table.clients import encode_refusal
from pasch.table.codes import Code
from pasch.table.commands import Refusal

#: the HTTP status for each code of a refusal
STATUS: Final[dict[Code, int]] = {
    "malformed": 400,
    "too-large": 413,
    "too-fast": 429,
    "no-table": 404,
    "not-found": 404,
    "not-yours": 403,
    "old-version": 409,
    "old-page": 409,
    "illegal": 422,
    "not-now": 409,
    "not-agreed": 403,
    "full": 503,
    "storage": 503,
    "not-ready": 501,
}
#: what is served, and as what; nothing else is
TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".wav": "audio/wav",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
}
#: what gets shorter by compressing it
COMPRESSED: Final = frozenset(kind for suffix, kind in TYPES.items() if suffix not in (".png", ".ico"))
#: where the scope of a request says by which address it is counted, and whether another server sent it on
ADDRESS, FORWARDED = "pasch.address", "pasch.forwarded"
#: after how many seconds to try again what is refused only for now, unless the refusal says so itself
RETRY: Final = {429: 5, 503: 5}


class Request(Protocol):
    """What an endpoint is asked; Starlette's requests are such."""

    @property
    def scope(self) -> Mapping[str, Any]:
        """Where the address stands by which the request is counted, see `address_of`."""

    @property
    def method(self) -> str:
        """GET or POST."""

    @property
    def path_params(self) -> dict[str, Any]:
        """The variable parts of the path."""

    @property
    def query_params(self) -> Mapping[str, str]:
        """What stands behind the question mark."""

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers, by their names in small letters."""

    def stream(self) -> AsyncIterator[bytes]:
        """The body, in pieces."""


def address_of(request: Request) -> str:
    """The address by which a request is counted."""
    address: str = request.scope[ADDRESS]
    return address


class Response:
    """An answer of an endpoint."""

    def __init__(
        self,
        body: bytes = b"",
        status_code: int = 200,
        headers: Mapping[str, str] | None = None,
        media_type: str | None = None,
    ) -> None:
        self.body = body
        self.status_code = status_code
        self.headers = dict(headers or {})
        if media_type is not None:
            self.headers["content-type"] = media_type


def json_answer(data: Any, status: int = 200) -> Response:
    """An answer that is not to be kept."""
    return Response(msgspec.json.encode(data), status, {"cache-control": "no-store"}, "application/json")


async def short_body(request: Request, most: int = 1024) -> bytes:
    """The body of a request, read no further than this many bytes."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise Refusal("too-large", "a request has at most {most} bytes", most=most)
    return bytes(body)


def refusal_headers(refusal: Refusal) -> dict[str, str]:
    """The headers of an answer that refuses: not to be kept, and when to try again."""
    headers = {"cache-control": "no-store"}
    after = getattr(refusal, "after", RETRY.get(STATUS[refusal.code]))
    return headers if after is None else {**headers, "retry-after": str(after)}


def refuse(refusal: Refusal) -> Response:
    """The answer that refuses a request."""
    return refuse_with(refusal, STATUS[refusal.code])


def refuse_with(refusal: Refusal, status: int) -> Response:
    """The answer that refuses a request, with a status of its own."""
    return Response(encode_refusal(refusal), status, refusal_headers(refusal), "application/json")


def failed() -> Response:
    """The answer where something unexpected has happened; it gives no details."""
    return refuse_with(Refusal("storage", "something went wrong here; try again later"), 500)


@lru_cache(maxsize=1024)
def _tag(body: bytes) -> str:
    return f'"{hashlib.sha256(body).hexdigest()[:24]}"'


def pack(body: bytes, level: int = 9) -> bytes | None:
    """The body compressed; None if that is hardly shorter."""
    packed = gzip.compress(body, level, mtime=0)
    return packed if len(packed) < 0.9 * len(body) else None


@lru_cache(maxsize=1024)
def compressed(body: bytes, kind: str) -> bytes | None:
    """The body compressed, worked out once; None if that is hardly shorter."""
    return pack(body) if kind in COMPRESSED else None


def _accepts_gzip(request: Request) -> bool:
    for wish in request.headers.get("accept-encoding", "").lower().split(","):
        name, _, weight = wish.replace(" ", "").partition(";q=")
        if name == "gzip":
            return weight.strip("0.") != "" or not weight
    return False


def fresh(
    request: Request, body: bytes, kind: str, tag: str | None = None, packed: bytes | None = None
) -> Response:
    """An answer that the browser may keep, but asks about each time: an upgrade shows at once.

    Without a tag of its own it is the same for everybody: a page, a file, a catalogue. Of these there are a few
    hundred, so each is compressed once and kept. What belongs to a table never is: there are too many of them, and
    the length of a compressed answer would say something about the secrets in it. Whoever keeps compressed bodies
    of its own, with tags of their own, brings them as `packed`.
    """
    headers = {"cache-control": "no-cache"}
    if tag is None or packed is not None:
        headers["vary"] = "accept-encoding"
    if not _accepts_gzip(request):
        packed = None
    elif tag is None:
        packed = compressed(body, kind)
    own = tag or _tag(body)
    headers["etag"] = own if packed is None else f'{own[:-1]}-gzip"'
    known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    if headers["etag"] in known:
        return Response(status_code=304, headers=headers)
    headers["content-type"] = kind
    if packed is None:
        return Response(body, media_type=kind, headers=headers)
    return Response(packed, media_type=kind, headers={**headers, "content-encoding": "gzip"})
