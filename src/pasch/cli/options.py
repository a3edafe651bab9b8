"""What the commands share: their form with an example, and options that mean the same everywhere."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import nullcontext
from functools import reduce, wraps
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Final, TypeVar

import click

from pasch.core.errors import PaschError
from pasch.core.texts import best_language, languages

F = TypeVar("F", bound=Callable[..., Any])


def command(
    example: str, runs: str | None = None, *, watch: bool = False
) -> Callable[[Callable[..., Any]], click.Command]:
    """The command of an example that works as typed and ends its help; tests run all of them.

    `runs` is `module:function` in `pasch`, imported and called with all options when the command is given; False as
    its answer is the exit status 1. The decorated function then only checks which options go together.
    `watch`: shows progress meanwhile.
    """

    name = example.split()[1]

    def declare(function: Callable[..., Any]) -> click.Command:
        @wraps(function)
        def call(**given: Any) -> None:
            function(**given)
            if runs is None:
                return
            with watched(name) if watch else nullcontext():
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
    import msgspec

    settings: dict[str, Any] = {}
    for setting in written:
        name, equals, value = setting.partition("=")
        if not equals or not name:
            raise click.BadParameter(f"{setting!r}: write name=value, as in rounds=5")
        if name in settings:
            raise click.BadParameter(f"{name} is given twice")
        try:
            settings[name] = msgspec.json.decode(value.encode())
        except UnicodeEncodeError:
            raise click.BadParameter(f"{setting!r} is not valid text") from None
        except (msgspec.DecodeError, RecursionError):
            settings[name] = value
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


class NewFile(click.Path):
    """A file to be written, in an existing folder."""

    def __init__(self) -> None:
        super().__init__(path_type=Path, dir_okay=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = Path(str(super().convert(value, param, ctx)))
        # before the work whose results it is to hold
        if not (folder := path.absolute().parent).is_dir():
            raise PaschError("{folder}: there is no such folder", folder=folder)
        return path


#: a file to be read, and no folder; - is stdin
FILE = click.Path(path_type=Path, dir_okay=False, allow_dash=True)
FOLDER = click.Path(path_type=Path, file_okay=False)
POSITIVE = click.IntRange(min=1)

#: the types of values that are no words, by the word for them in the help
TYPES: Final = {"N": POSITIVE, "PORT": click.IntRange(0, 65535), "FILE": NewFile(), "DIR": FOLDER}


def option(written: str, purpose: str, *, into: str | None = None, **more: Any) -> Callable[[F], F]:
    """An option as its help shows it, such as `--seed TEXT`; one without a value is a switch.

    The value is a word or of the type that TYPES names; `easy|hard` is a choice. `into`: the name of the parameter.
    """
    names = [word for word in written.split() if word.startswith("-")]
    value = " ".join(written.split()[len(names) :])
    if re.fullmatch("[a-z]+([|][a-z]+)+", value):
        more["type"] = click.Choice(value.split("|"))
    elif value:
        more = {"metavar": value, "type": TYPES.get(value), **more}
    else:
        more["is_flag"] = True
    if more.get("multiple"):
        purpose = f"{purpose} May be repeated."
    return click.option(*names, *([into] if into else []), help=purpose, **more)


def combined(*decorators: Callable[[F], F]) -> Callable[[F], F]:
    """Several options as one decorator, in this order in the help."""
    return lambda function: reduce(lambda made, decorate: decorate(made), reversed(decorators), function)


#: how a game is set up
game_options = combined(
    option(
        "--option -o NAME=VALUE",
        "An option of the game, for example rounds=5; `pasch rules GAME` lists them.",
        into="options",
        multiple=True,
        callback=read_setting,
    ),
    option("--components FILE", "A component file of your own: your box has other values.", type=Path),
)
#: where a server keeps its games
store_options = combined(
    option("--data DIR", "Where the games are kept. Default: your data folder."),
    option(
        "--store URL",
        "Keep the games in a database instead: postgresql://… (or set PASCH_STORE).",
        envvar="PASCH_STORE",
    ),
)
workers_option = option(
    "--workers -w N",
    "The number of threads or processes. Default: one per core. The results are the same.",
)
ray_option = option(
    "--ray auto|ADDRESS",
    "Work on a Ray cluster: auto joins the one on this machine or starts one, ADDRESS joins another. "
    "The results are the same. See docs/cluster.md.",
)
line_option = option("--game N", "Which game of the file, counted from 1.", into="line", default=1)
seed_option = option("--seed TEXT", "The same seed gives the same games.", default="0")
players_option = option(
    "--players -p N", "The number of players. Default: 2, or the fewest that the game allows."
)
