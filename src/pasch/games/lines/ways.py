"""Ways to use the dice in Shut the Lines: the groups that a roll can be sorted into, and what they cover.

Sets of numbers are bit masks: the number n is bit n - 1. A roll is an ascending tuple of faces.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from pasch.core.rolls import FIRST_ROLL, ROLLS
from pasch.core.rules import mask_of
from pasch.games.lines.box import PlanTable

#: dice in groups: each group ascending, the groups sorted
Groups = tuple[tuple[int, ...], ...]

#: a roll of five dice never has more ways, even if all faces and sums are different
MAX_WAYS: Final = 203


class CoverWay(NamedTuple):
    """Groups of dice whose sums are all different, and the numbers that they cover."""

    mask: int
    groups: Groups


@cache
def partial_groupings(roll: tuple[int, ...]) -> tuple[CoverWay, ...]:
    """All ways to make groups of some of the dice, of all and of none included, sums all different.

    Equal dice are not distinguished. Ways that use more dice come first, then those with more groups; the last
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
        if len(set(sums)) == len(sums):
            found.append(CoverWay(mask_of(sums), groups))
    return tuple(sorted(found, key=lambda way: (-dice_in(way.groups), -len(way.groups), way.groups)))


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
    ways: list[list[CoverWay]] = []
    for roll in ROLLS[: FIRST_ROLL[max(plan.dice for plan in plans) + 1]]:
        boards = [plan.full for plan in plans if plan.dice == len(roll)]
        of_roll = partial_groupings(roll) if boards else ()
        ways.append([way for way in of_roll if any(is_free(way.mask, full) for full in boards)])
    known = {way.groups: way.mask for of_roll in ways for way in of_roll}
    number = {groups: place for place, groups in enumerate(known)}
    dice = tuple(map(dice_in, known))
    of_rolls = [[number[way.groups] for way in of_roll] for of_roll in ways]
    masks = [[way.mask for way in of_roll] for of_roll in ways]
    whole = [
        sum(dice[n] == len(roll) for n in of_roll) for roll, of_roll in zip(ROLLS, of_rolls, strict=False)
    ]
    return tuple(known), Covers(tuple(known.values()), dice, of_rolls, masks, whole)
