"""The command `pasch`. What a command does lives in `pasch.terminal` and is imported when it is called."""

from __future__ import annotations

import errno
import io
import sys
from pathlib import Path
from typing import Any

import click

from pasch import __version__
from pasch.core.errors import PaschError
from pasch.terminal.words import one_line


class Front(click.Group):
    """All commands. What Pasch refuses ends as one line on stderr and exit code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        _forgive_encodings()
        try:
            return super().invoke(ctx)
        except PaschError as error:
            problem = error.reason
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise  # click ends quietly
            problem = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        click.echo(f"pasch: {one_line(problem)}", err=True)
        raise click.exceptions.Exit(1)


def _forgive_encodings() -> None:
    """A terminal that cannot show a character, or bytes that are none, are no reason to stop."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace" if stream is sys.stdin else "backslashreplace")


def _read_setting(ctx: click.Context, param: click.Parameter, written: tuple[str, ...]) -> dict[str, Any]:
    """`--option name=value`: the value is JSON; what is no JSON is a word."""
    import json

    settings: dict[str, Any] = {}
    for setting in written:
        name, equals, value = setting.partition("=")
        if not equals or not name:
            raise click.BadParameter(f"{setting!r}: write name=value, as in rounds=5")
        if name in settings:
            raise click.BadParameter(f"{name} is given twice")
        try:
            settings[name] = json.loads(value)
        except (ValueError, RecursionError):
            settings[name] = value
        try:
            json.dumps(settings, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise click.BadParameter(f"{setting!r} is not valid text") from None
    return settings


def _split(ctx: click.Context, param: click.Parameter, written: str | None) -> tuple[str, ...]:
    return tuple(name.strip() for name in written.split(",")) if written else ()


option_option = click.option(
    "--option",
    "-o",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    callback=_read_setting,
    help="An option of the game, for example rounds=5; `pasch rules GAME` lists them. May be repeated.",
)
components_option = click.option(
    "--components",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="A component file of your own: your box has other values.",
)


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
def serve(
    host: str,
    port: int | None,
    data: Path | None,
    store: str | None,
    open_browser: bool,
    names: tuple[str, ...],
    internal: str | None,
) -> None:
    """Serve the table for the browser, with every game kept, until Ctrl-C."""
    from pasch.web.serve import serve as serve_table

    serve_table(host, port, data, open_browser, store, names, internal)


@main.command(short_help="Write all games to a file, while they go on.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@data_option
@store_option
def backup(file: Path, data: Path | None, store: str | None) -> None:
    """Write all games to FILE, which must not be there yet. A server may go on writing meanwhile."""
    from pasch.web.keep import back_up

    back_up(file, data, store)


@main.command(short_help="Bring the games of a backup back.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@data_option
@store_option
def restore(file: Path, data: Path | None, store: str | None) -> None:
    """Bring all games of the backup FILE back. None that has gone on otherwise is touched."""
    from pasch.web.keep import bring_back

    bring_back(file, data, store)


@main.command(short_help="Write the records of all finished games to a file.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True))
@data_option
@store_option
def export(file: Path, data: Path | None, store: str | None) -> None:
    """Write the records of all finished games to FILE, one per line; - is stdout."""
    from pasch.web.keep import export_records

    export_records(file, data, store)


@main.command("migrate-store", short_help="Move all games to another place.")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
def migrate_store(source: str, target: str) -> None:
    """Copy all games from one place to another, and compare them.

    FROM and TO are data folders, files or databases (postgresql://…). No server may use FROM meanwhile;
    what is there stays there.
    """
    from pasch.web.keep import migrate

    migrate(source, target)


@main.command()
def games() -> None:
    """List the games."""
    from pasch.terminal.games import list_games

    list_games()


@main.command()
@click.argument("game")
@click.option("--language", "-l", type=click.Choice(["en", "de"]), default="en", show_default=True)
def rules(game: str, language: str) -> None:
    """Explain a game: rules, options, where its data come from."""
    from pasch.terminal.rules import show_rules

    show_rules(game, language)


@main.command()
@click.argument("game", required=False)
@click.option(
    "--seats",
    metavar="WHO,WHO,…",
    callback=_split,
    help="Who sits where: me, or a computer player (random, greedy, easy, medium, hard, perfect, winner). "
    "Default: me,greedy.",
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
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also write the record of the finished game to this file.",
)
@click.option(
    "--receipt",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also write the receipt of the finished game to this file, for `pasch verify --receipt`.",
)
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
) -> None:
    """Play a game here in the terminal.

    Without GAME you choose from a menu. Every move is saved at once: leave with q or Ctrl-C whenever
    you like, and go on later with `pasch play --continue`.
    """
    if resume is not None and (game or seats or options or components or new or dice != "pasch"):
        raise click.UsageError(
            "--continue goes on as the game was agreed; it only goes together with --record and --receipt"
        )
    from pasch.terminal import setup
    from pasch.terminal.play import play_on

    if resume is not None:
        play_on(setup.resume(resume), record, receipt)
    elif begun := setup.begin(game, seats, options, components, dice, new):
        play_on(begun, record, receipt)


@main.command()
def saved() -> None:
    """List unfinished games that can be continued."""
    from pasch.terminal.games import list_saved

    list_saved()


@main.command()
@click.argument("game")
@click.option("--games", "-n", "number", type=click.IntRange(min=1), default=100, show_default=True)
@click.option(
    "--seats",
    metavar="WHO,WHO,…",
    callback=_split,
    required=True,
    help="A computer player for each seat, for example random,random,greedy.",
)
@click.option("--seed", default="0", show_default=True, help="The same seed gives the same games.")
@option_option
@components_option
@click.option(
    "--records",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    help="Write the record of every game to this file, one per line; - is stdout.",
)
@click.option(
    "--receipts",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the receipt of every game to this file, one per line.",
)
def simulate(
    game: str,
    number: int,
    seats: tuple[str, ...],
    seed: str,
    options: dict[str, Any],
    components: Path | None,
    records: Path | None,
    receipts: Path | None,
) -> None:
    """Let computer players play many games and count."""
    from pasch.terminal.simulate import run

    run(game, number, seats, seed, options, components, records, receipts)


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
@click.option("--dice-only", is_flag=True, help="Of receipts: leave out the coach's numbers.")
@click.option(
    "--json", "as_json", is_flag=True, help="One verdict per record or receipt as a line of JSON."
)
@click.pass_context
def verify(
    ctx: click.Context, files: tuple[str, ...], receipts: tuple[str, ...], dice_only: bool, as_json: bool
) -> None:
    """Check records against the rules, one record per line; - reads stdin.

    With --receipt: check that nobody has meddled with the dice. docs/fairness.md explains it.
    """
    if not files and not receipts:
        raise click.UsageError("Missing argument 'FILE...', or a --receipt.")
    right = True
    if files:
        from pasch.terminal.verify import verify_files

        right = verify_files(files, as_json)
    if receipts:
        from pasch.terminal.receipt import verify_receipts

        right = verify_receipts(receipts, as_json, dice_only) and right
    if not right:
        ctx.exit(1)


@main.command(short_help="Step through a recorded game.")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--game", "line", type=click.IntRange(min=1), default=1, help="Which game of the file, counted from 1."
)
@click.option("--at", type=click.IntRange(min=0), help="Begin after this many events.")
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
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also write a page with pictures, which stands alone, to this file.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON instead.")
@click.option("--chances", is_flag=True, help="With the chances to win after each turn (takes longer).")
def report(file: Path, line: int, html: Path | None, as_json: bool, chances: bool) -> None:
    """Tell luck from skill in a recorded game.

    For every player: what best play could expect, how lucky the dice were, what the moves gave away, and
    how that makes the result; the most expensive moves, the luckiest and unluckiest rolls.
    """
    from pasch.terminal.report import report_file

    report_file(file, line, html, as_json, chances)


players_option = click.option(
    "--players", "-p", type=click.IntRange(min=1), help="How many play. Default: 2, as in `pasch play`."
)


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


@main.command(short_help="Learn the values of Crowns anew.")
@click.argument("game")
@click.option(
    "--minimum", type=click.IntRange(1, 2), default=1, show_default=True, help="The option solo_minimum."
)
@click.option("--race", is_flag=True, help="The game of several players instead of the one alone.")
@click.option("--split", is_flag=True, help="With the option split.")
@components_option
@click.option(
    "--minutes", type=click.FloatRange(min=0), metavar="M", help="Stop after so many minutes at the latest."
)
@click.option("--resume", is_flag=True, help="Go on where the last run was stopped.")
def train(
    game: str,
    minimum: int,
    race: bool,
    split: bool,
    components: Path | None,
    minutes: float | None,
    resume: bool,
) -> None:
    """Learn the values of Crowns by self-play.

    Good ones come with Pasch; this is for a box of your own, or for the curious. It takes long, can
    be stopped with Ctrl-C at any time, and goes on with --resume.
    """
    from pasch.terminal.train import train_game

    train_game(game, minimum, race, split, components, minutes, resume)
