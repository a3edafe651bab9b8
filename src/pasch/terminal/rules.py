"""A game's rules for people to read: its text, its options, where its data come from."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable
from importlib import resources
from typing import TYPE_CHECKING, Any

import click

from pasch.core.components import default_components
from pasch.core.errors import PaschError
from pasch.core.options import OptionSpec, option_specs
from pasch.core.registry import AnyGame, find_game
from pasch.terminal.screen import console

if TYPE_CHECKING:
    from rich.markdown import Markdown

#: the words of the two tables, and of a value's bounds
WORDS = {
    "en": {
        "options": "Options",
        "option": ("option", "values", "default", "meaning"),
        "none": "This game has no options.",
        "data": "Where the data come from",
        "what": ("what", "source"),
        "printed": "printed: the rulebook says so",
        "seen": "seen: read off a picture or a box",
        "reconstructed": "reconstructed: our best guess",
        "number": "{least} to {most}",
        "switch": "true, false",
        "list": "{least} to {most} of {choices}",
    },
    "de": {
        "options": "Optionen",
        "option": ("Option", "Werte", "Vorgabe", "Bedeutung"),
        "none": "Dieses Spiel hat keine Optionen.",
        "data": "Woher die Daten stammen",
        "what": ("Was", "Quelle"),
        "printed": "gedruckt: steht so in der Anleitung",
        "seen": "gesehen: von einem Bild oder einer Schachtel abgelesen",
        "reconstructed": "rekonstruiert: so gut wir es erraten konnten",
        "number": "{least} bis {most}",
        "switch": "true, false",
        "list": "{least} bis {most} aus {choices}",
    },
}


def show_rules(game: str, language: str) -> None:
    """Print the rules; into a pipe or a file as plain Markdown."""
    screen = console()
    if screen.is_terminal:
        screen.print(rules_page(game, language))
    else:
        click.echo(rules_text(game, language))


def rules_page(game: str, language: str = "en") -> Markdown:
    """The rules, to be printed on a terminal."""
    from rich.markdown import Markdown

    return Markdown(rules_text(game, language))


def rules_text(game: str, language: str = "en") -> str:
    """The rules as Markdown."""
    found = find_game(game)
    words: dict[str, Any] = WORDS[language]
    specs = option_specs(found.Options)
    meanings = _meanings(found, language)
    options = [(spec.name, _values(spec, words), _default(spec), meanings[spec.name]) for spec in specs]
    data = [
        (what, words[source]) for what, source in default_components(found.Components, game).provenance()
    ]
    return "\n".join(
        [
            _text(game, language).rstrip(),
            f"\n## {words['options']}\n",
            _table(words["option"], options) if options else words["none"],
            f"\n## {words['data']}\n",
            _table(words["what"], data),
        ]
    )


def _text(game: str, language: str) -> str:
    file = resources.files("pasch").joinpath("texts", language, f"{game}.md")
    try:
        return file.read_text("utf-8")
    except FileNotFoundError:
        raise PaschError(
            "the rules of {game} are not written in {language!r} yet", game=game, language=language
        ) from None


def _meanings(game: AnyGame, language: str) -> dict[str, str]:
    """What each option means. English stands beside the rules, other languages in a file."""
    meanings = {spec.name: spec.explanation for spec in option_specs(game.Options)}
    file = resources.files("pasch").joinpath("texts", language, "options.toml")
    if file.is_file():
        meanings |= tomllib.loads(file.read_text("utf-8")).get(game.id, {})
    return meanings


def _values(spec: OptionSpec, words: dict[str, Any]) -> str:
    if spec.kind == "choice":
        return ", ".join(map(str, spec.choices))
    choices = ", ".join(map(str, spec.choices))
    written: str = words[spec.kind]
    return written.format(least=spec.least, most=spec.most, choices=choices)


def _default(spec: OptionSpec) -> str:
    """The default, as it would be typed after `--option name=`."""
    return spec.default if isinstance(spec.default, str) else json.dumps(spec.default)


def _table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [list(headings)]
    lines.append(["---"] * len(lines[0]))
    lines += [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
