"""What the commands share: their form with an example, and options that mean the same everywhere."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import nullcontext
from functools import reduce, wraps
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, TypeVar

import click

from pasch.core.errors import PaschError
from pasch.core.languages import best_language, languages

F = TypeVar("F", bound=Callable[..., Any])


def command(
    example: str, runs: str | None = None, *, name: str | None = None, watch: bool = False
) -> Callable[[Callable[..., Any]], click.Command]:
    """A command whose help ends with an example that works as typed; tests run all of them.

    `runs` is `module:function` in `pasch`, imported and called with all options when the command is given; False as
    its answer is the exit status 1. The decorated function then only checks which options go together.
    `watch`: shows progress meanwhile.
    """

    def declare(function: Callable[..., Any]) -> click.Command:
        @wraps(function)
        def call(**given: Any) -> None:
            function(**given)
            if runs is None:
                return
            with watched(example.split()[1]) if watch else nullcontext():
                well = resolve_name(f"pasch.{runs}")(**given)
            if well is False:
                click.get_current_context().exit(1)

        return click.command(name, epilog=f"\b\nExample:\n  {example}")(call)

    return declare


def watched(name: str) -> Any:
    """Shows progress if the command takes more than two seconds."""
    from pasch.terminal import screen

    return screen.watched(f"pasch {name}", compiles=False)


def read_setting(ctx: click.Context, param: click.Parameter, written: tuple[str, ...]) -> dict[str, Any]:
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


def split(ctx: click.Context, param: click.Parameter, written: str | None) -> tuple[str, ...]:
    """`--seats me,hard`: names with commas between them."""
    return tuple(name.strip() for name in written.split(",")) if written else ()


def speak(ctx: click.Context, param: click.Parameter, language: str) -> None:
    """`--language`: sets the terminal's language."""
    from pasch.terminal.language import use

    use(language)


def system_language() -> str:
    """The language of the system's settings, if Pasch speaks it; otherwise English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return best_language([re.split(r"[.@]", value)[0].replace("_", "-")])
    return "en"


#: of commands that talk to players; read first, so that the errors about other options are in this language
language_option = click.option(
    "--language",
    "-l",
    type=click.Choice(languages(), case_sensitive=False),
    envvar="PASCH_LANGUAGE",
    show_envvar=True,
    default=system_language,
    show_default="your system's language",
    callback=speak,
    expose_value=False,
    is_eager=True,
    help="The language to speak.",
)


class Whole(click.IntRange):
    """A whole number within bounds."""

    name = "number"


class NewFile(click.Path):
    """A file to be written, in an existing folder."""

    def __init__(self) -> None:
        super().__init__(path_type=Path, dir_okay=False, allow_dash=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = Path(str(super().convert(value, param, ctx)))
        # before the work whose results it is to hold
        if not (folder := path.absolute().parent).is_dir():
            raise PaschError("{folder}: there is no such folder", folder=folder)
        return path


#: a file to be read, and no folder; - is stdin
FILE = click.Path(path_type=Path, dir_okay=False, allow_dash=True)
FOLDER = click.Path(path_type=Path, file_okay=False)
POSITIVE = Whole(min=1)
PORT = Whole(0, 65535)


def file_option(name: str, purpose: str, *, kind: click.Path | None = None) -> Callable[[F], F]:
    """`--name FILE`, a file to be written unless its `kind` is given; or `--name DIR`, a folder."""
    metavar = "DIR" if kind is FOLDER else "FILE"
    return click.option(f"--{name}", metavar=metavar, type=kind or NewFile(), help=purpose)


def several_option(name: str, key: str, metavar: str, purpose: str, **more: Any) -> Callable[[F], F]:
    """`--name`, repeatable."""
    return click.option(
        f"--{name}",
        *more.pop("short", ()),
        key,
        multiple=True,
        metavar=metavar,
        help=f"{purpose} May be repeated.",
        **more,
    )


def json_option(purpose: str) -> Callable[[F], F]:
    """`--json`."""
    return click.option("--json", "as_json", is_flag=True, help=purpose)


def combined(*decorators: Callable[[F], F]) -> Callable[[F], F]:
    """Several options as one decorator, in this order in the help."""
    return lambda function: reduce(lambda made, decorate: decorate(made), reversed(decorators), function)


#: how a game is set up
game_options = combined(
    several_option(
        "option",
        "options",
        "NAME=VALUE",
        "An option of the game, for example rounds=5; `pasch rules GAME` lists them.",
        short=("-o",),
        callback=read_setting,
    ),
    file_option(
        "components",
        "A component file of your own: your box has other values.",
        kind=click.Path(path_type=Path),
    ),
)
#: where a server keeps its games
store_options = combined(
    file_option("data", "Where the games are kept. Default: your data folder.", kind=FOLDER),
    click.option(
        "--store",
        metavar="URL",
        envvar="PASCH_STORE",
        help="Keep the games in a database instead: postgresql://… (or set PASCH_STORE).",
    ),
)
workers_option = click.option(
    "--workers",
    "-w",
    type=POSITIVE,
    help="The number of threads or processes. Default: one per core. The results are the same.",
)
ray_option = click.option(
    "--ray",
    metavar="auto|ADDRESS",
    help="Work on a Ray cluster: auto joins the one on this machine or starts one, ADDRESS joins another. "
    "The results are the same. See docs/cluster.md.",
)
line_option = click.option(
    "--game", "line", type=POSITIVE, default=1, help="Which game of the file, counted from 1."
)
seed_option = click.option("--seed", default="0", help="The same seed gives the same games.")
players_option = click.option(
    "--players",
    "-p",
    type=POSITIVE,
    help="The number of players. Default: 2, or the fewest that the game allows.",
)


def seats_option(purpose: str, *, required: bool = False) -> Callable[[F], F]:
    """`--seats`: who sits where."""
    return click.option("--seats", metavar="WHO,WHO,…", callback=split, required=required, help=purpose)
