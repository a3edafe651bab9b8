"""What rolls score and what can be kept of them, as tables for the rules."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

from pasch import FIRST_ROLL, ROLL_NUMBERS, ROLLS

UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
LOWER = (
    "three of a kind",
    "four of a kind",
    "full house",
    "small straight",
    "large straight",
    "yahtzee",
    "chance",
)
BOXES = UPPER + LOWER
YAHTZEE, ALL_LOWER, ALL = 11, 0b1111111000000, 0b1111111111111
#: what may be kept: the rolls of up to five dice
KEEPS = ROLLS[: FIRST_ROLL[6]]


def worth(roll: tuple[int, ...]) -> tuple[int, ...]:
    """What a roll scores in each box."""
    counts, pips = sorted(map(roll.count, {*roll}), reverse=True), sum(roll)
    rows = [length for low in (1, 2, 3) for length in (4, 5) if {*range(low, low + length)} <= {*roll}]
    alike, row = counts[0], max(rows, default=0)
    kinds = pips * (alike >= 3), pips * (alike >= 4), 25 * (counts == [3, 2])
    return (
        *(face * roll.count(face) for face in range(1, 7)),
        *kinds,
        *(30 * (row >= 4), 40 * (row == 5), 50 * (alike == 5), pips),
    )


def subsets(roll: tuple[int, ...]) -> tuple[int, ...]:
    """The numbers of the rolls that can be kept of five dice, and -1 after the last."""
    found = {ROLL_NUMBERS[kept] for size in range(6) for kept in combinations(roll, size)}
    return (*sorted(found), -1) if len(roll) == 5 else (-1,)


def joined(kept: tuple[int, ...]) -> tuple[int, ...]:
    """The numbers of the rolls that lie there when some dice were kept, by the roll of the others."""
    new = ROLLS[FIRST_ROLL[5 - len(kept)] : FIRST_ROLL[6 - len(kept)]]
    return tuple([ROLL_NUMBERS[tuple(sorted(kept + roll))] for roll in new])


@cache
def tables() -> tuple[Any, ...]:
    """What the rules read of rolls: see `Config` in the rules."""
    five = tuple(roll[0] if len(roll) == 5 and len({*roll}) == 1 else 0 for roll in KEEPS)
    points = tuple(worth(roll) if roll else (0,) * len(BOXES) for roll in KEEPS)
    missing, after = tuple(5 - len(kept) for kept in KEEPS), tuple(map(joined, KEEPS))
    return missing, after, FIRST_ROLL, tuple(map(subsets, KEEPS)), five, points
