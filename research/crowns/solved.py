"""The solved table of Crowns alone: the values of the relaxed game (`relaxation`), kept in the cache folder.

The game is solved, what covered edge fields take away later is fitted to the real game, and the play is measured
(`fitting`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from pasch.games.crowns.box import EDGE, FIELDS
from pasch.games.crowns.rules import Crowns
from pasch.games.crowns.values.solved import Solved, edge_value, set_of, set_value
from pasch.solve.keys import source_digest
from pasch.solve.tables import read_table, table, table_path
from pasch.solve.valuer import Report, silent
from research.crowns.making import solve
from research.crowns.relaxation import INNER, TRACKED, NotRelaxed, Numbering, fields_of, numbering, relax

#: the name of kept tables
NAME: Final = "crowns-solved"
#: larger tables are not made
MOST_BYTES: Final = 2**31


def solved_value(t: Solved, board: int, chips: int) -> float:
    """What a board is worth before a roll, with so many chips left."""
    return set_value(t, set_of(t, board), chips) + edge_value(t, board, chips)


def solved_key(game: Crowns) -> dict[str, Any]:
    """Everything that the values follow from."""
    return {
        "sources": source_digest(type(game), "research.crowns"),
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


def solved(game: Crowns, report: Report = silent) -> dict[str, Any]:
    """The solved table of a game for one, made if it is not there; NotRelaxed says why there is none."""
    if not can_be_solved(game):
        raise NotRelaxed("the rounds may end before the chips do, so that this game is not solved")
    check_size(numbering_of(game))

    def build(report: Report) -> dict[str, Any]:
        from research.crowns.fitting import finished

        return finished(game, solve(relax(game), report))

    return table(NAME, solved_key(game), build, report)
