"""A page that stands alone, of Markdown and charts: no script, nothing loaded from elsewhere, readable on a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from math import ceil, floor, log10
from typing import Final, NamedTuple

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


# --- charts, as SVG --------------------------------------------------------------------------------

WIDTH, HEIGHT = 480, 300
LEFT, RIGHT, TOP, BOTTOM = 54, 12, 12, 12

#: lines differ in their dashes too, for readers who cannot tell the colours apart
DASHES = ("none", "7 4", "2 4", "10 3 2 3", "1 3 5 3", "12 5")


class Mark(NamedTuple):
    """A mark on a line."""

    seat: int
    #: after this many events
    at: float
    height: float
    kind: str
    #: the tooltip
    text: str


def _ticks(low: float, high: float) -> list[float]:
    """About five round numbers from below `low` to above `high`."""
    if high - low < 1e-9:
        low, high = low - 1, high + 1
    rough = (high - low) / 5
    unit = 10 ** floor(log10(rough))
    step = next(unit * times for times in (1, 2, 5, 10) if unit * times >= rough - 1e-12)
    return [step * number for number in range(floor(low / step), ceil(high / step) + 1)]


def course(
    lines: Sequence[Sequence[tuple[float, float]]],
    marks: Sequence[Mark],
    label: str,
    unit: Callable[[float], str],
) -> str:
    """A line chart: for each seat its values (number of events, value), with marks."""
    values = [value for line in lines for _, value in line]
    ticks = _ticks(min(values), max(values))
    last = max(1, *(at for line in lines for at, _ in line))

    def point(at: float, value: float) -> tuple[str, str]:
        """Where a value stands in the picture."""
        share = (value - ticks[0]) / (ticks[-1] - ticks[0])
        x = LEFT + (WIDTH - LEFT - RIGHT) * at / last
        return f"{x:.1f}", f"{HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share:.1f}"

    drawn = [f'<svg class="course" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(label)}">']
    for tick in ticks:
        _, y = point(0, tick)
        drawn.append(f'<path class="grid" d="M{LEFT} {y}H{WIDTH - RIGHT}"/>')
        place = f'x="{LEFT - 6}" y="{y}" dy="4" text-anchor="end"'
        drawn.append(f'<text class="tick" {place}>{escape(unit(tick))}</text>')
    for seat, line in enumerate(lines):
        way = " ".join(",".join(point(at, value)) for at, value in line)
        drawn.append(f'<polyline {_look(seat)} points="{way}"/>')
    for mark in marks:
        place = f'transform="translate({" ".join(point(mark.at, mark.height))})"'
        drawn.append(f'<path class="mark {mark.kind} seat{mark.seat}" {place} d="{_SHAPES[mark.kind]}">')
        drawn.append(f"<title>{escape(mark.text)}</title></path>")
    return "\n".join([*drawn, "</svg>"])


#: the shape of each kind of mark: a cross for a mistake, triangles for luck
_SHAPES = {
    "mistake": "M-4.5 -4.5L4.5 4.5M-4.5 4.5L4.5 -4.5",
    "lucky": "M0 -6L5.5 4H-5.5Z",
    "unlucky": "M0 6L5.5 -4H-5.5Z",
}


def symbol(kind: str) -> str:
    """A mark for the legend."""
    return (
        '<svg class="symbol" viewBox="-8 -8 16 16" aria-hidden="true">'
        f'<path class="mark {kind}" d="{_SHAPES[kind]}"/></svg>'
    )


def sample(seat: int) -> str:
    """A piece of a seat's line for the legend."""
    return f'<svg class="sample" viewBox="0 0 36 10" aria-hidden="true"><path {_look(seat)} d="M1 5H35"/></svg>'


def _look(seat: int) -> str:
    return f'class="line seat{seat}" stroke-dasharray="{DASHES[seat % 6]}"'
