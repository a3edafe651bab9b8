"""Rolls of equal dice by their numbers, as rule functions and compiled code have them."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import comb
from typing import Final

from pasch.core.chance import rolls

#: dice in groups: each group ascending, the groups sorted
Groups = tuple[tuple[int, ...], ...]

#: no roll has more dice
MAX_DICE: Final = 6
#: every roll of equal dice, ascending, by its number: number 0 is no dice, a single die's number is its face
ROLLS: Final = tuple(roll for dice in range(MAX_DICE + 1) for roll, _ in rolls(dice))
#: the number of each roll, its faces ascending
ROLL_NUMBERS: Final = {roll: number for number, roll in enumerate(ROLLS)}
#: by roll and face: the number of dice that show it; rule functions read such tables from the config
SHOWN: Final = tuple(tuple(map(roll.count, range(7))) for roll in ROLLS)
#: by number of dice: the number of its first roll
FIRST_ROLL: Final = tuple(comb(dice + 5, 6) for dice in range(MAX_DICE + 2))
#: by number of faces and number of dice plus one: the rolls of this many dice that show these faces only
_ROLLS_OF: Final = tuple(
    tuple(comb(dice + faces - 1, dice) if faces and dice >= 0 else 0 for dice in range(-1, MAX_DICE + 1))
    for faces in range(7)
)


def roll_of_case(dice: int, case: int) -> int:
    """The number of the roll for a case, where cases are all results of distinguishable dice."""
    counts, number, left = 0, FIRST_ROLL[dice], dice
    for _ in range(dice):
        counts += 1 << 4 * (case % 6)
        case //= 6
    # of rolls that agree so far those come first that show the lower face more often
    for face in range(5):
        shown = counts >> 4 * face & 15
        number += _ROLLS_OF[6 - face][left - shown]
        left -= shown
    return number


@cache
def groupings(roll: tuple[int, ...]) -> tuple[Groups, ...]:
    """All ways to sort some of the dice of an ascending roll into groups, of all and of none included.

    >>> groupings((2, 4))
    ((), ((4,),), ((2,),), ((2,), (4,)), ((2, 4),))
    """
    if not roll:
        return ((),)
    first, rest = roll[0], roll[1:]
    found = [*groupings(rest)]
    for size in range(len(rest) + 1):
        for partners in combinations(range(len(rest)), size):
            group = (first, *(rest[place] for place in partners))
            left = tuple(face for place, face in enumerate(rest) if place not in partners)
            found += [tuple(sorted((group, *others))) for others in groupings(left)]
    return tuple(dict.fromkeys(found))
