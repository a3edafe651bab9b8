"""What the rolls of Crowns allow: the placements on an empty board, and tables of them for the rules."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from itertools import combinations_with_replacement, takewhile
from math import comb
from typing import Final, NamedTuple

from pasch.core.chance import rolls
from pasch.core.lazy import lazy_table
from pasch.games.crowns.box import FIELDS, VALUES, Pairs, mask

DICE: Final = 6

#: all rolls, the dice of each the highest first; a roll's number is its place here
ROLLS: Final = tuple(combinations_with_replacement(range(6, 0, -1), DICE))[::-1]
#: by die and face: how many rolls there are of the dice from this one on, all of them lower than the face
LOWER: Final = tuple(
    tuple(comb(face - 1 + DICE - die - 1, DICE - die) if face else 0 for face in range(7))
    for die in range(DICE)
)


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


@cache
def placements(roll: tuple[int, ...], split: bool) -> tuple[Placement, ...]:
    """All that the dice of `roll` allow on an empty board, the fewest chips first.

    Lowering is one condition: only values rolled are used, and for every value the dice used for it and
    for higher ones are no more than the dice that show it or more. So going down from 6 it is enough
    to count the dice not used yet. Leaving chips out of a placement gives a placement again.
    """
    ways: list[tuple[int, int, Pairs]] = [(0, 0, ())]
    for value in reversed(VALUES):
        rolled = roll.count(value)
        if rolled:
            ways = [
                (dice + rolled - used, covered | fields, pairs + more)
                for dice, covered, pairs in ways
                for used, fields, more in _shares(value, dice + rolled, split)
            ]
    found = [Placement(covered, len(pairs), pairs) for _, covered, pairs in ways]
    found.sort(key=lambda placement: (placement.chips, placement.pairs))
    return tuple(found)


@cache
def every_placement(split: bool) -> dict[Pairs, int]:
    """The placements that any roll allows, each with its number."""
    every = (way.pairs for roll, _ in rolls(DICE) for way in placements(roll[::-1], split))
    return {pairs: number for number, pairs in enumerate(dict.fromkeys(every))}


# --- tables, each row of which is computed when it is needed --------------------------------------------


class PlacementTables(NamedTuple):
    """The placements of all rolls, by the number of the roll."""

    #: how many there are
    ways: Sequence[int]
    #: by placement: the fields as a board, the chips, and the number among all moves of the game
    masks: Sequence[Sequence[int]]
    chips: Sequence[Sequence[int]]
    numbers: Sequence[Sequence[int]]


@cache
def placement_tables(split: bool, alone: bool) -> PlacementTables:
    """The tables of a game. Alone, placing nothing is discarding a chip, the last of all moves."""
    rows = (
        partial(_ways, split),
        partial(_masks, split),
        partial(_chips, split),
        partial(_numbers, split, alone),
    )
    return PlacementTables(*(lazy_table(len(ROLLS), row) for row in rows))


@cache
def chance_table() -> Sequence[Sequence[float]]:
    """By turns and field the chance that one of so many rolls allows a chip there."""
    return lazy_table(FIELDS + 1, _chances)


def _ways(split: bool, roll: int) -> int:
    return len(placements(ROLLS[roll], split))


def _masks(split: bool, roll: int) -> tuple[int, ...]:
    return tuple([way.mask for way in placements(ROLLS[roll], split)])


def _chips(split: bool, roll: int) -> tuple[int, ...]:
    return tuple([way.chips for way in placements(ROLLS[roll], split)])


def _numbers(split: bool, alone: bool, roll: int) -> tuple[int, ...]:
    numbers = every_placement(split)
    nothing, *others = [numbers[way.pairs] for way in placements(ROLLS[roll], split)]
    return (len(numbers) if alone else nothing, *others)


def _chances(turns: int) -> tuple[float, ...]:
    return tuple([1 - (1 - chance) ** turns for chance in _chance_of_fields()])


@cache
def _chance_of_fields() -> tuple[float, ...]:
    """For each field the chance that a roll allows a chip there; splitting dice makes no difference to it."""
    found = [0] * FIELDS
    for roll, cases in rolls(DICE):
        # the fewest chips come first: nothing, then single fields
        for way in takewhile(lambda way: way.chips <= 1, placements(roll[::-1], False)):
            if way.chips:
                found[way.mask.bit_length() - 1] += cases
    return tuple([number / 6**DICE for number in found])
