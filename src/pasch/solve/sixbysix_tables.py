"""6mal6: what is kept in tables: the worth of every row's streets, and what practice has taught.

Nothing here needs the compiler, so that it can be asked at the door whether everything is at hand.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from pasch.games.sixbysix import FIELDS, HIGHEST, STREET, SixBySix, street_worth
from pasch.solve.tables import Arrays, read_table, table, table_path
from pasch.solve.valuer import Report, silent

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

#: counts up when practice changes
VERSION = 1
#: how many rounds are played for practice, counted for each player; streets need less
PRACTICE = {False: 200_000, True: 60_000}
#: how a street's worth is written as one number: rank, first number, first number of the lower one
RANK, FIRST = 100, 10
CODES = RANK * 6
#: the tables of a policy that practice fills
LEARNED = ("reach", "open_cost", "hold", "bonus", "result")


class Policy(NamedTuple):
    """What the quick player has learned from practice with this pack and so many players.

    k is the number of fields that a seat has empty, c a card, f a field counted from 0.
    """

    streets: bool
    #: fields: the chance that a field, empty now, will have a card of c or more: [k, f, c]
    reach: Floats
    #: what a field costs that is still empty, by the lowest card that others have there: [k, f, c]
    open_cost: Floats
    #: what the hand's best cards are good for: [k, place from the highest, c]
    hold: Floats
    #: the bonus to be expected: [k, own card on field 1, on field 6, highest sum that is complete]
    bonus: Floats
    #: streets: chips that a round brings with a row of this worth, by code
    result: Floats
    #: all single streets: place, first number, length, code
    ways: Ints
    #: the worth of every full row as a code: rows count in base 9, field 1 first
    worth: NDArray[np.int16]


class Rounds(NamedTuple):
    """How rounds end that the quick player plays with itself: for each number of players many of them."""

    due: Ints
    best: NDArray[np.bool_]
    prize: Ints


# --- tables ---------------------------------------------------------------------------------------


def _key(game: SixBySix, players: int) -> dict[str, Any]:
    return {
        "rules": game.rules_version,
        "solver": VERSION,
        "components": msgspec.to_builtins(game.components),
        "streets": game.options.streets,
        "practice": PRACTICE[game.options.streets],
        "players": players,
    }


def files(game: SixBySix, players: int) -> list[Path]:
    """The files of the tables for so many players."""
    paths = [table_path("sixbysix", _key(game, players))]
    if game.options.streets:
        paths.append(table_path("sixbysix-rows", {"rules": game.rules_version}))
    return paths


def is_kept(game: SixBySix, players: int) -> bool:
    """Whether practice with so many players has been done before."""
    return all(read_table(path) is not None for path in files(game, players))


def learned(game: SixBySix, players: int, report: Report = silent) -> tuple[Policy, Arrays]:
    """The quick player for so many players, and the ends of rounds that it played with itself."""
    rows = worths(game, report)

    def build(report: Report) -> Arrays:
        from pasch.solve.sixbysix_practice import practise

        return practise(game, players, rows)

    # the kernels are compiled for arrays in memory, not for files
    kept = table("sixbysix", _key(game, players), build, report)
    arrays = {name: np.array(array) for name, array in kept.items()}
    return policy(game, rows, arrays), arrays


def policy(game: SixBySix, rows: NDArray[np.int16], arrays: Arrays) -> Policy:
    """The quick player with these tables."""
    learned = {name: np.asarray(arrays[name]) for name in LEARNED}
    return Policy(streets=game.options.streets, ways=ways(), worth=rows, **learned)


def worths(game: SixBySix, report: Report = silent) -> NDArray[np.int16]:
    """The worth of every full row as a code; without streets nobody asks for it."""
    if not game.options.streets:
        return np.zeros(1, np.int16)

    def build(report: Report) -> Arrays:
        rows = product(range(1, HIGHEST + 1), repeat=FIELDS)
        return {"worth": np.fromiter((code(street_worth(row)) for row in rows), np.int16)}

    return np.array(table("sixbysix-rows", {"rules": game.rules_version}, build, report)["worth"])


def code(worth: tuple[int, ...]) -> int:
    """The worth of a row's streets as one number; the greater wins, as it does with the tuples."""
    rank, first, second = worth
    return rank * RANK + first * FIRST + second


@lru_cache(maxsize=1)
def ways() -> Ints:
    """All single streets: place, first number, length, code."""
    found = []
    for length in range(STREET, FIELDS + 1):
        for place in range(FIELDS - length + 1):
            for first in range(1, HIGHEST - length + 2):
                row = [0] * FIELDS
                row[place : place + length] = range(first, first + length)
                found.append((place, first, length, code(street_worth(tuple(row)))))
    return np.array(found)


def rounds_of(kept: dict[int, Arrays], most: int) -> Rounds:
    """The ends of rounds of all numbers of players in one piece."""
    number = len(kept[most]["prize"])
    due = np.zeros((most + 1, number, most), np.int64)
    best = np.zeros((most + 1, number, most), np.bool_)
    prize = np.zeros((most + 1, number), np.int64)
    for players, arrays in kept.items():
        due[players, :, :players] = arrays["due"]
        best[players, :, :players] = arrays["best"]
        prize[players] = arrays["prize"]
    return Rounds(due, best, prize)
