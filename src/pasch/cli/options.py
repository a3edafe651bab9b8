"""What the commands share: their form with an example, and options that mean the same everywhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from pasch.core.languages import languages

F = TypeVar("F", bound=Callable[..., Any])


def command(example: str, *, name: str | None = None) -> Callable[[Callable[..., Any]], click.Command]:
    """A command whose help ends with an example, which works as it stands; tests run all of them."""
    return click.command(name, epilog=f"\b\nExample:\n  {example}")


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
    from pasch.terminal import language

    return language.system_language()


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

#: a file to be read or written, and no folder; and one that may be - for stdin or stdout
FILE = click.Path(path_type=Path, dir_okay=False)
FILE_OR_DASH = click.Path(path_type=Path, dir_okay=False, allow_dash=True)
FOLDER = click.Path(path_type=Path, file_okay=False)
PORT = click.IntRange(0, 65535)
POSITIVE = click.IntRange(min=1)


def file_option(name: str, purpose: str, *, kind: click.Path = FILE) -> Callable[[F], F]:
    """`--name FILE`."""
    return click.option(f"--{name}", metavar="FILE", type=kind, help=purpose)


def folder_option(name: str, purpose: str) -> Callable[[F], F]:
    """`--name DIR`."""
    return click.option(f"--{name}", metavar="DIR", type=FOLDER, help=purpose)


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


option_option = several_option(
    "option",
    "options",
    "NAME=VALUE",
    "An option of the game, for example rounds=5; `pasch rules GAME` lists them.",
    short=("-o",),
    callback=read_setting,
)
components_option = file_option(
    "components",
    "A component file of your own: your box has other values.",
    kind=click.Path(path_type=Path),
)

data_option = folder_option("data", "Where the games are kept. Default: your own data folder.")
store_option = click.option(
    "--store",
    metavar="URL",
    envvar="PASCH_STORE",
    help="Keep the games in a database instead: postgresql://… (or set PASCH_STORE).",
)
line_option = click.option(
    "--game", "line", type=POSITIVE, default=1, help="Which game of the file, counted from 1."
)
seed_option = click.option(
    "--seed", default="0", show_default=True, help="The same seed gives the same games."
)
players_option = click.option(
    "--players", "-p", type=POSITIVE, help="How many play. Default: 2, or as few as can."
)


def seats_option(purpose: str, *, required: bool = False) -> Callable[[F], F]:
    """`--seats`: who sits where."""
    return click.option("--seats", metavar="WHO,WHO,…", callback=split, required=required, help=purpose)


workers_option = click.option(
    "--workers",
    "-w",
    type=POSITIVE,
    help="How many threads or processes work. Default: one for every core. The results are the same.",
)
ray_option = click.option(
    "--ray",
    metavar="auto|ADDRESS",
    help="Work on a Ray cluster: auto joins the one on this machine or starts one, ADDRESS joins another. "
    "The results are the same. See docs/cluster.md.",
)
