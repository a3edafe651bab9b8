"""A solved table of Crowns alone as compiled code reads it; `research/crowns` makes it (`python -m research crowns`).

A board is worth what its inner and tracked fields are worth in the relaxed game, plus the crowns of its covered edge
fields. In the real game an edge field can be covered only once: so what a covered one usually takes away later, by
chips left, is taken off, and what the others will take away.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from pasch.games.crowns.box import FIELDS


class Solved(NamedTuple):
    """A solved table as the functions below read it; without values it is that of a game not solved."""

    kept: Any  # values of sets in units, see `Numbering`
    base: Any  # [high bits] where a block begins
    within: Any  # [fields among the high bits, low bits]
    low: int
    unit: float
    inner: int  # how many bits of a set are inner fields: above them are those of tracked ones
    bits: Any  # [field] its bit in a set as a number, 0 if it is neither
    edge: Any  # [chips left, field] what a covered edge field is worth
    rest: Any  # [chips left] what every board is worth less than the table says


def set_of(t: Solved, board: int) -> int:
    """The tracked fields of a board as a set."""
    fields = 0
    for number in range(FIELDS):
        if board >> number & 1:
            fields |= t.bits[number]
    return fields


def edge_value(t: Solved, board: int, chips: int) -> float:
    """What the edge of a board adds to the value of its set with so many chips left."""
    value: float = -t.rest[chips]
    for number in range(FIELDS):
        if board >> number & 1:
            value += t.edge[chips][number]
    return value


def set_value(t: Solved, fields: int, chips: int) -> float:
    """What a set is worth in the relaxed game with so many chips left."""
    # a tracked field is remembered only if those before it are covered
    tracked = fields >> t.inner
    fields = fields & ((1 << t.inner) - 1) | (tracked & ~(tracked + 1)) << t.inner
    high = fields >> t.low
    count, rest = 0, high
    while rest:
        rest &= rest - 1
        count += 1
    value: float = t.unit * t.kept[t.base[high] + t.within[count][fields & ((1 << t.low) - 1)] + chips]
    return value
