"""Charts of a report as SVG that needs nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from math import ceil, floor, log10
from typing import NamedTuple

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
