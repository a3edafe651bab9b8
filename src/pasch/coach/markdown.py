"""Reports as Markdown text, which the terminal renders: escaped words, tables, folded parts, numbers.

`page` makes a page of it that stands alone: no script, nothing loaded from elsewhere, readable on a phone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final, NamedTuple

STYLE: Final = """
:root { color-scheme: light dark; --back: #fbfaf7; --ink: #22252a; --soft: #62676f; --rule: #dedbd2; }
@media (prefers-color-scheme: dark) { :root { --back: #17191d; --ink: #e8e6e1;
  --soft: #a2a6ad; --rule: #383c44; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 48rem; padding: 1rem; background: var(--back); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: .5rem 0; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
p { margin: .4rem 0; } em { color: var(--soft); font-style: normal; }
code { font: .85em ui-monospace, monospace; overflow-wrap: anywhere; }
table { display: block; overflow-x: auto; border-collapse: collapse; font-size: .9rem; }
th, td { padding: .3rem .5rem; border-bottom: 1px solid var(--rule); white-space: nowrap;
  font-variant-numeric: tabular-nums; }
th { color: var(--soft); font-weight: 600; text-align: left; }
ul, ol { padding-left: 1.3rem; margin: .3rem 0; } li { margin: .25rem 0; }
details { margin: .6rem 0; } summary { cursor: pointer; } summary h3 { display: inline; }
""".strip()


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


def page(title: str, markdown: str, *, language: str = "en", style: str = "", data: str = "") -> str:
    """The whole page. `style` is added to the page's own; `data` is JSON that the page carries along."""
    from markdown_it import MarkdownIt

    parts = [
        "<!doctype html>",
        f'<html lang="{escape(language)}">',
        '<head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>",
        f"<style>{STYLE}{style}</style></head>",
        f"<body><h1>{escape(title)}</h1>",
        MarkdownIt().enable("table").render(markdown),
        # which cannot end the element that it stands in
        *(['<script type="application/json">' + data.replace("</", "<\\/") + "</script>"] if data else []),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"
