"""The command `pasch`. What a command does lives in `pasch.terminal` and is imported when it is called."""

from __future__ import annotations

import errno
import io
import sys
from pathlib import Path
from typing import Any

import click

from pasch import __version__, cli_coach, cli_lab, cli_site
from pasch.cli_options import (
    FILE,
    components_option,
    language_option,
    option_option,
    players_option,
    split,
)
from pasch.core.errors import PaschError


class Front(click.Group):
    """All commands. What Pasch refuses ends as one line on stderr and exit code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        from pasch.terminal import language
        from pasch.terminal.words import one_line

        _forgive_encodings()
        language.use("en")  # until a command that talks to players says otherwise
        try:
            return super().invoke(ctx)
        except PaschError as error:
            problem = language.reason(error)
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise  # click ends quietly
            problem = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        finally:
            language.use("en")
        click.echo(f"pasch: {one_line(problem)}", err=True)
        raise click.exceptions.Exit(1)


def _forgive_encodings() -> None:
    """A terminal that cannot show a character, or bytes that are none, are no reason to stop."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace" if stream is sys.stdin else "backslashreplace")


data_option = click.option(
    "--data",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where the games are kept. Default: your own data folder.",
)
store_option = click.option(
    "--store",
    metavar="URL",
    envvar="PASCH_STORE",
    help="Keep the games in a database instead: postgresql://… (or set PASCH_STORE).",
)


@click.group(
    cls=Front, context_settings={"help_option_names": ["-h", "--help"]}, invoke_without_command=True
)
@click.version_option(__version__, prog_name="pasch", message="%(prog)s %(version)s")
@click.pass_context
def main(ctx: click.Context) -> None:
    """A table for six small games of dice and cards.

    Without a command it opens the table in the browser. `pasch play` plays here in the terminal.
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(serve)


@main.command(short_help="Serve the table for the browser.")
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
    help="A name under which a reverse proxy passes requests on. May be repeated.",
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
def serve(
    host: str,
    port: int | None,
    data: Path | None,
    store: str | None,
    open_browser: bool,
    names: tuple[str, ...],
    internal: str | None,
    bots: tuple[str, ...],
    keep: str,
    most_disk: str,
    connections: int,
    sites: tuple[str, ...],
    offline: Path | None,
) -> None:
    """Serve the table for the browser, with every game kept, until Ctrl-C."""
    from pasch.core.amounts import read_size
    from pasch.table.lobby import LobbyLimits
    from pasch.table.retention import read_keep
    from pasch.web.limits import Limits
    from pasch.web.serve import serve as serve_table
    from pasch.web.startup import start_with_bots

    lobby_limits = LobbyLimits(log_bytes=read_size(most_disk), keep=read_keep(keep))
    limits, startup = Limits(connections=connections), start_with_bots(bots)
    serve_table(
        host,
        port,
        data,
        open_browser,
        store,
        names,
        internal,
        startup,
        limits,
        lobby_limits,
        sites,
        offline,
    )


@main.command(short_help="Write all games to a file, while they go on.")
@click.argument("file", type=FILE)
@data_option
@store_option
def backup(file: Path, data: Path | None, store: str | None) -> None:
    """Write all games to FILE, which must not be there yet. A server may go on writing meanwhile."""
    from pasch.web.backup import back_up

    back_up(file, data, store)


@main.command(short_help="Bring the games of a backup back.")
@click.argument("file", type=FILE)
@data_option
@store_option
def restore(file: Path, data: Path | None, store: str | None) -> None:
    """Bring all games of the backup FILE back. None that has gone on otherwise is touched."""
    from pasch.web.backup import restore as restore_tables

    restore_tables(file, data, store)


@main.command(short_help="Write the records of all finished games to a file.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True))
@data_option
@store_option
def export(file: Path, data: Path | None, store: str | None) -> None:
    """Write the records of all finished games to FILE, one per line.

    FILE must not be there yet; - is stdout.
    """
    from pasch.web.backup import export_records

    export_records(file, data, store)


@main.command(short_help="Delete old tables.")
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
def forget(
    age: str | None,
    state: str | None,
    tables: tuple[str, ...],
    dry_run: bool,
    compact: bool,
    data: Path | None,
    store: str | None,
) -> None:
    """Delete tables for good: old ones in a certain state, or those that are named.

    A SQLite log must not be in use meanwhile, except with --dry-run. With PostgreSQL servers may be running;
    the tables that they have stay.
    """
    if bool(tables) == bool(age or state) or bool(age) != bool(state):
        raise click.UsageError("say which: --older-than AGE together with --state STATE, or --table ID")
    from pasch.core.amounts import read_age
    from pasch.web.forget import forget_old, forget_tables

    if age and state:
        forget_old(state, read_age(age), dry_run, compact, data, store)
    else:
        forget_tables(tables, dry_run, compact, data, store)


@main.command("migrate-store", short_help="Move all games to another place.")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
def migrate_store(source: str, target: str) -> None:
    """Copy all games from one place to another, and compare them.

    FROM and TO are data folders, files or databases (postgresql://…). No server may use FROM meanwhile;
    what is there stays there.
    """
    from pasch.web.backup import migrate

    migrate(source, target)


@main.command()
@language_option
def games() -> None:
    """List the games."""
    from pasch.terminal.games import list_games

    list_games()


@main.command()
@click.argument("game")
@language_option
def rules(game: str) -> None:
    """Explain a game: rules, options, where its data come from."""
    from pasch.terminal.rules import show_rules

    show_rules(game)


@main.command(short_help="Learn a game by playing, in three minutes.")
@click.argument("game")
@language_option
@click.option(
    "--from", "first", type=click.IntRange(min=1), default=1, help="Begin at this step, where you left."
)
def learn(game: str, first: int) -> None:
    """Learn a game by playing, in three minutes: prepared dice, and a remark before each of your moves."""
    from pasch.terminal.learn import learn_game

    learn_game(game, first)


@main.command()
@click.argument("game", required=False)
@click.option(
    "--seats",
    metavar="WHO,WHO,…",
    callback=split,
    help="Who sits where: me, a computer player (random, greedy, easy, medium, hard, perfect, winner), or "
    "one that you have written (FILE.py:NAME). Default: me,greedy.",
)
@option_option
@components_option
@click.option(
    "--dice",
    type=click.Choice(["pasch", "real"]),
    default="pasch",
    show_default=True,
    help="Who rolls and deals: Pasch, or you with real dice and cards, typing in what came.",
)
@click.option("--new", is_flag=True, help="Begin a new game without asking about unfinished ones.")
@click.option(
    "--continue",
    "resume",
    is_flag=False,
    flag_value="last",
    metavar="[ID]",
    help="Continue a saved game (without ID: the last one). `pasch saved` lists them.",
)
@click.option(
    "--record",
    metavar="FILE",
    type=FILE,
    help="Also write the record of the finished game to this file.",
)
@click.option(
    "--receipt",
    metavar="FILE",
    type=FILE,
    help="Also write the receipt of the finished game to this file, for `pasch verify --receipt`.",
)
@click.option(
    "--browser", is_flag=True, help="Play in the browser instead; every `me` gets a link to sit down with."
)
@language_option
def play(
    game: str | None,
    seats: tuple[str, ...],
    options: dict[str, Any],
    components: Path | None,
    dice: str,
    new: bool,
    resume: str | None,
    record: Path | None,
    receipt: Path | None,
    browser: bool,
) -> None:
    """Play a game here in the terminal, or with --browser there.

    Without GAME you choose from a menu. Every move is saved at once: leave with q or Ctrl-C whenever
    you like, and go on later with `pasch play --continue`.
    """
    if resume is not None and (game or seats or options or components or new or dice != "pasch"):
        raise click.UsageError(
            "--continue goes on as the game was agreed; it only goes together with --record and --receipt"
        )
    if browser:
        if game is None or resume is not None or record or receipt:
            raise click.UsageError(
                "--browser needs a GAME, and its tables are kept with those of `pasch serve`"
            )
        from pasch.web.serve import serve as serve_table
        from pasch.web.startup import start_with_table

        startup = start_with_table(game, seats or ("me", "medium"), options, components, dice)
        serve_table("127.0.0.1", None, None, True, startup=startup)
        return
    from pasch.terminal import setup
    from pasch.terminal.play import play_on

    if resume is not None:
        play_on(setup.resume(resume), record, receipt)
    elif begun := setup.begin(game, seats, options, components, dice, new):
        play_on(begun, record, receipt)


@main.command()
@language_option
def saved() -> None:
    """List unfinished games that can be continued."""
    from pasch.terminal.games import list_saved

    list_saved()


@main.command(short_help="Check records and receipts.")
@click.argument("files", nargs=-1, metavar="[FILE...]")
@click.option(
    "--receipt",
    "receipts",
    multiple=True,
    metavar="FILE",
    help="A receipt (or several, one per line): does every roll and card follow from the seed, and what "
    "the coach says from the game? May be repeated.",
)
@click.option(
    "--commitment",
    metavar="HEX",
    help="The seal that you saw before the first roll (the table's menu shows it): has the receipt the same?",
)
@click.option(
    "--contribution",
    "contributions",
    multiple=True,
    metavar="[SEAT=]HEX",
    help="What your browser added to the dice: is it on the receipt, as that of this seat, counted from 0? May be "
    "repeated.",
)
@click.option("--dice-only", is_flag=True, help="Of receipts: leave out the coach's numbers.")
@click.option(
    "--json", "as_json", is_flag=True, help="One verdict per record or receipt as a line of JSON."
)
@click.pass_context
def verify(
    ctx: click.Context,
    files: tuple[str, ...],
    receipts: tuple[str, ...],
    commitment: str | None,
    contributions: tuple[str, ...],
    dice_only: bool,
    as_json: bool,
) -> None:
    """Check records against the rules, one record per line; - reads stdin.

    With --receipt: check that nobody has meddled with the dice. --commitment and --contribution compare the
    receipt with what your browser remembers (menu of the table, or the page after the game). docs/fairness.md
    explains it. The exit status is 0 if all is well and 1 if something was found.
    """
    if not files and not receipts:
        raise click.UsageError("Missing argument 'FILE...', or a --receipt.")
    if (commitment is not None or contributions) and len(receipts) != 1:
        raise click.UsageError("--commitment and --contribution go with one --receipt")
    right = True
    if files:
        from pasch.terminal.verify import verify_files

        right = verify_files(files, as_json)
    if receipts:
        from pasch.terminal.receipt import read_memory, verify_receipts

        right = (
            verify_receipts(receipts, as_json, dice_only, read_memory(commitment, contributions)) and right
        )
    if not right:
        ctx.exit(1)


@main.command(short_help="Step through a recorded game.")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--game", "line", type=click.IntRange(min=1), default=1, help="Which game of the file, counted from 1."
)
@click.option("--at", type=click.IntRange(min=0), help="Begin after this many events.")
@language_option
def show(file: Path, line: int, at: int | None) -> None:
    """Step through a recorded game, or print it in words when the output is no terminal."""
    from pasch.terminal.show import show_record

    show_record(file, line, at)


@main.command(short_help="Tell luck from skill in a recorded game.")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--game", "line", type=click.IntRange(min=1), default=1, help="Which game of the file, counted from 1."
)
@click.option(
    "--html",
    metavar="OUT",
    type=FILE,
    help="Also write a page with pictures, which stands alone, to this file.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON instead.")
@click.option("--chances", is_flag=True, help="With the chances to win after each turn (takes longer).")
@language_option
def report(file: Path, line: int, html: Path | None, as_json: bool, chances: bool) -> None:
    """Tell luck from skill in a recorded game.

    For every player: what best play could expect, how lucky the dice were, what the moves gave away, and
    how that makes the result; the most expensive moves, the luckiest and unluckiest rolls.
    """
    from pasch.terminal.report import report_file

    report_file(file, line, html, as_json, chances)


@main.command(short_help="What a position and its moves are worth.")
@click.argument("game")
@players_option
@option_option
@components_option
@click.option(
    "--record",
    metavar="FILE",
    type=click.Path(path_type=Path, allow_dash=True),
    help="Take the position from a recorded game; otherwise it is the start.",
)
@click.option(
    "--game", "line", type=click.IntRange(min=1), default=1, help="Which game of the file, counted from 1."
)
@click.option("--at", type=click.IntRange(min=0), help="After so many events of the record. Default: all.")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@language_option
def value(
    game: str,
    players: int | None,
    options: dict[str, Any],
    components: Path | None,
    record: Path | None,
    line: int,
    at: int | None,
    as_json: bool,
) -> None:
    """Print what a position is worth and what each of its moves is worth."""
    from pasch.terminal.value import show_value

    show_value(game, players, options, components, record, line, at, as_json)


@main.command(short_help="Make the tables of values beforehand.")
@click.argument("game", required=False)
@click.option("--all", "everything", is_flag=True, help="All games in all their variants.")
@players_option
@option_option
@components_option
def solve(
    game: str | None,
    everything: bool,
    players: int | None,
    options: dict[str, Any],
    components: Path | None,
) -> None:
    """Make the tables of values of a game, and keep them in the cache folder.

    Without this they are made when they are first needed.
    """
    if everything == bool(game) or (everything and (options or components or players)):
        raise click.UsageError("name a game, or give --all and nothing else")
    from pasch.terminal.solve import solve_all, solve_game

    if game:
        solve_game(game, players, options, components)
    else:
        solve_all()


for command in (
    cli_coach.puzzle,
    cli_coach.habits,
    cli_site.site,
    cli_lab.simulate,
    cli_lab.tournament,
    cli_lab.ladder,
):
    main.add_command(command)
