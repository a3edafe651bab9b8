"""Requests and answers over HTTP, as the endpoints see them: the same on a server and in a browser's worker."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import AsyncIterator, Callable
from functools import lru_cache
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from pasch.table.messages import encode_refusal
from pasch.table.refusals import CODES, Refusal

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

JSON: Final = "application/json"
#: the suffixes that are served, with their content types
TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".wav": "audio/wav",
    ".json": JSON,
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".zip": "application/zip",
}
#: keys of a request's scope: the address that pays, and whether another server forwarded it
ADDRESS, FORWARDED = "pasch.address", "pasch.forwarded"
#: the codes with which a WebSocket is closed: there is no such table; the client reconnects, at once or after a while;
#: it said too much, or no hello
NO_TABLE, RESTARTED, TRY_AGAIN, TOO_FAST = 4404, 1012, 1013, 1008
#: the default of Retry-After for temporary refusals, in seconds
RETRY_SECONDS: Final = {429: 5, 503: 5}


def kind_of(name: str) -> str:
    """The content type of a file."""
    return TYPES.get(PurePath(name).suffix, "application/octet-stream")


class Request(msgspec.Struct):
    """What an endpoint is asked in a worker; on a server it is Starlette's request, which has all of this."""

    path_params: dict[str, str] = {}
    query_params: dict[str, str] = {}
    content: bytes = b""
    headers: dict[str, str] = {}
    scope: dict[str, Any] = msgspec.field(default_factory=lambda: {ADDRESS: ""})

    async def stream(self) -> AsyncIterator[bytes]:
        """The body, in pieces."""
        yield self.content


def address_of(request: Request) -> str:
    """The address by which a request is counted."""
    address: str = request.scope[ADDRESS]
    return address


class Response(msgspec.Struct):
    """An answer of an endpoint; Starlette sends it."""

    body: bytes = b""
    status_code: int = 200
    headers: dict[str, str] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # a worker has no Starlette
        from starlette import responses

        await responses.Response(self.body, self.status_code, self.headers)(scope, receive, send)


def json_answer(data: Any, status: int = 200) -> Response:
    """An answer that is not to be kept."""
    return Response(msgspec.json.encode(data), status, {"cache-control": "no-store", "content-type": JSON})


async def read_body(
    request: Request, most: int = 1024, count: Callable[[int], None] = lambda size: None
) -> bytes:
    """The body of a request, read no further than this many bytes; `count` is called with the size of each chunk."""
    body = bytearray()
    async for chunk in request.stream():
        if len(body) + len(chunk) > most:
            raise Refusal("too-large", "a request has at most {most} bytes", most=most)
        count(len(chunk))
        body += chunk
    return bytes(body)


def decode_body(body: bytes, kind: Any) -> Any:
    """The value in a body; Refusal if it is none of this type."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise Refusal("malformed", "this request is not understood", detail=str(error)) from None


def refuse(refusal: Refusal, status: int | None = None) -> Response:
    """The answer that refuses a request: not to be kept, and when to try again."""
    status = CODES[refusal.code][0] if status is None else status
    headers = {"cache-control": "no-store", "content-type": JSON}
    after = getattr(refusal, "after", RETRY_SECONDS.get(status))
    if after is not None:
        headers["retry-after"] = str(after)
    return Response(encode_refusal(refusal), status, headers)


def failed() -> Response:
    """The answer where something unexpected has happened; it gives no details."""
    return refuse(Refusal.failed(), 500)


# --- answers that are kept ----------------------------------------------------------------------------


class Kept(NamedTuple):
    """An answer as it is kept."""

    body: bytes
    kind: str
    tag: str
    #: compressed, where that is allowed and makes it shorter
    packed: bytes | None = None

    @classmethod
    def of(cls, body: bytes, kind: str = JSON, pack: bool = False) -> Kept:
        """A body with its entity tag, and compressed if wanted."""
        packed = gzip.compress(body, 6, mtime=0) if pack else body
        tag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
        return cls(body, kind, tag, packed if len(packed) < 0.9 * len(body) else None)


@lru_cache(maxsize=1024)
def common(body: bytes, kind: str = JSON) -> Kept:
    """A static page, file or catalogue, one of a few hundred: compressed once.

    What belongs to a table never is compressed: there are too many of them, and the length of the answer would say
    something about the secrets in it.
    """
    return Kept.of(body, kind, pack=True)


def fresh(request: Request, kept: Kept) -> Response:
    """An answer that the browser may keep, but revalidates each time, so that an upgrade shows immediately."""
    headers = {"cache-control": "no-cache", "etag": kept.tag}
    body = kept.body
    if kept.packed is not None:
        headers["vary"] = "accept-encoding"
        if "gzip" in request.headers.get("accept-encoding", ""):
            body = kept.packed
            headers |= {"etag": f'{kept.tag[:-1]}-gzip"', "content-encoding": "gzip"}
    known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    if headers["etag"] in known:
        headers.pop("content-encoding", None)
        return Response(status_code=304, headers=headers)
    return Response(body, 200, {**headers, "content-type": kept.kind})
