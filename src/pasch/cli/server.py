"""The commands of who runs a server or writes a site."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pasch.cli.options import FILE, data_option, store_option


@click.command(short_help="Serve the table for the browser.")
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 lets other machines in.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="Default: 8615, or the next one that is free; 0 takes any.",
)
@data_option
@store_option
@click.option("--open/--no-open", "open_browser", default=True, help="Open the browser, if there is one.")
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="HOST",
    help="Accepted value of the Host header, behind a reverse proxy. May be repeated.",
)
@click.option(
    "--internal",
    metavar="HOST:PORT",
    help="Where the other servers of the same database reach this one. Default: found out.",
)
@click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="FILE.py:NAME",
    help="A player that you have written: everybody here can play against it. May be repeated.",
)
@click.option(
    "--keep",
    metavar="STATE=AGE,…",
    default="waiting=14d,unfinished=180d,finished=forever",
    show_default=True,
    help="How long tables are kept after something last happened there.",
)
@click.option(
    "--most-disk",
    metavar="SIZE",
    default="10GB",
    show_default=True,
    help="No new tables beyond this; games that have begun go on.",
)
@click.option(
    "--connections",
    type=click.IntRange(min=1),
    default=10_000,
    show_default=True,
    help="The most connections at once, as far as the system allows so many files.",
)
@click.option(
    "--site",
    "sites",
    multiple=True,
    metavar="ORIGIN",
    help="A site (`pasch site`) whose players may play with friends here, as https://games.example. May be repeated.",
)
@click.option(
    "--offline",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="A site, written with `pasch site DIR --server self`: with it the installed app works without a network.",
)
@click.option(
    "--lan", is_flag=True, help="Let others in the home network join, at the addresses that are printed."
)
def serve(bots: tuple[str, ...], keep: str, most_disk: str, connections: int, **asked: Any) -> None:
    """Serve the table for the browser, with every game kept, until Ctrl-C."""
    from pasch.table.limits import Limits
    from pasch.table.lobby import LobbyLimits
    from pasch.table.retention import read_keep, read_size
    from pasch.web.serve import serve as serve_table
    from pasch.web.serve import start_with_bots

    serve_table(
        **asked,
        startup=start_with_bots(bots),
        limits=Limits(connections=connections),
        lobby_limits=LobbyLimits(log_bytes=read_size(most_disk), keep=read_keep(keep)),
    )


@click.command(short_help="Back up the log while the server is running.")
@click.argument("file", type=FILE)
@data_option
@store_option
def backup(**asked: Any) -> None:
    """Write all games to FILE, which must not be there yet. A server may go on writing meanwhile."""
    from pasch.web.backup import back_up

    back_up(**asked)


@click.command(short_help="Bring the games of a backup back.")
@click.argument("file", type=FILE)
@data_option
@store_option
def restore(**asked: Any) -> None:
    """Bring all games of the backup FILE back. None that has gone on otherwise is touched."""
    from pasch.web.backup import restore as restore_tables

    restore_tables(**asked)


@click.command(short_help="Write the records of all finished games to a file.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True))
@data_option
@store_option
def export(**asked: Any) -> None:
    """Write the records of all finished games to FILE, one per line.

    FILE must not be there yet; - is stdout.
    """
    from pasch.web.backup import export_records

    export_records(**asked)


@click.command(short_help="Delete old tables.")
@click.option(
    "--older-than", "age", metavar="AGE", help="Since something last happened there: 12h, 90d, 2w, 1y."
)
@click.option(
    "--state",
    type=click.Choice(["waiting", "unfinished", "finished", "all"]),
    help="Those not begun, those not played to the end, those that were, or all.",
)
@click.option(
    "--table", "tables", multiple=True, metavar="ID", help="This table, however old. May be repeated."
)
@click.option("--dry-run", is_flag=True, help="Only say how many there are.")
@click.option("--compact", is_flag=True, help="Make the log's file smaller as well, which takes a while.")
@data_option
@store_option
def forget(age: str | None, state: str | None, tables: tuple[str, ...], **how: Any) -> None:
    """Delete tables for good: old ones in a certain state, or those that are named.

    A SQLite log must not be in use meanwhile, except with --dry-run. With PostgreSQL servers may be running;
    the tables that they have stay.
    """
    if bool(tables) == bool(age or state) or bool(age) != bool(state):
        raise click.UsageError("say which: --older-than AGE together with --state STATE, or --table ID")
    from pasch.table.retention import read_age
    from pasch.web.backup import forget_old, forget_tables

    if age and state:
        forget_old(state, read_age(age), **how)
    else:
        forget_tables(tables, **how)


@click.command("migrate-store", short_help="Move all games to another place.")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
def migrate_store(source: str, target: str) -> None:
    """Copy all games from one place to another, and compare them.

    FROM and TO are data folders, files or databases (postgresql://…). No server may use FROM meanwhile;
    what is there stays there.
    """
    from pasch.web.backup import migrate

    migrate(source, target)


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
def site(**asked: Any) -> None:
    """Write the whole table as a folder of static files into DIR.

    Any web space can serve it, a phone can install it, and then it works without a network. Installed games of
    other people are part of it. docs/site.md tells more.
    """
    from pasch.web.site.command import write_site

    write_site(**asked)
