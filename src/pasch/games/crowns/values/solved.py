"""The solved table of Crowns alone: the values of the relaxed game (`relaxation`), kept by `pasch solve`.

A board is worth what its inner and tracked fields are worth in the relaxed game, plus the crowns of its covered edge
fields. In the real game an edge field can be covered only once: so what a covered one usually takes away later, by
chips left, is taken off, and what the others will take away. `fitting` finds these *losses*; they are small.

The functions are run as they stand, on memory views, and compiled.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, NamedTuple

from pasch.games.crowns.box import EDGE, FIELDS
from pasch.games.crowns.rules import Crowns
from pasch.games.crowns.values.relaxation import INNER, TRACKED, NotRelaxed, Numbering, fields_of, numbering
from pasch.solve.tables import read_table, table_path

#: the name of kept tables
NAME: Final = "crowns-solved"
#: counts up when the same file would mean something else
SOLVER: Final = 2
#: larger tables are not made
MOST_BYTES: Final = 2**31


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


def solved_value(t: Solved, board: int, chips: int) -> float:
    """What a board is worth before a roll, with so many chips left."""
    return set_value(t, set_of(t, board), chips) + edge_value(t, board, chips)


# --- keeping ---------------------------------------------------------------------------------------------


def solved_key(game: Crowns) -> dict[str, Any]:
    """Everything that the values follow from."""
    return {
        "rules": game.rules_version,
        "solver": SOLVER,
        "crowns": list(game.components.crowns()),
        "chips": game.components.chips.number,
        "split": game.options.split,
        "minimum": game.config.minimum,
        "tracked": list(TRACKED[game.config.minimum]),
    }


def solved_path(game: Crowns) -> Path:
    """The file of a game's solved table."""
    return table_path(NAME, solved_key(game))


def can_be_solved(game: Crowns) -> bool:
    """Whether the relaxed game is the game for one as agreed: the rounds must suffice for all chips."""
    return game.players == 1 and game.config.round_limit >= game.components.chips.number


def numbering_of(game: Crowns) -> Numbering:
    """The numbering of a game's sets."""
    tracked = len(TRACKED[game.config.minimum])
    return numbering(game.components.chips.number, len(INNER) + tracked, tracked)


def check_size(ids: Numbering) -> None:
    """Refuse tables that are too large."""
    size = 2 * ids.total()
    if size > MOST_BYTES:
        raise NotRelaxed(
            "with {chips} chips the table would have {size} GiB, so that this box is not solved",
            chips=ids.chips,
            size=round(size / 2**30, 1),
        )


def read_solved(game: Crowns) -> dict[str, memoryview[Any]] | None:
    """The arrays of a game's solved table; None if it has not been solved."""
    return read_table(solved_path(game)) if can_be_solved(game) else None


def opened(game: Crowns, arrays: dict[str, Any]) -> Solved:
    """A solved table of a game, by the arrays that are kept."""
    fields, ids = fields_of(TRACKED[game.config.minimum]), numbering_of(game)
    edge = [
        [
            game.components.crowns()[number] - float(row[number]) if number in EDGE else 0.0
            for number in range(FIELDS)
        ]
        for row in arrays["losses"].tolist()
    ]
    bits = [1 << fields.index(number) if number in fields else 0 for number in range(FIELDS)]
    return Solved(
        arrays["kept"],
        arrays["base"],
        ids.within(),
        ids.low,
        float(arrays["unit"][0]),
        len(INNER),
        bits,
        edge,
        arrays["rest"],
    )
