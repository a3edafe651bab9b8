"""A game's rules for people to read: its text, its options, where its data come from."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

from pasch.core.options import OptionSpec, option_specs
from pasch.core.registry import find_game
from pasch.core.texts import rules_markdown, translated
from pasch.terminal.screen import console

if TYPE_CHECKING:
    from rich.markdown import Markdown

#: where a part of a box comes from
SOURCES = {
    "printed": "printed: the rulebook says so",
    "seen": "seen: read off a picture or a box",
    "reconstructed": "reconstructed: our best guess",
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

    def t(text: str) -> str:
        return translated(text, language)

    found = find_game(game)

    def table(house: bool) -> list[str]:
        rows = [
            (spec.name, _values(spec, t), _default(spec), translated(spec.explanation, language, game))
            for spec in option_specs(found.Options)
            if spec.house == house
        ]
        return [_table((t("option"), t("values"), t("default"), t("meaning")), rows)] if rows else []

    options, house = table(house=False), table(house=True)
    data = [(what, t(SOURCES[source])) for what, source in found.default_components().provenance()]
    parts = [rules_markdown(game, language).rstrip(), f"## {t('Options')}"]
    parts += options or ([] if house else [t("This game has no options.")])
    if house:
        parts += [f"### {t('House rules')}", *house]
    if data:
        parts += [f"## {t('Where the data come from')}", _table((t("what"), t("source")), data)]
    return "\n\n".join(parts)


def _values(spec: OptionSpec, t: Callable[[str], str]) -> str:
    """What an option may be, in words."""
    choices = ", ".join(map(str, spec.choices))
    if spec.kind == "choice":
        return choices
    if spec.kind == "switch":
        return "true, false"
    template = t("{least} to {most} of {choices}") if spec.kind == "list" else t("{least} to {most}")
    return template.format(least=spec.least, most=spec.most, choices=choices)


def _default(spec: OptionSpec) -> str:
    """The default, as it would be typed after `--option name=`."""
    return spec.default if isinstance(spec.default, str) else json.dumps(spec.default)


def _table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [list(headings)]
    lines.append(["---"] * len(lines[0]))
    lines += [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
