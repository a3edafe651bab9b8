"""Serving a folder of static files on this machine, to try a site: no special headers, compressed as usual."""

from __future__ import annotations

import gzip
import re
import sys
from functools import lru_cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from pasch.web.http import COMPRESSED, SITE_TYPES


class SiteHandler(SimpleHTTPRequestHandler):
    """Answers with the files of a folder, and logs nothing."""

    extensions_map = {**SITE_TYPES, "": "application/octet-stream"}
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        takes = re.search(r"\bgzip\b", self.headers.get("Accept-Encoding", ""))
        if not takes or self.guess_type(path) not in COMPRESSED or not path.is_file():
            return super().do_GET()
        body = _packed(path, path.stat().st_mtime_ns)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Last-Modified", self.date_time_string(int(path.stat().st_mtime)))
        self.end_headers()
        self.wfile.write(body)
        return None

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


@lru_cache(maxsize=512)
def _packed(path: Path, changed: int) -> bytes:
    return gzip.compress(path.read_bytes(), 6, mtime=0)


class SiteServer(ThreadingHTTPServer):
    """Serves a folder; a browser that hangs up is no reason to say anything."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def make_server(folder: Path, port: int = 0) -> ThreadingHTTPServer:
    """A server of this folder on the loopback address; port 0 takes any that is free."""
    return SiteServer(("127.0.0.1", port), partial(SiteHandler, directory=str(folder)))
