"""A document as a page that stands alone: no script, nothing loaded from anywhere, readable on a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from html import escape
from typing import Final

from pasch.coach.blocks import (
    Block,
    DataTable,
    Document,
    Heading,
    Note,
    NoteList,
    NumberedList,
    Paragraph,
    Picture,
    render_text,
)

STYLE: Final = """
:root { color-scheme: light dark; --back: #fbfaf7; --card: #fff; --ink: #22252a; --soft: #62676f;
  --rule: #dedbd2; --good: #1d7a46; --bad: #b3341f; --c0: #1f6fb4; --c1: #b9500c; --c2: #14805c;
  --c3: #a8327d; --c4: #80670a; --c5: #6a56b0; }
@media (prefers-color-scheme: dark) { :root { --back: #17191d; --card: #1f2227; --ink: #e8e6e1;
  --soft: #a2a6ad; --rule: #383c44; --good: #6bd39a; --bad: #ff8f7a; --c0: #6db6f2; --c1: #f4a261;
  --c2: #5fd0a5; --c3: #ef8fcb; --c4: #e0c14f; --c5: #b5a4f5; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 48rem; padding: 1rem; background: var(--back); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: .5rem 0; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
nav a { color: inherit; margin-right: .9rem; display: inline-block; }
p { margin: .4rem 0; } .soft { color: var(--soft); } .key { font-size: 1.05rem; }
.source { font-size: .85rem; color: var(--soft); border-left: 3px solid var(--rule); padding-left: .6rem; }
code { font: .85em ui-monospace, monospace; overflow-wrap: anywhere; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { padding: .3rem .5rem; text-align: right; border-bottom: 1px solid var(--rule); white-space: nowrap;
  font-variant-numeric: tabular-nums; }
th:first-child, td:first-child { text-align: left; } th { color: var(--soft); font-weight: 600; }
figure { margin: .6rem 0; background: var(--card); border: 1px solid var(--rule); border-radius: .5rem;
  padding: .5rem; } figcaption { font-size: .85rem; color: var(--soft); margin-top: .4rem; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; }
svg { display: block; } .course { width: 100%; height: auto; }
.symbol { display: inline-block; width: 1em; height: 1em; vertical-align: -.15em; }
.sample { display: inline-block; width: 2.4em; height: .7em; }
.line { fill: none; stroke-width: 2; } .grid { stroke: var(--rule); } .tick { fill: var(--soft);
  font-size: 14px; }
.seat0 { stroke: var(--c0); } .seat1 { stroke: var(--c1); } .seat2 { stroke: var(--c2); }
.seat3 { stroke: var(--c3); } .seat4 { stroke: var(--c4); } .seat5 { stroke: var(--c5); }
.mark { stroke-width: 2.5; } .mark.mistake { stroke: var(--bad); fill: none; }
.mark.lucky { fill: var(--good); stroke: var(--card); stroke-width: 1; }
.mark.unlucky { fill: var(--bad); stroke: var(--card); stroke-width: 1; }
ul, ol { padding-left: 1.3rem; margin: .3rem 0; } li { margin: .25rem 0; }
details { margin: .6rem 0; } summary { cursor: pointer; }
""".strip()


def page(document: Document, *, language: str = "en", style: str = "", data: str = "") -> str:
    """The whole page. `style` is added to the page's own; `data` is JSON that the page carries along."""
    title = text(document.title)
    anchors = [block for block in document.blocks if isinstance(block, Heading) and block.anchor]
    links = "".join(f'<a href="#{block.anchor}">{text(block.text)}</a>' for block in anchors)
    parts = [
        "<!doctype html>",
        f'<html lang="{escape(language)}">',
        '<head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title>",
        f"<style>{STYLE}{style}</style></head>",
        f"<body><h1>{title}</h1>",
        *([f"<nav>{links}</nav>"] if links else []),
        *(line for block in document.blocks for line in _block(block)),
        *([f'<script type="application/json">{_embedded(data)}</script>'] if data else []),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def text(written: str) -> str:
    """A text of a block, safe to stand in a page."""
    return render_text(written, escape, _TAGS)


def _tag(name: str) -> Callable[[str], str]:
    return lambda inner: f"<{name}>{inner}</{name}>"


_TAGS: Final = {name: _tag(name) for name in ("code", "strong", "em")}


def _embedded(data: str) -> str:
    """JSON that cannot end the script element it stands in."""
    return data.replace("</", "<\\/")


def _block(block: Block) -> Iterable[str]:
    match block:
        case Heading(words, level, anchor):
            name = f' id="{anchor}"' if anchor else ""
            return [f"<h{level}{name}>{text(words)}</h{level}>"]
        case Paragraph(words, kind):
            look = f' class="{kind}"' if kind else ""
            return [f"<p{look}>{text(words)}</p>"]
        case DataTable():
            return _table(block)
        case NoteList(notes):
            return ["<ul>", *map(_note, notes), "</ul>"]
        case NumberedList(items):
            return ["<ol>", *(f"<li>{text(item)}</li>" for item in items), "</ol>"]
        case Picture():
            return _picture(block)


def _table(block: DataTable) -> Iterator[str]:
    if block.summary:
        yield f"<details><summary>{text(block.summary)}</summary>"
    yield '<div class="wide"><table>'
    yield "<tr>" + "".join(f'<th scope="col">{text(head)}</th>' for head in block.heads) + "</tr>"
    for row in block.rows:
        yield "<tr>" + "".join(f"<td>{text(cell)}</td>" for cell in row) + "</tr>"
    yield "</table></div>"
    if block.summary:
        yield "</details>"


def _note(note: Note) -> str:
    place = f'<span class="soft">{text(note.place)}</span>'
    better = f" {text(note.better)}" if note.better else ""
    remark = f'<br><span class="soft">{text(note.remark)}</span>' if note.remark else ""
    return f"<li>{place} <strong>{note.amount}</strong>: {text(note.text)}{better}{remark}</li>"


def _picture(block: Picture) -> Iterator[str]:
    if block.heading:
        yield f"<h2>{text(block.heading)}</h2>"
    legend = "".join(f"<span>{symbol} {text(name)}</span>" for symbol, name in block.legend)
    if legend:
        legend = f'<div class="legend">{legend}</div>'
    yield f"<figure>\n{block.svg}\n<figcaption>{text(block.label)}{legend}</figcaption></figure>"
