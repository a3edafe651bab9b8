"""The solved table of Crowns alone: the values of the relaxed game (`relaxation`), kept in the cache folder.

A board is worth what its inner and tracked fields are worth in the relaxed game, plus the crowns of its covered edge
fields. In the real game an edge field can be covered only once: so what a covered one usually takes away later, by
chips left, is fitted to the real game (`fitting`) and taken off, and what the others will take away.

By these values the package's own functions choose and look ahead: they are compiled here once more, with
`value_by_table` in place of `value_placements`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from pasch.games.crowns.box import EDGE, FIELDS
from pasch.games.crowns.rules import Crowns, fits
from pasch.games.crowns.values import kernel, lookahead, training
from pasch.games.crowns.values.kernel import Scratch, locate, table_value
from pasch.games.crowns.values.model import Net, score_entries, silent_net
from pasch.games.crowns.values.net import IMPOSSIBLE
from pasch.games.crowns.values.placements import Floats, Number, Reals, Ways, Whole, ways_of
from pasch.solve.compiled import compile_plain
from pasch.solve.keys import source_digest
from pasch.solve.records import arrays
from pasch.solve.tables import table, table_path
from pasch.solve.valuer import Report, silent
from research.crowns.making import solve
from research.crowns.relaxation import INNER, TRACKED, NotRelaxed, Numbering, fields_of, numbering, relax

#: the name of kept tables
NAME: Final = "crowns-solved"
#: maximum size of a table
MAX_BYTES: Final = 2**31


# --- reading a table ----------------------------------------------------------------------------------------


class Solved(NamedTuple):
    """A solved table as the functions below read it."""

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
    """What the edge of a board adds to the value of its set with this many chips left."""
    value: float = -t.rest[chips]
    for number in range(FIELDS):
        if board >> number & 1:
            value += t.edge[chips][number]
    return value


def set_value(t: Solved, fields: int, chips: int) -> float:
    """What a set is worth in the relaxed game with this many chips left."""
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


# --- choosing and looking ahead by a table -------------------------------------------------------------------


class SolvedBoards(NamedTuple):
    """A solved game in place of `model.BoardTables`; without chips left the tables are the score."""

    tables: Floats  # [1, chips left, entry]
    net: Net
    ways: Ways
    solved: Solved
    sets: Whole  # [placement] the tracked fields that it covers
    edge: Reals  # [chips left, placement] what the edge fields that it covers are worth
    now: Reals  # [chips left] buffer for what the covered edge fields of a board are worth


def value_by_table(
    v: SolvedBoards, pace: int, board: Number, chips: int, horizon: int, roll: int, scratch: Scratch
) -> None:
    """As `kernel.value_placements`, by the solved table."""
    ways, values, fields = v.ways, scratch.values, set_of(v.solved, board)
    values[:] = IMPOSSIBLE
    locate(board, ways.table_base, ways.table_fields, scratch.at)
    for left in range(chips):
        v.now[left] = edge_value(v.solved, board, left)
    for i in range(ways.start[roll], ways.start[roll + 1]):
        u = ways.number[i]
        if fits(ways.masks[u], ways.chips[u], board, chips):
            left = max(0, chips - ways.cost[u])
            if left > 0:
                values[u] = set_value(v.solved, fields | v.sets[u], left) + v.now[left] + v.edge[left, u]
            else:
                values[u] = table_value(v.tables[pace, 0], scratch.at, ways.table_steps[u])


#: what the package's functions call instead, by name
REPLACED: Final[dict[str, Any]] = {"value_placements": compile_plain(value_by_table)}


def by_table(function: Any) -> Any:
    """A function compiled to value placements by a solved table."""
    return compile_plain(getattr(function, "py_func", function), replace=REPLACED, name="solved")


REPLACED["look_ahead"] = by_table(kernel.look_ahead)
REPLACED["look_at_favourites"] = by_table(lookahead.look_at_favourites)
play_ahead: Final = by_table(training.play_ahead)


# --- tables that are kept ------------------------------------------------------------------------------------


def solved_path(game: Crowns) -> Path:
    """The file of a game's solved table."""
    return table_path(NAME, _key(game))


def _key(game: Crowns) -> dict[str, Any]:
    """Everything that the values follow from."""
    return {
        "research": source_digest(type(game), "research.crowns"),
        "crowns": list(game.components.crowns()),
        "chips": game.components.chips.number,
        "split": game.options.split,
        "minimum": game.config.minimum,
    }


def can_be_solved(game: Crowns) -> bool:
    """Whether the relaxed game is the game for one with these options: the rounds must suffice for all chips."""
    return game.players == 1 and game.config.round_limit >= game.components.chips.number


def numbering_of(game: Crowns) -> Numbering:
    """The numbering of a game's sets."""
    tracked = len(TRACKED[game.config.minimum])
    return numbering(game.components.chips.number, len(INNER) + tracked, tracked)


def check_size(ids: Numbering) -> None:
    """Refuse tables that are too large."""
    size = 2 * ids.total()
    if size > MAX_BYTES:
        raise NotRelaxed(
            "with {chips} chips the table would have {size} GiB, so that this box is not solved",
            chips=ids.chips,
            size=round(size / 2**30, 1),
        )


def opened(game: Crowns, kept: dict[str, Any]) -> Solved:
    """A solved table of a game, by the arrays that are kept."""
    fields, ids = fields_of(TRACKED[game.config.minimum]), numbering_of(game)
    edge = [
        [
            game.components.crowns()[number] - float(row[number]) if number in EDGE else 0.0
            for number in range(FIELDS)
        ]
        for row in kept["losses"].tolist()
    ]
    bits = [1 << fields.index(number) if number in fields else 0 for number in range(FIELDS)]
    return Solved(
        kept["kept"],
        kept["base"],
        ids.within(),
        ids.low,
        float(kept["unit"][0]),
        len(INNER),
        bits,
        edge,
        kept["rest"],
    )


def solved_boards(game: Crowns, kept: dict[str, Any]) -> SolvedBoards:
    """A solved game as compiled code reads it."""
    solved, chips, ways = opened(game, kept), game.components.chips.number, ways_of(game)
    tables = np.repeat(score_entries(game)[None], chips + 1, axis=0)[None]
    bits = (ways.masks[:, None] >> np.arange(FIELDS)) & 1
    sets, edge = bits @ np.array(solved.bits, np.int64), np.array(solved.edge, np.float64) @ bits.T
    made = SolvedBoards(tables, silent_net(chips), ways, solved, sets, edge, np.zeros(0))
    fixed: SolvedBoards = arrays(made)
    return fixed._replace(now=np.zeros(chips + 1))


def solved(game: Crowns, report: Report = silent) -> dict[str, Any]:
    """The solved table of a game for one, made if it is not there; NotRelaxed says why there is none."""
    if not can_be_solved(game):
        raise NotRelaxed("the rounds may end before the chips do, so that this game is not solved")
    check_size(numbering_of(game))

    def build(report: Report) -> dict[str, Any]:
        from research.crowns.fitting import finished

        return finished(game, solve(relax(game), report))

    return table(NAME, _key(game), build, report)
