"""A site (`pasch site`) that a server serves below `/app/`: what opens without a network once it is installed."""

from __future__ import annotations

import asyncio
import hashlib
import re
from html import unescape
from pathlib import Path
from typing import Final, NamedTuple

from pasch.core.errors import PaschError
from pasch.table.commands import Refusal
from pasch.web.endpoints import Answering
from pasch.web.files import ClientFiles
from pasch.web.http import COMPRESSED, TYPES, Request, Response, fresh, pack

#: where it is served; `static/app/addresses.js` knows it too
APP: Final = "/app/"
#: how much work compressing a file is worth: a site is read in about a second
LEVEL: Final = 6
_POLICY: Final = re.compile(r'http-equiv="content-security-policy" content="([^"]*)"')
_MORE_TYPES: Final = {".mjs": TYPES[".js"], ".wasm": "application/wasm", ".zip": "application/zip"}


class NoSite(PaschError):
    """The folder holds no site that a server can serve."""


class _Kept(NamedTuple):
    """What is known of a file beforehand."""

    kind: str
    tag: str
    #: compressed, where that makes it shorter
    packed: bytes | None

    @classmethod
    def of(cls, path: Path) -> _Kept:
        body = path.read_bytes()
        kind = TYPES.get(path.suffix) or _MORE_TYPES.get(path.suffix, "application/octet-stream")
        shorter = kind in COMPRESSED or path.suffix == ".wasm"
        tag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
        return cls(kind, tag, pack(body, LEVEL) if shorter else None)


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
        #: the policy that the page states itself holds for its workers too, which only know what a header says
        self._policy = f"{unescape(found[1])}; frame-ancestors 'none'"
        self._files = {
            path.relative_to(folder).as_posix(): _Kept.of(path)
            for path in folder.rglob("*")
            if path.is_file()
        }
        self._folder = folder

    async def file(self, request: Request) -> Response:
        """A file of the site; the folder itself is its page."""
        name: str = request.path_params["path"] or "index.html"
        kept = self._files.get(name)
        if kept is None:
            raise Refusal("not-found", "there is no such file")
        body = await asyncio.to_thread((self._folder / name).read_bytes)
        answer = fresh(request, body, kept.kind, kept.tag, kept.packed)
        answer.headers["content-security-policy"] = self._policy
        return answer

    def mark(self, files: ClientFiles) -> Answering:
        """What answers with the server's own page, which says that there is a site."""
        page = files.page.replace(b"<html ", f'<html data-app="{APP}" '.encode(), 1)

        async def index(request: Request) -> Response:
            return fresh(request, page, TYPES[".html"])

        return index
