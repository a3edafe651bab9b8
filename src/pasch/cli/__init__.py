"""The command `pasch`. What a command does is imported when it is called, from `pasch.terminal` or `pasch.web`."""

from __future__ import annotations

import errno
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import click

from pasch import __version__
from pasch.cli import play, run, study
from pasch.core.errors import PaschError

#: all commands by purpose, as in the documentation
DOORS: Final[dict[str, tuple[click.Command, ...]]] = {
    "Play": (
        play.play, play.learn, play.puzzle, play.games, play.rules, play.saved, play.show, play.verify,
    ),
    "Run": (
        run.serve, run.site, run.backup, run.restore, run.export, run.forget, run.migrate_store,
    ),
    "Study": (
        study.report, study.value, study.simulate, study.tournament, study.ladder, study.solve,
    ),
    "Build": (study.check, study.compile_),
}  # fmt: skip


class Front(click.Group):
    """Commands whose errors are one line on stderr.

    The exit code is 1 for what Pasch refuses, 2 for a wrong command line, 130 after Ctrl-C.
    """

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        with _errors_in_one_line():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        from pasch.terminal import language

        _forgive_encodings()
        language.use("en")  # until a command that talks to players says otherwise
        try:
            with _errors_in_one_line():
                return super().invoke(ctx)
        finally:
            language.use("en")


class Doors(Front):
    """The commands of `pasch`; its help lists them by door."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        widest = max(len(name) for name in self.commands)
        for door, commands in DOORS.items():
            with formatter.section(door):
                limit = formatter.width - 6 - widest
                formatter.write_dl(
                    [(str(one.name).ljust(widest), one.get_short_help_str(limit)) for one in commands]
                )


@contextmanager
def _errors_in_one_line() -> Iterator[None]:
    try:
        yield
        return
    except click.UsageError as error:
        said = error.format_message().rstrip(".")
        help_of = error.ctx.command_path if error.ctx else "pasch"
        code, problem = 2, f"{said[:1].lower()}{said[1:]}; see `{help_of} --help`"
    except PaschError as error:
        from pasch.terminal import language

        code, problem = 1, language.reason(error)
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise  # click ends quietly
        code, problem = 1, f"{error.filename}: {error.strerror}" if error.filename else str(error)
    except KeyboardInterrupt as error:
        # with what was done until then, where a command says so
        code, problem = 130, " ".join(["interrupted", *map(str, error.args)])
    from pasch.terminal.screen import one_line

    click.echo(f"pasch: {one_line(problem)}", err=True)
    raise click.exceptions.Exit(code)


def _forgive_encodings() -> None:
    """Let characters that a terminal cannot show, and invalid bytes, be replaced instead of raising."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace" if stream is sys.stdin else "backslashreplace")


@click.group(
    "pasch",
    cls=Doors,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
    invoke_without_command=True,
    commands=[command for commands in DOORS.values() for command in commands],
)
@click.version_option(__version__, prog_name="pasch", message="%(prog)s %(version)s")
@click.pass_context
def main(ctx: click.Context) -> None:
    """A table for six small games of dice and cards.

    Without a command it opens the table in the browser. `pasch play` plays here in the terminal.
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(run.serve, home=True)
