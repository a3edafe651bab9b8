"""What `pasch site` does: read custom boxes, write the folder, report what was written, serve it for a try.

It is served on this machine, without special headers.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from pasch.core.components import parse_components
from pasch.core.errors import ComponentError
from pasch.core.registry import find_game
from pasch.web.http import TYPES
from pasch.web.site.build import build, writable
from pasch.web.site.engine import find_parts
from pasch.web.site.page import SELF, read_origin
from pasch.web.site.values import value_files

_MAX_NAME: Final = 60


def write_site(
    folder: Path,
    parts: Path | None,
    boxes: Sequence[Path],
    server: str | None,
    values: bool,
    serve: bool,
    port: int,
    watched: Callable[[str], AbstractContextManager[Any]] = nullcontext,
) -> None:
    """Write a site, say what it is, and with `serve` serve it on this machine until Ctrl-C.

    `watched` shows progress while the site is written.
    """
    # all checks come before tables are built, which may take minutes
    writable(folder)
    found, own = find_parts(parts), read_boxes(boxes)
    origin = server if server == SELF else read_origin(server) if server else ""
    tables = value_files(lambda line: click.echo(line, err=True)) if values else {}
    with watched("site"):
        site = build(folder, found, own, origin, tables)
    later = sum(size for name, size in site.sizes.items() if name.startswith("values/"))
    click.echo(
        f"{folder}: {len(site.sizes)} files, {site.size / 1e6:.1f} MB, version {site.version}\n"
        f"Tables of values are {later / 1e6:.1f} MB of it, each of which is sent when it is first wanted"
    )
    if serve:
        with make_server(folder, port) as httpd:
            click.echo(f"Open http://localhost:{httpd.server_address[1]}/ (Ctrl-C ends it)")
            try:
                httpd.serve_forever()
            except KeyboardInterrupt:
                click.echo()
    else:
        click.echo("Try it: the same command with --serve\nPut it on the web: docs/site.md")


def read_boxes(files: Iterable[Path]) -> dict[str, list[dict[str, Any]]]:
    """Custom boxes by game, each with a name, checked for every number of players."""
    found: dict[str, list[dict[str, Any]]] = {}
    for file in files:
        text = file.read_text("utf-8", errors="replace")
        try:
            id_ = str(tomllib.loads(text).get("game"))
        except ValueError:
            raise ComponentError("the file", "this is not a TOML file", detail=str(file)) from None
        game = find_game(id_)
        box = parse_components(game.Components, id_, text)
        for players in game.seats:
            box.check(players)
        named = {"name": file.stem[:_MAX_NAME], "data": msgspec.to_builtins(box)}
        found.setdefault(id_, []).append(named)
    return found


class SiteHandler(SimpleHTTPRequestHandler):
    """Answers with the files of a folder, and logs nothing."""

    extensions_map = {**TYPES, "": "application/octet-stream"}
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""

    def handle(self) -> None:
        """Answer until the browser hangs up, which is no reason to print anything."""
        with suppress(ConnectionError):
            super().handle()


def make_server(folder: Path, port: int = 0) -> ThreadingHTTPServer:
    """A server of this folder on the loopback address; port 0 takes any that is free."""
    return ThreadingHTTPServer(("127.0.0.1", port), partial(SiteHandler, directory=str(folder)))
