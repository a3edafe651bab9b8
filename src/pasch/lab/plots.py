"""How scores are spread, drawn with matplotlib (the extra `pasch[plot]`) as SVG or PNG.

Colours are those of Okabe and Ito, which people with any kind of colour vision can tell apart; lines also
differ in their dashes. The same numbers give the same file, byte for byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from pasch.core.errors import OptionError
from pasch.core.files import atomic_path
from pasch.lab.score_statistics import ScoreStatistics, round_width

#: without its yellow, which is too pale for lines on white
COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
DASHES: Final = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 1)), (0, (8, 3)))
#: bins of a histogram at most
MAX_BINS: Final = 60

_STYLE: Final[Any] = {
    "figure.figsize": (7.2, 4.2),
    "figure.dpi": 150,
    "font.size": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "legend.frameon": False,
    # text stays text, and ids in the file do not vary
    "svg.fonttype": "none",
    "svg.hashsalt": "pasch",
}


def check_plot(path: Path) -> None:
    """Raise OptionError unless a figure can be written to this file; called before long computations."""
    if path.suffix not in (".svg", ".png"):
        raise OptionError("{name}: the figure's name has to end in .svg or .png", name=path.name)
    try:
        import matplotlib  # noqa: F401 - only whether it is there
    except ImportError:
        raise OptionError("figures need an extra: pip install pasch[plot]") from None


def draw_scores(
    path: Path, statistics: Sequence[ScoreStatistics], labels: Sequence[str], title: str
) -> None:
    """Draw the score histograms of several players as outlines, with a line at each mean."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    least = min(min(one.scores) for one in statistics)
    most = max(max(one.scores) for one in statistics)
    width = round_width(most - least + 1, MAX_BINS)
    with rc_context(_STYLE):
        drawn = Figure(layout="constrained")
        axes = drawn.subplots()
        axes.set_title(title, loc="left")
        for place, (one, label) in enumerate(zip(statistics, labels, strict=True)):
            bins = one.histogram(width)
            heights = [100 * games / one.games for games in bins.values()]
            # bins are centred on whole scores
            edges = [low - 0.5 for low in (*bins, max(bins) + width)]
            style: dict[str, Any] = {
                "color": COLOURS[place % len(COLOURS)],
                "linestyle": DASHES[place % len(DASHES)],
            }
            axes.stairs(heights, edges, linewidth=1.8, label=f"{label} (mean {one.mean:.2f})", **style)
            axes.axvline(one.mean, linewidth=0.9, alpha=0.7, **style)
        axes.set_xlabel("score" if width == 1 else f"score, in steps of {width}")
        axes.set_ylabel("games, in per cent")
        axes.legend()
        with atomic_path(path) as temporary:
            drawn.savefig(temporary, metadata={"Date": None} if path.suffix == ".svg" else {})
