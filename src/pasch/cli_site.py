"""`pasch site`: the table as a folder of static files."""

from __future__ import annotations

from pathlib import Path

import click

from pasch.cli_options import FILE


@click.command(short_help="Write the table as a folder that needs no server.")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option("--serve", is_flag=True, help="Then serve it on this machine, to try it.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8616,
    show_default=True,
    help="For --serve.",
)
@click.option(
    "--components",
    "boxes",
    multiple=True,
    metavar="FILE",
    type=FILE,
    help="A box of your own, offered beside the one that Pasch knows. May be repeated.",
)
@click.option(
    "--server",
    metavar="ORIGIN",
    help="A server for games with friends by a link, as https://pasch.example, started with `--site`; "
    "self: the one that serves this folder.",
)
@click.option(
    "--parts",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where Python for the browser is: a folder with pyodide/ and the wheel of msgspec. Default: the checkout's.",
)
@click.option(
    "--values/--no-values",
    default=True,
    help="Carry the exact tables of values that are small, for coach and strong players; they are built if need be.",
)
def site(
    folder: Path,
    serve: bool,
    port: int,
    boxes: tuple[Path, ...],
    server: str | None,
    parts: Path | None,
    values: bool,
) -> None:
    """Write the whole table as a folder of static files into DIR.

    Any web space can serve it, a phone can install it, and then it works without a network. Installed games of
    other people are part of it. docs/site.md tells more.
    """
    from pasch.web.site.command import write_site

    write_site(folder, parts, boxes, server, values, serve, port)
