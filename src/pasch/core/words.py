"""Translatable sentences: templates of the catalogues and the values that fill them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec


class Sentence(msgspec.Struct, frozen=True):
    """An English template, which is the key of the catalogues, and what fills its `{names}`.

    Details are numbers, words or lists of these: the renderer formats numbers for the
    reader's language.
    """

    template: str
    details: dict[str, Any] = {}

    def __str__(self) -> str:
        return self.template.format_map({name: shown(value) for name, value in self.details.items()})


def say(template: str, **details: Any) -> Sentence:
    """A sentence, with numbers rounded as a person would say them."""
    return Sentence(template, {name: _rounded(value) for name, value in details.items()})


def counted(one: str, other: str, n: float, **details: Any) -> Sentence:
    """A sentence about `{n}` things: `one` if n rounds to 1, otherwise `other`."""
    return say(one if _rounded(n) == 1 else other, n=n, **details)


def wrong_shape(problem: str) -> tuple[str, Sentence]:
    """The place of a mistake in some data, and a sentence about it, from an error of msgspec."""
    # "Expected `int`, got `str` - at `$.strips[3]`"
    what, _, place = problem.partition(" - at `$")
    where = place.rstrip("`").lstrip(".")
    if what.startswith("Object missing"):
        return where, say("something is missing here")
    if what.startswith("Object contains unknown"):
        return where, say("something here does not belong")
    return where, say("this is not the kind of value that belongs here")


def percent(chance: float) -> float:
    """A chance in per cent, with one more digit below 10 % and above 90 %."""
    return round(100 * chance, None if 0.1 <= chance <= 0.9 else 1)


def shown(value: Any) -> str:
    """A detail in English."""
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    if isinstance(value, list | tuple):
        words = [shown(item) for item in value]
        return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
    return str(value)


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        # one digit for values of a point or more, two for smaller ones
        value = round(value, 1 if abs(value) >= 1 else 2)
        return int(value) if value == int(value) else value
    return list(value) if isinstance(value, tuple) else value


def spaced(values: Iterable[object]) -> str:
    """Dice, cards or numbers side by side."""
    return " ".join(map(str, values))
