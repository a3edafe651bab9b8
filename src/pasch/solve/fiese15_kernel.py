"""Compiled kernel of Fiese 15: the graph of a turn under given targets.

What the turn is worth depends on which dice are set aside and on the sum of their pips. For each set of
dice set aside there are three kinds of nodes, for every sum of pips: the choice of what to keep, one for
each roll of the other dice (faces that are not valid count as one); that roll; the choice to roll or to
stop. Sets of more dice come first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.solve.compiled import compiled
from pasch.solve.turns_kernel import CHOICE, ROLL, SCORE

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

DICE = 6
ALL = 63


class Rules(NamedTuple):
    """What the rules say of a turn, as tables."""

    #: by die and code: the valid faces, code 0 standing for all others
    face: Ints
    #: by die and code: in how many of six cases it comes
    cases: Ints
    #: by die: how many codes there are
    codes: Ints
    #: what may be kept of each set of valid dice, from start[set] to start[set + 1]
    keep_start: Ints
    keep: Ints
    #: by number of dice and pips: what stopping scores
    points: Ints
    #: by set of dice set aside: what a roll with nothing valid scores
    consolation: Ints


class Layout(NamedTuple):
    """Where the nodes of each set of dice set aside are; sums of pips lie side by side."""

    #: the least sum of pips, and how many sums there are
    least: Ints
    sums: Ints
    #: how many rolls of the other dice there are, but for that with nothing valid
    rolls: Ints
    #: the first node of each kind
    keep: Ints
    roll: Ints
    next: Ints
    #: behind the last node of every set
    end: Ints


@compiled(nogil=True)
def graph(rules: Rules, layout: Layout) -> tuple[Ints, Ints, Ints, Floats]:
    """Kind, first edge, target and weight, as `turns_kernel.Graph` has them."""
    least, sums, rolls, keep, roll, next_, end = layout
    nodes = end.max()
    kind, first = np.full(nodes, SCORE, np.int64), np.zeros(nodes + 1, np.int64)
    for fill in range(2):
        if fill == 0:
            target, weight = np.empty(0, np.int64), np.empty(0, np.float64)
        else:
            first[1:] = np.cumsum(first[1:])
            target, weight = np.empty(first[-1], np.int64), np.ones(first[-1], np.float64)
        for kept in range(ALL):
            for number in range(rolls[kept] + 1):
                codes = _decoded(rules, kept, number)
                valid, chance = _valid(rules, kept, codes)
                for sum_ in range(sums[kept]):
                    pips = least[kept] + sum_
                    at_roll = roll[kept] + sum_
                    at_keep = keep[kept] + (number - 1) * sums[kept] + sum_
                    if fill == 0:
                        first[at_roll + 1] = rolls[kept] + 1
                        kind[at_roll] = ROLL
                        if number > 0:
                            first[at_keep + 1] = rules.keep_start[valid + 1] - rules.keep_start[valid]
                            kind[at_keep] = CHOICE
                        continue
                    edge = first[at_roll] + number
                    target[edge] = at_keep if number > 0 else rules.consolation[kept]
                    weight[edge] = chance
                    if number == 0:
                        continue
                    edge = first[at_keep]
                    for k in range(rules.keep_start[valid], rules.keep_start[valid + 1]):
                        more, now = rules.keep[k], pips
                        for die in range(DICE):
                            if more >> die & 1:
                                now += rules.face[die, codes[die]]
                        if kept | more == ALL:
                            target[edge] = rules.points[DICE, now]
                        else:
                            target[edge] = next_[kept | more] + now - least[kept | more]
                        edge += 1
            if kept == 0:
                continue
            for sum_ in range(sums[kept]):
                at_next = next_[kept] + sum_
                if fill == 0:
                    first[at_next + 1] = 2
                    kind[at_next] = CHOICE
                else:
                    target[first[at_next]] = roll[kept] + sum_
                    target[first[at_next] + 1] = rules.points[_size(kept), least[kept] + sum_]
    return kind, first, target, weight


@compiled(nogil=True)
def _size(dice: int) -> int:
    found = 0
    for die in range(DICE):
        found += dice >> die & 1
    return found


@compiled(nogil=True)
def _decoded(rules: Rules, kept: int, number: int) -> Ints:
    """The codes of the dice of a roll by its number; the first die counts fastest."""
    codes = np.zeros(DICE, np.int64)
    for die in range(DICE):
        if not kept >> die & 1:
            codes[die] = number % rules.codes[die]
            number //= rules.codes[die]
    return codes


@compiled(nogil=True)
def _valid(rules: Rules, kept: int, codes: Ints) -> tuple[int, float]:
    """The valid dice of a roll and its chance."""
    valid, chance = 0, 1.0
    for die in range(DICE):
        if not kept >> die & 1:
            chance *= rules.cases[die, codes[die]] / 6.0
            if codes[die]:
                valid |= 1 << die
    return valid, chance
