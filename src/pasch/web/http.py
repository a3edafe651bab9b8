"""Requests and answers over HTTP, as the endpoints see them: the same on a server and in a browser's worker."""

from __future__ import annotations

import gzip
import hashlib
from collections import OrderedDict
from collections.abc import AsyncIterator, Hashable, Mapping
from functools import lru_cache
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

import msgspec

from pasch.table.messages import encode_refusal
from pasch.table.refusals import Code, Refusal

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

JSON: Final = "application/json"
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
    ".json": JSON,
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
}
#: what a site has besides
SITE_TYPES: Final = {
    **TYPES,
    ".mjs": TYPES[".js"],
    ".wasm": "application/wasm",
    ".zip": "application/zip",
}
#: what gets shorter by compressing it
COMPRESSED: Final = frozenset(
    kind for suffix, kind in SITE_TYPES.items() if suffix not in (".png", ".ico", ".wav", ".zip")
)
#: where the scope of a request says by which address it is counted, and whether another server sent it on
ADDRESS, FORWARDED = "pasch.address", "pasch.forwarded"
#: after how many seconds to try again what is refused only for now, unless the refusal says so itself
RETRY_SECONDS: Final = {429: 5, 503: 5}


def kind_of(name: str) -> str:
    """The content type of a file of a site."""
    return SITE_TYPES.get(PurePath(name).suffix, "application/octet-stream")


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
    """An answer of an endpoint; Starlette sends it."""

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

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # a handshake is refused with an answer, too
        kind = "websocket.http.response" if scope["type"] == "websocket" else "http.response"
        headers = [
            (name.lower().encode("latin-1"), value.encode("latin-1"))
            for name, value in self.headers.items()
        ]
        if self.status_code != 304:
            headers.append((b"content-length", str(len(self.body)).encode()))
        await send({"type": f"{kind}.start", "status": self.status_code, "headers": headers})
        await send({"type": f"{kind}.body", "body": self.body})


def json_answer(data: Any, status: int = 200) -> Response:
    """An answer that is not to be kept."""
    return Response(msgspec.json.encode(data), status, {"cache-control": "no-store"}, JSON)


async def read_body(request: Request, most: int = 1024) -> bytes:
    """The body of a request, read no further than this many bytes."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise Refusal("too-large", "a request has at most {most} bytes", most=most)
    return bytes(body)


def decode_body(body: bytes, kind: Any) -> Any:
    """The value in a body; Refusal if it is none of this type."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise Refusal("malformed", "this request is not understood", detail=str(error)) from None


def refuse(refusal: Refusal, status: int | None = None) -> Response:
    """The answer that refuses a request: not to be kept, and when to try again."""
    status = STATUS[refusal.code] if status is None else status
    headers = {"cache-control": "no-store"}
    after = getattr(refusal, "after", RETRY_SECONDS.get(status))
    if after is not None:
        headers["retry-after"] = str(after)
    return Response(encode_refusal(refusal), status, headers, JSON)


def failed() -> Response:
    """The answer where something unexpected has happened; it gives no details."""
    return refuse(Refusal("storage", "something went wrong here; try again later"), 500)


# --- answers that are kept ----------------------------------------------------------------------------


class Kept(NamedTuple):
    """An answer as it is kept."""

    body: bytes
    kind: str
    tag: str
    #: compressed, where that is allowed and makes it shorter
    packed: bytes | None = None

    @classmethod
    def of(cls, body: bytes, kind: str = JSON, level: int = 0) -> Kept:
        """A body with its entity tag; with a level it is compressed, too."""
        packed = gzip.compress(body, level, mtime=0) if level else body
        tag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
        return cls(body, kind, tag, packed if len(packed) < 0.9 * len(body) else None)


@lru_cache(maxsize=1024)
def common(body: bytes, kind: str = JSON) -> Kept:
    """What is the same for everybody, a page, a file or a catalogue, of which there are a few hundred: compressed once.

    What belongs to a table never is compressed: there are too many of them, and the length of the answer would say
    something about the secrets in it.
    """
    return Kept.of(body, kind, 9 if kind in COMPRESSED else 0)


def fresh(request: Request, kept: Kept) -> Response:
    """An answer that the browser may keep, but asks about each time: an upgrade shows at once."""
    headers = {"cache-control": "no-cache", "etag": kept.tag}
    body = kept.body
    if kept.packed is not None:
        headers["vary"] = "accept-encoding"
        if _accepts_gzip(request):
            body = kept.packed
            headers |= {"etag": f'{kept.tag[:-1]}-gzip"', "content-encoding": "gzip"}
    known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    if headers["etag"] in known:
        headers.pop("content-encoding", None)
        return Response(status_code=304, headers=headers)
    return Response(body, 200, headers, kept.kind)


def _accepts_gzip(request: Request) -> bool:
    for wish in request.headers.get("accept-encoding", "").lower().split(","):
        name, _, weight = wish.replace(" ", "").partition(";q=")
        if name == "gzip":
            return weight.strip("0.") != "" or not weight
    return False


class ByteCache:
    """Keeps the answers used last, up to a number of bytes of their bodies."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._kept: OrderedDict[Hashable, Kept] = OrderedDict()
        self.size = 0

    def get(self, key: Hashable) -> Kept | None:
        """The answer under this key, if it is still there."""
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def put(self, key: Hashable, answer: Kept) -> None:
        """Cache an answer; the least recently used ones are evicted."""
        before = self._kept.pop(key, None)
        self.size += len(answer.body) - (len(before.body) if before else 0)
        self._kept[key] = answer
        while self.size > self._max_bytes:
            _, dropped = self._kept.popitem(last=False)
            self.size -= len(dropped.body)
