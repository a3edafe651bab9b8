"""Shapes of chance events, as data: for a browser that checks dice and knows no rules.

A receipt says how each of its rolls came about, but a forged receipt can state that as well. So what chance brings
in a phase has a shape, too (`pasch.core.nodes`), and the browser gets it with the page. Together with the box and
the events before, a shape says how many equally likely cases an event had and which case is which, exactly as
`State.chance` does; `tests/web/test_client.py` compares the two.

A shape does not replace the rules: where it allows several numbers of dice, or leaves open who is dealt cards, only
`pasch verify` knows which of them was right.
"""

from __future__ import annotations

import msgspec


class Last(msgspec.Struct, frozen=True):
    """In a path: the item, counted from 1, that the last event with this field has named."""

    last: str


#: a number, or the path to it in the box: names of fields, and items of lists
Number = int | tuple[str | Last, ...]


class DiceShape(msgspec.Struct, frozen=True, tag_field="kind", tag="dice"):
    """A roll of dice: `least` of them, or up to `most`; the roll itself gives their number."""

    least: Number
    most: Number | None = None
    #: for distinguishable dice: all names in their order; the roll then gives each face by its name
    names: tuple[str, ...] = ()
    #: of dice with names: events with this field name those that the seat has set aside, until an event of another
    #: seat, or of none; the roll is of exactly the others
    aside: str | None = None


class PileShape(msgspec.Struct, frozen=True, tag_field="kind", tag="pile"):
    """One of the things in a list of the box, by its number from 0; each comes at most once in a game."""

    box: str


class TurnShape(msgspec.Struct, frozen=True, tag_field="kind", tag="turn"):
    """No chance at all: the things in the list of an option, one after the other, and from the first again."""

    option: str


class PackShape(msgspec.Struct, frozen=True, tag_field="kind", tag="pack"):
    """Cards from the pack in the box, a list of items with `card` and `number`: for one hand, or one for each seat."""

    box: str
    #: the cards of a hand; where every seat has one, some may be empty
    cards: int
    #: whether all cards are shuffled together before
    shuffled: bool = False


Shape = DiceShape | PileShape | TurnShape | PackShape
