"""Shut the Lines in batches: its rules and values as tables for the kernel."""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.core.chance import faces, rolls
from pasch.games.lines import PLANS, Cover, Lines, PlanTable, groupings, partial_groupings
from pasch.lab.actions import actions
from pasch.lab.batch.shapes import FloatTable, IntTable, Observations, fixed, ints
from pasch.solve.lines_rounds import rounds_on

KERNEL: Final = "pasch.lab.batch.lines_kernel"

SEATS: Final = Lines.seats[-1]
#: where things are in the state; `COVERED`, `OUT` and `TOTALS` begin a number for each seat
PHASE, SEAT, ROUND, PLAN, ROLLED, WAYS, WHOLE, COVERED = 1, 2, 3, 4, 5, 6, 7, 8
OUT, TOTALS = COVERED + SEATS, COVERED + 2 * SEATS
#: phases, in the order of `pasch.lab.encoders.lines.PHASES`
LAY, ROLL, COVER, ENDED = range(4)
#: no line that a board could complete
NO_LINE: Final = -1


class Tables(NamedTuple):
    """The rules and values. Plans are counted by where they first come in the list of plans, rolls through
    all plans."""

    seats: int
    target: int
    #: by round (which begin again): the plan
    order: IntTable
    #: by plan: all its numbers; the cases of a roll; where in `roll` these begin
    full: IntTable
    cases: IntTable
    begin: IntTable
    #: by case: the roll
    roll: IntTable
    #: by plan: its lines, and NO_LINE to fill up
    lines: IntTable
    #: the groupings of a roll: from first[roll] to whole[roll] with all dice, to first[roll + 1] the others
    first: IntTable
    whole: IntTable
    #: by grouping: the numbers covered, how many groups there are, the number in `pasch.lab.actions`
    mask: IntTable
    groups: IntTable
    action: IntTable
    #: by plan: the expected lines from each set of numbers, either as one row ...
    small: tuple[FloatTable, ...]
    #: ... or, of large plans, by row and lane (see `pasch.solve.lines_kernel`)
    large: tuple[NDArray[np.float32], ...]


def state_size(game: Lines) -> int:
    return TOTALS + SEATS


def most_moves(game: Lines) -> int:
    dice = {plan.dice for plan in _plans(game)}
    return max(len(partial_groupings(roll)) for number in dice for roll, _ in rolls(number))


def _plans(game: Lines) -> tuple[PlanTable, ...]:
    """The plans that are played, each once."""
    return tuple(dict.fromkeys(map(game.plan, game.options.plans)))


def tables(game: Lines, greedy: bool, values: bool) -> Tables:
    """The tables of a game; those of values only if they are wanted."""
    plans = _plans(game)
    first, whole = [0], list[int]()
    mask: list[int] = []
    groups: list[int] = []
    action: list[int] = []
    begin: list[int] = []
    roll: list[int] = []
    numbered = actions(game)
    for plan in plans:
        begin.append(len(roll))
        numbers = {faces: len(whole) + place for place, (faces, _) in enumerate(rolls(plan.dice))}
        roll += [numbers[made] for made in _cases(plan.dice)]
        for dice in numbers:
            ways = [way for way in partial_groupings(dice) if not way.mask & ~plan.full]
            every = set(groupings(dice))
            whole.append(len(mask) + sum(way in every for way in ways))
            mask += [way.mask for way in ways]
            groups += [len(way.groups) for way in ways]
            action += [numbered.number(Cover(0, way.groups)) for way in ways]
            first.append(len(mask))
    most = max(len(plan.lines) for plan in plans)
    small, large = _values(plans, values)
    return Tables(
        game.players,
        game.options.target,
        ints([plans.index(game.plan(number)) for number in game.options.plans]),
        ints([plan.full for plan in plans]),
        ints([len(faces(plan.dice)) for plan in plans]),
        ints(begin),
        ints(roll),
        ints([[*plan.lines, *[NO_LINE] * (most - len(plan.lines))] for plan in plans]),
        ints(first),
        ints(whole),
        ints(mask),
        ints(groups),
        ints(action),
        small,
        large,
    )


@cache
def _cases(dice: int) -> tuple[tuple[int, ...], ...]:
    """The roll that each case is."""
    return tuple(tuple(sorted(made)) for made in faces(dice))


def _values(plans: tuple[PlanTable, ...], wanted: bool) -> tuple[Any, Any]:
    """For each of four plans a table of either kind; the other one is empty, or both are."""
    small: list[NDArray[Any]] = [np.zeros(0)] * PLANS
    large: list[NDArray[Any]] = [np.zeros((0, 0), np.float32)] * PLANS
    for number, plan in enumerate(plans if wanted else ()):
        rounds = rounds_on(plan)
        (small if rounds.small else large)[number] = rounds.values()
    return tuple(map(fixed, small)), tuple(map(fixed, large))


def observe(game: Lines, states: IntTable) -> Observations:
    """What the one seat knows in each of some states (see `pasch.lab.encoders.lines`)."""
    order = np.array(game.options.plans)
    numbers = max(plan.full.bit_length() for plan in _plans(game))
    dice = np.array([_counts(roll) for plan in _plans(game) for roll, _ in rolls(plan.dice)])
    place = states[:, ROUND] % len(order)
    laid = states[:, PHASE] != LAY
    return np.concatenate(
        [
            states[:, PHASE, None] == np.arange(ENDED + 1),
            states[:, PHASE, None] != ENDED,
            np.ones((len(states), 1)),
            states[:, TOTALS, None],
            (order[place] * laid)[:, None] == np.arange(1, PLANS + 1),
            place[:, None] == np.arange(len(order)),
            states[:, COVERED, None] >> np.arange(numbers) & 1,
            states[:, OUT, None],
            dice[states[:, ROLLED]] * (states[:, PHASE, None] == COVER),
        ],
        axis=1,
        dtype=np.float32,
    )


@cache
def _counts(roll: tuple[int, ...]) -> list[int]:
    """How many dice show 1, 2 … 6."""
    return [roll.count(face) for face in range(1, 7)]
