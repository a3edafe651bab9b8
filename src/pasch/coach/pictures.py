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


class Scale:
    """Coordinates of values in the picture."""

    def __init__(self, last: float, low: float, high: float) -> None:
        if high - low < 1e-9:
            low, high = low - 1, high + 1
        self.ticks = _ticks(low, high)
        self._last = max(last, 1)
        self._low, self._high = min(low, self.ticks[0]), max(high, self.ticks[-1])

    def x(self, at: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * at / self._last

    def y(self, value: float) -> float:
        share = (value - self._low) / (self._high - self._low)
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share


def _ticks(low: float, high: float) -> list[float]:
    """About five round numbers from below `low` to above `high`."""
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
    scale = Scale(max(at for line in lines for at, _ in line), min(values), max(values))
    drawn = [
        f'<svg class="course" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(label)}">',
        *_grid(scale, unit),
    ]
    for seat, line in enumerate(lines):
        way = " ".join(f"{scale.x(at):.1f},{scale.y(value):.1f}" for at, value in line)
        drawn.append(f'<polyline {_look(seat)} points="{way}"/>')
    drawn += [_mark(scale, mark) for mark in marks]
    return "\n".join([*drawn, "</svg>"])


def _grid(scale: Scale, unit: Callable[[float], str]) -> list[str]:
    drawn = []
    for tick in scale.ticks:
        y = scale.y(tick)
        drawn.append(f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>')
        place = f'x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end"'
        drawn.append(f'<text class="tick" {place}>{escape(unit(tick))}</text>')
    return drawn


#: the shape of each kind of mark: a cross for a mistake, triangles for luck
_SHAPES = {
    "mistake": "M-4.5 -4.5L4.5 4.5M-4.5 4.5L4.5 -4.5",
    "lucky": "M0 -6L5.5 4H-5.5Z",
    "unlucky": "M0 6L5.5 -4H-5.5Z",
}


def _mark(scale: Scale, mark: Mark) -> str:
    place = f"translate({scale.x(mark.at):.1f} {scale.y(mark.height):.1f})"
    return (
        f'<path class="mark {mark.kind} seat{mark.seat}" transform="{place}" d="{_SHAPES[mark.kind]}">'
        f"<title>{escape(mark.text)}</title></path>"
    )


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
