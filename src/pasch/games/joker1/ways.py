"""Würfel Joker 1: what dice can push. A set of slides is a bit mask, slide n is bit n - 1."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any, Final

from pasch.core.lazy import lazy_table
from pasch.core.rolls import FIRST_ROLL, ROLLS
from pasch.core.rules import mask_of, members

#: all slides
ALL: Final = 0b111111
#: a die showing this always stays in play
SIX: Final = 6

Faces = tuple[int, ...]
Groups = tuple[Faces, ...]


def pushes(dice: Faces, slides: int) -> tuple[Groups, ...]:
    """Every legal way to push with `dice` (ascending) while `slides` are up; none: the roll busts.

    >>> pushes((1, 2, 4), 0)
    (((1,), (2,), (4,)), ((1,), (2, 4)), ((1, 2), (4,)), ((1, 4), (2,)))
    """
    down, found = ALL & ~slides, set()
    for groups, pushed, left in _groupings(dice, down):
        # a 6 is left alone or takes its slide; any other die that can push must, and leaves play if it cannot
        others = tuple(face for face in left if face != SIX)
        if not pushable(others, down & ~pushed) and len(others) < len(dice):
            found.add(tuple(sorted(groups)))
    return tuple(sorted(found, key=lambda groups: (-len(groups), groups)))


def _groupings(dice: Faces, down: int) -> Iterator[tuple[Groups, int, Faces]]:
    """All ways to group some of the dice so that each group pushes another slide of `down`.

    Each with the slides pushed and the dice left over.
    """
    if not dice:
        yield (), 0, ()
        return
    first, rest = dice[0], dice[1:]
    for groups, pushed, left in _groupings(rest, down):
        yield groups, pushed, (first, *left)
    for size in range(len(rest) + 1):
        for partners in combinations(range(len(rest)), size):
            group = (first, *(rest[place] for place in partners))
            slide = 1 << sum(group) - 1
            if down & slide:
                remaining = tuple(face for place, face in enumerate(rest) if place not in partners)
                for groups, pushed, left in _groupings(remaining, down & ~slide):
                    yield (group, *groups), pushed | slide, left


def pushable(dice: Faces, down: int) -> tuple[int, ...]:
    """The slides of `down` that some of the dice could push."""
    sums = {sum(group) for size in range(1, len(dice) + 1) for group in combinations(dice, size)}
    return tuple(slide for slide in members(down) if slide in sums)


@cache
def every_push(dice: int) -> dict[Groups, int]:
    """All that this number of dice, or fewer, can ever push, with its code."""
    found = [groups for roll in ROLLS[: FIRST_ROLL[dice + 1]] for groups, _, _ in _groupings(roll, ALL)]
    return {push: code for code, push in enumerate(dict.fromkeys(tuple(sorted(g)) for g in found))}


@cache
def push_tables(dice: int) -> tuple[Any, tuple[int, ...], tuple[int, ...]]:
    """`pushes`, `pushed` and `used` of the config."""
    codes = every_push(dice)
    legal = lazy_table(
        (FIRST_ROLL[dice + 1], ALL + 1),
        lambda roll, slides: (*(codes[push] for push in pushes(ROLLS[roll], slides)), -1),
    )
    pushed = tuple(mask_of(map(sum, push)) for push in codes)
    used = tuple(sum(face != SIX for group in push for face in group) for push in codes)
    return legal, pushed, used
