"""6mal6: what practice has taught, kept in tables.

Nothing here needs the compiler, so that it can be asked at the door whether everything is at hand.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from pasch.games.sixbysix.rules import SixBySix
from pasch.games.sixbysix.settling import FIELDS, HIGHEST, RANK, STREET, street_worth
from pasch.solve.keys import table_key
from pasch.solve.tables import Arrays, read_table, table, table_path
from pasch.solve.valuer import Progress, no_progress

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

#: how many rounds are played for practice, counted for each player; streets need less
PRACTICE = {False: 200_000, True: 60_000}
#: more than any worth of streets
CODES = RANK * 6
#: the quick player of estimates of chips counts its own only; that of chances to win wants more than the others have
RIVALRY = (0.0, 1.0)
#: the tables of a policy that practice fills
LEARNED = ("reach", "open_cost", "hold", "bonus", "result")


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
    """The policies for all numbers of players, from 2 on, each by RIVALRY, and how many worlds are looked into."""

    reach: Floats
    open_cost: Floats
    hold: Floats
    bonus: Floats
    result: Floats
    ways: Ints
    #: rows with which rounds ended that the quick player played with itself: [players, round, player, field]
    ends: Ints
    #: in how many worlds all moves are tried, in how many the better half, and so on
    worlds: Ints


# --- tables ---------------------------------------------------------------------------------------


def _key(game: SixBySix, players: int) -> dict[str, Any]:
    return table_key(
        game,
        components=msgspec.to_builtins(game.components),
        streets=game.options.streets,
        practice=PRACTICE[game.options.streets],
        players=players,
    )


def file(game: SixBySix, players: int) -> Path:
    """The file of the table for this number of players."""
    return table_path("sixbysix", _key(game, players))


def is_kept(game: SixBySix, players: int) -> bool:
    """Whether the table for this number of players has been built."""
    return read_table(file(game, players)) is not None


#: learns the tables of a game for a number of players
Practise = Callable[[SixBySix, int], Arrays]


def learned(
    game: SixBySix, players: int, practise: Practise, report: Progress = no_progress
) -> dict[str, NDArray[Any]]:
    """The tables of the quick player for this number of players, and final rows of its self-play rounds."""
    kept = table("sixbysix", _key(game, players), lambda report: practise(game, players), report)
    # the kernels are compiled for arrays in memory, not for files
    return {name: np.array(array) for name, array in kept.items()}


def policy(game: SixBySix, rivalry: float, arrays: Arrays) -> Policy:
    """The quick player with these tables."""
    learned = {name: np.asarray(arrays[name]) for name in LEARNED}
    return Policy(streets=game.options.streets, rivalry=rivalry, ways=ways(), **learned)


def everything_learned(
    game: SixBySix, worlds: Ints, practise: Practise, report: Progress = no_progress
) -> Learned:
    """What has been learned with all numbers of players; missing tables are built."""
    most, kept = game.players, []
    for players in range(2, most + 1):
        report((players - 2) / (most - 1), f"practice with {players} players")
        kept.append(learned(game, players, practise))
    ends = np.zeros((most + 1, len(kept[0]["ends"]), most, FIELDS), np.int64)
    for players, arrays in enumerate(kept, 2):
        ends[players, :, :players] = arrays["ends"]
    stacked = {name: np.stack([arrays[name] for arrays in kept]) for name in LEARNED}
    report(1.0, "ready")
    return Learned(ways=ways(), ends=ends, worlds=worlds, **stacked)


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
