"""Crowns: the rolls and what they allow, the rules' tables made fit for sums.

What a board is worth is a sum over *groups* of fields (`model`). The 462 rolls share a thousand placements, whose
numbers are their codes in the rules, and a roll has all placements of those that it can be lowered to: a *program*
finds the best placement of every roll by beginning with those.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.core.chance import rolls
from pasch.games.crowns.box import EDGE, FIELDS, LINE_FIELDS
from pasch.games.crowns.learned import GROUPS
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
    before_start: Steps  # [roll] where the rolls begin whose placements are this one's, too, see `Program`
    before: Steps
    #: [roll] where its other placements begin, of those that place as much as can be required
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
    program = program_of(ROLLS, [[u for u in row if chips[u] >= max(least)] for row in g.codes])
    steps = numbers, *flat(program.before), *flat(program.more)
    number, before_start, before, more_start, more = (np.array(part, np.int32) for part in steps)
    return Ways(
        np.array([cases[roll] for roll in ROLLS]),
        sum(cases.values()),
        np.array(start),
        number,
        np.array(least),
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


class Program(NamedTuple):
    """How the best element of every roll is found: roll n is the best of rolls `before[n]` and elements `more[n]`."""

    before: tuple[tuple[int, ...], ...]
    more: tuple[tuple[Any, ...], ...]


def program_of(all_rolls: Sequence[tuple[int, ...]], elements: Sequence[Collection[Any]]) -> Program:
    """The program for rolls, the lowest first, and what each allows.

    A roll allows all that it allows with one of its dice lowered to the next value shown. Few elements are its own.
    """
    number = {roll: place for place, roll in enumerate(all_rolls)}
    before, more = [], []
    for roll, mine in zip(all_rolls, elements, strict=True):
        starts = [roll.index(value) for value in sorted({*roll})[:-1]]
        lowered = [number[(*roll[: at - 1], roll[at], *roll[at:])] for at in starts]
        before.append(tuple(other for other in lowered if elements[other]))
        more.append(tuple(sorted(set(mine).difference(*[elements[other] for other in lowered]))))
    return Program(tuple(before), tuple(more))


def flat(rows: Sequence[Sequence[Any]]) -> tuple[list[int], list[Any]]:
    """Rows one after the other, and where each begins."""
    starts, found = [0], list[Any]()
    for row in rows:
        found += row
        starts.append(len(found))
    return starts, found
