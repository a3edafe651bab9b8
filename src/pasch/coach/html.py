"""Markdown as a page that stands alone: no script, nothing loaded from anywhere, readable on a phone."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final

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
p { margin: .4rem 0; } em { color: var(--soft); font-style: normal; }
code { font: .85em ui-monospace, monospace; overflow-wrap: anywhere; }
table { display: block; overflow-x: auto; border-collapse: collapse; font-size: .9rem; }
th, td { padding: .3rem .5rem; border-bottom: 1px solid var(--rule); white-space: nowrap;
  font-variant-numeric: tabular-nums; }
th { color: var(--soft); font-weight: 600; text-align: left; }
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
details { margin: .6rem 0; } summary { cursor: pointer; } summary h3 { display: inline; }
""".strip()


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


def figure(svg: str, label: str, legend: Iterable[tuple[str, str]] = ()) -> str:
    """A picture with its label, and pairs of a symbol, as SVG, and its meaning."""
    signs = "".join(f"<span>{symbol} {escape(meaning)}</span>" for symbol, meaning in legend)
    below = f'<div class="legend">{signs}</div>' if signs else ""
    return f"<figure>\n{svg}\n<figcaption>{escape(label)}{below}</figcaption></figure>"
