"""Commands for operators of a server or a static site."""

from __future__ import annotations

from typing import Any

import click

from pasch.cli import options as opt


@opt.command("pasch serve --max-disk 50GB")
@opt.option("--host HOST", "0.0.0.0 lets other machines in.", default="127.0.0.1")
@opt.option("--port PORT", "Default: 8615, or any if that is taken; 0 takes any.")
@opt.store_options
@opt.option("--open/--no-open", "Open the browser, if there is one.", into="open_browser", default=True)
@opt.option(
    "--name HOST", "Accepted value of the Host header, behind a reverse proxy.", into="names", multiple=True
)
@opt.option(
    "--internal HOST:PORT",
    "Where the other servers of the same database reach this one. Default: detected.",
)
@opt.option(
    "--bot FILE.py:NAME",
    "A player that you have written: everybody here can play against it.",
    into="bots",
    multiple=True,
)
@opt.option(
    "--keep STATE=AGE,…",
    "How long tables are kept after something last happened there.",
    default="waiting=14d,unfinished=180d,finished=forever",
)
@opt.option("--max-disk SIZE", "No new tables beyond this; games that have begun continue.", default="10GB")
@opt.option(
    "--connections N",
    "The most connections at once, as far as the system's limit on open files allows.",
    default=10_000,
)
@opt.option(
    "--site ORIGIN",
    "A site (`pasch site`) whose players may play with friends here, as https://games.example.",
    into="sites",
    multiple=True,
)
@opt.option(
    "--offline DIR",
    "A site, written with `pasch site DIR --server self`: with it the installed app works without a network.",
)
@opt.option("--lan", "Let others in the home network join, at the addresses that are printed.")
def serve(bots: tuple[str, ...], keep: str, max_disk: str, connections: int, **wanted: Any) -> None:
    """Serve the table for the browser.

    Every game is kept. Ctrl-C ends the server.
    """
    from pasch.table.bots import name_bots
    from pasch.table.limits import Limits
    from pasch.table.retention import read_keep, read_size
    from pasch.web.serve import serve as serve_table

    serve_table(
        **wanted,
        bots=name_bots(bots),
        limits=Limits(connections=connections, log_bytes=read_size(max_disk), keep=read_keep(keep)),
    )


@opt.command("pasch backup games.backup", "web.backup:back_up", watch=True)
@click.argument("file", type=opt.FILE)
@opt.store_options
def backup(**_: Any) -> None:
    """Back up the log while the server is running.

    Writes all games to FILE, which must not exist yet.
    """


@opt.command("pasch restore games.backup", "web.backup:restore", watch=True)
@click.argument("file", type=opt.FILE)
@opt.store_options
def restore(**_: Any) -> None:
    """Restore all games of a backup.

    If a table exists already and differs from the one in FILE, nothing is changed.
    """


@opt.command("pasch export records.jsonl", "web.backup:export_records", watch=True)
@click.argument("file", type=opt.FILE)
@opt.store_options
def export(**_: Any) -> None:
    """Write the records of all finished games to a file.

    One record per line. FILE must not exist yet; - is stdout.
    """


@opt.command("pasch forget --older-than 90d --state unfinished --dry-run")
@opt.option("--older-than AGE", "Since something last happened there: 12h, 90d, 2w, 1y.", into="age")
@opt.option(
    "--state waiting|unfinished|finished|all",
    "Those not begun, those not played to the end, those that were, or all.",
)
@opt.option("--table ID", "This table, however old.", into="tables", multiple=True)
@opt.option("--dry-run", "Only print how many there are.")
@opt.store_options
def forget(age: str | None, state: str | None, tables: tuple[str, ...], **how: Any) -> None:
    """Delete old tables, or those that are named, for good.

    A SQLite log must not be in use meanwhile, except with --dry-run. With PostgreSQL servers may be running;
    the tables that they hold stay.
    """
    if bool(tables) == bool(age or state) or bool(age) != bool(state):
        raise click.UsageError("say which: --older-than AGE together with --state STATE, or --table ID")
    from pasch.web.backup import forget_tables

    with opt.watched("forget"):
        forget_tables(tables, state, age, **how)


@opt.command("pasch migrate-store old-games new-games", "web.backup:migrate", watch=True)
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
def migrate_store(**_: Any) -> None:
    """Copy all games to another place, and compare them.

    FROM and TO are data folders, files or databases (postgresql://…). No server may use FROM meanwhile;
    what is there stays there.
    """


@opt.command("pasch site my-site --no-values")
@click.argument("folder", metavar="DIR", type=opt.FOLDER)
@opt.option(
    "--server ORIGIN",
    "A server for games with friends by a link, as https://pasch.example, started with `--site`; self: the one that "
    "serves this folder.",
)
@opt.option(
    "--parts DIR",
    "Where Python for the browser is: a folder with pyodide/ and the wheel of msgspec. Default: the checkout's.",
)
@opt.option(
    "--values/--no-values",
    "Include the small exact tables of values, for coach and strong players; they are built if necessary.",
    default=True,
)
def site(**wanted: Any) -> None:
    """Write the table as a folder that needs no server.

    Any web space can serve DIR, a phone can install it, and then it works without a network. Installed games of
    other people are part of it. See docs/site.md.
    """
    from pasch.web.site.command import write_site

    write_site(**wanted, watched=opt.watched)
