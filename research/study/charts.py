"""Charts of a study as SVG inside a page, light or dark as the page is.

Nothing depends on colour alone: every line and bar has its name and its number beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from math import ceil, floor, log10
from textwrap import wrap
from typing import Final, NamedTuple

from research.study.figures import Figure, LevelScores

WIDTH: Final = 400
#: a standard error is drawn twice to either side: about 95 in 100 such ranges hold the truth
ERRORS: Final = 2

#: added to the page's style
STYLE: Final = """
body { max-width: 52rem; } p, li { max-width: 44rem; }
.plot { width: 100%; max-width: 28rem; height: auto; margin: 0 auto; }
.plot text { fill: var(--ink); font-size: 14px; } .plot .faint { fill: var(--soft); }
.plot .head { font-weight: 600; } .plot .grid { stroke: var(--rule); }
.plot .zero { stroke: var(--soft); } .plot .whisker { stroke: var(--ink); stroke-width: 1.5; }
.plot .area { stroke-width: 1.5; fill-opacity: .28; }
.plot .middle { stroke: var(--ink); stroke-width: 1.5; }
.plot .range { stroke-width: 2; } .plot .half { stroke-width: 6; }
.plot .k0 { fill: var(--c0); stroke: var(--c0); } .plot .k1 { fill: var(--c1); stroke: var(--c1); }
.plot .k2 { fill: var(--c3); stroke: var(--c3); } .plot .k3 { fill: var(--soft); stroke: var(--soft); }
""".strip()


class Bar(NamedTuple):
    """One bar or dot: its name, its number, and the number of its colour."""

    name: str
    figure: Figure
    colour: int = 0


class Group(NamedTuple):
    """Bars that belong together."""

    heading: str
    bars: Sequence[Bar]


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Some round numbers from `low` to `high`."""
    rough = max(high - low, 1e-9) / about
    unit = 10 ** floor(log10(rough))
    step = next(unit * times for times in (1, 2, 5, 10) if unit * times >= rough - 1e-12)
    return [step * number for number in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def _open(height: float, label: str) -> str:
    return f'<svg class="plot" viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(label)}">'


def _text(x: float, y: float, words: str, kind: str = "", anchor: str = "") -> str:
    attributes = (f' class="{kind}"' if kind else "") + (f' text-anchor="{anchor}"' if anchor else "")
    return f'<text x="{x:.1f}" y="{y:.1f}"{attributes}>{escape(words)}</text>'


def axis_number(value: float) -> str:
    """A number on an axis."""
    return f"{value:g}".replace("-", "−")


# --- scores ---------------------------------------------------------------------------------------

_ROW, _HILL, _EDGE = 66, 32, 12


def ridges(levels: Sequence[LevelScores], label: str) -> str:
    """The score histograms of several players, one above the other on the same scale.

    Each has its own height. Below it: the ranges of nine tenths and of half of the scores.
    """
    usual = min(level.quantiles[0] for level in levels), max(level.quantiles[-1] for level in levels)
    # the rarest scores are cut off, so that the others have room
    margin = 0.25 * (usual[1] - usual[0]) + 1
    low = max(usual[0] - margin, min(level.least for level in levels) - 0.5)
    high = min(usual[1] + margin, max(level.most for level in levels) + 0.5)

    def x(score: float) -> float:
        share = (min(max(score, low), high) - low) / (high - low)
        return _EDGE + (WIDTH - 2 * _EDGE) * share

    bottom = _ROW * len(levels) + 4
    drawn = [_open(bottom + 22, label)]
    for tick in ticks(low, high):
        drawn.append(f'<path class="grid" d="M{x(tick):.1f} 4V{bottom}"/>')
        drawn.append(_text(x(tick), bottom + 16, axis_number(tick), "faint", "middle"))
    for place, level in enumerate(levels):
        top = place * _ROW
        base = top + 20 + _HILL
        drawn.append(_text(_EDGE, top + 16, level.player, "head"))
        drawn.append(
            _text(WIDTH - _EDGE, top + 16, f"mean {level.mean.value:.1f}".replace("-", "−"), "faint", "end")
        )
        drawn.append(_hill(level, x, base))
        mean = x(level.mean.value)
        drawn.append(f'<path class="middle" d="M{mean:.1f} {base - _HILL}V{base + 8}"/>')
        marks = [x(score) for score in level.quantiles]
        drawn.append(f'<path class="range k0" d="M{marks[0]:.1f} {base + 5}H{marks[-1]:.1f}"/>')
        drawn.append(f'<path class="half k0" d="M{marks[1]:.1f} {base + 5}H{marks[-2]:.1f}"/>')
    return "\n".join([*drawn, "</svg>"])


def _hill(level: LevelScores, x: Callable[[float], float], base: float) -> str:
    highest = max(games for _, games in level.spans)
    way = [f"M{x(level.spans[0][0] - 0.5):.1f} {base}"]
    for low, games in level.spans:
        way.append(f"V{base - _HILL * games / highest:.1f}H{x(low + level.width - 0.5):.1f}")
    return f'<path class="area k0" d="{"".join(way)}V{base}Z"/>'


# --- bars and dots --------------------------------------------------------------------------------

_LINE, _HEAD = 24, 20
#: letters of a heading in one line
_LETTERS = 48


def bars(
    groups: Sequence[Group], label: str, unit: Callable[[float], str], names: int = 96, numbers: int = 64
) -> str:
    """A bar chart with errors as whiskers; `names` and `numbers` are the widths of these columns."""
    return _rows(groups, label, unit, names, numbers, dots=False)


def dots(
    groups: Sequence[Group], label: str, unit: Callable[[float], str], names: int = 96, numbers: int = 64
) -> str:
    """The same with dots on both sides of zero."""
    return _rows(groups, label, unit, names, numbers, dots=True)


def _rows(
    groups: Sequence[Group],
    label: str,
    unit: Callable[[float], str],
    names: int,
    numbers: int,
    *,
    dots: bool,
) -> str:
    ends = [_ends(bar.figure) for group in groups for bar in group.bars]
    low, high = min(0.0, *(e[0] for e in ends)), max(0.0, *(e[1] for e in ends))
    if dots:
        high = max(-low, high)
        low = -high
    if high - low < 1e-12:
        high = low + 1
    left, right = names + 8, WIDTH - numbers - 8

    def x(value: float) -> float:
        return left + (right - left) * (value - low) / (high - low)

    headings = [wrap(group.heading, _LETTERS) for group in groups]
    height = 8 + sum(_HEAD * len(heading) for heading in headings) + _LINE * len(ends)
    drawn = [_open(height, label)]
    y = 4.0
    for group, heading in zip(groups, headings, strict=True):
        for line in heading:
            drawn.append(_text(0, y + 15, line, "head"))
            y += _HEAD
        drawn.append(f'<path class="zero" d="M{x(0):.1f} {y + 1}V{y + _LINE * len(group.bars) - 1}"/>')
        for bar in group.bars:
            drawn += _row(bar, x, y, names, unit, dots=dots)
            y += _LINE
    return "\n".join([*drawn, "</svg>"])


def _row(
    bar: Bar, x: Callable[[float], float], y: float, names: int, unit: Callable[[float], str], *, dots: bool
) -> list[str]:
    value, middle = bar.figure.value, y + _LINE / 2
    drawn = [_text(names, middle + 5, bar.name, "", "end")]
    if dots:
        drawn.append(f'<circle class="k{bar.colour}" cx="{x(value):.1f}" cy="{middle}" r="4.5"/>')
    else:
        begin, end = sorted((x(0), x(value)))
        drawn.append(
            f'<rect class="k{bar.colour}" x="{begin:.1f}" y="{y + 5}" width="{end - begin:.1f}" '
            f'height="{_LINE - 10}"/>'
        )
    if bar.figure.error:
        least, most = (x(end) for end in _ends(bar.figure))
        drawn.append(f'<path class="whisker" d="M{least:.1f} {middle}H{most:.1f}"/>')
    drawn.append(_text(WIDTH, middle + 5, unit(value), "faint", "end"))
    return drawn


def _ends(figure: Figure) -> tuple[float, float]:
    reach = ERRORS * (figure.error or 0.0)
    return figure.value - reach, figure.value + reach
