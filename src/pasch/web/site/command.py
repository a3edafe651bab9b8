"""What `pasch site` does: read boxes of one's own, write the folder, say what was written, serve it to try."""

from __future__ import annotations

import gzip
import shlex
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from pasch.core.components import parse_components
from pasch.core.errors import ComponentError
from pasch.core.registry import find_game
from pasch.web.site.build import Site, build, writable
from pasch.web.site.page import SELF, read_origin
from pasch.web.site.parts import find_parts
from pasch.web.site.serve import make_server
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
) -> None:
    """Write a site, say what it is, and with `serve` serve it on this machine until Ctrl-C."""
    # whatever is refused is refused before tables are built, which may take minutes
    writable(folder)
    found, own, origin = find_parts(parts), read_boxes(boxes), read_server(server)
    tables = value_files(lambda line: click.echo(line, err=True)) if values else {}
    site = build(folder, found, own, origin, tables)
    click.echo("\n".join(summary(site)))
    if serve:
        serve_site(folder, port)
    else:
        # this rewrites the site, so without the same options it would be a different one
        options = [*(["--parts", parts] if parts else []), *(["--server", server] if server else [])]
        options += [part for box in boxes for part in ("--components", box)]
        options += [] if values else ["--no-values"]
        again = shlex.join(map(str, ["pasch", "site", folder, *options, "--serve"]))
        click.echo(f"Try it: {again}\nPut it on the web: docs/site.md")


def serve_site(folder: Path, port: int) -> None:
    """Serve a site on this machine until Ctrl-C."""
    with make_server(folder, port) as httpd:
        click.echo(f"Open http://localhost:{httpd.server_address[1]}/ (Ctrl-C ends it)")
        try:
            httpd.serve_forever()
        except KeyboardInterrupt:
            click.echo()


def summary(site: Site) -> list[str]:
    """Lines for people: what was written, and its size."""
    packed = sum(
        len(gzip.compress((site.folder / name).read_bytes(), 6))
        for name in site.sizes
        if not name.startswith("values/")
    )
    values = sum(size for name, size in site.sizes.items() if name.startswith("values/"))
    return [
        f"{site.folder}: {len(site.sizes)} files, {site.size / 1e6:.1f} MB, version {site.version}",
        f"Over the network: {packed / 1e6:.1f} MB compressed, once"
        + (f"; tables of values, {values / 1e6:.1f} MB, each when it is first wanted" if values else ""),
    ]


def read_server(server: str | None) -> str:
    """The origin of the server for tables with friends, or SELF; empty if there is none."""
    return server if server == SELF else read_origin(server) if server else ""


def read_boxes(files: Iterable[Path]) -> dict[str, list[dict[str, Any]]]:
    """Boxes of one's own by game, each with a name, checked for every number of players."""
    found: dict[str, list[dict[str, Any]]] = {}
    for file in files:
        text = file.read_text("utf-8", errors="replace")
        try:
            id_ = str(tomllib.loads(text).get("game"))
        except ValueError:
            raise ComponentError("the file", "this is no TOML file", detail=str(file)) from None
        game = find_game(id_)
        box = parse_components(game.Components, id_, text)
        for players in game.seats:
            box.check(players)
        named = {"name": file.stem[:_MAX_NAME], "data": msgspec.to_builtins(box)}
        found.setdefault(id_, []).append(named)
    return found
