"""Crowns in batches: its rules and values as tables for the kernel."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.core.chance import rolls
from pasch.core.state import CHANCE, OVER, State
from pasch.games.crowns import (
    DICE,
    FIELDS,
    Crowns,
    Discard,
    Place,
    PlacementTable,
    Roll,
    mask,
    placement_table,
)
from pasch.lab.actions import actions
from pasch.lab.batch.shapes import FloatTable, IntTable, Observations, floats, ints
from pasch.lab.encoders import counts
from pasch.players.greedy.crowns import IDLE, chances, turns_for
from pasch.solve.crowns import Values
from pasch.solve.crowns_model import Net, Rules, net_views, rules_of
from pasch.solve.valuer import valuer

KERNEL: Final = "pasch.lab.batch.crowns_kernel"
#: valuing moves takes long to compile
VALUES_APART: Final = True
#: looking a roll ahead for every move, a game takes half a second
PART_WITH_VALUES: Final = 4

#: where things are in the state: the number of the roll that lies there, whose turn it is, complete
#: rounds, and by seat the covered fields and the chips left
ROLL, SEAT, ROUNDS, BOARDS = 1, 2, 3, 4
LEFT = BOARDS + Crowns.seats[-1]


class Tables(NamedTuple):
    """The rules of one game, its greedy player and its values."""

    seats: int
    #: see `pasch.games.crowns.required`
    minimum: int
    round_limit: int
    #: everybody's at the start
    chips: int
    #: the number of the roll that each of the 6**6 cases is
    lottery: IntTable
    #: placements of roll r: from `start[r]` to before `start[r + 1]`, the fewest chips first
    start: IntTable
    masks: IntTable
    placed: IntTable
    #: alone: by placement its number in `pasch.lab.actions`, and that of the discard
    action: IntTable
    discard: int
    #: what scores: fields that must be covered, their crowns, and their numbers, filled up with -1
    fields: IntTable
    crowns: IntTable
    parts: IntTable
    #: greedy: turns that so many chips take; chances of the fields by turns; what an idle chip costs
    turns: IntTable
    chances: FloatTable
    idle: float
    #: values as `pasch.solve.crowns_model` has them: [pace, chips left, entry]; alone there is one pace
    rules: Rules
    tables: NDArray[np.float32]
    net: Net


def state_size(game: Crowns) -> int:
    return LEFT + Crowns.seats[-1]


def most_moves(game: Crowns) -> int:
    return int(np.diff(_placements(game.options.split).start).max())


def tables(game: Crowns, greedy: bool, values: bool) -> Tables:
    """The tables of a game; those of values, which may have to be learned, only if they are wanted."""
    number = game.components.chips.number
    table = _placements(game.options.split)
    learned, net = np.zeros((0, 0, 0), np.float32), net_views(np.zeros(0, np.float32), (0, 0), number)
    if values:
        known = valuer(game)
        assert isinstance(known, Values)
        outlook = known.outlook
        learned, net = outlook.tables.reshape(-1, *outlook.tables.shape[-2:]), outlook.net
    parts = [[bit for bit in range(FIELDS) if fields >> bit & 1] for fields, _ in game.scoring]
    most = max(map(len, parts))
    turns = [turns_for(chips, game.minimum) for chips in range(number + 1)]
    return Tables(
        game.players,
        game.minimum,
        game.options.round_limit,
        number,
        _lottery(game.start()),
        ints(table.start),
        ints(table.masks),
        ints(table.chips),
        *_actions(game, table),
        ints([fields for fields, _ in game.scoring]),
        ints([crowns for _, crowns in game.scoring]),
        ints([part + [-1] * (most - len(part)) for part in parts]),
        ints(turns),
        floats([chances(turn) for turn in range(max(turns) + 1)] if greedy else np.zeros((0, 0))),
        IDLE,
        rules_of(game),
        learned,
        net,
    )


def observe(game: Crowns, states: IntTable) -> Observations:
    """What the one seat knows in each of some states (see `pasch.lab.encoders.crowns`)."""
    actor = states[:, 0]
    dice = np.array([counts(roll) for roll, _ in rolls(DICE)])
    return np.concatenate(
        [
            np.stack([actor == CHANCE, actor >= 0, actor == OVER, actor != OVER], axis=1),
            states[:, [ROUNDS, LEFT]],
            states[:, BOARDS, None] >> np.arange(FIELDS) & 1,
            dice[states[:, ROLL]] * (actor >= 0)[:, None],
        ],
        axis=1,
        dtype=np.float32,
    )


def _actions(game: Crowns, table: PlacementTable) -> tuple[IntTable, int]:
    """The numbers of the placements and of the discard; with several players nobody asks for them."""
    if game.players > 1:
        return ints([]), -1
    every = actions(game)
    moves = [every.move(number, 0) for number in range(len(every))]
    numbers = {mask(move.place): number for number, move in enumerate(moves) if isinstance(move, Place)}
    return ints([numbers[covered] for covered in table.masks]), every.number(Discard(0))


@cache
def _placements(split: bool) -> PlacementTable:
    return placement_table(split)


def _lottery(start: State) -> IntTable:
    """The number of the roll that each case is."""
    numbers = {roll[::-1]: number for number, (roll, _) in enumerate(rolls(DICE))}
    chance = start.chance()
    outcomes = map(chance.pick, range(chance.total))
    return ints([numbers[roll.roll] for roll in outcomes if isinstance(roll, Roll)])
