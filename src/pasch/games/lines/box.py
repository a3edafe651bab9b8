"""The box of Shut the Lines: four plans, and what a plan has to be to be played on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final, NamedTuple

import msgspec

from pasch.core.components import Components, Provenance, demand
from pasch.core.rules import mask_of
from pasch.core.words import Sentence, say, spaced

PLANS: Final = 4
MAX_DICE: Final = 5


class PlanTable(NamedTuple):
    """What the rules read of a plan."""

    dice: int
    #: all numbers of the plan
    full: int
    #: the numbers of each line
    lines: tuple[int, ...]


class PrintedPlan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One plan: its figures, its lines, and how it is drawn (a star or a square)."""

    #: the plan holds the numbers from 1 to this one
    numbers: int
    dice: int
    sum: int
    line_count: int
    line_length: int
    lines: tuple[tuple[int, ...], ...]
    #: a star's numbers, both clockwise from the top; see `star_lines`
    tips: tuple[int, ...] = ()
    inner: tuple[int, ...] = ()
    step: int = 2
    #: a square's numbers, row by row
    square: tuple[tuple[int, ...], ...] = ()
    #: of the figures
    provenance: Provenance = "seen"
    #: of how the numbers lie
    arrangement: Provenance = "seen"

    def table(self) -> PlanTable:
        """This plan as the rules read it."""
        return PlanTable(self.dice, (1 << self.numbers) - 1, tuple(map(mask_of, self.lines)))


def star_lines(tips: tuple[int, ...], inner: tuple[int, ...], step: int) -> tuple[tuple[int, ...], ...]:
    """The lines of a star as drawn: from a tip over two inner numbers to the tip `step` further round."""
    n = len(tips)
    return tuple((tips[i], inner[i], inner[(i + 1) % n], tips[(i + step) % n]) for i in range(n))


def square_lines(square: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """The lines of a square as drawn: rows, columns, diagonals."""
    n = len(square)
    falling = tuple(square[i][i] for i in range(n))
    rising = tuple(square[i][n - 1 - i] for i in range(n))
    return (*square, *zip(*square, strict=True), falling, rising)


class LinesComponents(Components, frozen=True, kw_only=True):
    """The four plans; plan 1 is `plans[0]`."""

    bounds: ClassVar = {"plans": (PLANS, PLANS), "plans[].dice": (1, MAX_DICE)}
    #: printed: 12, 14, 16 and 25 numbers, three, three, four and five dice; each number more doubles the time and
    #: memory for values
    printed_bounds: ClassVar = {
        **{f"plans[{number}].numbers": 16 for number in range(3)},
        **{f"plans[{number}].dice": 4 for number in range(3)},
        "plans[3].numbers": 25,
        "plans[3].dice": 5,
    }

    plans: tuple[PrintedPlan, ...]

    def check_parts(self, players: int) -> None:
        for number, plan in enumerate(self.plans):
            place = f"plans[{number}]"
            reach, most = plan.numbers, 6 * plan.dice
            said = "with these dice the highest number is 1 to {most}, not {got}"
            demand(1 <= reach <= most, f"{place}.numbers", said, most=most, got=reach)
            _check_drawing(place, plan)
            _check_lines(f"{place}.lines", plan)

    def provenance(self) -> Iterator[tuple[Sentence, Provenance]]:
        for number, plan in enumerate(self.plans, 1):
            figures = say(
                "plan {plan}: numbers 1 to {numbers}, {lines} lines of {length} adding up to {sum}, {dice} dice",
                plan=number,
                numbers=plan.numbers,
                lines=plan.line_count,
                length=plan.line_length,
                sum=plan.sum,
                dice=plan.dice,
            )
            yield figures, plan.provenance
            yield say("plan {plan}: where the numbers lie", plan=number), plan.arrangement


def _check_drawing(place: str, plan: PrintedPlan) -> None:
    square, tips, inner = plan.square, plan.tips, plan.inner
    either = "a plan is drawn either as a square or as a star"
    demand(bool(square) != bool(tips or inner), place, either)
    if square:
        place = f"{place}.square"
        even = all(len(row) == len(square) for row in square)
        demand(even, place, "a square has as many columns as rows")
    else:
        as_many = "a star has at least 5 tips and as many inner numbers"
        demand(5 <= len(tips) == len(inner), f"{place}.tips", as_many)
        most, step = (len(tips) - 1) // 2, plan.step
        demand(2 <= step <= most, f"{place}.step", "a step is 2 to {most}, not {got}", most=most, got=step)
        place = f"{place}.tips"
    drawn = sorted(number for part in (tips, inner, *square) for number in part)
    all_once = "the numbers 1 to {most} must be drawn, each of them once"
    demand(drawn == list(range(1, plan.numbers + 1)), place, all_once, most=plan.numbers)


def _check_lines(place: str, plan: PrintedPlan) -> None:
    lines, count, length, total = plan.lines, plan.line_count, plan.line_length, plan.sum
    demand(
        len(lines) == count, place, "there have to be {count} lines, not {got}", count=count, got=len(lines)
    )
    for index, line in enumerate(lines):
        where, size, got = f"{place}[{index}]", len(line), sum(line)
        demand(size == length, where, "a line has {length} numbers, not {got}", length=length, got=size)
        demand(got == total, where, "the line must add up to {total}, not {got}", total=total, got=got)
    drawing = square_lines(plan.square) if plan.square else star_lines(plan.tips, plan.inner, plan.step)
    named, drawn = ({tuple(sorted(line)) for line in some} for some in (lines, drawing))
    for line in sorted(named - drawn):
        demand(False, place, "the drawing has no line {line}", line=spaced(line))
    for line in sorted(drawn - named):
        demand(False, place, "the drawing has the line {line} too", line=spaced(line))
    demand(len(named) == count, place, "a line is there twice")


def max_points(g: Any) -> int:
    """No total is higher: all lines in the round after the target was nearly reached."""
    return g.target - 1 + max(map(len, g.lines))


def many_rounds(g: Any) -> int:
    """The maximum number of rounds that observations can encode."""
    return 100 * g.target
