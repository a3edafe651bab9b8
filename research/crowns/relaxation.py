"""Crowns alone with the edge relaxed: the data for a compiled solver.

All lines lie in the inner block; each edge field scores for itself. Let an edge field be covered again and again, and
what is left to remember of a board is the set of its inner fields: a dynamic programme over 2^25 sets and the chips
left. Every real game is one of the relaxed game, so that the relaxed value is a proven upper bound. With a minimum of 2
the edge matters more, because it takes forced chips: there the fields that take most of them are *tracked*, that is,
remembered as inner fields are. To save memory a tracked field is remembered only once those before it are covered; this
relaxes the game a little more, so the sets with the same number of them covered have a relaxation of their own, a
*stage*.

A roll's placements become *elements*: the tracked fields as a set, the number of chips on untracked edge fields, and
the crowns of all its edge fields. Of elements that differ only in crowns the best is kept. The rolls share almost all
of their elements; a *program* (`pasch.games.crowns.values.placements`) finds the best element of every roll.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import comb
from typing import Final

from pasch.core.chance import rolls
from pasch.core.errors import PaschError
from pasch.games.crowns.box import EDGE, FIELDS, LINES, field
from pasch.games.crowns.rules import Crowns, cost, required, score
from pasch.games.crowns.values.placements import NEVER, Program, program_of
from pasch.games.crowns.ways import DICE, ROLLS, placements

#: the inner block's fields
INNER: Final = tuple(number for number in range(FIELDS) if number not in EDGE)
#: the edge fields that are tracked with each minimum, those that take forced chips most often first
TRACKED: Final = {1: (), 2: (field(6, 1), field(6, 2))}
#: bits of a set that say where in its block its values begin
LOW: Final = 8
#: no chips are placed on more untracked edge fields in one turn
MAX_UNTRACKED: Final = 3


class NotRelaxed(PaschError):
    """The edge of this game cannot be relaxed."""


@dataclass(frozen=True)
class Relaxed:
    """A game for one with untracked edge fields that can be covered again.

    A set has a bit for each tracked field, in the order of `fields`.
    """

    chips: int
    fields: tuple[int, ...]
    #: the lines as sets, and their crowns
    lines: tuple[int, ...]
    crowns: tuple[int, ...]
    #: by roll: its cases
    cases: tuple[int, ...]
    #: placements that cover tracked fields and place the largest number of chips that can be required: those that
    #: only tracked fields can prevent, if one has to place more than one, the others, and those that place too few
    forcing: Program
    free: Program
    less: Program
    #: by roll and number of chips: the most crowns of a placement on untracked fields alone, or `NEVER`
    edge_only: tuple[tuple[float, ...], ...]


def relax(game: Crowns) -> tuple[Relaxed, ...]:
    """The stages of a game for one: stage n is for sets that have the first n tracked fields."""
    g = game.config
    if any(cost(g, placed) != max(1, placed) for placed in range(DICE + 1)):
        raise NotRelaxed(
            "a roll that places nothing does not cost one chip, so that this game is not solved"
        )
    tracked = TRACKED[g.minimum]
    cases = {roll[::-1]: number for roll, number in rolls(DICE)}
    return tuple(
        relaxed(
            partial(score, g),
            g.all_chips,
            required(g, DICE),
            fields_of(tracked[: stage + 1]),
            EDGE,
            LINES,
            ROLLS,
            game.options.split,
            [cases[roll] for roll in ROLLS],
        )
        for stage in range(max(1, len(tracked)))
    )


def fields_of(tracked: Sequence[int]) -> tuple[int, ...]:
    """The inner fields and these in the order of a set's bits."""
    return (*reversed(INNER), *tracked)


def relaxed(
    worth: Callable[[int], int],
    chips: int,
    minimum: int,
    fields: Sequence[int],
    edge: Sequence[int],
    lines: Sequence[int],
    all_rolls: Sequence[tuple[int, ...]],
    split: bool,
    cases: Sequence[int],
) -> Relaxed:
    """The relaxation of any game of this kind, by its score of boards, and its rolls, the lowest first, with cases."""
    border = sum([1 << number for number in edge])
    bit = {number: 1 << place for place, number in enumerate(fields)}
    for line in lines:
        if any(line >> number & 1 and number not in bit for number in range(FIELDS)):
            raise NotRelaxed("a line goes over the edge, so that the edge cannot be relaxed")
    programs: list[list[set[tuple[int, int, int]]]] = [[], [], []]
    edge_only = []
    for roll in all_rolls:
        kinds: list[dict[tuple[int, int], int]] = [{}, {}, {}]
        alone = [NEVER] * (MAX_UNTRACKED + 1)
        for way in placements(roll, split):
            if not way.chips:
                continue
            numbers = [number for number in range(FIELDS) if way.mask >> number & 1]
            tracked = sum([bit.get(number, 0) for number in numbers])
            untracked = sum([number not in bit for number in numbers])
            crowns = worth(way.mask & border)
            if not tracked:
                alone[untracked] = max(alone[untracked], crowns)
                continue
            # with a minimum of 1 nothing that is placed is too little, so that nothing forces
            kind = 2 if way.chips < minimum else 1 if untracked or minimum == 1 else 0
            best = kinds[kind]
            best[tracked, untracked] = max(crowns, best.get((tracked, untracked), 0))
        for found, program in zip(kinds, programs, strict=True):
            program.append({(*element, crowns) for element, crowns in found.items()})
        edge_only.append(tuple(alone))
    forcing, free, less = (program_of(all_rolls, program) for program in programs)
    return Relaxed(
        chips,
        tuple(fields),
        tuple(sum([bit[n] for n in range(FIELDS) if line >> n & 1]) for line in lines),
        tuple(map(worth, lines)),
        tuple(cases),
        forcing,
        free,
        less,
        tuple(edge_only),
    )


# --- numbering -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Numbering:
    """Where the values of a set begin among those of all sets that can occur.

    A set of n fields has a value for each number of chips left from 0 to all chips but n. A set's high bits
    say where its block begins, its low bits where in the block. Of the highest bits, those of tracked fields, none is
    set above one that is not.
    """

    chips: int
    bits: int
    low: int
    tracked: int = 0

    @property
    def high(self) -> int:
        return self.bits - self.low

    def within(self) -> list[list[int]]:
        """[fields among the high bits, low bits] where a set's values begin in its block."""
        return [list(self._sums(high))[:-1] for high in range(self.high + 1)]

    def sizes(self) -> list[int]:
        """[fields among the high bits] the length of a block."""
        return [list(self._sums(high))[-1] for high in range(self.high + 1)]

    def total(self) -> int:
        """The number of all values."""
        sizes, others = self.sizes(), self.high - self.tracked
        return sum(
            [
                comb(others, fields) * sizes[fields + tracked]
                for fields in range(others + 1)
                for tracked in range(self.tracked + 1)
            ]
        )

    def _sums(self, high: int) -> list[int]:
        found = [0]
        for low in range(1 << self.low):
            found.append(found[-1] + max(0, self.chips + 1 - high - low.bit_count()))
        return found


def numbering(chips: int, fields: int, tracked: int = 0) -> Numbering:
    """The numbering of the sets of this many fields, this many of them tracked ones."""
    return Numbering(chips, fields, min(LOW, fields - tracked), tracked)
