"""What `pasch site` does: write the folder, report what was written."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import click

from pasch.web.site.build import build, writable
from pasch.web.site.engine import find_parts
from pasch.web.site.page import SELF, read_origin
from pasch.web.site.values import value_files


def write_site(
    folder: Path,
    parts: Path | None,
    server: str | None,
    values: bool,
    watched: Callable[[str], AbstractContextManager[Any]] = nullcontext,
) -> None:
    """Write a site, and say what it is; `watched` shows progress meanwhile."""
    # all checks come before tables are built, which may take minutes
    writable(folder)
    found = find_parts(parts)
    origin = server if server == SELF else read_origin(server) if server else ""
    tables = value_files(lambda line: click.echo(line, err=True)) if values else {}
    with watched("site"):
        site = build(folder, found, origin, tables)
    later = sum(size for name, size in site.sizes.items() if name.startswith("values/"))
    click.echo(
        f"{folder}: {len(site.sizes)} files, {site.size / 1e6:.1f} MB, version {site.version}\n"
        f"Tables of values are {later / 1e6:.1f} MB of it, each of which is sent when it is first wanted\n"
        f"Try it: python3 -m http.server --bind localhost --directory {folder}\nPut it on the web: docs/site.md"
    )
