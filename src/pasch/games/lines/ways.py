"""Ways to use the dice in Shut the Lines: the groups that a roll can be sorted into, and what they cover.

Sets of numbers are bit masks: the number n is bit n - 1. A roll is an ascending tuple of faces.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from pasch.core.rolls import FIRST_ROLL, ROLLS, Groups, groupings
from pasch.core.rules import mask_of
from pasch.games.lines.box import PlanTable

#: a roll of five dice never has more ways, even if all faces and sums are different
MAX_WAYS: Final = 203


@cache
def covers_with(roll: tuple[int, ...]) -> tuple[Groups, ...]:
    """All ways to make groups of some of the dice, of all and of none included, sums all different.

    Equal dice are not distinguished. Ways that use more dice come first, then those with more groups; the last
    one is to cover nothing. Whether a plan has the numbers, and whether they are still free, is not asked here.
    """
    found = []
    for groups in groupings(roll):
        sums = tuple(map(sum, groups))
        if len(set(sums)) == len(sums):
            found.append(groups)
    return tuple(sorted(found, key=lambda groups: (-dice_in(groups), -len(groups), groups)))


def numbers_of(groups: Groups) -> int:
    """The numbers that some groups cover."""
    return mask_of(map(sum, groups))


def dice_in(groups: Groups) -> int:
    """How many dice some groups have."""
    return sum(map(len, groups))


# --- tables that the rule functions read, and what they ask them --------------------------------------


class Covers(NamedTuple):
    """The covers that can occur on some plans, by their numbers and by rolls."""

    #: by cover: the numbers covered, the dice used
    numbers: Sequence[int]
    used: Sequence[int]
    #: by roll: its covers, what they cover, and how many of them, the first ones, use all the dice
    of_roll: Sequence[Sequence[int]]
    masks: Sequence[Sequence[int]]
    whole: Sequence[int]


def any_fits(covers: Covers, roll: int, ways: int, free: int) -> bool:
    """Whether one of the first covers of a roll fits, the empty one aside."""
    masks = covers.masks[roll]
    for way in range(ways):
        if masks[way] != 0 and is_free(masks[way], free):
            return True
    return False


def is_free(mask: int, free: int) -> bool:
    """Whether all these numbers are on the plan and not covered yet."""
    return mask & ~free == 0


@cache
def covers_on(plans: tuple[PlanTable, ...]) -> tuple[tuple[Groups, ...], Covers]:
    """The covers that can occur on these plans, by their numbers, and the tables of them."""
    of_roll: list[list[Groups]] = []
    for roll in ROLLS[: FIRST_ROLL[max(plan.dice for plan in plans) + 1]]:
        boards = [plan.full for plan in plans if plan.dice == len(roll)]
        found = [(groups, numbers_of(groups)) for groups in (covers_with(roll) if boards else ())]
        of_roll.append([groups for groups, mask in found if any(is_free(mask, full) for full in boards)])
    known = tuple(dict.fromkeys(groups for found in of_roll for groups in found))
    code = {groups: place for place, groups in enumerate(known)}
    codes = [[code[groups] for groups in found] for found in of_roll]
    numbers, dice = tuple(map(numbers_of, known)), tuple(map(dice_in, known))
    masks = [[numbers[n] for n in found] for found in codes]
    whole = [sum(dice[n] == len(roll) for n in found) for roll, found in zip(ROLLS, codes, strict=False)]
    return known, Covers(numbers, dice, codes, masks, whole)
