"""Translations: the texts of Pasch in languages other than English, which is in the program.

A language has a gettext catalogue of the texts that belong to no game. Those of a game lie in its folder:
`de.po` for single texts, `de.md` for the rules. Missing translations fall back to English.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from gettext import c2py
from importlib import resources
from inspect import cleandoc
from typing import TYPE_CHECKING, Any, Final

import msgspec

from pasch.core.components import GUESS
from pasch.core.registry import find_file, find_game, find_part
from pasch.core.words import Sentence, say

if TYPE_CHECKING:
    from babel.messages.catalog import Message

LOCALE: Final = resources.files("pasch").joinpath("locale")
#: the text of an item, and the options with which it holds
_CONDITION: Final = re.compile(r"(.*?)\s*(?:<!--(.*)-->)?")
#: where a game's text shows the table of its box (see `Components.table`)
_TABLE: Final = "<!-- table -->"
#: the footnote to the sign of reconstructed values
NOTE: Final = say("° our best guess; your box may show something else").template
#: Python's templates may ask for quotes, as in {name!r}; a translation has those of its language
_FIELD: Final = re.compile(r"\{(\w+)(?:!r)?\}")
#: a numbered list; the lines of an item after its first are indented
_LIST: Final = re.compile(r"(?:^\d+\. .*\n(?: +.*\n)*)+\n?", re.MULTILINE)


@cache
def languages() -> tuple[str, ...]:
    """The tags of all languages, such as `de`, in alphabetical order."""
    found = {file.name.removesuffix(".po") for file in LOCALE.iterdir() if file.name.endswith(".po")}
    return tuple(sorted({"en", *found}))


def best_language(wanted: Iterable[str]) -> str:
    """The first of these languages that Pasch speaks (`de` for `de-AT`); English if it speaks none."""
    tags = (tag.strip().lower().partition("-")[0] for tag in wanted)
    return next((tag for tag in tags if tag in languages()), "en")


@cache
def messages(language: str, game: str | None = None) -> tuple[Message, ...]:
    """The translated texts of a language: a game's own, or those that belong to no game."""
    file = find_file(game, f"{language}.po") if game else LOCALE.joinpath(f"{language}.po")
    if file is None or not file.is_file():
        return ()
    from babel.messages.pofile import read_po

    with file.open("rb") as opened:
        return tuple([one for one in read_po(opened) if one.id and one.string and not one.fuzzy])


@cache
def templates(language: str, game: str | None = None) -> dict[str, Any]:
    """By English text: its translation, or the forms of a text about `{n}` things."""
    return {
        key: one.string
        for one in messages(language, game)
        for key in ((one.id,) if isinstance(one.id, str) else one.id)
    }


@cache
def forms(language: str) -> dict[str, int]:
    """By plural category of Unicode (`one`, `few`, …): the index of the catalogue's form."""
    from babel import Locale
    from babel.messages.catalog import Catalog

    category = Locale.parse(language).plural_form
    form = c2py(Catalog(language).plural_expr)
    # a category that whole numbers below a million do not reach has the form of the others
    return {"other": form(1_000_000), **{category(n): form(n) for n in reversed(range(1000))}}


def translated(text: str, language: str, game: str | None = None, n: float = 1) -> str:
    """A text of a game, or of the program, in a language; a text about `{n}` things in the form for this number."""
    found = templates(language, game).get(text) or templates(language).get(text)
    return (found[form_for(language, n)] if isinstance(found, tuple) else found) or text


def rendered(sentence: Sentence, language: str, game: str | None = None) -> str:
    """A sentence in a language; words among its details are translated too."""
    if language == "en":
        return str(sentence)
    from babel.lists import format_list
    from babel.numbers import format_decimal

    def shown(value: Any) -> str:
        if isinstance(value, int | float):
            return str(format_decimal(value, locale=language))
        if isinstance(value, list | tuple):
            return str(format_list([shown(item) for item in value], locale=language))
        return translated(str(value), language, game)

    template = translated(sentence.template, language, game, sentence.details.get("n", 1))
    return filled(template, sentence.details, shown)


def filled(text: str, details: Mapping[str, Any], shown: Callable[[Any], str]) -> str:
    """A text with its details, each rendered by `shown`; missing details keep their placeholders."""
    return _FIELD.sub(lambda found: shown(details[found[1]]) if found[1] in details else found[0], text)


def form_for(language: str, n: float) -> int:
    """The index of the catalogue's plural form for n."""
    from babel import Locale

    known = forms(language)
    return known.get(Locale.parse(language).plural_form(n), known["other"])


def rules_markdown(game: str, language: str = "en", *, steps: bool = False) -> str:
    """The rules in words, as Markdown; with `steps` the how-to sentences of the usual game stand in their place.

    A text without headings is nothing but these sentences, and is always complete.
    """
    before, after = _rules(game, language)
    found = find_game(game)

    def cell(said: Sentence | str) -> str:
        if isinstance(said, Sentence):
            return rendered(said, language, game)
        return translated(said, language, game)

    table = markdown_table(map(cell, row) for row in found.default_components().table())
    if GUESS in table:
        table += f"\n\n{translated(NOTE, language)}"
    usual, players = found.Options().json(), found.usual_players()
    said = [step.text for step in howto(game, language) if step.holds(usual, players)]
    listed = "".join(f"{number}. {text}\n" for number, text in enumerate(said, 1)) + "\n"
    keep = steps or not after
    return _LIST.sub(lambda _: listed if keep else "", before, count=1) + after.replace(_TABLE, table)


def markdown_table(rows: Iterable[Iterable[str]]) -> str:
    """A table in Markdown; the first row holds the headings."""
    lines = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    lines[1:1] = [["---"] * len(line) for line in lines[:1]]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


class Step(msgspec.Struct, frozen=True):
    """A sentence of how a game goes, and with which options it holds."""

    text: str
    #: by option, and `players`: the values with which the sentence holds; it holds with any of what is not named
    when: dict[str, list[Any]] = {}

    def holds(self, options: Mapping[str, Any], players: int) -> bool:
        """Whether the sentence holds at a table with these options."""
        settings = {**options, "players": players}
        return all(settings.get(name) in values for name, values in self.when.items())


def howto(game: str, language: str) -> list[Step]:
    """The game in short: the numbered list before the first heading of its rules.

    An item that ends with a comment such as `<!-- streets=true -->` or `<!-- players=1 solo_minimum=1|2 -->`
    holds with these options only.
    """
    found = _LIST.search(_rules(game, language)[0])
    items = re.split(r"^\d+\. ", found[0], flags=re.MULTILINE)[1:] if found else []
    return [_step(" ".join(item.split())) for item in items]


def _step(item: str) -> Step:
    text, condition = _CONDITION.fullmatch(item).groups()  # type: ignore[union-attr]
    pairs = (part.split("=") for part in (condition or "").split())
    return Step(text, {name: [_value(one) for one in values.split("|")] for name, values in pairs})


def _value(written: str) -> Any:
    """A value of an option: a number, true or false, or a word."""
    try:
        return msgspec.json.decode(written)
    except msgspec.DecodeError:
        return written


def _rules(game: str, language: str) -> tuple[str, str]:
    """The text up to its first heading below the title, and the rest; else the docstring of the rules' module."""
    file = find_file(game, f"{language}.md") or find_file(game, "en.md")
    if file is None:
        said = getattr(find_part(game, "rules"), "__doc__", None) or ""
        return f"# {find_game(game).title}\n\n", f"{cleandoc(said)}\n"
    text = file.read_text("utf-8")
    heading = re.search("^## ", text, re.MULTILINE)
    end = heading.start() if heading else len(text)
    return text[:end], text[end:]
