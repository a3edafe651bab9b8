"""The terminal's texts in the language of the person in front of it.

The English template is the key of the catalogues, as in the browser; `{name}` is filled from the details.
Every visible text goes through `t` or `tn` with a literal template, so that `make texts` finds it. Whatever a
language lacks is said in English.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, Final

from pasch.coach import markdown
from pasch.core.errors import PaschError
from pasch.core.registry import game_ids
from pasch.core.texts import filled, form_for, templates
from pasch.core.words import Sentence
from pasch.core.words import shown as shown_in_english

#: errors about a box's data begin with the place, which is no part of the text
_PLACE: Final = "{place}: "

_language = "en"


def use(language: str) -> None:
    """Set the terminal's language."""
    global _language  # noqa: PLW0603 (one terminal has one reader)
    _language = language


def current() -> str:
    """The terminal's language."""
    return _language


# --- texts ----------------------------------------------------------------------------------------


@cache
def _templates(language: str) -> dict[str, Any]:
    """Every template with its translation, or with the forms of it."""
    if language == "en":
        return {}
    owners = (*game_ids(), None)  # so that no game translates otherwise what the program says itself
    return {key: found for owner in owners for key, found in templates(language, owner).items()}


def t(template: str, /, **details: Any) -> str:
    """A text."""
    return filled(_found(template, details.get("n", 1)) or template, details, shown)


def tn(one: str, other: str, n: float, /, **details: Any) -> str:
    """A text about `{n}` things."""
    return filled(_found(one, n) or (one if n == 1 else other), {"n": n, **details}, shown)


def word(text: str) -> str:
    """A word that no template holds, such as a game's title."""
    found = _templates(_language).get(text)
    return found if isinstance(found, str) else text


def _found(template: str, n: float) -> str | None:
    found = _templates(_language).get(template)
    return found[form_for(_language, n)] if isinstance(found, tuple) else found


def sentence(said: Sentence) -> str:
    """A sentence of the coach; words among its details are translated too."""
    return str(said) if _language == "en" else t(said.template, **_translated(said.details))


def reason(error: PaschError) -> str:
    """Why something was refused."""
    if _language == "en":
        return error.reason
    details = _translated(error.details)
    said = t(error.template.removeprefix(_PLACE), **details)
    if error.template.startswith(_PLACE):
        said = f"{error.details['place']}: {said}"
    return f"{said} ({error.details['detail']})" if error.details.get("detail") else said


def _translated(details: dict[str, Any]) -> dict[str, Any]:
    return {name: _detail(name, value) for name, value in details.items()}


def _detail(name: str, value: Any) -> Any:
    """A detail in this language: words are translated, seats (counted from 0) are named."""
    if isinstance(value, list | tuple):
        return [one + 1 if name == "seats" else _detail(name, one) for one in value]
    if name in ("seat", "turn") and type(value) is int:
        return t("Player {n}", n=value + 1)
    return word(value) if isinstance(value, str) else value


# --- details --------------------------------------------------------------------------------------


def shown(value: Any) -> str:
    """A detail as this language writes it."""
    if isinstance(value, PaschError):
        return reason(value)
    if isinstance(value, list | tuple):
        return listed(map(shown, value))
    if _language == "en" or isinstance(value, bool) or not isinstance(value, int | float):
        return shown_in_english(value)
    from babel.numbers import format_decimal

    return format_decimal(value, "#,##0.##", _language)


def listed(words: Iterable[str]) -> str:
    """`A`, `A and B`, `A, B and C`."""
    if _language == "en":
        return shown_in_english(list(words))
    from babel.lists import format_list

    return format_list(list(words), locale=_language)


def number(value: float, digits: int = 2) -> str:
    """A number with exactly this many digits after the point."""
    written = markdown.number(value, digits)
    if _language == "en":
        return written
    from babel.numbers import get_decimal_symbol

    return written.replace(".", get_decimal_symbol(_language))


def percent(chance: float, digits: int = 2) -> str:
    """A chance in per cent."""
    return f"{number(100 * chance, digits)} %"
