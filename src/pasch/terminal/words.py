"""Texts that all terminal boards share."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from pasch.core.components import Provenance
from pasch.terminal.language import t


def seat_name(seat: int) -> str:
    """What a seat is called; people count from 1."""
    return t("Player {n}", n=seat + 1)


def guess_note(sources: Iterable[Provenance]) -> list[Text]:
    """The footnote to the sign of reconstructed values, for a board that shows values of these sources."""
    guessed = "reconstructed" in sources
    return [Text(t("° our best guess; your box may show something else"), "dim")] if guessed else []


def one_line(text: str, limit: int = 500) -> str:
    """The text on one line, without control characters."""
    shown = "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode() for c in text[: limit + 1]
    )
    return shown if len(shown) <= limit else shown[:limit] + " …"
