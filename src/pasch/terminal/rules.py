"""A game's rules for people to read: its text, its options, where its data come from."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from pasch.core.options import OptionSpec, option_specs
from pasch.core.registry import find_game
from pasch.core.texts import markdown_table, rules_markdown, told
from pasch.terminal.language import current, t, word
from pasch.terminal.screen import console

if TYPE_CHECKING:
    from rich.markdown import Markdown

#: where a part of a box comes from
SOURCES = {
    "printed": "printed: the rulebook says so",
    "seen": "seen: read off a picture or a box",
    "reconstructed": "reconstructed: our best guess",
}


def show_rules(game: str) -> None:
    """Print the rules; into a pipe or a file as plain Markdown."""
    screen = console()
    if screen.is_terminal:
        screen.print(rules_page(game))
    else:
        click.echo(rules_text(game))


def rules_page(game: str) -> Markdown:
    """The rules, to be printed on a terminal."""
    from rich.markdown import Markdown

    return Markdown(rules_text(game))


def rules_text(game: str) -> str:
    """The rules as Markdown, in the terminal's language."""
    found = find_game(game)

    def table(house: bool) -> list[str]:
        rows = [
            (spec.name, _values(spec), _default(spec), word(spec.explanation))
            for spec in option_specs(found.Options)
            if spec.house == house
        ]
        head = (t("option"), t("values"), t("default"), t("meaning"))
        return [markdown_table([head, *rows])] if rows else []

    options, house = table(house=False), table(house=True)
    data = [
        (told(what, current(), game), t(SOURCES[source]))
        for what, source in found.default_components().provenance()
    ]
    parts = [rules_markdown(game, current(), steps=True).rstrip(), f"## {t('Options')}"]
    parts += options or ([] if house else [t("This game has no options.")])
    if house:
        parts += [f"### {t('House rules')}", *house]
    if data:
        parts += [f"## {t('Where the data come from')}", markdown_table([(t("what"), t("source")), *data])]
    return "\n\n".join(parts)


def _values(spec: OptionSpec) -> str:
    """What an option may be, in words."""
    choices = ", ".join(map(str, spec.choices))
    if spec.kind == "choice":
        return choices
    if spec.kind == "switch":
        return "true, false"
    if spec.kind == "list":
        return t("{least} to {most} of {choices}", least=spec.least, most=spec.most, choices=choices)
    return t("{least} to {most}", least=spec.least, most=spec.most)


def _default(spec: OptionSpec) -> str:
    """The default, as it would be typed after `--option name=`."""
    return spec.default if isinstance(spec.default, str) else json.dumps(spec.default)
