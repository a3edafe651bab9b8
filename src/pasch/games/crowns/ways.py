"""What the rolls of Crowns allow: the placements on an empty board, and tables of them for the rules."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, partial
from typing import Any, Final, NamedTuple

from pasch.core import rolls
from pasch.core.chance import rolls as rolls_of
from pasch.core.lazy import LazyTable
from pasch.games.crowns.box import FIELDS, VALUES, Pairs, mask

DICE: Final = 6
#: the number of the first roll of six dice (`pasch.core.rolls`); tables by roll begin with it
FIRST_ROLL: Final = rolls.FIRST_ROLL[DICE]
#: all rolls in the order of their numbers, the dice of each the highest first
ROLLS: Final = tuple(roll[::-1] for roll in rolls.ROLLS[FIRST_ROLL:])
#: the place of the roll that allows the most placements: every die shows something else
RICHEST: Final = ROLLS.index((6, 5, 4, 3, 2, 1))


class Placement(NamedTuple):
    """One way to use a roll: the fields as a board, the number of chips, and the fields as pairs."""

    mask: int
    chips: int
    pairs: Pairs


@cache
def _shares(value: int, dice: int, split: bool) -> tuple[tuple[int, int, Pairs], ...]:
    """What up to `dice` dice of a value can cover: none, one field or, when split, several fields of its row.

    Each as the number of dice used, the fields as a board and the fields as pairs.
    """
    found = []
    for parts in range(1 << dice):
        counts = tuple(count for count in range(dice, 0, -1) if parts >> (count - 1) & 1)
        if sum(counts) <= dice and (split or len(counts) <= 1):
            pairs = tuple((value, count) for count in counts)
            found.append((sum(counts), mask(pairs), pairs))
    return tuple(found)


def _placements(dice_by_value: Iterable[tuple[int, int]], split: bool) -> tuple[Placement, ...]:
    """What can be covered, the fewest chips first, if these dice come with each value, from the highest on.

    Dice that a value does not use can be used for the lower ones.
    """
    ways: list[tuple[int, int, Pairs]] = [(0, 0, ())]
    for value, more in dice_by_value:
        ways = [
            (dice + more - used, covered | fields, pairs + added)
            for dice, covered, pairs in ways
            for used, fields, added in _shares(value, dice + more, split)
        ]
    found = [Placement(covered, len(pairs), pairs) for _, covered, pairs in ways]
    found.sort(key=lambda placement: (placement.chips, placement.pairs))
    return tuple(found)


@cache
def placements(roll: tuple[int, ...], split: bool) -> tuple[Placement, ...]:
    """All that the dice of `roll` allow on an empty board, the fewest chips first.

    Lowering is one condition: only values rolled are used, and for every value the dice used for it and
    for higher ones are no more than the dice that show it or more. Leaving chips out of a placement gives a
    placement again.
    """
    return _placements([(value, roll.count(value)) for value in reversed(VALUES) if value in roll], split)


@cache
def every_placement(split: bool) -> tuple[Placement, ...]:
    """The placements that any roll allows, in the same order; a placement's place is its *code*."""
    return _placements([(value, DICE if value == VALUES[-1] else 0) for value in reversed(VALUES)], split)


# --- tables, each row of which is computed when it is needed --------------------------------------------


@cache
def tables(split: bool) -> tuple[Any, tuple[int, ...], tuple[int, ...], Any]:
    """`codes`, `masks`, `chips` and `chances` of the config."""
    every = every_placement(split)
    code_of = {way.mask: code for code, way in enumerate(every)}
    masks, chips = tuple([way.mask for way in every]), tuple([way.chips for way in every])
    codes = LazyTable(len(ROLLS), partial(_codes, split, code_of))
    return codes, masks, chips, LazyTable(FIELDS + 1, _chances)


def _codes(split: bool, code_of: dict[int, int], roll: int) -> tuple[int, ...]:
    return tuple([code_of[way.mask] for way in placements(ROLLS[roll], split)])


def _chances(turns: int) -> tuple[float, ...]:
    return tuple([1 - (1 - chance) ** turns for chance in _chance_of_fields()])


@cache
def _chance_of_fields() -> tuple[float, ...]:
    """For each field the chance that a roll allows a chip there; splitting dice makes no difference to it."""
    found = [0] * FIELDS
    for roll, cases in rolls_of(DICE):
        for way in placements(roll[::-1], False):
            if way.chips == 1:
                found[way.mask.bit_length() - 1] += cases
    return tuple([number / 6**DICE for number in found])


def max_moves(g: Any) -> int:
    """How many placements the roll has that has the most."""
    return len(g.codes[RICHEST])
