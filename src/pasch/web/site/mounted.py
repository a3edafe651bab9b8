"""A site (`pasch site`) that a server serves below `/app/`: what opens without a network once it is installed."""

from __future__ import annotations

import asyncio
import re
from html import unescape
from pathlib import Path
from typing import Final

from pasch.core.errors import PaschError
from pasch.table.refusals import Refusal
from pasch.web.http import COMPRESSED, Kept, Request, Response, fresh, kind_of

#: where it is served; the client knows it too
APP: Final = "/app/"
#: how much work compressing a file of it is worth: a site is read in about a second
_SITE_LEVEL: Final = 6
_POLICY: Final = re.compile(r'http-equiv="content-security-policy" content="([^"]*)"')


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
        #: the policy that the page states itself holds for its workers too, which only know what a header says
        self._policy = f"{unescape(found[1])}; frame-ancestors 'none'"
        self._files = {
            path.relative_to(folder).as_posix(): _site_file(path)
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
        answer = fresh(request, kept._replace(body=body))
        answer.headers["content-security-policy"] = self._policy
        return answer

    def mark(self, page: bytes) -> bytes:
        """The server's own page, which says that there is a site."""
        return page.replace(b"<html ", f'<html data-app="{APP}" '.encode(), 1)


def _site_file(path: Path) -> Kept:
    """What is kept of a file; its body, which may be large, is not."""
    kind = kind_of(path.name)
    level = _SITE_LEVEL if kind in COMPRESSED else 0
    return Kept.of(path.read_bytes(), kind, level)._replace(body=b"")
