"""Options that several commands of the command line share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from pasch.core.languages import languages

F = TypeVar("F", bound=Callable[..., Any])


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
    return tuple(name.strip() for name in written.split(",")) if written else ()


def speak(ctx: click.Context, param: click.Parameter, language: str) -> None:
    """`--language`: from now on the terminal speaks it."""
    from pasch.terminal.language import use

    use(language)


def system_language() -> str:
    from pasch.terminal import language

    return language.system_language()


#: of commands that talk to players; it is told first, so that what the others refuse is told in the language
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

#: a file to be read or written, and no folder
FILE = click.Path(path_type=Path, dir_okay=False)


def file_option(name: str, purpose: str, *, kind: click.Path = FILE) -> Callable[[F], F]:
    """`--name FILE`."""
    return click.option(f"--{name}", metavar="FILE", type=kind, help=purpose)


option_option = click.option(
    "--option",
    "-o",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    callback=read_setting,
    help="An option of the game, for example rounds=5; `pasch rules GAME` lists them. May be repeated.",
)
components_option = file_option(
    "components",
    "A component file of your own: your box has other values.",
    kind=click.Path(path_type=Path),
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
line_option = click.option(
    "--game", "line", type=click.IntRange(min=1), default=1, help="Which game of the file, counted from 1."
)

seed_option = click.option(
    "--seed", default="0", show_default=True, help="The same seed gives the same games."
)
players_option = click.option(
    "--players", "-p", type=click.IntRange(min=1), help="How many play. Default: 2, as in `pasch play`."
)

workers_option = click.option(
    "--workers",
    "-w",
    type=click.IntRange(min=1),
    help="How many threads or processes work. Default: one for every core. The results are the same.",
)
ray_option = click.option(
    "--ray",
    metavar="auto|ADDRESS",
    help="Work on a Ray cluster: auto joins the one on this machine or starts one, ADDRESS joins another. "
    "The results are the same. docs/cluster.md tells more.",
)
