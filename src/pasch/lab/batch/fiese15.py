"""Fiese 15 in batches: its rules and values as tables for the kernel."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Final, NamedTuple

import numpy as np

from pasch.games.fiese15 import DICE as COLOURS_OF
from pasch.games.fiese15 import Fiese15, Keep, Next, consolation, keeps, points, valid_dice
from pasch.lab.actions import actions
from pasch.lab.batch.shapes import FloatTable, IntTable, Observations, floats, ints
from pasch.players.greedy.fiese15 import one_more_roll
from pasch.solve.fiese15 import Values
from pasch.solve.valuer import valuer

KERNEL: Final = "pasch.lab.batch.fiese15_kernel"

SETS: Final = len(COLOURS_OF)
DICE: Final = len(COLOURS_OF[-1])
MOST_PIPS: Final = 6 * DICE
FACES: Final = range(1, 7)

#: where things are in the state; `KEPT` and `ROLLED` begin six faces, `TOTALS` and `TILES` as many numbers
#: as there are seats at most, `DRAWN` one number for each strip. `LATER` is what the rounds to come are
#: worth, a double whose bits are read as a whole number
PHASE, SEAT, ROUNDS, STRIP, SIDE, ASIDE, PIPS, VALID, KEPT, ROLLED = 1, 2, 3, 4, 5, 6, 7, 8, 9, 15
LATER, TOTALS, TILES, DRAWN = 21, 22, 28, 34
#: phases, in the order of `pasch.lab.encoders.fiese15.PHASES`
STRIPS, ROLL, KEEP, NEXT, ENDED = range(5)


class Tables(NamedTuple):
    """The rules and values. A side is a strip with a tile; without handicap there is one tile, 0."""

    #: number of seats, strips, rounds; whether tiles are used
    seats: int
    strips: int
    rounds: int
    handicap: int
    #: by strip and tile: the number of the side
    side: IntTable
    #: by code of a standing (see `fiese15_kernel.give_tiles`) and seat: the tile
    tile: IntTable
    #: the tiles that a seat may get in later rounds
    later: IntTable
    #: by side, die and face: the die's bit if it is valid
    valid: IntTable
    #: what may be kept of each set of valid dice, from start[set] to start[set + 1]
    keep_start: IntTable
    keep: IntTable
    #: by set of dice kept, and for rolling and stopping: the number in `pasch.lab.actions`
    keep_action: IntTable
    next_action: IntTable
    #: by set of dice: how many dice that are, and the cases of a roll of all others
    size: IntTable
    cases: IntTable
    #: by number of dice and pips: what stopping scores
    points: IntTable
    #: by side and set of dice set aside: what a roll with nothing valid scores
    consolation: IntTable
    #: by side, set of dice set aside and pips: what the greedy player expects of one more roll
    one_more: FloatTable
    #: the same: the expected points before a roll
    before: FloatTable


def state_size(game: Fiese15) -> int:
    return DRAWN + len(game.components.strips)


def most_moves(game: Fiese15) -> int:
    return len(keeps(SETS - 1))


def tables(game: Fiese15, greedy: bool, values: bool) -> Tables:
    """The tables of a game; those of the greedy player and of values only if they are wanted."""
    known = valuer(game)
    assert isinstance(known, Values)
    sides = known.sides
    side = np.full((len(game.components.strips), max(known.tiles) + 1), -1)
    for (strip, tile), number in sides.items():
        side[strip, tile] = number
    targets = [game.targets(strip, tile) for strip, tile in sides]
    listed = [keeps(valid) if valid else () for valid in range(SETS)]
    members = [tuple(dice >> die & 1 for die in range(DICE)) for dice in range(SETS)]
    sizes = [sum(some) for some in members]
    numbered = actions(game)
    one_more = np.zeros((0, 0, 0))
    before = one_more
    if greedy:
        one_more = np.array([_one_more(own, game.options.gambler) for own in targets])
    if values:
        before = known.before()
    return Tables(
        game.players,
        len(game.components.strips),
        game.components.rounds,
        int(game.options.handicap),
        ints(side),
        ints(_tiles(game)),
        ints(known.future_tiles),
        ints([[[_valid(die, face, own) for face in range(7)] for die in range(DICE)] for own in targets]),
        ints(np.cumsum([0, *map(len, listed)])),
        ints([dice for some in listed for dice in some]),
        ints([0, *(numbered.number(Keep(0, colours)) for colours in COLOURS_OF[1:])]),
        ints([numbered.number(Next(0, "roll")), numbered.number(Next(0, "stop"))]),
        ints(sizes),
        ints([len(FACES) ** (DICE - size) for size in sizes]),
        ints([[points(dice, pips) for pips in range(MOST_PIPS + 1)] for dice in range(DICE + 1)]),
        ints([[consolation(own, kept, game.options.gambler) for kept in members] for own in targets]),
        floats(one_more),
        floats(before),
    )


def _valid(die: int, face: int, targets: tuple[int, ...]) -> int:
    return valid_dice(tuple(face * (other == die) for other in range(DICE)), targets)  # type: ignore[arg-type]


def _tiles(game: Fiese15) -> list[tuple[int, ...]]:
    """Every seat's tile for each standing: only who is before whom counts.

    A standing is told by how many seats each one is ahead of, as the digits of a number.
    """
    seats = game.players
    found = [(0,) * seats] * seats**seats
    if game.options.handicap:
        for code, ahead in enumerate(product(range(seats), repeat=seats)):
            if all(own == sum(other < own for other in ahead) for own in ahead):
                found[code] = game.tiles(ahead)
    return found


@cache
def _one_more(targets: tuple[int, ...], gambler: bool) -> list[list[float]]:
    """By set of dice set aside and pips; where no such position exists the number has no meaning."""
    found = [[0.0] * (MOST_PIPS + 1) for _ in range(SETS)]
    for dice in range(SETS - 1):
        kept = [dice >> die & 1 for die in range(DICE)]
        while True:
            found[dice][sum(kept)] = one_more_roll(targets, tuple(kept), gambler)  # type: ignore[arg-type]
            # any faces with the sum will do
            higher = [die for die in range(DICE) if 0 < kept[die] < targets[die]]
            if not higher:
                break
            kept[higher[0]] += 1
    return found


def observe(game: Fiese15, states: IntTable) -> Observations:
    """What the one seat knows in each of some states (see `pasch.lab.encoders.fiese15`)."""
    known = valuer(game)
    assert isinstance(known, Values)
    targets = np.array([game.targets(strip, tile) for strip, tile in known.sides])
    going = (states[:, PHASE] != ENDED)[:, None]
    return np.concatenate(
        [
            states[:, PHASE, None] == np.arange(ENDED + 1),
            going,
            states[:, [TOTALS, ROUNDS]],
            states[:, DRAWN:],
            states[:, TILES, None] * going,
            targets[states[:, SIDE]] * going,
            states[:, KEPT : KEPT + DICE],
            states[:, ROLLED : ROLLED + DICE],
        ],
        axis=1,
        dtype=np.float32,
    )
