"""Documents as lists of blocks, rendered as HTML, in the terminal and as Markdown.

A document fixes its content, order and number formats once; a renderer only lays out blocks.
Text is plain unless it is `Markup`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, Literal, NamedTuple, TypeAlias

#: `code`, **strong** and *emphasised* text
_MARKS: Final = re.compile(r"`(?P<code>[^`]+)`|\*\*(?P<strong>.+?)\*\*|\*(?P<em>.+?)\*")


class Markup(str):
    """Text in which `code`, **strong** and *emphasised* words are marked as in Markdown."""

    __slots__ = ()


class Heading(NamedTuple):
    """A heading; with an anchor it stands in the contents."""

    text: str
    level: int = 2
    anchor: str = ""


class Paragraph(NamedTuple):
    """Some sentences: `key` for what matters most, `soft` for what matters less, `source` for commands."""

    text: str
    kind: Literal["", "key", "soft", "source"] = ""


class DataTable(NamedTuple):
    """A table whose first column holds names and whose others hold numbers; with a summary it is folded."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    summary: str = ""


class Note(NamedTuple):
    """A remark about one event: its place, its points, what happened, what was better and why."""

    place: str
    amount: str
    text: str
    better: str = ""
    remark: str = ""


class NoteList(NamedTuple):
    """Several remarks."""

    notes: tuple[Note, ...]


class NumberedList(NamedTuple):
    """Sentences in an order that matters."""

    items: tuple[str, ...]


class Picture(NamedTuple):
    """A picture as SVG; only renderers that can draw show it, with its heading."""

    svg: str
    label: str
    #: pairs of a symbol, as SVG, and its meaning
    legend: tuple[tuple[str, str], ...] = ()
    heading: str = ""


Block: TypeAlias = Heading | Paragraph | DataTable | NoteList | NumberedList | Picture


class Document(NamedTuple):
    """A title and what stands below it."""

    title: str
    blocks: tuple[Block, ...]


def render_text(
    text: str, plain: Callable[[str], str], marked: dict[str, Callable[[str], str]] | None = None
) -> str:
    """`text` in another notation: `plain` writes characters, `marked` words of each kind of `Markup`."""
    if not isinstance(text, Markup):
        return plain(text)
    parts, end = [], 0
    for found in _MARKS.finditer(text):
        parts.append(plain(text[end : found.start()]))
        kind = found.lastgroup or ""
        inner = plain(found[kind])
        parts.append(marked[kind](inner) if marked else inner)
        end = found.end()
    return "".join([*parts, plain(text[end:])])


def number(value: float, digits: int = 2) -> str:
    """A number for people, without a minus before a zero.

    >>> number(-1.5), number(-0.001)
    ('−1.50', '0.00')
    """
    written = f"{value:.{digits}f}"
    return written.removeprefix("-") if float(written) == 0 else written.replace("-", "−")


def signed(value: float, digits: int = 2) -> str:
    """A number with its sign.

    >>> signed(1.5), signed(-1.5), signed(0)
    ('+1.50', '−1.50', '0.00')
    """
    written = number(value, digits)
    return written if value < 0 or float(f"{value:.{digits}f}") == 0 else f"+{written}"
