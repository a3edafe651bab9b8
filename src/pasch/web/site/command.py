"""What `pasch site` does: read custom boxes, write the folder, report what was written."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from pasch.core.components import parse_components
from pasch.core.errors import ComponentError
from pasch.core.registry import find_game
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
    watched: Callable[[str], AbstractContextManager[Any]] = nullcontext,
) -> None:
    """Write a site, and say what it is; `watched` shows progress meanwhile."""
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
        f"Tables of values are {later / 1e6:.1f} MB of it, each of which is sent when it is first wanted\n"
        f"Try it: python3 -m http.server --bind localhost --directory {folder}\nPut it on the web: docs/site.md"
    )


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
