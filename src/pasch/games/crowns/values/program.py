"""Programs: how the best of what each roll allows is found for all rolls together.

A roll's placements are *elements*: fields as a set (or the number of a placement), chips on other fields, and crowns.
The rolls share almost all of their elements; a program finds the best element of every roll by beginning with rolls
whose elements are among its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

#: the crowns of what is not possible
NEVER: Final = -1e30


class Element(NamedTuple):
    """What a placement does: the tracked fields as a set, the chips on untracked fields, the edge's crowns."""

    fields: int
    untracked: int
    crowns: int


class Program(NamedTuple):
    """How the best element of every roll is found: for each roll in order, earlier rolls and more elements.

    Roll `order[n]` is the best of rolls `before[n]`, which come earlier, and of the elements `elements[n]`.
    """

    order: tuple[int, ...]
    before: tuple[tuple[int, ...], ...]
    elements: tuple[tuple[Element, ...], ...]


def program_of(best: Sequence[Mapping[tuple[int, int], int]]) -> Program:
    """The program for rolls whose elements are given as crowns by tracked fields and untracked chips."""
    sets = [frozenset(Element(*key, crowns) for key, crowns in roll.items()) for roll in best]
    order = sorted(range(len(sets)), key=lambda roll: len(sets[roll]))
    before, elements = [], []
    for place, roll in enumerate(order):
        mine = best[roll]
        # a roll of which every element is here, too, or a better one with the same chips
        among = [
            other
            for other in order[:place]
            if sets[other]
            and all(mine.get((fields, chips), NEVER) >= crowns for fields, chips, crowns in sets[other])
        ]
        rest, chosen = set(sets[roll]), []
        while among:
            other = max(among, key=lambda other: len(sets[other] & rest))
            if len(sets[other] & rest) < 2:
                break
            rest -= sets[other]
            chosen.append(other)
        before.append(tuple(chosen))
        elements.append(tuple(sorted(rest)))
    return Program(tuple(order), tuple(before), tuple(elements))


def flat(rows: Sequence[Sequence[Any]]) -> tuple[list[int], list[Any]]:
    """Rows one after the other, and where each begins."""
    starts, found = [0], list[Any]()
    for row in rows:
        found += row
        starts.append(len(found))
    return starts, found
