"""Ways to use the dice in Shut the Lines: the groups that a roll can be sorted into, and what they cover.

Sets of numbers are bit masks: the number n is bit n - 1. A roll is an ascending tuple of faces.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final, NamedTuple

from pasch.core.chance import faces, rolls

#: dice in groups: each group ascending, the groups sorted
Groups = tuple[tuple[int, ...], ...]
Faces = tuple[int, ...]

#: by the number of dice: a roll never has more ways, even if all faces and sums are different
MOST_WAYS: Final = (1, 2, 5, 15, 52, 203)


class CoverWay(NamedTuple):
    """Groups of dice whose sums are all different, and the numbers that they cover."""

    mask: int
    groups: Groups


def mask_of(numbers: tuple[int, ...]) -> int:
    """A set of numbers as a bit mask."""
    mask = 0
    for number in numbers:
        mask |= 1 << number - 1
    return mask


def numbers_of(mask: int) -> tuple[int, ...]:
    """The numbers in a bit mask, ascending."""
    return tuple(number for number in range(1, mask.bit_length() + 1) if mask >> number - 1 & 1)


@cache
def partial_groupings(roll: Faces) -> tuple[CoverWay, ...]:
    """All ways to make groups of some of the dice, of all and of none included, sums all different.

    Equal dice are not told apart. Ways that use more dice come first, then those with more groups; the last
    one is to cover nothing. Whether a plan has the numbers, and whether they are still free, is not asked here.
    """
    ways: set[Groups] = {()}
    for die in roll:
        grown = set(ways)  # the die is left over
        for groups in ways:
            grown.add(tuple(sorted((*groups, (die,)))))
            for at, group in enumerate(groups):
                grown.add(tuple(sorted((*groups[:at], (*group, die), *groups[at + 1 :]))))
        ways = grown
    found = []
    for groups in ways:
        sums = tuple(map(sum, groups))
        if are_different(sums):
            found.append(CoverWay(mask_of(sums), groups))
    return tuple(sorted(found, key=lambda way: (-dice_in(way.groups), -len(way.groups), way.groups)))


def are_different(sums: tuple[int, ...]) -> bool:
    """Whether groups with these sums may be made together: no number is covered twice."""
    return len(set(sums)) == len(sums)


@cache
def groupings(roll: Faces) -> tuple[CoverWay, ...]:
    """The complete groupings: all ways to put every die into a group, sums all different."""
    return tuple(way for way in partial_groupings(roll) if dice_in(way.groups) == len(roll))


def dice_in(groups: Groups) -> int:
    """How many dice some groups have."""
    return sum(map(len, groups))


# --- tables that the rule functions read ----------------------------------------------------------


@cache
def masks_of(roll: Faces) -> tuple[int, ...]:
    """What each way to use the dice covers."""
    return tuple(way.mask for way in partial_groupings(roll))


@cache
def whole_ways(roll: Faces) -> int:
    """How many ways use all the dice; they come first."""
    return len(groupings(roll))


def numbered_rolls(dice: Iterable[int]) -> tuple[Faces, ...]:
    """All rolls with these numbers of dice; a roll's place is its number."""
    return tuple(roll for number in sorted(set(dice)) for roll, _ in rolls(number))


def rolls_by_case(dice: int, numbers: dict[Faces, int]) -> tuple[int, ...]:
    """The number of the roll that each case of so many dice is; nothing if such rolls have no numbers."""
    cases = faces(dice)
    return tuple(numbers[tuple(sorted(case))] for case in cases) if cases[0] in numbers else ()


@cache
def every_cover(plans: tuple[tuple[int, int], ...]) -> dict[Groups, int]:
    """All covers that can occur on plans with so many dice and these numbers, each with its number."""
    found: dict[Groups, int] = {}
    for dice, full in plans:
        for roll, _ in rolls(dice):
            for way in partial_groupings(roll):
                if not way.mask & ~full:
                    found.setdefault(way.groups, len(found))
    return found
