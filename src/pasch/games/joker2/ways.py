"""Würfel Joker 2: what two dice can push. A set of slides is a bit mask, slide n is bit n - 1."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import add, mul, sub
from typing import Any, Final, NamedTuple

from pasch.core.lazy import LazyTable
from pasch.core.rolls import FIRST_ROLL, ROLLS
from pasch.core.rules import members
from pasch.games.joker2.box import SLIDES

#: all slides
ALL: Final = 0b111111111
DICE: Final = 2
#: the slide that helps calculating once it is up
FIVE: Final = 5

Faces = tuple[int, ...]
#: the rolls of both dice, by their numbers
BOTH: Final = range(FIRST_ROLL[DICE], FIRST_ROLL[DICE + 1])


def _divide(left: int, right: int) -> int | None:
    """The quotient of two whole numbers; None if there is a remainder."""
    return None if left % right else left // right


#: what each sign does with two whole numbers
OPERATORS: Final[dict[str, Callable[[int, int], int | None]]] = {"+": add, "-": sub, "*": mul, "/": _divide}


@cache
def ways(dice: Faces, five_up: bool) -> tuple[tuple[str, ...], ...]:
    """For each slide the calculations that make its number, slide n at place n (place 0 is empty).

    >>> ways((2, 4), True)[7]
    ('4-2+5', '4/2+5')
    """
    smaller, larger = sorted(dice)
    found: list[list[str]] = [[] for _ in range(len(SLIDES) + 1)]
    if smaller == larger:
        found[larger].append(f"{larger}")
    for sign, combine in OPERATORS.items():
        result = combine(larger, smaller)
        if result is None:
            continue
        how = f"{larger}{sign}{smaller}"
        made: dict[str, int | None] = {how: result}
        if five_up:
            made |= {f"{how}{then}{FIVE}": finish(result, FIVE) for then, finish in OPERATORS.items()}
        for written, number in made.items():
            if number is not None and number in SLIDES:
                found[number].append(written)
    # a calculation without the five before those with it
    return tuple(tuple(sorted(hows, key=len)) for hows in found)


class Way(NamedTuple):
    """One legal push."""

    slide: int
    how: str


@cache
def pushes(dice: Faces, slides: int) -> tuple[Way, ...]:
    """Every legal push with `dice` while `slides` are up; none: the roll fits nothing.

    >>> [way.how for way in pushes((2, 6), 0)]
    ['6/2', '6-2', '6+2']
    """
    made = ways(dice, bool(slides >> FIVE - 1 & 1))
    return tuple(Way(slide, how) for slide in members(ALL & ~slides) for how in made[slide])


def uses_five(how: str) -> bool:
    """Whether a calculation has the five in it."""
    return len(how) == len("4*2-5")


#: every push that can ever be made, by its code; of the slides that are up only the five allows anything new
PUSHES: Final = tuple(
    dict.fromkeys(way for five in (0, 1 << FIVE - 1) for roll in BOTH for way in pushes(ROLLS[roll], five))
)


@cache
def push_tables() -> tuple[Any, Any, tuple[int, ...], tuple[int, ...]]:
    """`faces`, `pushes`, `pushed` and `with_five` of the config; by rolls of both dice, others are empty."""
    codes = {way: code for code, way in enumerate(PUSHES)}

    def legal(roll: int, slides: int) -> tuple[int, ...]:
        return (*(codes[way] for way in pushes(ROLLS[roll], slides)), -1) if roll in BOTH else (-1,)

    faces = tuple(ROLLS[roll] if roll in BOTH else (0,) * DICE for roll in range(BOTH.stop))
    pushed = tuple(way.slide for way in PUSHES)
    with_five = tuple(int(uses_five(way.how)) for way in PUSHES)
    return faces, LazyTable((BOTH.stop, ALL + 1), legal), pushed, with_five
