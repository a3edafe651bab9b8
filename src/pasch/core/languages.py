"""The languages that Pasch speaks: English, and those that have a catalogue in `pasch/locale`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Final

LOCALE: Final = resources.files("pasch").joinpath("locale")


@cache
def languages() -> tuple[str, ...]:
    """The tags of all languages, such as `de`, in alphabetical order."""
    found = {file.name.removesuffix(".po") for file in LOCALE.iterdir() if file.name.endswith(".po")}
    return tuple(sorted({"en", *found}))


def best_language(wanted: Iterable[str]) -> str:
    """The first of these languages that Pasch speaks (`de` for `de-AT`); English if it speaks none."""
    tags = (tag.strip().lower().partition("-")[0] for tag in wanted)
    return next((tag for tag in tags if tag in languages()), "en")
