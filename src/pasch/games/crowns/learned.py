"""Races of Crowns by what was learned, at a glance and in plain Python: for devices that cannot compute values.

A board is worth what the tables of races say (`values.model` tells what they are made of): nothing is looked ahead and
nothing is played on. Final scores are taken to lie about that as they usually do, from which it follows how likely it
is to be ahead of each of the others; the placement with which that is most likely is the best. A move takes
milliseconds.
"""

from __future__ import annotations

import io
import struct
import zipfile
from array import array
from collections.abc import Sequence
from functools import cache
from importlib import resources
from math import erf, sqrt
from typing import Any, Final, NamedTuple

from pasch.games.crowns.box import EDGE, LINE_FIELDS
from pasch.games.crowns.rules import (
    Config,
    Crowns,
    cost,
    ends_game,
    following,
    is_over,
    next_seat,
    rounds_after,
    rounds_left,
    score,
)

#: the file of the weights, in this folder
WEIGHTS: Final = "values/race.npz"
#: crowns per unit of a kept table entry
UNIT: Final = 1 / 64
#: the *pace* of a race, a step for the fewest chips that an opponent has left
FEWEST_CHIPS: Final = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11, 12, 12, 12, 13)
#: the number of paces
PACES: Final = FEWEST_CHIPS[-1] + 1
#: chips that are usually placed in a round when the end is near
PER_ROUND: Final = 2
#: of moves that win equally often the one for more crowns: so much a crown counts beside the chance to win
FOR_CROWNS: Final = 1e-4
#: scores are whole numbers, and a tie counts as a win
TIE: Final = 0.5


#: the groups of fields that the tables know: each line, and the whole edge
GROUPS: Final = (*LINE_FIELDS, EDGE)


# --- turns, pace and chances -----------------------------------------------------------------------------------


def turns_after(g: Config, left: Sequence[int], rounds: int, mover: int, seat: int) -> int:
    """How many turns a seat can have at most after that of `mover`, which has left everybody this many chips."""
    turns = 0 if is_over(g, left, rounds + 1) else rounds_left(g, rounds + 1)
    later = next_seat(g, mover)
    while later >= 0:
        turns += later == seat
        later = next_seat(g, later)
    return turns


def pace_of(fewest: int) -> int:
    """The step of the pace at which an opponent has this many chips left."""
    return FEWEST_CHIPS[min(fewest, len(FEWEST_CHIPS) - 1)]


def fewest_of_others(g: Config, left: Sequence[int], seat: int) -> int:
    """The fewest chips that an opponent of a seat has left; many if there is no opponent."""
    fewest = len(FEWEST_CHIPS)
    for other in range(g.players):
        if other != seat:
            fewest = min(fewest, left[other])
    return fewest


def pace_now(g: Config, left: Sequence[int], seat: int) -> int:
    """The pace that the others make when `seat` rolls; alone nobody does."""
    return pace_of(fewest_of_others(g, left, seat)) if g.players > 1 else 0


def pace_at_turn(g: Config, left: Sequence[int], seat: int, mover: int) -> int:
    """The pace when `seat` will roll, `mover` having just had its turn and all having this many chips left.

    Those who roll in between are assumed to place the usual number of chips, but not their last one.
    """
    fewest, other = fewest_of_others(g, left, seat), following(g, mover)
    while other != seat:
        fewest = min(fewest, max(1, left[other] - PER_ROUND))
        other = following(g, other)
    return pace_of(fewest)


def ahead(lead: float, spread: float) -> float:
    """How likely a seat ends with at least as many crowns as another, by how many more it expects.

    The difference of the final scores is taken to lie about that normally, with this standard deviation.
    """
    lead += TIE
    if spread == 0:
        return 1.0 if lead > 0 else 0.0
    return (1 + erf(lead / spread / sqrt(2))) / 2


# --- moves --------------------------------------------------------------------------------------------


class Prospect(NamedTuple):
    """A seat's final score: what is expected, and how far it usually lies from that."""

    expected: float
    spread: float


class Weights(NamedTuple):
    """What was learned: first entry after entry, in each chips left after chips left, in each pace after pace."""

    units: Sequence[int]
    #: how far final scores lie from what is expected, chips left after chips left
    spread: Sequence[float]


def knows(game: Crowns) -> bool:
    """Whether there are weights for this game: races with the box that comes with Pasch."""
    return game.players > 1 and not game.options.split and game.options.components is None


@cache
def weights() -> Weights:
    """The weights that come with the package."""
    file = resources.files(__package__).joinpath(WEIGHTS)
    with zipfile.ZipFile(io.BytesIO(file.read_bytes())) as archive:
        return Weights(array("h", _numbers(archive, "tables", "h")), _numbers(archive, "spread", "e"))


def _numbers(archive: zipfile.ZipFile, name: str, kind: str) -> tuple[Any, ...]:
    """The numbers of an array, of 16 bits each, in the order of the file; numpy need not be there."""
    data = archive.read(f"{name}.npy")
    # a mark, the length of a header, the header, the numbers
    begin = 10 + int.from_bytes(data[8:10], "little")
    return struct.unpack(f"<{(len(data) - begin) // 2}{kind}", data[begin:])


def prospect(g: Config, board: int, left: int, turns: int, pace: int) -> Prospect:
    """What a seat has to expect that has this many chips, and turns at most, when it will roll at this pace."""
    if turns == 0:
        return Prospect(score(g, board), 0.0)
    w, start = weights(), pace + PACES * min(left, PER_ROUND * turns)
    units, first = 0, 0
    for group in GROUPS:
        entry = first
        for bit, field in enumerate(group):
            entry += (board >> field & 1) << bit
        units += w.units[start + len(w.spread) * entry]
        first += 1 << len(group)
    return Prospect(score(g, board) + UNIT * units, w.spread[start])


def move_values(game: Crowns, s: Any, codes: Sequence[int]) -> list[float]:
    """How good each move is for winning the race."""
    g, mover = game.config, s.seat
    rounds = rounds_after(g, s.rounds, mover)
    others: dict[int, list[Prospect]] = {}
    found = []
    for code in codes:
        board = s.boards[mover] | g.masks[code]
        left = [s.left[seat] for seat in range(g.players)]
        left[mover] -= cost(g, g.chips[code])
        # what the others have to expect follows from how many chips the mover has left, not from where they lie
        if left[mover] not in others:
            others[left[mover]] = [
                _after(g, s, s.boards[seat], left, rounds, seat)
                for seat in range(g.players)
                if seat != mover
            ]
        mine = _after(g, s, board, left, rounds, mover)
        chance = 1.0
        for theirs in others[left[mover]]:
            spread = sqrt(mine.spread**2 + theirs.spread**2)
            chance *= ahead(mine.expected - theirs.expected, spread)
        found.append(chance + FOR_CROWNS * mine.expected)
    return found


def _after(g: Config, s: Any, board: int, left: list[int], rounds: int, seat: int) -> Prospect:
    """What a seat has to expect after the move that has left everybody this many chips."""
    if ends_game(g, left, s.rounds, s.seat):
        return Prospect(score(g, board), 0.0)
    turns = turns_after(g, left, rounds, s.seat, seat)
    if seat == following(g, s.seat):
        # it rolls now, whatever comes later
        return prospect(g, board, left[seat], max(1, turns), pace_now(g, left, seat))
    return prospect(g, board, left[seat], turns, pace_at_turn(g, left, seat, s.seat))
