"""Charts of a study, drawn with matplotlib as SVG inside a page, light or dark as the page is.

Nothing depends on colour alone: every line and bar has its name and its number beside it.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from html import escape
from typing import Any, Final, NamedTuple

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure as Drawing

from research.study.figures import Figure, LevelScores

#: a standard error is drawn twice to either side: about 95 in 100 such ranges hold the truth
ERRORS: Final = 2
#: added to the page's style
STYLE: Final = """
body { max-width: 52rem; } p, li { max-width: 44rem; } a { color: inherit; }
:root { --card: #fff; --c0: #1f6fb4; --c1: #b9500c; --c3: #a8327d; }
@media (prefers-color-scheme: dark) { :root { --card: #1f2227; --c0: #6db6f2; --c1: #f4a261; --c3: #ef8fcb; } }
figure { margin: .6rem 0; background: var(--card); border: 1px solid var(--rule); border-radius: .5rem;
  padding: .5rem; } figcaption { font-size: .85rem; color: var(--soft); margin-top: .4rem; }
blockquote { margin: .4rem 0; border-left: 3px solid var(--rule); padding-left: .6rem; color: var(--soft);
  font-size: .9rem; }
.plot { display: block; width: 100%; max-width: 28rem; height: auto; margin: 0 auto; }
""".strip()
#: colours in the drawing, and the page's own in their place
INK, SOFT = "#010101", "#020202"
COLOURS: Final = ("#030303", "#040404", "#050505", SOFT)
PAGE_COLOURS: Final = {INK: "ink", SOFT: "soft", "#030303": "c0", "#040404": "c1", "#050505": "c3"}
#: text stays text, and ids in the drawing do not vary
SETTINGS: Final[Any] = {
    "svg.fonttype": "none", "svg.hashsalt": "pasch", "font.size": 10, "text.color": INK, "ytick.color": INK,
    "axes.edgecolor": SOFT, "xtick.color": SOFT, "axes.spines.top": False, "axes.spines.right": False,
    "axes.spines.left": False, "ytick.left": False,
}  # fmt: skip


class Bar(NamedTuple):
    """One bar or dot: its name, its number, and the number of its colour."""

    name: str
    figure: Figure
    colour: int = 0


class Group(NamedTuple):
    """Bars that belong together."""

    heading: str
    bars: Sequence[Bar]


def figure(svg: str, label: str) -> str:
    """A picture with its label."""
    return f"<figure>\n{svg}\n<figcaption>{escape(label)}</figcaption></figure>"


def axis_number(value: float) -> str:
    """A number on an axis."""
    return f"{value:g}".replace("-", "−")


def _drawn(height: float, label: str, draw: Callable[[Any], None]) -> str:
    """What `draw` puts on a pair of axes, as an SVG element."""
    with rc_context(SETTINGS):
        drawing = Drawing(figsize=(5, height), layout="constrained")
        draw(drawing.subplots())
        file = io.StringIO()
        drawing.savefig(file, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    found = file.getvalue()[file.getvalue().index("<svg") :].strip()
    for colour, name in PAGE_COLOURS.items():
        found = found.replace(colour, f"var(--{name})")
    return found.replace("<svg", f'<svg class="plot" role="img" aria-label="{escape(label)}"', 1)


def ridges(levels: Sequence[LevelScores], label: str) -> str:
    """The score histograms of several players, one above the other on the same scale.

    Each has its own height. Below it: the ranges of nine tenths and of half of the scores.
    """
    usual = min(level.quantiles[0] for level in levels), max(level.quantiles[-1] for level in levels)
    # the rarest scores are cut off, so that the others are not squeezed
    margin = 0.25 * (usual[1] - usual[0]) + 1
    low = max(usual[0] - margin, min(level.least for level in levels) - 0.5)
    high = min(usual[1] + margin, max(level.most for level in levels) + 0.5)

    def draw(axes: Any) -> None:
        for place, level in enumerate(levels):
            base, marks = -1.5 * place, level.quantiles
            begins, games = np.array(level.spans, float).T
            edges = [*(begins - 0.5), begins[-1] + level.width - 0.5]
            axes.stairs(
                base + games / games.max(), edges, baseline=base, fill=True, color=COLOURS[0], alpha=0.3
            )
            axes.plot([level.mean.value] * 2, [base - 0.15, base + 1], color=INK, linewidth=1.5)
            axes.plot([marks[0], marks[-1]], [base - 0.1] * 2, color=COLOURS[0], linewidth=2)
            axes.plot([marks[1], marks[-2]], [base - 0.1] * 2, color=COLOURS[0], linewidth=5)
        names = [f"{level.player}\nmean {level.mean.value:.1f}".replace("-", "−") for level in levels]
        axes.set_yticks([0.4 - 1.5 * place for place in range(len(levels))], names)
        axes.set_xlim(low, high)

    return _drawn(0.5 + 0.8 * len(levels), label, draw)


def bars(groups: Sequence[Group], label: str, unit: Callable[[float], str], *, dots: bool = False) -> str:
    """A bar chart with errors as whiskers, or dots on both sides of zero."""

    def draw(axes: Any) -> None:
        y, places, names = 0.0, list[float](), list[str]()
        for group in groups:
            axes.text(0, y, group.heading, transform=axes.get_yaxis_transform(), weight="bold", va="center")
            for bar in group.bars:
                y -= 1
                value, colour = bar.figure.value, COLOURS[bar.colour]
                if dots:
                    axes.plot([value], [y], "o", color=colour)
                else:
                    axes.barh(y, value, 0.6, color=colour)
                axes.errorbar(value, y, xerr=ERRORS * (bar.figure.error or 0.0), color=INK, fmt="none")
                axes.text(1, y, unit(value), transform=axes.get_yaxis_transform(), color=SOFT, va="center")
                places.append(y)
                names.append(bar.name)
            y -= 1.2
        axes.axvline(0, color=SOFT, linewidth=0.8)
        axes.set_yticks(places, names)

    rows = sum([1.2 + len(group.bars) for group in groups])
    return _drawn(0.6 + 0.24 * rows, label, draw)
