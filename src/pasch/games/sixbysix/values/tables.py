"""6mal6: what practice has taught, kept in a table.

Nothing here needs the compiler, so that it can be asked at the door whether everything is at hand.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from pasch.games.sixbysix.rules import Config, SixBySix
from pasch.games.sixbysix.settling import FIELDS, HIGHEST, RANK, STREET, street_worth
from pasch.solve.keys import table_key
from pasch.solve.records import arrays
from pasch.solve.tables import Arrays, table, table_path
from pasch.solve.valuer import Progress, no_progress

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

#: how many rounds are played for practice, counted for each player; streets need less
PRACTICE = {False: 200_000, True: 60_000}
#: more than any worth of streets
CODES = RANK * 6
#: the quick player of estimates of chips counts its own only; that of chances to win wants more than the others have
RIVALRY = (0.0, 1.0)


class Policy(NamedTuple):
    """What the quick player has learned from practice with this pack and number of players.

    k is the number of fields that a seat has empty, c a card, f a field counted from 0.
    """

    streets: bool
    #: how much the others' chips, on average over them, count against one's own
    rivalry: float
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
    #: all single streets: place, first number, length, worth
    ways: Ints


class Learned(NamedTuple):
    """The tables of the policies for all numbers of players, each by RIVALRY, and what else the search reads."""

    reach: Floats
    open_cost: Floats
    hold: Floats
    bonus: Floats
    result: Floats
    #: rows with which rounds ended that the quick player played with itself: [players, round, player, field]
    ends: Ints
    #: in how many worlds all moves are tried, in how many the better half, and so on
    worlds: Ints
    #: see `Policy`
    ways: Ints


def policy_of(g: Config, v: Learned, players: int, which: int) -> Policy:
    """The quick player for this number of players, by its place in RIVALRY; with streets there is but one."""
    at, which = players - 2, 0 if g.streets else which
    return Policy(
        g.streets, RIVALRY[which], v.reach[at, which], v.open_cost[at, which], v.hold[at, which], v.bonus[at, which],
        v.result[at, which], v.ways,
    )  # fmt: skip


# --- tables ---------------------------------------------------------------------------------------


def _key(game: SixBySix) -> dict[str, Any]:
    return table_key(
        game,
        components=msgspec.to_builtins(game.components),
        streets=game.options.streets,
        practice=PRACTICE[game.options.streets],
        players=game.players,
    )


def file(game: SixBySix) -> Path:
    """The file of a game's table."""
    return table_path("sixbysix", _key(game))


def learned(game: SixBySix, worlds: Ints, report: Progress = no_progress) -> Learned:
    """What has been learned with all numbers of players up to that of the game; now, if it has not been kept."""

    def build(report: Progress) -> Arrays:
        from pasch.games.sixbysix.values.practice import practise

        return practise(game, report)

    kept = table("sixbysix", _key(game), build, report)
    # the kernels are compiled for arrays in memory, not for files
    return arrays(
        Learned(worlds=worlds, ways=ways(), **{name: np.array(array) for name, array in kept.items()})
    )


@lru_cache(maxsize=1)
def ways() -> Ints:
    """All single streets: place, first number, length, worth."""
    found = []
    for length in range(STREET, FIELDS + 1):
        for place in range(FIELDS - length + 1):
            for first in range(1, HIGHEST - length + 2):
                row = [0] * FIELDS
                row[place : place + length] = range(first, first + length)
                found.append((place, first, length, street_worth(row)))
    return np.array(found)
