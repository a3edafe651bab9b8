"""Shut the Lines as numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pasch.core.chance import rolls
from pasch.core.events import Event
from pasch.games.lines import PLANS, Cover, Lines, LinesState, PlanTable, partial_groupings
from pasch.lab.encoders import DICE_PART, Part, bits, counts, one_hot, phase_part, turn, turn_part, turned

PHASES: Final = ("plan", "roll", "cover", "over")


def _tables(game: Lines) -> list[PlanTable]:
    """The plans that are played."""
    return [game.plan(number) for number in sorted(set(game.options.plans))]


def _numbers(game: Lines) -> int:
    """The highest number of all plans that are played."""
    return max(table.full.bit_length() for table in _tables(game))


def moves(game: Lines) -> Iterator[Event]:
    every = (
        way.groups
        for table in _tables(game)
        for roll, _ in rolls(table.dice)
        for way in partial_groupings(roll)
        if not way.mask & ~table.full
    )
    for groups in dict.fromkeys(every):
        yield Cover(0, groups)


def score_range(game: Lines) -> tuple[int, int]:
    return 0, game.options.target - 1 + max(len(table.lines) for table in _tables(game))


def most_moves(game: Lines) -> None:
    """A round can bring nobody a point, so that there is no last one."""


def layout(game: Lines) -> tuple[Part, ...]:
    n, numbers = game.players, _numbers(game)
    dice = max(table.dice for table in _tables(game))
    return (
        phase_part(PHASES),
        turn_part(game),
        Part("first", n, 0, 1, "by seat: it began the round"),
        Part("totals", n, *score_range(game), "by seat"),
        Part("plan", PLANS, 0, 1, "the plan being played, if one lies there"),
        Part("place", len(game.options.plans), 0, 1, "the round's place in the list of plans"),
        Part("covered", n * numbers, 0, 1, "by seat: the numbers covered, from 1 up"),
        Part("out", n, 0, 1, "by seat: it is out of the round"),
        Part("rolled", 6, 0, dice, DICE_PART),
    )


def encode(view: LinesState, seat: int) -> list[int]:
    game = view.game
    assert isinstance(game, Lines)
    n, plans, numbers = game.players, game.options.plans, _numbers(game)
    return [
        *one_hot(view.phase, PHASES),
        *turn(view, seat),
        *turned(one_hot(view.round % n, range(n)), seat),
        *turned(view.totals, seat),
        *one_hot(view.plan, range(1, PLANS + 1)),
        *one_hot(view.round % len(plans), range(len(plans))),
        *(bit for covered in turned(view.covered, seat) for bit in bits(covered, numbers)),
        *turned(tuple(map(int, view.out)), seat),
        *counts(view.rolled),
    ]
