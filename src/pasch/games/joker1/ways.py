"""Würfel Joker 1: what dice can push. A set of slides is a bit mask, slide n is bit n - 1."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import chain, combinations
from typing import Any, Final

from pasch.core.lazy import LazyTable
from pasch.core.rolls import FIRST_ROLL, ROLLS, Groups, groupings
from pasch.core.rules import mask_of, members
from pasch.games.joker1.box import SLIDES

#: all slides
ALL: Final = 0b111111
#: a die showing this always stays in play
SIX: Final = 6

Faces = tuple[int, ...]


def pushes(dice: Faces, slides: int) -> tuple[Groups, ...]:
    """Every legal way to push with `dice` (ascending) while `slides` are up; none: the roll busts.

    >>> pushes((1, 2, 4), 0)
    (((1,), (2,), (4,)), ((1,), (2, 4)), ((1, 2), (4,)), ((1, 4), (2,)))
    """
    down, found = ALL & ~slides, []
    for groups, pushed, left in _possible_pushes(dice):
        if pushed & slides:
            continue
        # a 6 is left alone or takes its slide; any other die that can push must, and leaves play if it cannot
        others = tuple(face for face in left if face != SIX)
        if not pushable(others, down & ~pushed) and len(others) < len(dice):
            found.append(groups)
    return tuple(sorted(found, key=lambda groups: (-len(groups), groups)))


@cache
def _possible_pushes(dice: Faces) -> tuple[tuple[Groups, int, Faces], ...]:
    """All ways to group some dice so that each group pushes another slide, with these, and the dice left over."""
    found = []
    for groups in groupings(dice):
        sums, left = {*map(sum, groups)}, Counter(dice) - Counter(chain(*groups))
        if len(sums & {*SLIDES}) == len(groups):
            found.append((groups, mask_of(sums), tuple(left.elements())))
    return tuple(found)


def pushable(dice: Faces, down: int) -> tuple[int, ...]:
    """The slides of `down` that some of the dice could push."""
    sums = {sum(group) for size in range(1, len(dice) + 1) for group in combinations(dice, size)}
    return tuple(slide for slide in members(down) if slide in sums)


@cache
def every_push(dice: int) -> dict[Groups, int]:
    """All that this number of dice, or fewer, can ever push, with its code."""
    found = dict.fromkeys(
        push for roll in ROLLS[: FIRST_ROLL[dice + 1]] for push, _, _ in _possible_pushes(roll)
    )
    return {push: code for code, push in enumerate(found)}


@cache
def push_tables(dice: int) -> tuple[Any, tuple[int, ...], tuple[int, ...]]:
    """`pushes`, `pushed` and `used` of the config."""
    codes = every_push(dice)
    legal = LazyTable(
        (FIRST_ROLL[dice + 1], ALL + 1),
        lambda roll, slides: (*(codes[push] for push in pushes(ROLLS[roll], slides)), -1),
    )
    pushed = tuple(mask_of(map(sum, push)) for push in codes)
    used = tuple(sum(face != SIX for group in push for face in group) for push in codes)
    return legal, pushed, used
