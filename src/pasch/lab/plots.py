"""Figures drawn with matplotlib (the extra `pasch[plot]`), as SVG or PNG.

Colours are those of Okabe and Ito, which people with any kind of colour vision can tell apart; lines also
differ in their dashes. The same numbers give the same file, byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from pasch.core.errors import PaschError
from pasch.core.whole import whole_path
from pasch.lab.tally import Tally, round_width

#: without its yellow, which is too pale for lines on white
COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
DASHES: Final = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 1)), (0, (8, 3)))
#: steps of a histogram at most
MOST_SPANS: Final = 60

_STYLE: Final = {
    "figure.figsize": (7.2, 4.2),
    "figure.dpi": 150,
    "font.size": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "legend.frameon": False,
    # text stays text, and nothing in the file is drawn by chance
    "svg.fonttype": "none",
    "svg.hashsalt": "pasch",
}


class PlotError(PaschError):
    """The figure cannot be drawn as wished."""


def check_plot(path: Path) -> None:
    """Raise PlotError unless a figure can be written to this file; before any time is spent on it."""
    if path.suffix not in (".svg", ".png"):
        raise PlotError("{name}: the figure's name has to end in .svg or .png", name=path.name)
    _pyplot()


def _pyplot() -> Any:
    try:
        from matplotlib import use

        use("Agg")
        from matplotlib import pyplot
    except ImportError:
        raise PlotError("figures need an extra: pip install pasch[plot]") from None
    return pyplot


@contextmanager
def figure(path: Path, title: str = "") -> Iterator[Any]:
    """Axes to draw on; the file is written in the end.

    For other commands of the lab as well:

        with figure(Path("out.svg"), "A title") as axes:
            axes.plot([1, 2, 3])
    """
    check_plot(path)
    pyplot = _pyplot()
    with pyplot.rc_context(_STYLE):
        drawn, axes = pyplot.subplots(layout="constrained")
        try:
            if title:
                axes.set_title(title, loc="left")
            yield axes
            with whole_path(path) as half:
                drawn.savefig(half, metadata={"Date": None} if path.suffix == ".svg" else {})
        finally:
            pyplot.close(drawn)


def scores(path: Path, tallies: Sequence[Tally], labels: Sequence[str], title: str) -> None:
    """How the scores of several players are spread, one outline for each, with a mark at the mean."""
    least = min(min(tally.scores) for tally in tallies)
    most = max(max(tally.scores) for tally in tallies)
    width = round_width(most - least + 1, MOST_SPANS)
    with figure(path, title) as axes:
        for place, (tally, label) in enumerate(zip(tallies, labels, strict=True)):
            spans = tally.spans(width)
            heights = [100 * span.games / tally.games for span in spans]
            # a score stands for itself, so its step lies around it
            edges = [span.low - 0.5 for span in spans] + [spans[-1].high + 0.5]
            style = {"color": COLOURS[place % len(COLOURS)], "linestyle": DASHES[place % len(DASHES)]}
            axes.stairs(heights, edges, linewidth=1.8, label=f"{label} (mean {tally.mean:.2f})", **style)
            axes.axvline(tally.mean, linewidth=0.9, alpha=0.7, **style)
        axes.set_xlabel("score" if width == 1 else f"score, in steps of {width}")
        axes.set_ylabel("games, in per cent")
        axes.legend()
