"""What Pasch says in other languages than English, which stands in the program.

A language has a gettext catalogue of the texts that belong to no game. Those of a game lie in its folder:
`de.po` for single texts, `de.md` for the rules. Whatever a language lacks is said in English.
"""

from __future__ import annotations

import re
from functools import cache
from inspect import cleandoc
from typing import TYPE_CHECKING, Final

from pasch.core.languages import LOCALE
from pasch.core.registry import find_file, find_game, find_part

if TYPE_CHECKING:
    from babel.messages.catalog import Message

#: a numbered list; the lines of an item after its first are indented
_LIST: Final = re.compile(r"(?:^\d+\. .*\n(?: +.*\n)*)+\n?", re.MULTILINE)


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
def _strings(language: str, game: str | None) -> dict[str, str]:
    return {
        one.id: one.string
        for one in messages(language, game)
        if isinstance(one.id, str) and isinstance(one.string, str)
    }


def translated(text: str, language: str, game: str | None = None) -> str:
    """A text of a game, or of the program, in a language."""
    return _strings(language, game).get(text, text)


def rules_markdown(game: str, language: str = "en") -> str:
    """The rules in words, as Markdown, without the how-to sentences."""
    before, after = _rules(game, language)
    return _LIST.sub("", before) + after


def howto(game: str, language: str) -> list[str]:
    """The game in a few sentences: the numbered list before the first heading of its rules."""
    found = _LIST.search(_rules(game, language)[0])
    items = re.split(r"^\d+\. ", found[0], flags=re.MULTILINE)[1:] if found else []
    return [" ".join(item.split()) for item in items]


def _rules(game: str, language: str) -> tuple[str, str]:
    """The text up to its first heading below the title, and the rest; else what the rules' module says."""
    file = find_file(game, f"{language}.md") or find_file(game, "en.md")
    if file is None:
        said = getattr(find_part(game, "rules"), "__doc__", None) or ""
        return f"# {find_game(game).title}\n\n", f"{cleandoc(said)}\n"
    text = file.read_text("utf-8")
    heading = re.search("^## ", text, re.MULTILINE)
    end = heading.start() if heading else len(text)
    return text[:end], text[end:]
