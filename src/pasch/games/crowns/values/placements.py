"""Crowns: the rolls and what they allow, the rules' tables made fit for sums.

What a board is worth is a sum over *groups* of fields (`model`). The 462 rolls share a thousand placements, whose
numbers are their codes in the rules, and most rolls have all placements of some other: a *program* finds the best
placement of every roll by beginning with those.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.core.chance import rolls
from pasch.games.crowns.box import EDGE, FIELDS
from pasch.games.crowns.learned import GROUPS, LINE_FIELDS
from pasch.games.crowns.rules import Crowns, cost, required
from pasch.games.crowns.ways import DICE, ROLLS

Floats = NDArray[np.float32]
Steps = NDArray[np.int32]
Whole = NDArray[np.int64]
Reals = NDArray[np.float64]
#: in compiled code: a number of the width that it happens to have
Number = Any

#: the number of a roll that allows every placement
ANY_ROLL: Final = len(ROLLS)
#: the crowns of what is not possible
NEVER: Final = -1e30


class Groups(NamedTuple):
    """Groups of fields as sums need them: the entries of all groups lie one after the other."""

    base: Steps  # [group] the entry of the empty board
    fields: Steps  # [field, group] how covering one field moves the entries


def groups_of(groups: Sequence[Sequence[int]]) -> Groups:
    """Where the entries of these groups begin, and how fields move them."""
    base = np.cumsum([0, *(1 << len(group) for group in groups)])[:-1].astype(np.int32)
    fields = np.zeros((FIELDS, len(groups)), np.int32)
    for number, group in enumerate(groups):
        fields[list(group), number] = 1 << np.arange(len(group))
    return Groups(base, fields)


def covered(boards: Whole) -> Whole:
    """[board, field] whether it is covered."""
    return (boards[:, None] >> np.arange(FIELDS)) & 1


#: of the net: each line, the row of the sixes, the rest of the column 6x
NET_FIELDS: Final = (*LINE_FIELDS, EDGE[5:], EDGE[:5])
TABLE_GROUPS: Final = groups_of(GROUPS)
NET_GROUPS: Final = groups_of(NET_FIELDS)


class Ways(NamedTuple):
    """The rolls and their placements. A roll's number is `rules.roll_row`, or ANY_ROLL.

    `number[start[r]]` to before `number[start[r + 1]]` are the placements of roll r, the fewest chips first.
    """

    cases: Whole  # [roll]
    total: int  # all cases
    start: Whole  # [roll]
    number: Steps  # [place in a roll's list] the placement's number
    least: Whole  # [chips placed at best] how many have to be placed
    order: Steps  # rolls in the order in which their best placements are found, see `Program`
    before_start: Steps  # [step] where the rolls begin whose placements are this one's, too
    before: Steps
    #: [step] where its other placements begin, of those that place as much as can be required
    more_start: Steps
    more: Steps
    masks: Whole  # [placement] the fields that it covers; the first one covers none
    chips: Whole  # [placement] chips that it places
    cost: Whole  # [placement] chips that it costs
    table_steps: Steps  # [placement, group] how it moves the entries of the tables, and of the net
    net_steps: Steps
    table: Groups
    net: Groups


@lru_cache(maxsize=16)
def ways_of(game: Crowns) -> Ways:
    """The rolls of a game and what they allow."""
    g = game.config
    cases = {roll[::-1]: number for roll, number in rolls(DICE)}
    masks, chips = np.array(g.masks), np.array(g.chips)
    start, numbers = flat([*g.codes, range(len(masks))])
    least = [required(g, most) for most in range(DICE + 1)]
    program = program_of([{(u, 0): 0 for u in row if chips[u] >= max(least)} for row in g.codes])
    steps = [numbers, program.order, *flat(program.before)]
    steps += flat([[element.fields for element in row] for row in program.elements])
    number, order, before_start, before, more_start, more = (np.array(part, np.int32) for part in steps)
    return Ways(
        np.array([cases[roll] for roll in ROLLS]),
        sum(cases.values()),
        np.array(start),
        number,
        np.array(least),
        order,
        before_start,
        before,
        more_start,
        more,
        masks,
        chips,
        np.array([cost(g, int(placed)) for placed in chips]),
        (covered(masks) @ TABLE_GROUPS.fields).astype(np.int32),
        (covered(masks) @ NET_GROUPS.fields).astype(np.int32),
        TABLE_GROUPS,
        NET_GROUPS,
    )


# --- programs --------------------------------------------------------------------------------------------


class Element(NamedTuple):
    """A placement of a roll: fields as a set, or its number; chips on other fields; crowns."""

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
    """The program for rolls whose elements are given as crowns by fields and chips on other fields."""
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
