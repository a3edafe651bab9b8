"""The command `pasch`. What a command does lives in `pasch.terminal` and is imported when it is called."""

from __future__ import annotations

import errno
import io
import sys
from typing import Any

import click

from pasch import __version__
from pasch.cli import lab, player, server
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
        ctx.invoke(server.serve)


for module in (server, player, lab):
    for command in vars(module).values():
        if isinstance(command, click.Command):
            main.add_command(command)
