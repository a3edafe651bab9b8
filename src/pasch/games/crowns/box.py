"""The box of Crowns: the board with its fields and lines, the chips, the titles, and what a box has to be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

import msgspec

from pasch.core.components import Components, Provenance, demand
from pasch.core.words import Sentence, counted, say, spaced

VALUES: Final = range(1, 7)
COUNTS: Final = range(1, 7)
FIELDS: Final = 36
#: more crowns than this on one field are a slip of the pen
MAX_CROWNS: Final = 20

#: pairs (value, count), the highest first, of the fields that a roll's chips are placed on
Pairs = tuple[tuple[int, int], ...]


def field(value: int, count: int) -> int:
    """The number of a field; a board is a whole number whose bit `field(value, count)` means covered."""
    return (value - 1) * 6 + count - 1


def mask(pairs: Pairs) -> int:
    """These fields as a board."""
    covered = 0
    for value, count in pairs:
        covered |= 1 << field(value, count)
    return covered


#: the five rows, five columns and two diagonals of the inner block, as boards
LINES: Final = (
    *(mask(tuple((value, count) for count in range(1, 6))) for value in range(1, 6)),
    *(mask(tuple((value, count) for value in range(1, 6))) for count in range(1, 6)),
    mask(tuple((value, value) for value in range(1, 6))),
    mask(tuple((value, 6 - value) for value in range(1, 6))),
)
#: the edge fields' numbers: the row of the value 6 and the column 6x
EDGE: Final = tuple(field(value, count) for value in VALUES for count in COUNTS if 6 in (value, count))
#: all that scores, edge fields and lines: as boards, and as the numbers of their fields
GOALS: Final = (*(1 << edge for edge in EDGE), *LINES)
PARTS: Final = tuple(tuple(bit for bit in range(FIELDS) if goal >> bit & 1) for goal in GOALS)
#: the numbers of each line's fields
LINE_FIELDS: Final = PARTS[len(EDGE) :]

#: the titles of the game for one and the score from which each is earned
TITLES: Final = (
    (40, "genius"),
    (36, "professional"),
    (31, "expert"),
    (26, "advanced"),
    (21, "good_beginner"),
)


def title(score: int) -> str:
    """The title that a score earns in the game for one, as a key for texts."""
    return next((name for least, name in TITLES if score >= least), "try_again")


class Chips(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The chips of one player."""

    number: int
    provenance: Provenance = "seen"


class Row(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The crowns on the fields 1x to 6x of a value, and where they come from: all alike, or one by one."""

    value: int
    crowns: tuple[int, ...]
    provenance: Provenance | tuple[Provenance, ...] = "seen"

    def sources(self) -> tuple[Provenance, ...]:
        """Where each field's crowns come from."""
        return (self.provenance,) * 6 if isinstance(self.provenance, str) else self.provenance


class CrownsComponents(Components, frozen=True, kw_only=True):
    """The board and the chips."""

    bounds: ClassVar = {
        "chips.number": (1, FIELDS),
        "rows": (6, 6),
        "rows[].value": (1, 6),
        "rows[].crowns": (6, 6),
        "rows[].crowns[]": (0, MAX_CROWNS),
    }
    #: printed: 18 chips, up to six crowns on a field
    printed_bounds: ClassVar = {"chips.number": 24, "rows[].crowns[]": 18}

    chips: Chips
    rows: tuple[Row, ...]

    def check_parts(self, players: int) -> None:
        values = [row.value for row in self.rows]
        for number, row in enumerate(self.rows):
            place, value, got = f"rows[{number}]", row.value, len(row.sources())
            demand(
                value not in values[:number], f"{place}.value", "there are two rows of {value}", value=value
            )
            said = "one word for the row or six for its fields, not {got}"
            demand(got == len(COUNTS), f"{place}.provenance", said, got=got)

    def crowns(self) -> tuple[int, ...]:
        """The crowns of all 36 fields, in the order of their numbers."""
        return tuple(crowns for row in self._in_order() for crowns in row.crowns)

    def sources(self) -> tuple[Provenance, ...]:
        """Where the crowns of all 36 fields come from, in the order of their numbers."""
        return tuple(source for row in self._in_order() for source in row.sources())

    def provenance(self) -> Iterator[tuple[Sentence, Provenance]]:
        yield counted("{n} chip each", "{n} chips each", self.chips.number), self.chips.provenance
        for row in self._in_order():
            sources = row.sources()
            for source in dict.fromkeys(sources):
                fields = ", ".join(
                    f"{count}× {crowns}"
                    for count, crowns, its in zip(COUNTS, row.crowns, sources, strict=True)
                    if its == source
                )
                said = "crowns in the row of {value}: {fields}"
                yield say(said, value=row.value, fields=fields), source

    def totals(self) -> tuple[Sentence, ...]:
        crowns = self.crowns()
        sums = [sum(crowns[number] for number in fields) for fields in LINE_FIELDS]
        return (
            say("crowns in the rows of 5 to 1: {sums}", sums=spaced(sums[4::-1])),
            say("crowns in the columns 1× to 5×: {sums}", sums=spaced(sums[5:10])),
            say("crowns on the diagonals from 1×1 and from 5×1: {sums}", sums=spaced(sums[10:])),
        )

    def _in_order(self) -> list[Row]:
        return sorted(self.rows, key=lambda row: row.value)
