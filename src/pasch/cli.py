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


@click.group(cls=Front, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="pasch", message="%(prog)s %(version)s")
def main() -> None:
    """A table for six small games of dice and cards.

    Begin with `pasch play`, or look at `pasch games`.
    """


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
    help="Who sits where: me, or a computer player (random, greedy). Default: me,greedy.",
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
def play(
    game: str | None,
    seats: tuple[str, ...],
    options: dict[str, Any],
    components: Path | None,
    dice: str,
    new: bool,
    resume: str | None,
    record: Path | None,
) -> None:
    """Play a game here in the terminal.

    Without GAME you choose from a menu. Every move is saved at once: leave with q or Ctrl-C whenever
    you like, and go on later with `pasch play --continue`.
    """
    if resume is not None and (game or seats or options or components or new or dice != "pasch"):
        raise click.UsageError(
            "--continue goes on as the game was agreed; it only goes together with --record"
        )
    from pasch.terminal import setup
    from pasch.terminal.play import play_on

    if resume is not None:
        play_on(setup.resume(resume), record)
    elif begun := setup.begin(game, seats, options, components, dice, new):
        play_on(begun, record)


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
def simulate(
    game: str,
    number: int,
    seats: tuple[str, ...],
    seed: str,
    options: dict[str, Any],
    components: Path | None,
    records: Path | None,
) -> None:
    """Let computer players play many games and count."""
    from pasch.terminal.simulate import run

    run(game, number, seats, seed, options, components, records)


@main.command(short_help="Check records against the rules.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="One verdict per record as a line of JSON.")
@click.pass_context
def verify(ctx: click.Context, files: tuple[str, ...], as_json: bool) -> None:
    """Check records against the rules, one record per line; - reads stdin."""
    from pasch.terminal.verify import verify_files

    if not verify_files(files, as_json):
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
