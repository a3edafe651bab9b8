"""Reports as Markdown text, which the terminal and pages render: escaped words, tables, folded parts, numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Document(NamedTuple):
    """A title, and as Markdown what stands below it."""

    title: str
    text: str


def escaped(words: str) -> str:
    """Words in which no character marks anything.

    >>> escaped("1 * 2")
    '1 \\\\* 2'
    """
    return re.sub(r"([\\`*_<>&|\[\]])", r"\\\1", words)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table whose first column holds names and whose others hold numbers."""
    lines = [f"| {' | '.join(cells)} |" for cells in (heads, *rows)]
    return "\n".join([lines[0], f"|---|{'---:|' * (len(heads) - 1)}", *lines[1:]])


def folded(summary: str, text: str) -> str:
    """Text that a page hides until its summary is touched."""
    return f"<details><summary>\n\n### {summary}\n\n</summary>\n\n{text}\n\n</details>"


def number(value: float, digits: int = 2) -> str:
    """A number for people, without a minus before a zero.

    >>> number(-1.5), number(-0.001)
    ('−1.50', '0.00')
    """
    written = f"{value:.{digits}f}"
    return written.removeprefix("-") if float(written) == 0 else written.replace("-", "−")
